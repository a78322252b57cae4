"""A table's events, its cards, and the acts at its shufflers."""

from dataclasses import dataclass
from typing import Any, Self

from feltlab.core.deal import Deal
from feltlab.errors import Refused
from feltlab.ledger.event import Draft, Event, Mention
from feltlab.pit.hands.mentions import MENTIONING, mentions_of
from feltlab.pit.seat_numbers import Data, from_record, to_record
from feltlab.pit.seats import HOLD_SECONDS, REQUEST_HOLDS, Phase
from feltlab.pit.shufflers.machines import PASSED, check_guide, check_hand, check_step, check_test
from feltlab.pit.shufflers.seeds import describe_unrevealed
from feltlab.pit.table_events import apply
from feltlab.pit.table_state import TableState
from feltlab.shuffling.card_names import write_cards
from feltlab.shuffling.guide import replacement_steps
from feltlab.shuffling.machine import HAND, Fault
from feltlab.shuffling.models import check_mode
from feltlab.values import build_unchecked, replace_unchecked


@dataclass(frozen=True)
class TableCards(TableState):
    """The base of `Table`: records events, shuffles, and serves the shufflers."""

    # -- Events --------------------------------------------------------------------------------------

    def _record(self, kind: str, data: Data, *known: Deal, **more: Any) -> Self:
        """The table after an event that is still to be written, with more fields changed if there are any."""
        mentions: tuple[Mention, ...] = ()
        if kind in MENTIONING:
            mentions = mentions_of(kind, data, self.game.name, lambda seat: self.place(seat).player)
        draft = build_unchecked(
            Draft,
            chain=self.name,
            kind=kind,
            data=to_record(data),
            round=self.round + (kind == "standing"),
            mentions=mentions,
        )
        more["number"], more["unwritten"] = self.number + 1, (*self.unwritten, draft)
        return apply(self, kind, data, *known, **more)

    def after(self, event: Event) -> Self:
        """The table after an event on record."""
        return apply(self, event.kind, from_record(event.data), number=event.number)

    def without_drafts(self) -> Self:
        """This table, once its drafts are on record."""
        return replace_unchecked(self, unwritten=(), sealed=(), unsealed=())

    # -- Shuffles ------------------------------------------------------------------------------------

    def _shuffle_cards(self) -> Self:
        number = self.cycles + 1
        shuffler = replace_unchecked(self.shuffler, name=self.machines.shuffles)
        shuffle = shuffler.cycle(f"{self.name}/{number}", number)
        made = {
            "shuffle": shuffle.name,
            "cycle": number,
            "commitment": shuffle.commitment,
            "deck": shuffle.deck,
            "shuffler": shuffle.shuffler,
        }
        return self._record("shuffled", made, shuffle=shuffle, sealed=(*self.sealed, shuffle))

    def _reveal_order(self) -> Self:
        """Reveal the order of a shuffle from which nothing more is dealt."""
        if self.spent or self.shuffle is None:
            return self
        secret = self.shuffle
        backs = {"deck": secret.deck, "shuffler": secret.shuffler}
        shown = {"shuffle": secret.name, "salt": secret.salt, "order": write_cards(secret.order), **backs}
        return self._record("order", shown, unsealed=(*self.unsealed, secret.name))

    def _record_fault(self, fault: Fault) -> Self:
        found = {"shuffler": self.machines.in_use, "fault": fault.kind, "message": str(fault)}
        return self._record("fault", {**found, "shows": fault.message})

    @property
    def why_unrevealed(self) -> str:
        return describe_unrevealed(self.awaited_seeds)

    def _dismiss_unrevealed(self) -> Self:
        """Let the seats leave that kept their sealed seeds back, so that they cannot stop others again."""
        table = self
        for one in () if self.is_solo else self.awaited_seeds:
            if not table.place(one.seat).leaves:
                table = table._record(
                    "leaving", {"seat": one.seat, "player": one.player, "why": self.why_unrevealed}
                )
        return table

    # -- Shufflers -----------------------------------------------------------------------------------

    def drill(self, by: str, fault: str) -> Self:
        """Make the shuffler fail in this round, to prove that nothing is lost."""
        self._check_betting("A drill is possible only while bets are open.")
        self._check_shuffler()
        return self._record("drill", {"by": by, "fault": fault})._reveal_order()._shuffle_cards()

    def select_mode(self, by: str, mode: str, shuffler: str = "") -> Self:
        """Set a shuffler to a mode, between rounds; one that does not fit the game is refused."""
        self._check_betting("The mode is selected between rounds.")
        name = shuffler or self.machines.in_use
        if name == HAND:
            raise Refused("The table is dealt by hand: there is no mode to select.")
        self._check_shuffler()
        machine = self.machines[name]
        chosen = check_mode(machine.model, mode, self.game)
        if chosen == machine.mode:
            raise Refused(f"The {name} shuffler is set to {chosen} already.")
        table = self._record("mode-selected", {"by": by, "shuffler": name, "mode": chosen})
        return table._reveal_order()._shuffle_cards() if name == self.machines.in_use else table

    def _record_guide(self, by: str, fault: str) -> Self:
        self._check_betting("The guide is consulted between rounds.")
        check_guide(self.machines, fault)
        shown = {"shuffler": self.machines.in_use, "fault": self.machines.guide}
        return self._record("guide-consulted", {"by": by, **shown})

    def _record_step(self, by: str, step: int) -> Self:
        self._check_betting("A shuffler is replaced between rounds.")
        check_step(self.machines, step)
        done = {"by": by, "shuffler": self.machines.replaced, "step": step}
        table = self._record("replacement-step", {**done, "does": replacement_steps()[step - 1].does})
        return table if table.machines.step else table._reveal_order()._shuffle_cards()

    def test_shuffler(self, by: str, shuffler: str, passed: bool = True, note: str = "") -> Self:
        """Record the test of a shuffler that is out of service; one that passes is the stand-by again."""
        check_test(self.machines, shuffler)
        result = PASSED if passed else "failed"
        test = {"by": by, "shuffler": shuffler, "result": result, "note": note}
        table = self._record("shuffler-tested", test)
        resumes = passed and shuffler == self.machines.in_use and self.phase == Phase.BETTING
        return table._reveal_order()._shuffle_cards() if resumes else table

    def _record_hand_dealing(self, by: str, why: str) -> Self:
        self._check_betting("A table changes to hand dealing between rounds.")
        check_hand(self.machines, self.game)
        return self._record("hand-dealing", {"by": by, "why": why})._reveal_order()._shuffle_cards()

    # -- Holds ---------------------------------------------------------------------------------------

    def hold_round(self, by: str, request: int) -> Self:
        """Hold the round in play while a request to void it waits; a round is held once."""
        if self.was_held:
            return self
        return self._record("held", {"by": by, "request": request, "seconds": int(HOLD_SECONDS)})

    def _end_hold(self, why: str = "Nobody confirmed the request in time.") -> Self:
        return self._record("hold-ended", {"request": self.hold, "why": why})

    # -- Checks --------------------------------------------------------------------------------------

    def _check_shuffler(self) -> None:
        """Refuse to go on while a fault, a replacement or a decision is pending."""
        if self.machines.why_waiting:
            raise Refused(self.machines.why_waiting)

    def _check_hold(self) -> None:
        if self.hold:
            raise Refused(REQUEST_HOLDS)

    def _check_open(self) -> None:
        if self.phase == Phase.CLOSED:
            raise Refused(f"{self.name} is closed.")

    def _check_betting(self, otherwise: str) -> None:
        self._check_open()
        if self.phase != Phase.BETTING:
            raise Refused(otherwise)
