"""Deal a whole table: a session as a value, in which every act of the dealer is judged.

The session knows the course of a perfect dealer. An act that is not due is a slip with the clause that it
breaks. A wrong payment is made all the same, and counts at its cost; a card at the wrong place is put right;
an act that is missing is passed over when the dealer goes on. So a session always reaches its end.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile

from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.pit.irregularities.hands import seat_hand
from feltlab.school.chips import name_chips
from feltlab.school.course import (
    ACT_KINDS,
    ASK,
    BURN,
    CALL,
    COLLECT,
    END,
    PITCH,
    SETTLING_KINDS,
    TAKE,
    TURN,
    DealerAct,
    describe_act,
    list_acts,
    list_calls,
)
from feltlab.school.hands import Draw, TrainingHand, deal_hand
from feltlab.school.rule_book import Citation, RuleBook, open_book
from feltlab.school.settling import bonus_base, cite_wager, find_paid, judge_action, order_slip, wager_slip
from feltlab.school.slips import DealerSlip, total_cost
from feltlab.school.timing import PlayerAnswer, answer_of
from feltlab.text import dollars

DEALER_PLACE, BOARD_PLACE = "dealer", "board"


@dataclass(frozen=True)
class DealingSession:
    """A hand that is being dealt: the acts that are due, those that were made, and the slips so far."""

    hand: TrainingHand
    due: tuple[DealerAct, ...]
    made: tuple[DealerAct, ...] = ()
    done: tuple[DealerAct, ...] = ()  # of the course
    slips: tuple[DealerSlip, ...] = ()

    @property
    def game(self) -> Game:
        return self.hand.game

    @cached_property
    def book(self) -> RuleBook:
        return open_book(self.game)

    @property
    def is_over(self) -> bool:
        return not self.due

    @property
    def cost(self) -> int:
        """The cents that slips have moved wrongly."""
        return total_cost(self.slips)

    @property
    def answers(self) -> tuple[PlayerAnswer, ...]:
        """The seats' answers so far, with the seconds that they took."""
        asked: dict[int, int] = {}
        found = []
        for act in self.done:
            if act.kind == ASK and act.seat is not None:
                made = asked.get(act.seat, 0)
                asked[act.seat] = made + 1
                found.append(answer_of(self.hand, act.seat, made))
        return tuple(found)

    def perform(self, act: DealerAct) -> "DealingSession":
        """The session after an act of the dealer, with a slip for all that is wrong with it."""
        if self.is_over:
            raise Refused("The round is over.")
        check_act(self, act)
        after = replace(self, made=(*self.made, act))
        if act.kind in SETTLING_KINDS:
            return after._pass_calls()._settle(act)
        if act.kind == CALL:
            return after._call(act)
        return after._pass_calls()._pass_wagers()._move(act)

    # -- Parts of an act ------------------------------------------------------------------------------

    def _add(self, *slips: DealerSlip) -> "DealingSession":
        return replace(self, slips=(*self.slips, *slips))

    def _finish(self, *acts: DealerAct) -> "DealingSession":
        """The session with these acts of the course done."""
        left = list(self.due)
        for act in acts:
            left.remove(act)
        return replace(self, due=tuple(left), done=(*self.done, *acts))

    def _pass_calls(self) -> "DealingSession":
        """Pass over calls that were due: each is missed."""
        calls = tuple(takewhile(lambda act: act.kind == CALL, self.due))
        slips = (
            DealerSlip("missed-call", f"The call is missing: {c.words}", self._cite_call(c)) for c in calls
        )
        return self._finish(*calls)._add(*slips)

    @property
    def _wagers_due(self) -> tuple[DealerAct, ...]:
        """The wagers that are settled at this stop, in order."""
        return tuple(takewhile(lambda act: act.kind in SETTLING_KINDS, self.due))

    def _pass_wagers(self) -> "DealingSession":
        """Pass over wagers that were to be settled: each is missed, at its cost."""
        return self._finish(*self._wagers_due)._add(*map(self._missed_wager, self._wagers_due))

    def _missed_wager(self, act: DealerAct) -> DealerSlip:
        paid = find_paid(self.hand, act)
        what = f"{paid.spot.title} of {act.place} ({paid.outcome}) is not settled."
        is_due_at_once = self._follows_choice(act)
        clause = self.book.cite_at_once(paid.outcome) if is_due_at_once else self.book.cite("once")
        return wager_slip("missed-wager", what, clause, paid, 0, self._base(act))

    def _follows_choice(self, act: DealerAct) -> bool:
        """Whether the choice of a seat decides its wager, which is settled before the next seat chooses."""
        since = list(takewhile(lambda done: done.kind != ASK, reversed(self.done)))
        asked = self.done[-len(since) - 1 :][:1]
        return bool(asked) and all(done.place == act.place for done in (*asked, *since))

    def _base(self, act: DealerAct) -> int:
        return bonus_base(self.hand, act.seat or 0, find_paid(self.hand, act))

    def _cite_call(self, call: DealerAct) -> Citation:
        for step, words in list_calls(self.book):
            if call.words in words:
                return self.book.cite_step(step)
        return self.book.cite("closing")

    def _call(self, act: DealerAct) -> "DealingSession":
        first = self.due[0]
        if first.kind == CALL and first.words == act.words:
            return self._finish(first)
        if first.kind == CALL:
            said = DealerSlip(
                "wrong-call", f"{first.words} is called, not {act.words}", self._cite_call(first)
            )
            return self._finish(first)._add(said)
        if self._may_call(act.words):
            return self
        return self._add(DealerSlip("wrong-call", f"Not called now: {act.words}", self._cite_call(act)))

    def _may_call(self, words: str) -> bool:
        """Whether a call belongs to the procedure, but not to a moment that the course knows."""
        known = {said for _, calls in list_calls(self.book) for said in calls}
        return words in known and all(act.words != words for act in (*self.due, *self.done))

    def _settle(self, act: DealerAct) -> "DealingSession":
        place, due = (act.place, act.spot), self._wagers_due
        meant = next((each for each in due if (each.place, each.spot) == place), None)
        if meant is None:
            title = self.game.spot(act.spot).title
            what = f"{title} of {act.place} is not to be settled now."
            return self._add(DealerSlip("settled-twice", what, self.book.cite("once")))
        slips = [] if meant == due[0] else [self._order_slip(due[0], meant)]
        return self._finish(meant)._add(*slips, *self._judge_settling(act, meant))

    def _order_slip(self, due: DealerAct, done: DealerAct) -> DealerSlip:
        return order_slip(self.book, (due.seat or 0, due.spot), (done.seat or 0, done.spot))

    def _judge_settling(self, act: DealerAct, meant: DealerAct) -> Sequence[DealerSlip]:
        paid = find_paid(self.hand, meant)
        if act.kind != meant.kind:
            place = (meant.seat or 0, meant.spot)
            return judge_action(self.book, self.hand, paid, place, act.kind, act.cents)
        cents = act.cents or (paid.staked if act.kind == TAKE else 0)
        if cents != abs(paid.net):
            sign = -1 if paid.net < 0 else 1
            wager = f"{paid.spot.title} of {act.place} ({paid.outcome})"
            what = f"{wager}: {dollars(abs(paid.net))} is due, not {dollars(cents)}."
            clause = cite_wager(self.book, self.hand, meant.seat or 0, paid)
            return [wager_slip("wrong-amount", what, clause, paid, sign * cents, self._base(meant))]
        if act.chips and meant.chips and len(act.chips) > len(meant.chips):
            what = f"The fewest chips are {name_chips(meant.chips)}."
            return [DealerSlip("wrong-chips", what, self.book.cite("procedure"))]
        return []

    def _move(self, act: DealerAct) -> "DealingSession":
        """Deal, turn, ask, collect or end."""
        if not self.due:
            return self
        first = self.due[0]
        if (first.kind, first.place) == (act.kind, act.place):
            return self._finish(first)
        if act.kind == END and first.kind == COLLECT:
            slip = DealerSlip("late-close", "The cards are not collected.", self.book.cite("ending"))
            return self._finish(*self.due)._add(slip)
        moved = self._add(self._misplaced(act, first))
        return moved._finish(first) if act.kind == first.kind == PITCH else moved

    def _misplaced(self, act: DealerAct, due: DealerAct) -> DealerSlip:
        """The slip of an act at the wrong moment or place."""
        kind, subject = {
            PITCH: ("misdeal", self._pitch_subject(due)),
            TURN: ("early-turn", "turn-board" if act.place == BOARD_PLACE else "turn"),
            ASK: ("wrong-turn-to-choose", "choosing"),
        }.get(act.kind, ("late-close", "ending"))
        does = describe_act(due, self.hand)
        what = f"First the dealer {does[0].lower()}{does[1:]}"
        return DealerSlip(kind, what, self.book.cite(subject))

    def _pitch_subject(self, due: DealerAct) -> str:
        """The subject of the clause on the cards that are due."""
        if due.kind != PITCH:
            return "pitch"
        if due.place == BURN:
            return "pitch-burn"
        if any(act.kind == ASK for act in self.done):
            is_choosing = any(act.kind == ASK for act in self.due)
            return (
                "pitch-choice"
                if is_choosing
                else "pitch-dealer"
                if due.place == DEALER_PLACE
                else "pitch-end"
            )
        has_cards = any((act.kind, act.place) == (PITCH, due.place) for act in self.done)
        return "pitch-second" if has_cards else "pitch"


