"""The shuffler of a live table: it shuffles, shows its state, and counts the cards before it delivers.

Nothing here can be seeded: every draw is the operating system's. The house commits to a shuffle by a digest
before a card of it is seen, and anyone can compare the revealed shuffle with the digest.
"""

import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import TypeVar

import orjson

from feltlab.core.cards import JOKER, Cards, cards
from feltlab.core.cards import name as card_name
from feltlab.core.game import Game
from feltlab.digests import canonical_json, sha256_hex
from feltlab.errors import Refused
from feltlab.shuffling.card_names import write_cards
from feltlab.shuffling.models import SHOE, Mode, mode_of
from feltlab.shuffling.uniform import draw_descending
from feltlab.text import listing
from feltlab.values import cached_property, set_frozen

MAIN, BACKUP = "main", "backup"
HAND = "hand"  # no machine: the dealer shuffles
COLOURS = ("blue", "red")  # of the backs of two decks: one is dealt while the other is shuffled
SHORT, LONG, DUPLICATE, FOREIGN, JAM = "short deck", "long deck", "duplicate card", "foreign card", "jam"
FAULTS = (SHORT, LONG, DUPLICATE, FOREIGN, JAM)
READY = "READY"
SALT_BYTES = 32

T = TypeVar("T")


# -- Drawing ----------------------------------------------------------------------------------------


def _draw_all(things: Sequence[T]) -> list[T]:
    """All things in random order, each drawn from those that are left."""
    left = list(things)
    drawn = list(map(left.pop, draw_descending(len(left))))
    return drawn + left


def shuffle_in_packets(deck: Cards, packet: int) -> Cards:
    """Draw cards at random into packets, and deliver the packets in random order.

    Every order is equally likely. Drawn one by one from those that are left, n cards are in each of n!
    orders with probability 1/n x 1/(n - 1) x ... x 1. The order of the packets is drawn independently of
    the cards. Each such order maps the orders of the cards one to one, so all stay equally likely. Cards
    too few for a packet come last.
    """
    drawn = _draw_all(deck)
    if packet == 1:
        return Cards(drawn)
    full = len(drawn) - len(drawn) % packet
    packets = _draw_all(range(0, full, packet))
    return Cards(chain(*(drawn[at : at + packet] for at in packets), drawn[full:]))


# -- A shuffle --------------------------------------------------------------------------------------


def commitment_of(order: Cards, salt: str) -> str:
    """The digest that binds the house to an order, and reveals nothing of it while the salt is secret."""
    return sha256_hex(f"{salt}:{write_cards(order)}".encode())


@dataclass(frozen=True, repr=False)
class Shuffle:
    """The product of one cycle of a shuffler: secret until it is revealed."""

    name: str
    order: Cards
    salt: str
    deck: str  # the colour of its backs, or the shoe
    shuffler: str

    def __post_init__(self) -> None:
        if type(self.order) is not Cards:
            set_frozen(self, order=cards(self.order))

    def __repr__(self) -> str:
        """Without order and salt, because a repr ends up in logs."""
        by = "by hand" if self.shuffler == HAND else f"by the {self.shuffler} shuffler"
        return f"<Shuffle {self.name}: {len(self.order)} cards, {self.deck}, {by}>"

    @cached_property
    def commitment(self) -> str:
        return commitment_of(self.order, self.salt)

    def to_bytes(self) -> bytes:
        """The shuffle as the vault seals it."""
        plain = (self.name, list(self.order), self.salt, self.deck, self.shuffler)
        return canonical_json(dict(zip(_FIELDS, plain, strict=True)))

    @classmethod
    def from_bytes(cls, sealed: bytes) -> "Shuffle":
        try:
            data = orjson.loads(sealed)
            return cls(*(data[field] for field in _FIELDS))
        except (orjson.JSONDecodeError, KeyError, TypeError, IndexError):
            raise Refused("The sealed secret is not a shuffle.") from None


_FIELDS = ("name", "order", "salt", "deck", "shuffler")


# -- The machine ------------------------------------------------------------------------------------


