"""A deal: one shoe dealt to several seats that share one dealer, as an immutable value.

The rules fix which seat receives each card and which seat chooses when. Each seat's `Round` holds its own
cards and the dealer's, as far as they have been dealt, and nothing else.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import numpy as np

from feltlab.core.cards import UNKNOWN, Cards, cards
from feltlab.core.game import Game
from feltlab.core.layout import BURNT, CHOOSES, DEALER
from feltlab.core.round import NOTHING, Round, Settled, Settlement, number_choices, order_wagers, split_shoe
from feltlab.core.seating import check_seating
from feltlab.errors import Refused
from feltlab.kernel import Array
from feltlab.text import listing
from feltlab.values import build_unchecked, replace_unchecked, set_frozen

Value = TypeVar("Value")


@dataclass(frozen=True)
class Seat:
    """A betting position in play: its wagers, its choices and its player."""

    wagers: Mapping[str, int] = field(hash=False)  # mappings have no hash
    chosen: tuple[str, ...] = ()
    player: str = ""  # without a name, a player who holds this seat only
    position: int = 0  # the number printed at the table; 0 stands for its order in the deal, from 1

    def __post_init__(self) -> None:
        set_frozen(self, wagers=MappingProxyType(dict(self.wagers)), chosen=tuple(self.chosen))

    def __reduce__(self) -> tuple[Any, ...]:
        return Seat, (dict(self.wagers), self.chosen, self.player, self.position)


class _Dealt(NamedTuple):
    """The state of a deal after some choices."""

    made: tuple[tuple[str, ...], ...]  # by seat: the choices that were its turn
    played: tuple[Array, ...]  # the same as the rules number them
    shoes: list[Array]  # a seat each
    turn: int | None
    receivers: list[int]  # of each card of the shoe so far: a seat, the dealer, or burnt


@dataclass(frozen=True)
class Deal:
    """One shoe dealt to the seats of a table, from the dealer's left to right.

    Every choice must be legal and in turn; otherwise the deal is refused.

    >>> from feltlab import GAMES, Deal, cards
    >>> game = GAMES["casino-war"]
    >>> shoe = cards("9s Kd 9h 2c 3c 4c 5c 6c 7c 8c Tc Jc")  # two seats, the dealer, the rest
    >>> deal = Deal.start(game, shoe, [{"primary": 500}, {"primary": 500}])
    >>> deal.turn  # the first seat has tied
    0
    >>> deal = deal.choose(0, "surrender")
    >>> [(seat, settlement.net) for seat, settlement in deal.settling]
    [(1, 500), (0, -250)]
    """

    game: Game
    shoe: Cards
    seats: tuple[Seat, ...]
    void: str = ""

    def __post_init__(self) -> None:
        plain = isinstance(self.shoe, Cards) and self.game.has_cards(self.shoe)
        set_frozen(self, shoe=self.shoe if plain else cards(self.shoe), seats=tuple(self.seats))
        self._check_size()
        if not plain:
            self.game.deck.check(self.shoe)
        for seat in self.seats:
            self.game.check_wagers(seat.wagers)
        check_seating(self.game, self.positions, [seat.player for seat in self.seats])
        self._check_turns()

    def _check_size(self) -> None:
        if not self.seats:
            raise Refused("A deal needs at least one seat.")
        if len(self.seats) > self.game.seats:
            raise Refused(
                f"{self.game.title} seats at most {self.game.seats} from one deck, not {len(self.seats)}."
            )
        needed = self.game.rules.cards_needed(len(self.seats))
        if len(self.shoe) < needed:
            raise Refused(f"The shoe has {len(self.shoe)} cards; this round may need {needed}.")

    def _check_turns(self) -> None:
        for position, seat, made in zip(self.positions, self.seats, self._dealt.made, strict=True):
            if made != seat.chosen:
                raise Refused(f"Position {position} chose {seat.chosen[len(made)]!r} out of turn.")

    @classmethod
    def start(cls, game: Game, shoe: Cards, wagers: Sequence[Mapping[str, int]]) -> "Deal":
        """Deal to one seat for each set of wagers."""
        return cls(game, shoe, tuple(map(Seat, wagers)))

    def __reduce__(self) -> tuple[Any, ...]:
        return Deal, (self.game, self.shoe, self.seats, self.void)

    def __repr__(self) -> str:
        """Without the shoe, since a repr may end in a log."""
        void = f", void={self.void!r}" if self.void else ""
        return f"<Deal {self.game}: {self.seats}, {len(self.rest)} cards left{void}>"

    # -- The course of the deal ----------------------------------------------------------------------

    @cached_property
    def rounds(self) -> tuple[Round, ...]:
        """Each seat's round with the cards dealt so far; only the seat in turn has choices open."""
        numbers = range(len(self.seats))
        if self.turn is None:
            return tuple(self._round(self._dealt, n) for n in numbers)
        asked = self._round(self._dealt, self.turn)
        _, shown = split_shoe(self.game, asked.seen)
        return tuple(asked if n == self.turn else self._round(self._dealt, n, shown) for n in numbers)

    def _round(self, dealt: _Dealt, seat: int, waits: Cards = NOTHING) -> Round:
        """A seat's round; the deal has checked all that a round checks."""
        return build_unchecked(
            Round,
            game=self.game,
            shoe=Cards(dealt.shoes[seat].tolist()),
            wagers=self._placed[seat],
            chosen=dealt.made[seat],
            void=self.void,
            waits=waits,
            _array=dealt.shoes[seat],
            _played=dealt.played[seat],
        )

    @cached_property
    def _placed(self) -> tuple[Mapping[str, int], ...]:
        return tuple(order_wagers(self.game, seat.wagers) for seat in self.seats)

    @cached_property
    def positions(self) -> tuple[int, ...]:
        """The number of each seat at the table."""
        return tuple(seat.position or n for n, seat in enumerate(self.seats, 1))

    @property
    def turn(self) -> int | None:
        """The seat that has to choose."""
        return None if self.void else self._dealt.turn

    @property
    def over(self) -> bool:
        return self.turn is None

    @property
    def rest(self) -> Cards:
        """The cards that are left in the shoe."""
        return Cards(self.shoe[len(self._dealt.receivers) :])

    @property
    def dealt(self) -> tuple[tuple[int, int], ...]:
        """The receiver of each card so far (a seat, `DEALER` or `BURNT`), and the card, in order."""
        return tuple(zip(self._dealt.receivers, self.shoe, strict=False))

    def choose(self, seat: int, choice: str) -> "Deal":
        """The deal after a seat's choice; only the seat in turn may choose."""
        if not isinstance(seat, int) or seat not in range(len(self.seats)):
            known = listing(range(len(self.seats)))
            raise Refused(f"{seat!r} is not a seat of this deal; its seats are {known}.")
        if self.turn is None:
            raise Refused(f"{choice!r} cannot be chosen: no choice is open.")
        if seat != self.turn:
            due, early = self.positions[self.turn], self.positions[seat]
            raise Refused(f"It is the turn of position {due}, not of position {early}.")
        chosen = self.rounds[seat].choose(choice).chosen
        seats = _replace_at(self.seats, seat, replace_unchecked(self.seats[seat], chosen=chosen))
        dealt = self._deal_after(self._dealt, seat, chosen)
        return replace_unchecked(
            self, seats=seats, _dealt=dealt, _placed=self._placed, positions=self.positions
        )

    @cached_property
    def _dealt(self) -> _Dealt:
        """The state after all choices. Each choice is dealt out, since it counts only in its seat's turn."""
        played = tuple(number_choices(self.game, seat.wagers, ()) for seat in self.seats)
        dealt = self._deal(((),) * len(self.seats), played)
        while dealt.turn is not None and dealt.made[dealt.turn] != self.seats[dealt.turn].chosen:
            turn = dealt.turn
            choice = self.seats[turn].chosen[len(dealt.made[turn])]
            # A round refuses what is not open, before cards are dealt by it.
            chosen = replace_unchecked(self._round(dealt, turn), void="").choose(choice).chosen
            dealt = self._deal_after(dealt, turn, chosen)
        return dealt

    def _deal_after(self, dealt: _Dealt, seat: int, chosen: tuple[str, ...]) -> _Dealt:
        """Deal on after a seat has made one more choice."""
        played = number_choices(self.game, self.seats[seat].wagers, chosen)
        return self._deal(_replace_at(dealt.made, seat, chosen), _replace_at(dealt.played, seat, played))

    def _deal(self, made: tuple[tuple[str, ...], ...], played: tuple[Array, ...]) -> _Dealt:
        """Deal as far as these choices lead."""
        rules, places = self.game.rules, self.game.rules.PLAYER_CARDS
        table = np.full((len(self.seats), places + rules.DEALER_CARDS), UNKNOWN, np.int8)
        shoes = list(table)
        receivers: list[int] = []
        for who, place in rules.dealing(self.game.kernel_data, list(zip(shoes, played, strict=True))):
            if place == CHOOSES:
                return _Dealt(made, played, shoes, who, receivers)
            card = self.shoe[len(receivers)]
            receivers.append(who)
            if who == DEALER:
                table[:, places + place] = card
            elif who != BURNT:
                table[who, place] = card
        return _Dealt(made, played, shoes, None, receivers)

    # -- Calls, settling, irregularities -------------------------------------------------------------

    @property
    def calls(self) -> tuple[str, ...]:
        """The calls of the dealer before the first card."""
        return ("No more bets.", *self._absences())

    def _absences(self) -> Iterator[str]:
        for spot in self.game.wagers:
            seats = zip(self.positions, self.seats, strict=True)
            without = [position for position, seat in seats if spot.name not in seat.wagers]
            if spot.called and without:
                yield f"No {spot.title}, position{'s' * (len(without) > 1)} {listing(without)}."

    @property
    def settling(self) -> Iterator[tuple[int, Settlement]]:
        """Seats and their settlements, in the dealer's order: from right to left."""
        if self.turn is not None:
            raise Refused(f"The round is not over: position {self.positions[self.turn]} has to choose.")
        return ((seat, self.rounds[seat].settlement) for seat in reversed(range(len(self.seats))))

    @property
    def payments(self) -> list[tuple[int, Settled]]:
        """Every wager of the table in the order in which the dealer takes or pays it.

        Wagers that were given up are collected first, then refunds are paid, then the dealer goes over the
        table once for each stage of the game; each time from right to left.
        """
        settled = [(seat, wager) for seat, settlement in self.settling for wager in settlement.wagers]
        return sorted(settled, key=self._pass)

    def _pass(self, payment: tuple[int, Settled]) -> int:
        seat, wager = payment
        if wager.spot.name in self.rounds[seat].given_up:
            return -2
        return -1 if wager.result == "refund" else wager.spot.stage

    def declare_void(self, reason: str) -> "Deal":
        """The deal declared void: every wager of every seat is refunded."""
        if not reason.strip():
            raise Refused("A void deal needs a reason.")
        return replace(self, void=reason)

    def count_hands(self, hands: Sequence[int], dealer: int) -> "Deal":
        """The deal after the dealer counted the cards of each hand: void if a number is wrong."""
        if len(hands) != len(self.seats):
            raise Refused(f"{len(self.seats)} hands are on the table, {len(hands)} were counted.")
        counted = zip(self.positions, hands, strict=True)
        found = [*((f"Position {position}", count) for position, count in counted), ("The dealer", dealer)]
        views = [round.view for round in self.rounds]
        due = [*(len(view.player) for view in views), max(len(view.dealer) for view in views)]
        for (who, count), right in zip(found, due, strict=True):
            if count != right:
                return self.declare_void(f"{who} has {count} cards instead of {right}.")
        return self


def _replace_at(values: tuple[Value, ...], at: int, value: Value) -> tuple[Value, ...]:
    """The values with another one at a place."""
    return (*values[:at], value, *values[at + 1 :])


def needs_shuffle(game: Game, used: int, seats: int) -> bool:
    """Must the cards be shuffled before the next round, once this many of them are used?

    They must once the cut card has come out, or when the rest might not last for a round of all seats.
    """
    left = len(game.deck) - used
    return left <= game.behind_cut or left < game.rules.cards_needed(seats)


def rehearse(game: Game) -> None:
    """Play a round that nobody sees, so that the first round at a table does not wait for compilation."""
    wagers = {spot.name: 10_000 for spot in game.wagers[: game.rules.GAMES_PER_HAND]}
    deal = Deal.start(game, game.deck.cards, [wagers])
    while not deal.over:
        deal = deal.choose(0, deal.rounds[0].choices[0])
    _ = deal.rounds[0].view, deal.rounds[0].settlement