def check_act(session: DealingSession, act: DealerAct) -> None:
    """Refuse an act that no dealer can make at this table."""
    if act.kind not in ACT_KINDS:
        raise Refused(f"{act.kind!r} is not an act of a dealer.")
    if act.kind in SETTLING_KINDS:
        session.game.spot(act.spot)
    if act.kind != CALL and act.place not in places_of(session.hand):
        raise Refused(f"{act.place!r} is not a place of this table.")
    if act.kind == CALL and not act.words.strip():
        raise Refused("A call needs words.")


def places_of(hand: TrainingHand) -> tuple[str, ...]:
    """The places of a table: its seats, the shared areas, the discards and the table itself."""
    seats = (seat_hand(n) for n in range(len(hand.wagers)))
    return (*seats, *hand.game.shared_areas, "burn", "table")


def start_session(game: Game, draw: Draw, level: int = 1, seats: int | None = None) -> DealingSession:
    """A session with a random hand, before the betting is closed."""
    return open_session(deal_hand(game, draw, level, seats))


def open_session(hand: TrainingHand) -> DealingSession:
    """A session with a hand that is known."""
    return DealingSession(hand, list_acts(hand))


def deal_perfectly(session: DealingSession) -> DealingSession:
    """A robot dealer that makes every act as it is due."""
    while session.due:
        session = session.perform(session.due[0])
    return session
