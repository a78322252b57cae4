"""Card faces, as templates draw them and screen readers say them."""

from feltlab.core.cards import RANK_NAMES, RANKS, SUITS, SYMBOLS

SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")


def card_face(card: str) -> dict[str, str]:
    """The rank, suit, colour and spoken name of a card such as 'Kd'; any other text is a card face down."""
    if card == "Jk":
        return {"card": card, "rank": "★", "suit": "", "colour": "black", "said": "joker"}
    if card[0] not in RANKS or card[1] not in SUITS:
        return {"card": card, "rank": "", "suit": "", "colour": "back", "said": "a card face down"}
    suit = SUITS.index(card[1])
    rank = "10" if card[0] == "T" else card[0]
    said = f"{RANK_NAMES[RANKS.index(card[0])].lower()} of {SUIT_NAMES[suit]}"
    return {"card": card, "rank": rank, "suit": SYMBOLS[suit], "colour": SUIT_NAMES[suit], "said": said}
