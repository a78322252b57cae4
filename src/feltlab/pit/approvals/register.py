"""The register of approvals: operators' approvals, makers' approvals and licences, folded from their events.

Days are those on the letters, so the register can say what was in force on any day.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from feltlab.core.game import Game
from feltlab.errors import Refused, Unknown
from feltlab.games.offers import game_to_data
from feltlab.games.rules_history import rules_change
from feltlab.ledger.event import HOUSE_CHAIN, Draft, Event
from feltlab.pit.approvals.approval import Approval, digest_items
from feltlab.pit.approvals.conditions import (
    CONTROLS,
    SECTION_18,
    Condition,
    check_conditions,
    check_items,
    find_condition,
)
from feltlab.pit.approvals.houses import House
from feltlab.pit.approvals.licences import Licences
from feltlab.pit.approvals.submissions import Submission, Submissions
from feltlab.pit.approvals.terms import NOT_OFFERED, game_today
from feltlab.pit.event_kinds import HOUSE_KINDS, names_of
from feltlab.pit.regimes import AUTOMATIC, DEMONSTRATION, LAPSE, Taker, regime_of
from feltlab.pit.roles import Forbidden, Side

KINDS = names_of(HOUSE_KINDS.values(), lambda kind: kind.subject == "approvals")
DRAFTED, STEP, LAPSED = "approval-drafted", "approval-step", "approval-lapsed"
CARRIED_OVER = "approval-carried-over"
FILED, FILING_WITHDRAWN = "condition-filed", "filing-withdrawn"
SIDES_ADOPTED, STARTED = "sides-adopted", "started"


@dataclass(frozen=True)
class Approvals:
    """All approvals and licences, with the drafts of events still to be written."""

    approvals: tuple[Approval, ...] = ()  # by number
    submissions: Submissions = field(default_factory=Submissions)
    licences: Licences = field(default_factory=Licences)
    has_sides: bool = False  # the ledger has recorded that each step has a side
    house: str = ""  # for which a server was started last; '' in the first ledgers
    unwritten: tuple[Draft, ...] = ()

    def __iter__(self) -> Iterator[Approval]:
        return iter(self.approvals)

    def __getitem__(self, number: int) -> Approval:
        if not 0 < number <= len(self.approvals):
            raise Unknown(f"No approval has the number {number}.")
        return self.approvals[number - 1]

    def after(self, event: Event | Draft) -> "Approvals":
        """The register after an event; events that are not about approvals leave it as it is."""
        if event.chain == HOUSE_CHAIN and event.kind == STARTED and event.data.get("house"):
            return replace(self, house=event.data["house"])
        if event.chain != HOUSE_CHAIN or event.kind not in KINDS:
            return self
        if event.kind == SIDES_ADOPTED:
            return replace(self, has_sides=True)
        if event.kind == DRAFTED:
            return replace(self, approvals=(*self.approvals, Approval.from_json(event.data)))
        if event.kind not in APPROVAL_CHANGES:
            submissions, licences = self.submissions.after(event), self.licences.after(event)
            return replace(self, submissions=submissions, licences=licences)
        old = self[event.data["approval"]]
        new = APPROVAL_CHANGES[event.kind](old, event.data)
        changed = (new if approval is old else approval for approval in self.approvals)
        return replace(self, approvals=tuple(changed))

    def without_drafts(self) -> "Approvals":
        return replace(self, unwritten=())

    def record(self, draft: Draft) -> "Approvals":
        """The register after an event that is still to be written."""
        return replace(self.after(draft), unwritten=(*self.unwritten, draft))

    def _record(self, kind: str, data: dict[str, Any]) -> "Approvals":
        return self.record(Draft(HOUSE_CHAIN, kind, data))

    def adopt_sides(self, version: str) -> "Approvals":
        """The register of a ledger in which each step has a side; earlier approvals stay as they are."""
        if self.has_sides:
            return self
        kept = [one.number for one in self if one.is_grandfathered and one.is_open]
        return self._record(SIDES_ADOPTED, {"version": version, "approvals": kept})

    # -- Steps of an operator's approval -------------------------------------------------------------

    def draft(
        self,
        house: House,
        game: Game,
        taker: Taker,
        day: date,
        begins: date | None = None,
        ends: date | None = None,
        note: str = "",
    ) -> "Approvals":
        """The register after the first step of a new approval, which begins on this day or another."""
        begins = begins or day
        if ends is not None and ends < begins:
            raise Refused(f"An approval that begins on {begins} cannot end on {ends}.")
        kind = house.kind(begins)
        taken = regime_of(kind).path[0].take(taker, day, note)
        terms = {
            "approval": len(self.approvals) + 1,
            "house": house.name,
            "kind": kind,
            **game_to_data(game),
            "options": dict(game.options),
        }
        days = {"begins": begins.isoformat(), "ends": ends and ends.isoformat()}
        layer = self._find_layer(house, game, kind, taker, day)
        return self._record(DRAFTED, {**terms, **days, **layer, **taken.as_json()})

    def _find_layer(self, house: House, game: Game, kind: str, taker: Taker, day: date) -> dict[str, Any]:
        """The maker's approval to which a draft refers, or that it is a demonstration."""
        if taker.side == DEMONSTRATION:
            if not house.is_demonstration:
                raise Forbidden(
                    f"{house.name} is no demonstration; each step is taken by the side that it is of."
                )
            return {"demonstration": True}
        return {"under": self.submissions.find(game, kind, day).number}

    def step(self, number: int, step: str, taker: Taker, day: date, note: str = "") -> "Approvals":
        """The register after the next step of an approval, or after one that ends it."""
        approval = self[number]
        if taker.side == DEMONSTRATION and not approval.is_demonstration:
            raise Forbidden(f"{approval} is no demonstration.")
        taken = approval.take_step(step, taker, day, note)
        self._check_enclosed(approval, step, day)
        return self._record(LAPSED if step == LAPSE else STEP, {"approval": number, **taken.as_json()})

    def _check_enclosed(self, approval: Approval, step: str, day: date) -> None:
        """Refuse to pass on an approval whose papers are not complete, or that its maker's does not cover."""
        path = [one.name for one in approval.regime.path[1:]]
        if step not in path or approval.is_demonstration:
            return
        if why := self.submissions[approval.under].why_not_on(day):
            raise Refused(why)
        needed = (CONTROLS,) if step != "request-concurrence" else (CONTROLS, f"{SECTION_18}-")
        for condition in self.conditions(approval, day):
            if condition.name.startswith(needed) and condition.why_not:
                raise Refused(describe_failure(approval, condition))

    def file(
        self,
        number: int,
        condition: str,
        items: Mapping[str, str],
        taker: Taker,
        day: date,
        is_old: bool = False,
    ) -> "Approvals":
        """The register after the house has filed what a condition asks for, also in an old ledger."""
        approval = self[number]
        self._check_filing(approval, condition, taker, is_old)
        if condition == CONTROLS and approval.state != approval.regime.path[0].state:
            raise Refused(
                f"{approval} is {approval.state}: its internal controls are filed before that; draft another."
            )
        found = check_items(find_condition(approval, self._under(approval), condition, is_old), items)
        version = 1 + sum(one.condition == condition for one in approval.filings)
        data = {"approval": number, "condition": condition, "version": version, "items": found}
        sign = {"by": taker.name, "side": taker.side, "day": day.isoformat(), "note": ""}
        return self._record(FILED, {**data, "hash": digest_items(found), **sign})

    def withdraw_filing(self, number: int, condition: str, taker: Taker, day: date, note: str) -> "Approvals":
        """The register after the house has taken back what it filed for a condition."""
        approval = self[number]
        self._check_filing(approval, condition, taker)
        if not note.strip():
            raise Refused("A filing is withdrawn with the reason.")
        if approval.filing(condition) is None:
            raise Refused(f"{approval} has nothing on file for {condition!r}.")
        data = {"approval": number, "condition": condition, "by": taker.name, "side": taker.side}
        return self._record(FILING_WITHDRAWN, {**data, "day": day.isoformat(), "note": note})

    def _check_filing(self, approval: Approval, condition: str, taker: Taker, is_old: bool = False) -> None:
        find_condition(approval, self._under(approval), condition, is_old)
        if taker.side != Side.HOUSE:
            raise Forbidden(
                f"The house files what a condition asks for, and {taker.name} belongs to {taker.in_words}."
            )
        if not approval.is_open:
            raise Refused(f"{approval} is {approval.state}, and nothing more can be done with it.")

    # -- Changed rules -------------------------------------------------------------------------------

    def adopt_rules(self, games: Mapping[str, Game], day: date) -> "Approvals":
        """The register under the rules of today.

        Approvals whose rules are only worded differently are carried over to the new digest; approvals in
        force whose rules have changed lapse.
        """
        register = self
        for draft in self.submissions.plan_adoption(games, day):
            register = register.record(draft)
        for approval in self:
            game = game_today(games, approval.game, approval.options, approval.pays)
            is_open = approval.is_open and not approval.has_ended(day)
            if is_open and (game is None or game.digest != approval.digest):
                register = register._adopt(approval, game, max(day, approval.done[-1].day))
        return register

    def _adopt(self, approval: Approval, game: Game | None, day: date) -> "Approvals":
        change = rules_change(game, approval.digest) if game else NOT_OFFERED
        by = {"by": AUTOMATIC.name, "side": AUTOMATIC.side}
        if game and change.same_rules:
            digests = {"from": approval.digest, "to": game.digest, "options": dict(game.options)}
            about = {"approval": approval.number, "day": day.isoformat(), "why": change.why}
            return self._record(CARRIED_OVER, about | digests | by)
        if approval.state != approval.regime.offers:
            return self
        return self.step(approval.number, LAPSE, AUTOMATIC, day, change.reason)

    # -- Whether a table may be open -----------------------------------------------------------------

    def _under(self, approval: Approval) -> Submission | None:
        return self.submissions[approval.under] if approval.under else None

    def conditions(
        self, approval: Approval, day: date, models: Collection[str] | None = None
    ) -> Iterator[Condition]:
        """The conditions of an approval on a day, for a table with these models of shuffler."""
        return check_conditions(approval, self._under(approval), self.licences, day, models)

    def why_not_met(self, approval: Approval, day: date, models: Collection[str] | None = None) -> str:
        """Why the maker's approval or a condition of an approval fails on a day, or ''."""
        under = self._under(approval)
        if under and (why := under.why_not_on(day)):
            return why
        failing = (one for one in self.conditions(approval, day, models) if one.why_not)
        return next((describe_failure(approval, one) for one in failing), "")

    def why_not(
        self, approval: Approval, house: House, game: Game, day: date, models: Collection[str] | None = None
    ) -> str:
        """Why no table of a game may be open under an approval at a house on a day, or ''."""
        return approval.why_not(house, game, day) or self.why_not_met(approval, day, models)

    def find(self, house: House, game: Game, day: date, models: Collection[str] | None = None) -> Approval:
        """The approval under which a table may open; a refusal says what is missing."""
        of_game = [a for a in reversed(self.approvals) if (a.house, a.game) == (house.name, game.name)]
        why_not = {one: self.why_not(one, house, game, day, models) for one in of_game}
        for approval, why in why_not.items():
            if not why:
                return approval
        nearest = sorted(of_game, key=lambda approval: not approval.is_for(game))
        raise Refused(
            next(map(why_not.__getitem__, nearest), f"{house.name} has no approval of {game.name}.")
        )


APPROVAL_CHANGES: Mapping[str, Callable[[Approval, Mapping[str, Any]], Approval]] = {
    STEP: Approval.after_step,
    LAPSED: Approval.after_step,
    FILED: Approval.after_filing,
    FILING_WITHDRAWN: Approval.after_withdrawal,
    CARRIED_OVER: Approval.after_carrying,
}


def describe_failure(approval: Approval, condition: Condition) -> str:
    """A condition that does not hold, in one sentence."""
    says, why = condition.says.strip().rstrip("."), condition.why_not
    return f"A condition of {str(approval)[0].lower()}{str(approval)[1:]} fails: {says} ({why})."
