"""A deal: one shoe dealt to several seats that share one dealer, as an immutable value.

The rules fix which seat receives each card, which seat chooses when, and when the dealer stops to take and
pay wagers. Each seat's `Round` holds its own cards and the dealer's, as far as they have been dealt, and
nothing else.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from feltlab.core.cards import FACE_DOWN, NOT_DEALT, UNKNOWN, Cards, cards
from feltlab.core.choices import find_bets
from feltlab.core.deal_state import ENDS, DealState, Payments, lay_shoes, replace_at, shared_starts
from feltlab.core.game import Game
from feltlab.core.layout import CHOOSES, COLLECTS, DEALER
from feltlab.core.round import Round, order_wagers
from feltlab.core.seating import Seat, check_seating
from feltlab.core.settlement import Settled, Settlement, in_order
from feltlab.core.view import NOTHING
from feltlab.errors import Refused
from feltlab.kernel import Array
from feltlab.text import listing
from feltlab.values import build_unchecked, cached_property, replace_unchecked, set_frozen

_END = ((DEALER, ENDS),)  # the last step of every deal
Wagers = frozenset[tuple[int, str]]  # seats and spots


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
    settled: int | None = None  # stops to settle all seats that the dealer has made; None makes each at once
    kept: Wagers | None = None  # of a void deal: the wagers that were settled before; None: all decided ones

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
        needed = self.game.cards_needed(len(self.seats))
        if len(self.shoe) < needed:
            raise Refused(f"The shoe has {len(self.shoe)} cards; this round may need {needed}.")

    def _check_turns(self) -> None:
        for position, seat, valid in zip(self.positions, self.seats, self._dealt.choices, strict=True):
            if valid != seat.chosen:
                raise Refused(f"Position {position} chose {seat.chosen[len(valid)]!r} out of turn.")

    @classmethod
    def start(cls, game: Game, shoe: Cards, wagers: Sequence[Mapping[str, int]]) -> "Deal":
        """Deal to one seat for each set of wagers."""
        return cls(game, shoe, tuple(map(Seat, wagers)))

    @classmethod
    def at_table(cls, game: Game, shoe: Cards, seats: tuple[Seat, ...]) -> "Deal":
        """A deal that begins at a table, which has checked seats and wagers and had the cards counted."""
        return build_unchecked(cls, game=game, shoe=shoe, seats=seats, void="", settled=0, kept=None)

    def __reduce__(self) -> tuple[Any, ...]:
        return Deal, (self.game, self.shoe, self.seats, self.void, self.settled, self.kept)

    def __repr__(self) -> str:
        """Without the shoe, since a repr may end in a log."""
        void = f", void={self.void!r}" if self.void else ""
        return f"<Deal {self.game}: {self.seats}, {len(self.rest)} cards left{void}>"

    # -- The course of the deal ----------------------------------------------------------------------

    @cached_property
    def rounds(self) -> tuple[Round, ...]:
        """Each seat's round with the cards dealt so far; only the seat in turn has choices open."""
        numbers = range(len(self.seats))
        if self.over:
            return tuple(self._round(self._dealt, n) for n in numbers)
        asked, turn = self.asked, self.turn
        shown = NOTHING if asked and len(numbers) == 1 else self._shared_shown
        return tuple(asked if asked and n == turn else self._round(self._dealt, n, shown) for n in numbers)

    @cached_property
    def asked(self) -> Round | None:
        """The round of the seat in turn."""
        return None if self.turn is None else self._round(self._dealt, self.turn)

    @property
    def _shared_shown(self) -> Cards:
        """The cards of all seats and the dealer's as the seat sees them that is in turn now or next."""
        ahead = self if self.turn is not None else replace_unchecked(self, settled=None, _placed=self._placed)
        own = self.game.own_places
        dealt = self._dealt.shoes[ahead.turn or 0].tolist()[own:]
        seen = ahead.asked.seen[own:] if ahead.asked else dealt
        pairs = zip(dealt, seen, strict=True)
        return Cards(NOT_DEALT if card == UNKNOWN else mark for card, mark in pairs)

    def _round(self, dealt: DealState, seat: int, waits: Cards = NOTHING) -> Round:
        """A seat's round; the deal has checked all that a round checks."""
        return build_unchecked(
            Round,
            game=self.game,
            shoe=Cards(dealt.shoes[seat].tolist()),
            wagers=self._placed[seat],
            chosen=dealt.choices[seat],
            void=self.void,
            waits=waits,
            paid=tuple(paid for n, paid in self._paid_before_void(dealt) if n == seat) if self.void else (),
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
    def due(self) -> Payments:
        """The payments that the dealer has to make at all seats before the next card, if the deal waits."""
        return () if self.void else self._dealt.due

    @property
    def stops(self) -> int:
        """The number of times that the dealer has settled all seats so far."""
        return len(self._dealt.counts)

    @property
    def stop_counts(self) -> tuple[tuple[int, int], ...]:
        """The number of wagers that were settled before and after each stop at all seats."""
        return tuple(self._dealt.counts)

    @property
    def over(self) -> bool:
        return self.turn is None and not self.due

    @property
    def ends(self) -> bool:
        """Whether the deal is over, or will be when the dealer has settled what is due."""
        return self.over or self._dealt.pays_all

    @property
    def cards_dealt(self) -> int:
        """The number of cards that have left the shoe so far."""
        return len(self._dealt.receivers)

    @property
    def rest(self) -> Cards:
        """The cards that are left in the shoe."""
        return Cards(self.shoe[self.cards_dealt :])

    @property
    def dealt(self) -> tuple[tuple[int, int], ...]:
        """The receiver of each card so far (a seat, `DEALER`, `BOARD` or `BURNT`), and the card, in order."""
        return tuple(zip(self._dealt.receivers, self.shoe, strict=False))

    def choose(self, seat: int, choice: str) -> "Deal":
        """The deal after a seat's choice; only the seat in turn may choose."""
        if not isinstance(seat, int) or seat not in range(len(self.seats)):
            known = listing(range(len(self.seats)))
            raise Refused(f"{seat!r} is not a seat of this deal; its seats are {known}.")
        if self.turn is None or self.asked is None:
            raise Refused(f"{choice!r} cannot be chosen: no choice is open.")
        if seat != self.turn:
            due, early = self.positions[self.turn], self.positions[seat]
            raise Refused(f"It is the turn of position {due}, not of position {early}.")
        self.asked.check_choice(choice)
        chosen = (*self.asked.chosen, choice)
        seats = replace_at(self.seats, seat, replace_unchecked(self.seats[seat], chosen=chosen))
        return self._go_on(seats, self._deal_after(self._dealt, seat, chosen), self.settled)

    def settle_due(self) -> "Deal":
        """The deal after the dealer has taken and paid what is due."""
        if not self.due:
            raise Refused("There is nothing to take or to pay now.")
        now, stops = self._dealt, (self.settled or 0) + 1
        if now.is_last_stop:
            return self._go_on(self.seats, now.settle(), stops)
        after = replace_unchecked(self, settled=stops, _placed=self._placed)
        return self._go_on(self.seats, after._deal(now.choices, now.played, now.looks), stops)

    def finish(self) -> "Deal":
        """A deal that ends, with everything settled, as if the dealer had never waited."""
        end = self.settle_due() if self.due else self
        return self._go_on(self.seats, end._dealt, None)

    def _go_on(self, seats: tuple[Seat, ...], dealt: DealState, settled: int | None) -> "Deal":
        """This deal with another state; what follows from seats and wagers alone stays as it is."""
        same = {"_placed": self._placed, "positions": self.positions}
        return replace_unchecked(self, seats=seats, settled=settled, _dealt=dealt, **same)

    @cached_property
    def _dealt(self) -> DealState:
        """The state after all choices. Each choice is dealt out, since it counts only in its seat's turn."""
        played = tuple([find_bets(self.game, wagers, ()).played for wagers in self._placed])
        dealt = self._deal(((),) * len(self.seats), played, [])
        while dealt.turn is not None and dealt.choices[dealt.turn] != self.seats[dealt.turn].chosen:
            turn = dealt.turn
            choice = self.seats[turn].chosen[len(dealt.choices[turn])]
            # A round refuses what is not open, before cards are dealt by it.
            chosen = replace_unchecked(self._round(dealt, turn), void="").choose(choice).chosen
            dealt = self._deal_after(dealt, turn, chosen)
        return dealt

    def _deal_after(self, dealt: DealState, seat: int, chosen: tuple[str, ...]) -> DealState:
        """Deal on after a seat has made one more choice."""
        played = find_bets(self.game, self._placed[seat], chosen).played
        choices = replace_at(dealt.choices, seat, chosen)
        return self._deal(choices, replace_at(dealt.played, seat, played), dealt.looks)

    def _deal(
        self, choices: tuple[tuple[str, ...], ...], played: tuple[Array, ...], looks: list[Payments]
    ) -> DealState:
        """Deal as far as these choices and the dealer's stops lead.

        What was decided before the last choice is in `looks`: later choices do not change it.
        """
        game, own, starts, shoe = self.game, self.game.own_places, shared_starts(self.game), self.shoe
        felts, shoes = lay_shoes(len(self.seats), game.places)
        receivers: list[int] = []
        dealt = DealState(choices, played, shoes, None, receivers, [], [], {}, [])
        steps = game.rules.dealing(game.kernel_data, list(zip(dealt.shoes, played, strict=True)))
        for who, place in chain(steps, _END):
            if place >= 0:
                card = shoe[len(receivers)]
                # A place of a seat beyond its own cards is the dealer's card against that seat alone.
                receivers.append(DEALER if who >= 0 and place >= own else who)
                if who >= 0:
                    felts[who][place] = card
                for felt in felts if who in starts else ():
                    felt[starts[who] + place] = card
                continue
            if place == CHOOSES:
                return dealt.wait_for(turn=who)
            seen = len(dealt.looks)
            due = looks[seen] if seen < len(looks) else self._due(dealt, who, place)
            if due and who == DEALER:
                if len(dealt.counts) == self.settled:
                    return dealt.wait_for(due=due, is_last_stop=place == ENDS)
                dealt.counts.append(dealt.count_with(due))
            dealt.looks.append(due)
            dealt.cards_before.append(len(receivers))
        return dealt

    # -- Taking and paying ---------------------------------------------------------------------------

    def _due(self, dealt: DealState, who: int, kind: int) -> Payments:
        """The wagers that the dealer settles at a stop: refunds first, then from right to left."""
        if kind == COLLECTS and self.game.forfeiting.isdisjoint(dealt.choices[who]):
            return ()
        seats = reversed(range(len(self.seats))) if who == DEALER else [who]
        due = [(seat, wager) for seat in seats for wager in self._decide_wagers(dealt, seat, kind)]
        return tuple(sorted(due, key=lambda paid: paid[1].result != "refund")) if len(due) > 1 else tuple(due)

    def _decide_wagers(self, dealt: DealState, seat: int, kind: int) -> Iterator[Settled]:
        round = dealt.rounds.get(seat) or self._round(dealt, seat)
        dealt.rounds[seat] = round
        asked = round.forfeited if kind == COLLECTS else round.staked_spots
        if any(dealt.looks):
            asked -= {paid.spot.name for n, paid in dealt.paid if n == seat}
        return round.decided_wagers(asked, before_end=kind != ENDS)

    @property
    def payments(self) -> list[tuple[int, Settled]]:
        """Every wager that the dealer has taken, paid or refunded so far, in that order."""
        if not self.void:
            return list(self._dealt.paid)
        paid = list(self._paid_before_void(self._dealt))
        gone = {(seat, wager.spot.name) for seat, wager in paid}
        return paid + [
            (seat, wager)
            for seat, settlement in self.settling
            for wager in settlement.wagers
            if (seat, wager.spot.name) not in gone
        ]

    def _paid_before_void(self, dealt: DealState) -> Payments:
        """The payments made before the deal was void."""
        if self.kept is None:
            return dealt.paid
        decided = (*dealt.paid, *dealt.due)
        return tuple((seat, wager) for seat, wager in decided if (seat, wager.spot.name) in self.kept)

    @property
    def stages(self) -> list[tuple[int, Payments]]:
        """The payments at each stop so far, with the number of cards dealt before it."""
        return [pair for pair in zip(self._dealt.cards_before, self._dealt.looks, strict=True) if pair[1]]

    @property
    def settling(self) -> Iterator[tuple[int, Settlement]]:
        """Seats and their settlements when the deal is over, from the dealer's right to left."""
        if self.turn is not None:
            raise Refused(f"The round is not over: position {self.positions[self.turn]} has to choose.")
        if self.due:
            raise Refused("The round is not over: the dealer has to take and pay what is due.")
        return ((seat, self._settlement(seat)) for seat in reversed(range(len(self.seats))))

    def _settlement(self, seat: int) -> Settlement:
        if self.void:
            return self.rounds[seat].settlement
        paid = (wager for n, wager in self._dealt.paid if n == seat)
        return Settlement(in_order(self.game, paid))

    def on_felt(self, seat: int) -> Mapping[str, int]:
        """The cents of a seat that are still on each spot."""
        gone = {wager.spot.name for n, wager in self.payments if n == seat}
        round = self.rounds[seat]
        stakes = ((spot.name, round.staked(spot)) for spot in self.game.spots if spot.name not in gone)
        return {name: cents for name, cents in stakes if cents}

    # -- Calls and irregularities --------------------------------------------------------------------

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

    def declare_void(self, reason: str, kept: Wagers | None = None) -> "Deal":
        """The deal declared void: every wager is refunded that has not been settled before.

        `kept` names those, by seat and spot; without it they are all that the cards have decided.
        """
        if not reason.strip():
            raise Refused("A void deal needs a reason.")
        return replace(self, void=reason, kept=kept)

    @property
    def cards_due(self) -> list[int]:
        """The number of cards by the rules at this moment: of each seat, then of each shared area."""
        seats = [self._cards_of(seat) for seat in range(len(self.seats))]
        shared = self.game.shared_areas
        return [*seats, *(max(len(round.view.areas[name]) for round in self.rounds) for name in shared)]

    def _cards_of(self, seat: int) -> int:
        """A seat's cards: those of one that gave up everything are collected, and so is a card not bought."""
        held, chosen = self.rounds[seat].view.player, self.seats[seat].chosen
        if not chosen or seat == self.turn:
            return len(held)
        if not self.game.forfeiting.isdisjoint(chosen) and not self.on_felt(seat):
            return 0
        return sum(card != FACE_DOWN for card in held)

    def count_hands(self, hands: Sequence[int], *shared: int) -> "Deal":
        """The deal after the dealer counted the cards of each hand: void if a number is wrong.

        The seats' hands come first, then the board's and the dealer's cards.
        """
        if len(hands) != len(self.seats):
            raise Refused(f"{len(self.seats)} hands are on the table, {len(hands)} were counted.")
        holders = [*(f"Position {position}" for position in self.positions)]
        holders += [f"The {name}" for name in self.game.shared_areas]
        for who, count, right in zip(holders, (*hands, *shared), self.cards_due, strict=True):
            if count != right:
                return self.declare_void(f"{who} has {count} cards instead of {right}.")
        return self
