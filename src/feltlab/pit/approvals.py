"""Approvals: at which house a game may be offered, under which options and pays, and by whose decision.

An approval goes through the steps of a regime and is bound to a digest of the rules, options and pays for
which it was given; a table opens only under one that is in force. The days of an approval are those on its
letters, so the register can say which approvals were in force on any day.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from typing import Any

from feltlab.core.game import Game
from feltlab.core.limits import Limits
from feltlab.errors import Refused, Unknown
from feltlab.games.offers import game_to_data
from feltlab.games.rules_history import RulesChange, rules_change
from feltlab.ledger.event import HOUSE_CHAIN, Draft, Event
from feltlab.pit.event_kinds import HOUSE_KINDS, names_of
from feltlab.pit.regimes import LAPSE, Regime, StepTaken, regime_of
from feltlab.submission.venues import Venue, venue
from feltlab.text import dollars, listing
from feltlab.values import set_frozen

KINDS = names_of(HOUSE_KINDS.values(), lambda kind: kind.subject == "approvals")
DRAFTED, STEP, LAPSED = "approval-drafted", "approval-step", "approval-lapsed"
CARRIED_OVER = "approval-carried-over"
NOT_OFFERED = RulesChange(False, "The game, or one of its options or pays, is no longer offered.")

# -- Houses -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class House:
    """A house that banks tables, and its kinds of venue, each from a day on until the next begins."""

    name: str
    kinds: tuple[tuple[date, str], ...]
    has_practice: bool = False  # visitors may open private tables that no approval covers

    def __post_init__(self) -> None:
        set_frozen(self, kinds=tuple(sorted(self.kinds)))
        if not self.name.strip() or not self.kinds:
            raise Refused("A house has a name and a kind.")
        for _, kind in self.kinds:
            regime_of(kind)

    @classmethod
    def of(cls, name: str, kind: str, has_practice: bool = False) -> "House":
        """A house that has always been of one kind."""
        return cls(name, ((date.min, kind),), has_practice)

    def kind(self, day: date) -> str:
        for begins, kind in reversed(self.kinds):
            if begins <= day:
                return kind
        raise Refused(f"{self.name} opens on {self.kinds[0][0]}.")

    def venue(self, day: date) -> Venue:
        """The rule pack that holds for it on a day."""
        return venue(self.kind(day))


DEMO = House.of("The demonstration house", "commercial", has_practice=True)  # for play money only


# -- An approval ------------------------------------------------------------------------------------

Options = tuple[tuple[str, str], ...]
Pays = tuple[tuple[str, str, Fraction], ...]  # spot, outcome and pay where no listed table says so


@dataclass(frozen=True)
class Approval:
    """A game under its options and pays at a house, and how far its approval has come."""

    number: int  # in the register, from 1
    house: str
    kind: str  # of venue, whose regime it follows
    game: str
    options: Options  # all of them, by name
    pays: Pays
    digest: str  # of the rules, options and pays
    begins: date
    ends: date | None  # the last day; none if it is open
    done: tuple[StepTaken, ...]

    def __str__(self) -> str:
        return f"Approval {self.number} of {self.game}"

    @property
    def regime(self) -> Regime:
        return regime_of(self.kind)

    @property
    def state(self) -> str:
        return self.done[-1].state

    def last_on(self, day: date) -> StepTaken | None:
        """The last step taken by the end of a day."""
        return next((done for done in reversed(self.done) if done.day <= day), None)

    def take_step(self, name: str, by: str, day: date, note: str = "") -> StepTaken:
        """Take a step, or refuse one that is not possible in this state."""
        possible = {step.name: step for step in self.regime.possible_steps(self.state)}
        if not possible:
            raise Refused(f"{self} is {self.state}, and nothing more can be done with it.")
        if name not in possible:
            raise Refused(
                f"{self} is {self.state}: {name!r} is not possible, only {listing(possible, 'or')}."
            )
        if day < self.done[-1].day:
            raise Refused(f"{self} is {self.state} since {self.done[-1].day}; nothing can be done on {day}.")
        return possible[name].take(by, day, note)

    # -- Whether it is in force ----------------------------------------------------------------------

    def is_in_force(self, day: date, digest: str) -> bool:
        """Whether a game with this digest may be offered under it on a day."""
        return self.digest == digest and not self._why_not_on(day)

    def why_not(self, house: House, game: Game, day: date) -> str:
        """Why no table of this game may open under it at a house on a day; '' if one may."""
        return self._why_not_at(house, day) or self._why_not_on(day) or self._why_not_for(game)

    def is_for(self, game: Game) -> bool:
        """Whether it is for this game under these options and pays, whatever the rules were then."""
        return (self.game, self.options, self.pays) == (game.name, _options(game), game.pays)

    def _why_not_at(self, house: House, day: date) -> str:
        if self.house != house.name:
            return f"{self} was given to {self.house}, not to {house.name}."
        if self.kind != house.kind(day):
            was, now = (venue(kind).title.lower() for kind in (self.kind, house.kind(day)))
            return f"{self} was given to a {was}, and {house.name} is a {now} on {day}."
        return ""

    def _why_not_on(self, day: date) -> str:
        last = self.last_on(day)
        if last is None:
            return f"{self} was {self.done[0].state} on {self.done[0].day}, after {day}."
        if last.state != self.regime.offers:
            return self._why_not_after(last)
        if day < self.begins:
            return f"{self} begins on {self.begins}, after {day}."
        if self.has_ended(day):
            return f"{self} ended on {self.ends}, before {day}."
        return ""

    def has_ended(self, day: date) -> bool:
        return self.ends is not None and self.ends < day

    def _why_not_after(self, last: StepTaken) -> str:
        if self.regime.possible_steps(last.state):
            return f"{self} is {last.state} and not yet {self.regime.offers}."
        return f"{self} is {last.state} since {last.day}: {last.note.strip().rstrip('.')}."

    def _why_not_for(self, game: Game) -> str:
        if self.digest == game.digest:
            return ""
        if self.game != game.name:
            return f"{self} is not for {game.name}."
        if self.options != _options(game):
            return f"{self} is for {_option_difference(self.options, _options(game))}."
        if self.pays != game.pays:
            return f"{self} is for other pays on {_spots({*self.pays} ^ {*game.pays})}."
        return f"{self} is for rules that have changed since."


def _options(game: Game) -> Options:
    return _sorted_options(game.options)


def _sorted_options(options: Mapping[str, str]) -> Options:
    return tuple(sorted(options.items()))


def _option_difference(ours: Options, theirs: Options) -> str:
    """The options in which two sets differ: 'decks=6, not for decks=8'."""
    sides = ((ours, theirs), (theirs, ours))
    return ", not for ".join(
        listing(f"{name}={value}" for name, value in side if (name, value) not in other)
        for side, other in sides
    )


def _spots(pays: Iterable[tuple[str, str, Fraction]]) -> str:
    return listing(sorted({spot for spot, _, _ in pays}))


# -- The register -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Approvals:
    """The register of all approvals, folded from their events, with the drafts still to be written."""

    approvals: tuple[Approval, ...] = ()  # by number
    unwritten: tuple[Draft, ...] = ()

    def __iter__(self) -> Iterator[Approval]:
        return iter(self.approvals)

    def __getitem__(self, number: int) -> Approval:
        if not 0 < number <= len(self.approvals):
            raise Unknown(f"No approval has the number {number}.")
        return self.approvals[number - 1]

    def after(self, event: Event | Draft) -> "Approvals":
        """The register after an event; events that are not about approvals leave it as it is."""
        if event.chain != HOUSE_CHAIN or event.kind not in KINDS:
            return self
        if event.kind == DRAFTED:
            return replace(self, approvals=(*self.approvals, _approval(event.data)))
        old = self[event.data["approval"]]
        if event.kind == CARRIED_OVER:
            new = replace(old, digest=event.data["to"], options=_sorted_options(event.data["options"]))
        else:
            new = replace(old, done=(*old.done, StepTaken.from_json(event.data)))
        changed = (new if approval is old else approval for approval in self.approvals)
        return replace(self, approvals=tuple(changed))

    def without_drafts(self) -> "Approvals":
        return replace(self, unwritten=())

    def _record(self, kind: str, data: dict[str, Any]) -> "Approvals":
        """The register after an event that is still to be written."""
        draft = Draft(HOUSE_CHAIN, kind, data)
        return replace(self.after(draft), unwritten=(*self.unwritten, draft))

    # -- Steps ---------------------------------------------------------------------------------------

    def draft(
        self,
        house: House,
        game: Game,
        by: str,
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
        taken = regime_of(kind).path[0].take(by, day, note)
        terms = {
            "approval": len(self.approvals) + 1,
            "house": house.name,
            "kind": kind,
            **game_to_data(game),
            "options": dict(game.options),
        }
        days = {"begins": begins.isoformat(), "ends": ends and ends.isoformat()}
        return self._record(DRAFTED, {**terms, **days, **taken.as_json()})

    def step(self, number: int, step: str, by: str, day: date, note: str = "") -> "Approvals":
        """The register after the next step of an approval, or after one that ends it."""
        taken = self[number].take_step(step, by, day, note)
        return self._record(LAPSED if step == LAPSE else STEP, {"approval": number, **taken.as_json()})

    def adopt_rules(self, games: Mapping[str, Game], by: str, day: date) -> "Approvals":
        """The register under the rules of today.

        Approvals whose rules are only worded differently are carried over to the new digest; approvals in
        force whose rules have changed lapse.
        """
        register = self
        for approval in self:
            is_open = approval.regime.possible_steps(approval.state) and not approval.has_ended(day)
            game = _game_now(approval, games)
            if is_open and (game is None or game.digest != approval.digest):
                register = register._adopt(approval, game, by, max(day, approval.done[-1].day))
        return register

    def _adopt(self, approval: Approval, game: Game | None, by: str, day: date) -> "Approvals":
        change = rules_change(game, approval.digest) if game else NOT_OFFERED
        if game and change.same_rules:
            digests = {"from": approval.digest, "to": game.digest, "options": dict(game.options)}
            about = {"approval": approval.number, "by": by, "day": day.isoformat(), "why": change.why}
            return self._record(CARRIED_OVER, about | digests)
        if approval.state != approval.regime.offers:
            return self
        return self.step(approval.number, LAPSE, by, day, change.reason)

    # -- Finding -------------------------------------------------------------------------------------

    def find(self, house: House, game: Game, day: date) -> Approval:
        """The approval under which a table may open; a refusal says what is missing."""
        of_game = [a for a in reversed(self.approvals) if (a.house, a.game) == (house.name, game.name)]
        why_not = {approval: approval.why_not(house, game, day) for approval in of_game}
        for approval, why in why_not.items():
            if not why:
                return approval
        nearest = sorted(of_game, key=lambda approval: not approval.is_for(game))
        raise Refused(
            next(map(why_not.__getitem__, nearest), f"{house.name} has no approval of {game.name}.")
        )


def _game_now(approval: Approval, games: Mapping[str, Game]) -> Game | None:
    """The game under the approved options and pays by the rules of today; None if it no longer has them."""
    try:
        return Game(games[approval.game].rules, approval.options, approval.pays)
    except (KeyError, Refused):
        return None


def _approval(data: Mapping[str, Any]) -> Approval:
    return Approval(
        number=data["approval"],
        house=data["house"],
        kind=data["kind"],
        game=data["game"],
        options=_sorted_options(data["options"]),
        pays=tuple((spot, outcome, Fraction(pay)) for spot, outcome, pay in data["pays"]),
        digest=data["digest"],
        begins=date.fromisoformat(data["begins"]),
        ends=date.fromisoformat(data["ends"]) if data["ends"] else None,
        done=(StepTaken.from_json(data),),
    )


# -- The demonstration house, and the rule pack -----------------------------------------------------


def approve_all(
    register: Approvals, house: House, games: Iterable[Game], by: str, day: date, note: str = "play money"
) -> Approvals:
    """The register after every step that each game needs; approvals in force are left alone."""
    for game in games:
        if any(not approval.why_not(house, game, day) for approval in register):
            continue
        register = register.draft(house, game, by, day, note=note)
        number = len(register.approvals)
        for step in register[number].regime.path[1:]:
            register = register.step(number, step.name, by, day, note)
    return register


def check_limits(venue: Venue, limits: Limits, game: Game, day: date) -> None:
    """Refuse a table that the venue's rule pack does not allow on a day.

    A raise is a wager of its own and at most the maximum, so the maximum speaks for raises too.
    """
    cap = venue.cap_in_force(day)
    if cap and limits.maximum > cap.cents:
        when = cap.since or f"on {day}"
        raise Refused(
            f"The maximum, {dollars(limits.maximum)}, is above the cap of {dollars(cap.cents)} a wager that"
            f" is in force {when} ({venue.limits_reference})."
        )
    games, most = game.rules.GAMES_PER_HAND, venue.games_per_hand
    if most and games > most:
        raise Refused(
            f"One hand of {game.title} takes wagers on {games} games, and the venue allows at most {most}"
            f" ({venue.games_reference})."
        )
