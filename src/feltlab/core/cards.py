"""Cards: small ints with names.

A card is `4 * rank + suit`, rank 0 (deuce) to 12 (ace), suit 0 to 3 in the order of `SUITS`; the
joker is 52. Text becomes cards in this module and nowhere else:

>>> cards("As 10d Jk")
cards('As Td Jk')
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from feltlab.errors import Refused

RANKS = "23456789TJQKA"
SUITS = "cdhs"
SYMBOLS = "♣♦♥♠"
ACE = 12
JOKER = 52

# Marks in place of a card.
UNKNOWN = -1  # the card is on the table, but was not given
FACE_DOWN = -2  # the card is on the table, and may not be seen
NOT_DEALT = -3  # the card is still in the shoe
_PLACES = {UNKNOWN: "??", FACE_DOWN: "##", NOT_DEALT: "--"}

RANK_NAMES = (
    "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen", "King", "Ace",
)  # fmt: skip

_TOKEN = re.compile(r"(?ai:(10|[2-9tjqka])([cdhs♣♦♥♠♧♢♡♤]\ufe0f?)|(jk|joker))")
_SUIT_OF = {mark: suit for marks in (SUITS, SYMBOLS, "♧♢♡♤") for suit, mark in enumerate(marks)}


def plural(rank: int) -> str:
    """The plural of a rank's name.

    >>> plural(ACE), plural(4)
    ('Aces', 'Sixes')
    """
    name = RANK_NAMES[rank]
    return name + ("es" if name == "Six" else "s")


def rank_of(card: int) -> int:
    return card >> 2


def suit_of(card: int) -> int:
    return card & 3


def name(card: int) -> str:
    """The short name of a card, or of what is in a card's place.

    >>> name(51), name(JOKER), name(FACE_DOWN)
    ('As', 'Jk', '##')
    """
    if card in _PLACES:
        return _PLACES[card]
    return "Jk" if card == JOKER else RANKS[rank_of(card)] + SUITS[suit_of(card)]


class Cards(tuple[int, ...]):
    """Some cards in order, each a small int. The `repr` of known cards can be pasted back.

    >>> from feltlab import cards
    >>> hand = cards("As Td")
    >>> hand
    cards('As Td')
    >>> print(hand, tuple(hand))
    As Td (51, 33)
    """

    __slots__ = ()

    def __str__(self) -> str:
        return " ".join(map(name, self))

    def __repr__(self) -> str:
        return f"cards({str(self)!r})"


def cards(given: str | Iterable[int]) -> Cards:
    """Read cards from text, or take ints as they are.

    >>> from feltlab import cards
    >>> cards("As Td") == cards("as,10d") == cards("AsTd") == cards("A♠ 10♦") == cards([51, 33])
    True
    """
    return Cards(_read(given) if isinstance(given, str) else map(_check_card, given))


def cards_or_unknown(given: Iterable[int]) -> Cards:
    """Take ints as cards; `UNKNOWN` is allowed too."""
    return Cards(_check_card(number, UNKNOWN) for number in given)


def card(text: str) -> int:
    """The one card that `text` names.

    >>> card("As") == 51
    True
    """
    found = cards(text)
    if len(found) != 1:
        raise Refused(f"One card was expected, {text!r} is {len(found)}.")
    return found[0]


def _check_card(number: int, lowest: int = 0) -> int:
    """The number as an int; truth values and floats are refused, though they may equal a card."""
    whole = hasattr(number, "__index__") and not isinstance(number, bool)
    if not (whole and lowest <= number <= JOKER):
        raise Refused(f"{number!r} is not a card; cards are the numbers 0 to {JOKER}.")
    return int(number)


def _read(text: str) -> Iterator[int]:
    for word in re.split(r"[\s,;]+", text.strip()):
        at = 0
        while at < len(word):
            token = _TOKEN.match(word, at)
            if token is None:
                raise Refused(f"{word[at:]!r} is not a card; cards are written like As, Td, 9h or Jk.")
            yield _number(token)
            at = token.end()


def _number(token: re.Match[str]) -> int:
    rank, suit, joker = token.groups()
    if joker:
        return JOKER
    return 4 * RANKS.index("T" if rank == "10" else rank.upper()) + _SUIT_OF[suit[0].lower()]


@dataclass(frozen=True)
class Deck:
    """The cards that a game is played with.

    >>> len(Deck.standard(decks=6)), len(Deck.standard(joker=True))
    (312, 53)
    """

    cards: Cards

    @classmethod
    def standard(cls, decks: int = 1, joker: bool = False) -> "Deck":
        return cls(Cards((*range(52), *[JOKER] * joker) * decks))

    def __len__(self) -> int:
        return len(self.cards)

    @cached_property
    def _stock(self) -> Counter[int]:
        return Counter(self.cards)

    def check(self, dealt: Iterable[int]) -> None:
        """Refuse cards that cannot all come from this deck, and name them."""
        stock = self._stock
        for held, times in Counter(c for c in dealt if c not in _PLACES).items():
            if not stock[_check_card(held)]:
                raise Refused(f"{name(held)} is not in this game's deck.")
            if times > stock[held]:
                how_often = "once" if stock[held] == 1 else f"{stock[held]} times"
                raise Refused(f"{name(held)} is given {times} times; the deck holds it {how_often}.")
