"""Every hypothesis strategy of the tests, and what property tests have in common."""

from hypothesis import strategies as st

from feltlab.core.cards import JOKER, RANKS, SUITS, SYMBOLS

Hand = tuple[int, ...]

# -- Cards ------------------------------------------------------------------------------------------

CARDS = st.integers(0, 51)
CARDS_AND_JOKER = st.integers(0, JOKER)


def hands(least: int, most: int, joker: bool = False) -> st.SearchStrategy[Hand]:
    """`least` to `most` different cards of 52, or of 53; in the latter case with the joker half the time."""
    naturals = st.lists(CARDS, min_size=least, max_size=most, unique=True).map(tuple)
    return st.one_of(naturals, with_joker(least, most)) if joker else naturals


def with_joker(least: int, most: int) -> st.SearchStrategy[Hand]:
    """`least` to `most` different cards, the joker among them at any place."""
    naturals = st.lists(CARDS, min_size=least - 1, max_size=most - 1, unique=True)
    return naturals.flatmap(lambda held: st.permutations([*held, JOKER])).map(tuple)


# -- Text -------------------------------------------------------------------------------------------


def spellings(card: int) -> st.SearchStrategy[str]:
    """The ways in which a person may write a card."""
    if card == JOKER:
        return st.sampled_from(["Jk", "jk", "JK", "Joker", "joker", "JOKER"])
    rank, suit = RANKS[card // 4], card % 4
    ranks = {rank, rank.lower(), *(["10"] if rank == "T" else [])}
    suits = [SUITS[suit], SUITS[suit].upper(), SYMBOLS[suit], "♧♢♡♤"[suit], SYMBOLS[suit] + "\ufe0f"]
    return st.builds(str.__add__, st.sampled_from(sorted(ranks)), st.sampled_from(suits))


@st.composite
def spelled_cards(draw: st.DrawFn) -> tuple[Hand, str]:
    """Some cards, and a text that names them."""
    given = draw(st.lists(CARDS_AND_JOKER, max_size=9).map(tuple))
    gaps = st.sampled_from(["", " ", ",", ", ", ";", "\n", "  "])
    return given, "".join(draw(spellings(card)) + draw(gaps) for card in given)