def name_fault_finder(shuffler: str) -> str:
    """The finder of a fault: a machine, or the dealer who counts the cards of a hand shuffle."""
    return "The dealer's count" if shuffler == HAND else "The shuffler"


class Fault(Refused):
    """The shuffler, or a count by hand, found that no card may reach a player."""

    def __init__(self, kind: str, message: str, shuffler: str = MAIN) -> None:
        then = ", and no card is dealt" if shuffler == HAND else " and delivers no card"
        super().__init__(f"{name_fault_finder(shuffler)} shows {message!r}{then}.")
        self.kind, self.message = kind, message


@dataclass(frozen=True)
class Shuffler:
    """A machine at a table, or the dealer's hand; a drill injects a fault to test the table's reaction."""

    game: Game
    name: str = MAIN
    fault: str = ""

    def __post_init__(self) -> None:
        if self.name not in (MAIN, BACKUP, HAND):
            raise Refused(f"{self.name!r} is not a shuffler of a table; it has {MAIN} and {BACKUP}.")
        possible = self.possible_faults
        if self.fault and self.fault not in possible:
            faults = listing(possible)
            raise Refused(f"{self.fault!r} is not a fault that can happen here; possible are {faults}.")

    @property
    def possible_faults(self) -> tuple[str, ...]:
        """The faults that a drill can inject: a hand does not jam, and no card is foreign to a full deck."""
        without = {JAM} if self.name == HAND else set()
        without |= {FOREIGN} if JOKER in self.game.deck.cards else set()
        return tuple(fault for fault in FAULTS if fault not in without)

    @property
    def mode(self) -> Mode:
        return mode_of(self.game)

    def cycle(self, name: str, number: int) -> Shuffle:
        """Make the next shuffle under a name; its number selects one of the two decks."""
        order = shuffle_in_packets(self._load(), self.mode.packet)
        deck = SHOE if self.mode.shoe else COLOURS[number % 2]
        return Shuffle(name, order, secrets.token_hex(SALT_BYTES), deck, self.name)

    def _load(self) -> Cards:
        """The cards in the machine: the deck, or a wrong one in a drill."""
        deck = self.game.deck.cards
        if self.fault in ("", JAM):
            return deck
        lost, *kept = _draw_all(deck)
        other = next(card for card in kept if card != lost)
        extra = {SHORT: [], LONG: [lost, other], DUPLICATE: [other], FOREIGN: [JOKER]}
        return Cards([*kept, *extra[self.fault]])

    def deliver(self, shuffle: Shuffle) -> Cards:
        """Count the cards down and deliver them in their order: the only way to the players."""
        fault = self._find_fault(shuffle)
        if fault is not None:
            raise fault
        return shuffle.order

    def message(self, shuffle: Shuffle | None = None) -> str:
        """The line on the machine's display, idle or with a shuffle to deliver."""
        fault = self._find_fault(shuffle)
        return fault.message if fault else READY

    def _find_fault(self, shuffle: Shuffle | None) -> Fault | None:
        if self.fault == JAM:
            return Fault(JAM, "JAM: CLEAR THE PATH")
        return _find_miscount(shuffle.order, self.game.deck.cards, self.name) if shuffle else None


@lru_cache(maxsize=64)
def _sort_deck(deck: Cards) -> list[int]:
    return sorted(deck)


def _find_miscount(order: Cards, deck: Cards, shuffler: str) -> Fault | None:
    """The fault that a count-down finds: a wrong count, or else the odd card by name."""
    if len(order) != len(deck):
        kind, word = (SHORT, "SHORT") if len(order) < len(deck) else (LONG, "LONG")
        return Fault(kind, f"DECK {word}: {len(order)} OF {len(deck)} CARDS", shuffler)
    if sorted(order) == _sort_deck(deck):
        return None
    odd = min(Counter(order) - Counter(deck))
    kind, word = (DUPLICATE, "DUPLICATE") if odd in deck else (FOREIGN, "FOREIGN CARD")
    return Fault(kind, f"{word}: {card_name(odd)}", shuffler)
