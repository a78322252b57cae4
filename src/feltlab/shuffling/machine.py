"""The shuffler of a live table: it draws the cards, shows what it is doing, and counts before it delivers.

Nothing here can be seeded: every draw is the operating system's. A shuffle is committed to by a digest
before a card of it is seen, and held against that digest when it is revealed.
"""

import hashlib
import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from typing import TypeVar

import orjson

from feltlab.core.cards import Cards, cards
from feltlab.core.cards import name as card_name
from feltlab.core.game import Game
from feltlab.digests import canonical_json
from feltlab.errors import Refused
from feltlab.games.data import cards_at_once, packet_data
from feltlab.shuffling.uniform import below
from feltlab.text import listing
from feltlab.values import set_frozen

MAIN, BACKUP = "main", "backup"
COLOURS = ("blue", "red")  # of the two decks: one is dealt while the other is shuffled
SHOE = "shoe"
SHORT, LONG, DUPLICATE, FOREIGN, JAM = "short deck", "long deck", "duplicate card", "foreign card", "jam"
FAULTS = (SHORT, DUPLICATE, JAM)  # that can be injected
READY = "READY"
SALT_BYTES = 32

T = TypeVar("T")


# -- What it does for a game ------------------------------------------------------------------------


@dataclass(frozen=True)
class Mode:
    """What the shuffler is set to."""

    name: str
    packet: int  # cards that are delivered together
    cards: int  # that are shuffled together
    shoe: bool  # do rounds go on from one shuffle until the cut card comes out?


@lru_cache(maxsize=256)
def mode(game: Game) -> Mode:
    packet, size = cards_at_once(game), len(game.deck)
    shoe = game.behind_cut < size
    plain = SHOE if shoe else f"packets of {packet}" if packet > 1 else "single cards"
    return Mode(packet_data(game).shuffler or plain, packet, size, shoe)


# -- Drawing ----------------------------------------------------------------------------------------


def _drawn(things: Sequence[T]) -> list[T]:
    """All of them, each drawn at random from those that are left."""
    left = list(things)
    drawn = [left.pop(at) for at in below(range(len(left), 1, -1))]
    return drawn + left


def shuffled_in_packets(deck: Cards, packet: int) -> Cards:
    """Cards drawn at random into packets, and the packets delivered in random order.

    Every order is equally likely. Drawn one by one from those that are left, n cards are in each of n!
    orders with chance 1/n x 1/(n - 1) x ... x 1. The order of the packets is drawn apart from the cards:
    whichever it is, it turns orders into orders one to one, so all stay equally likely. Cards too few for
    a packet come last.
    """
    drawn = _drawn(deck)
    if packet == 1:
        return Cards(drawn)
    full = len(drawn) - len(drawn) % packet
    packets = _drawn(range(0, full, packet))
    return Cards(chain(*(drawn[at : at + packet] for at in packets), drawn[full:]))


# -- A shuffle --------------------------------------------------------------------------------------


def commitment_of(order: Cards, salt: str) -> str:
    """The digest that binds the house to an order and tells nothing of it while the salt is secret."""
    return hashlib.sha256(f"{salt}:{order}".encode()).hexdigest()


@dataclass(frozen=True, repr=False)
class Shuffle:
    """What one cycle of a shuffler made: a secret until it is revealed."""

    name: str
    order: Cards
    salt: str
    deck: str  # the colour of its backs, or the shoe
    shuffler: str

    def __post_init__(self) -> None:
        set_frozen(self, order=cards(self.order))

    def __repr__(self) -> str:
        """Without order and salt, for a repr ends in logs."""
        return f"<Shuffle {self.name}: {len(self.order)} cards, {self.deck}, by the {self.shuffler} shuffler>"

    @cached_property
    def commitment(self) -> str:
        return commitment_of(self.order, self.salt)

    def to_bytes(self) -> bytes:
        """For the vault."""
        plain = (self.name, list(self.order), self.salt, self.deck, self.shuffler)
        return canonical_json(dict(zip(_FIELDS, plain, strict=True)))

    @classmethod
    def from_bytes(cls, sealed: bytes) -> "Shuffle":
        try:
            data = orjson.loads(sealed)
            return cls(*(data[field] for field in _FIELDS))
        except (orjson.JSONDecodeError, KeyError, TypeError, IndexError):
            raise Refused("What was sealed is not a shuffle.") from None


_FIELDS = ("name", "order", "salt", "deck", "shuffler")


# -- The machine ------------------------------------------------------------------------------------


class Fault(Refused):
    """The shuffler stopped before a card reached a player."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(f"The shuffler shows {message!r} and delivers no card.")
        self.kind, self.message = kind, message


@dataclass(frozen=True)
class Shuffler:
    """A machine at a table; a fault can be injected to see what the table makes of it."""

    game: Game
    name: str = MAIN
    fault: str = ""

    def __post_init__(self) -> None:
        if self.name not in (MAIN, BACKUP):
            raise Refused(f"{self.name!r} is not a shuffler of a table; it has {MAIN} and {BACKUP}.")
        if self.fault and self.fault not in FAULTS:
            raise Refused(f"{self.fault!r} is not a fault; the faults are {listing(FAULTS)}.")

    @property
    def mode(self) -> Mode:
        return mode(self.game)

    def cycle(self, name: str, number: int) -> Shuffle:
        """The next shuffle, under this name; its number says which of the two decks is in turn."""
        order = shuffled_in_packets(self._loaded(), self.mode.packet)
        deck = SHOE if self.mode.shoe else COLOURS[number % 2]
        return Shuffle(name, order, secrets.token_hex(SALT_BYTES), deck, self.name)

    def _loaded(self) -> Cards:
        """The cards in the machine."""
        deck = self.game.deck.cards
        if self.fault not in (SHORT, DUPLICATE):
            return deck
        lost, *kept = _drawn(deck)
        return Cards(kept) if self.fault == SHORT else Cards([*kept, next(c for c in kept if c != lost)])

    def deliver(self, shuffle: Shuffle) -> Cards:
        """The cards in their order, once they have been counted down: the only way to the players."""
        fault = self._found(shuffle)
        if fault is not None:
            raise fault
        return shuffle.order

    def message(self, shuffle: Shuffle | None = None) -> str:
        """The line on the machine, idle or with a shuffle to deliver."""
        fault = self._found(shuffle)
        return fault.message if fault else READY

    def _found(self, shuffle: Shuffle | None) -> Fault | None:
        if self.fault == JAM:
            return Fault(JAM, "JAM: CLEAR THE PATH")
        return _miscount(shuffle.order, self.game.deck.cards) if shuffle else None

    def replaced(self) -> "Shuffler":
        """The backup, in working order."""
        return Shuffler(self.game, BACKUP)


def _miscount(order: Cards, deck: Cards) -> Fault | None:
    """What a count-down finds wrong. It counts first: a deck of the right size names its odd card."""
    if len(order) != len(deck):
        kind, word = (SHORT, "SHORT") if len(order) < len(deck) else (LONG, "LONG")
        return Fault(kind, f"DECK {word}: {len(order)} OF {len(deck)} CARDS")
    odd = min(Counter(order) - Counter(deck), default=None)
    if odd is None:
        return None
    kind, word = (DUPLICATE, "DUPLICATE") if odd in deck else (FOREIGN, "FOREIGN CARD")
    return Fault(kind, f"{word}: {card_name(odd)}")
