"""A deal: one shoe dealt to several seats that share one dealer, as an immutable value.

The rules fix who receives each card and who chooses when. Each seat's `Round` holds its own cards and
the dealer's, as far as they have been dealt, and nothing else.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from feltlab.cards import UNKNOWN, Cards, cards
from feltlab.errors import Refused
from feltlab.game import Game, freeze, listing
from feltlab.layout import BURNT, CHOOSES, DEALER
from feltlab.round import Round, Settled, Settlement, numbered, split_shoe


@dataclass(frozen=True)
class Seat:
    """A betting position in play: its wagers, its choices, and who plays it."""

    wagers: Mapping[str, int] = field(hash=False)  # mappings have no hash
    chosen: tuple[str, ...] = ()
    player: str = ""  # no name: a player of its own

    def __post_init__(self) -> None:
        freeze(self, wagers=MappingProxyType(dict(self.wagers)), chosen=tuple(self.chosen))

    def __reduce__(self) -> tuple[Any, ...]:
        return Seat, (dict(self.wagers), self.chosen, self.player)


class _Dealt(NamedTuple):
    made: list[tuple[str, ...]]  # a seat each: the choices that it was asked for
    shoes: list[Cards]  # a seat each
    turn: int | None
    receivers: list[int]  # of each card of the shoe so far: a seat, the dealer, or burnt


@dataclass(frozen=True)
class Deal:
    """The shoe, and the seats from the dealer's left to right.

    Refused unless each seat made its choices when it was asked, and made them within the rules.
    """

    game: Game
    shoe: Cards
    seats: tuple[Seat, ...]
    void: str = ""

    def __post_init__(self) -> None:
        freeze(self, shoe=cards(self.shoe), seats=tuple(self.seats))
        self._check_size()
        self.game.deck.check(self.shoe)
        for seat in self.seats:
            self.game.check_wagers(seat.wagers)
        _check_positions(self.game, [seat.player for seat in self.seats])
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
        pairs = zip(self.seats, self._dealt.made, strict=True)
        for position, (seat, made) in enumerate(pairs, 1):
            if made != seat.chosen:
                raise Refused(f"Position {position} chose {seat.chosen[len(made)]!r} out of turn.")

    @classmethod
    def start(cls, game: Game, shoe: Cards, wagers: Sequence[Mapping[str, int]]) -> "Deal":
        """Deal to as many seats as there are sets of wagers."""
        return cls(game, shoe, tuple(map(Seat, wagers)))

    def __reduce__(self) -> tuple[Any, ...]:
        return Deal, (self.game, self.shoe, self.seats, self.void)

    def __repr__(self) -> str:
        """Without the shoe, for a repr ends in logs."""
        void = f", void={self.void!r}" if self.void else ""
        return f"<Deal {self.game}: {self.seats}, {len(self.rest)} cards left{void}>"

    # -- The course of the deal ----------------------------------------------------------------------

    @cached_property
    def rounds(self) -> tuple[Round, ...]:
        """Each seat's round, with the cards that have been dealt; only the seat in turn has a choice open."""
        pairs = zip(self._dealt.shoes, self.seats, strict=True)
        rounds = [Round(self.game, shoe, seat.wagers, seat.chosen, self.void) for shoe, seat in pairs]
        if self.turn is None:
            return tuple(rounds)
        _, shown = split_shoe(self.game, rounds[self.turn].seen)
        return tuple(r if n == self.turn else replace(r, waits=shown) for n, r in enumerate(rounds))

    @property
    def turn(self) -> int | None:
        """The seat whose choice the dealer waits for."""
        return None if self.void else self._dealt.turn

    @property
    def over(self) -> bool:
        return self.turn is None

    @property
    def rest(self) -> Cards:
        """The cards still in the shoe."""
        return Cards(self.shoe[len(self._dealt.receivers) :])

    @property
    def dealt(self) -> tuple[tuple[int, int], ...]:
        """Who received each card so far, in order: a seat, `DEALER` or `BURNT`, and the card."""
        return tuple(zip(self._dealt.receivers, self.shoe, strict=False))

    def choose(self, seat: int, choice: str) -> "Deal":
        """The deal after a seat's choice; only the seat whose turn it is may choose."""
        if not isinstance(seat, int) or seat not in range(len(self.seats)):
            known = listing(range(len(self.seats)))
            raise Refused(f"{seat!r} is not a seat of this deal; its seats are {known}.")
        if self.turn is None:
            raise Refused(f"{choice!r} cannot be chosen: no choice is open.")
        if seat != self.turn:
            raise Refused(f"It is the turn of position {self.turn + 1}, not of position {seat + 1}.")
        chosen = self.rounds[seat].choose(choice).chosen
        seats = list(self.seats)
        seats[seat] = replace(seats[seat], chosen=chosen)
        return replace(self, seats=tuple(seats))

    @cached_property
    def _dealt(self) -> _Dealt:
        """Dealt anew after each choice, for a choice counts only once its seat is asked for it."""
        made: list[tuple[str, ...]] = [()] * len(self.seats)
        dealt = self._after(made)
        while dealt.turn is not None and made[dealt.turn] != self.seats[dealt.turn].chosen:
            turn = dealt.turn
            made[turn] = self.seats[turn].chosen[: len(made[turn]) + 1]
            # A round refuses what is not open, before cards are dealt by it.
            Round(self.game, dealt.shoes[turn], self.seats[turn].wagers, made[turn])
            dealt = self._after(made)
        return dealt

    def _after(self, made: list[tuple[str, ...]]) -> _Dealt:
        """What is on the table once the seats have made these choices."""
        player_places = self.game.rules.PLAYER_CARDS
        places = player_places + self.game.rules.DEALER_CARDS
        shoes = [np.full(places, UNKNOWN, np.int8) for _ in self.seats]
        played = [numbered(self.game, seat.wagers, m) for seat, m in zip(self.seats, made, strict=True)]
        turn = None
        receivers: list[int] = []
        for who, place in self.game.rules.dealing(self.game.house, list(zip(shoes, played, strict=True))):
            if place == CHOOSES:
                turn = who
                break
            card = self.shoe[len(receivers)]
            receivers.append(who)
            if who == DEALER:
                for shoe in shoes:
                    shoe[player_places + place] = card
            elif who != BURNT:
                shoes[who][place] = card
        return _Dealt(made, [Cards(shoe.tolist()) for shoe in shoes], turn, receivers)

    # -- Calls, settling, irregularities -------------------------------------------------------------

    @property
    def calls(self) -> tuple[str, ...]:
        """What the dealer says before the first card."""
        return ("No more bets.", *self._absences())

    def _absences(self) -> Iterator[str]:
        for spot in self.game.wagers:
            without = [n for n, seat in enumerate(self.seats, 1) if spot.name not in seat.wagers]
            if spot.called and without:
                yield f"No {spot.title}, position{'s' * (len(without) > 1)} {listing(without)}."

    @property
    def settling(self) -> Iterator[tuple[int, Settlement]]:
        """Seats and their settlements in the order in which the dealer settles: from right to left."""
        if not self.over:
            raise Refused(f"The round is not over: position {(self.turn or 0) + 1} has to choose.")
        return ((seat, self.rounds[seat].settlement) for seat in reversed(range(len(self.seats))))

    @property
    def payments(self) -> list[tuple[int, Settled]]:
        """Every wager of the table in the order in which the dealer takes or pays it.

        What was given up is collected first, then refunds are made, then the dealer goes over the table
        once for each stage of the game; each time from right to left.
        """
        settled = [(seat, wager) for seat, settlement in self.settling for wager in settlement.wagers]
        return sorted(settled, key=self._pass)

    def _pass(self, payment: tuple[int, Settled]) -> int:
        seat, wager = payment
        if wager.spot.name in self.rounds[seat].given_up:
            return -2
        return -1 if wager.result == "refund" else wager.spot.stage

    def voided(self, reason: str) -> "Deal":
        """The deal taken out of play: every wager of every seat is refunded."""
        if not reason.strip():
            raise Refused("A void deal needs a reason.")
        return replace(self, void=reason)

    def counted(self, hands: Sequence[int], dealer: int) -> "Deal":
        """The deal after the hands were counted as dealt: void if any has a wrong number of cards."""
        if len(hands) != len(self.seats):
            raise Refused(f"{len(self.seats)} hands are on the table, {len(hands)} were counted.")
        found = [*((f"Position {n}", count) for n, count in enumerate(hands, 1)), ("The dealer", dealer)]
        views = [round.view for round in self.rounds]
        due = [*(len(view.player) for view in views), max(len(view.dealer) for view in views)]
        for (who, count), right in zip(found, due, strict=True):
            if count != right:
                return self.voided(f"{who} has {count} cards instead of {right}.")
        return self


def _check_positions(game: Game, players: Sequence[str]) -> None:
    """One player has one seat, or two adjacent ones where the house allows it."""
    for player, held in Counter(filter(None, players)).items():
        if held == 1:
            continue
        if game.options.get("two-positions") != "yes":
            raise Refused(f"{player} holds {held} positions; this table allows one.")
        if held > 2 or player not in players[players.index(player) + 1 :][:1]:
            raise Refused(f"{player} may hold two positions only if they are adjacent.")
