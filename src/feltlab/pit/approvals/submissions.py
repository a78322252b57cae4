"""Makers' approvals: each is a submission of a game, with what the state allows every operator to offer.

The submission of a game that has an approval is an amendment: the changes of options, pays and clauses are
computed from the records of the two versions, which the events hold.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from feltlab.core.game import Game
from feltlab.errors import Refused, Unknown
from feltlab.games.rules_history import rules_change
from feltlab.ledger.event import HOUSE_CHAIN, Draft, Event
from feltlab.pit.approvals.documents import EnclosedDocument
from feltlab.pit.approvals.terms import (
    NOT_OFFERED,
    Pays,
    describe_pays,
    game_today,
    options_of,
    pays_to_data,
    read_pays,
)
from feltlab.pit.regimes import ATTACH, AUTOMATIC, LAPSE, StepTaken, Taker, game_regime
from feltlab.submission.packet import PacketChange, Record, changes
from feltlab.submission.venues import venue, venues
from feltlab.text import listing

SUBMITTED, STEP, LAPSED, CARRIED_OVER = "game-submitted", "game-step", "game-lapsed", "game-carried-over"
Allowed = tuple[tuple[str, tuple[str, ...]], ...]  # by option, its allowed values


@dataclass(frozen=True)
class SubmissionTerms:
    """A game as its maker submits it."""

    game: Game  # under the listed options and the submitted pays
    maker: str
    reference: str  # the number of the submission
    rules_date: date
    record: Record = field(hash=False)  # of the version: options, pay tables and clauses
    allowed: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)  # values of options
    kinds: tuple[str, ...] = ()  # of venue; all, if none is named
    documents: tuple[EnclosedDocument, ...] = ()

    def to_data(self) -> dict[str, Any]:
        return {
            "game": self.game.name,
            "maker": _check_text("name of the maker", self.maker),
            "reference": _check_text("submission number", self.reference),
            "rules_date": self.rules_date.isoformat(),
            "options": {name: list(values) for name, values in _read_allowed(self.game, self.allowed)},
            "pays": pays_to_data(self.game.pays),
            "kinds": [venue(kind).name for kind in self.kinds or venues()],
            "digest": Game(self.game.rules, (), self.game.pays).digest,
            "documents": [document.as_json() for document in self.documents],
            "record": dict(self.record),
        }


def _check_text(what: str, text: str) -> str:
    if not text.strip():
        raise Refused(f"A submission has a {what}.")
    return text.strip()


def _read_allowed(game: Game, asked: Mapping[str, tuple[str, ...]]) -> Allowed:
    """The values of each option that operators may choose: those asked for, or all of an option."""
    known = {option.name: option.values for option in game.rules.OPTIONS}
    for name, values in asked.items():
        if name not in known:
            raise Refused(f"{game.title} has no option {name!r}; its options are {listing(known)}.")
        if not values or not {*values} <= {*known[name]}:
            raise Refused(f"The option {name!r} of {game.title} has the values {listing(known[name])}.")
    return tuple((name, tuple(asked.get(name, values))) for name, values in sorted(known.items()))


@dataclass(frozen=True)
class Submission:
    """A game as its maker submitted it, and how far its approval has come."""

    number: int  # in the register, from 1
    game: str
    maker: str
    reference: str
    rules_date: date
    allowed: Allowed
    pays: Pays
    kinds: tuple[str, ...]
    digest: str  # of the rules under the listed options and these pays
    documents: tuple[EnclosedDocument, ...]
    amends: int  # the number of the submission whose approved version it changes; 0 for none
    done: tuple[StepTaken, ...]
    record: Record = field(hash=False)

    def __str__(self) -> str:
        return f"Maker's approval {self.number} of {self.game}"

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Submission":
        return cls(
            number=data["submission"],
            game=data["game"],
            maker=data["maker"],
            reference=data["reference"],
            rules_date=date.fromisoformat(data["rules_date"]),
            allowed=tuple((name, tuple(values)) for name, values in sorted(data["options"].items())),
            pays=read_pays(data["pays"]),
            kinds=tuple(data["kinds"]),
            digest=data["digest"],
            documents=tuple(map(EnclosedDocument.from_json, data["documents"])),
            amends=data["amends"],
            done=(StepTaken.from_json(data),),
            record=data["record"],
        )

    @property
    def state(self) -> str:
        return self.done[-1].state

    @property
    def is_open(self) -> bool:
        return bool(game_regime().possible_steps(self.state))

    @property
    def letter_day(self) -> date | None:
        """The day of the letter that approved it."""
        offers = game_regime().offers
        return next((done.day for done in self.done if done.state == offers), None)

    @property
    def attached(self) -> tuple[StepTaken, ...]:
        """The steps by which conditions were attached to it, which hold for every operator."""
        return tuple(done for done in self.done if done.step == ATTACH)

    # -- What it allows ------------------------------------------------------------------------------

    def why_not_on(self, day: date) -> str:
        """Why no operator may offer the game under it on a day; '' if one may."""
        last = next((done for done in reversed(self.done) if done.day <= day), None)
        if last is None:
            return f"{self} was submitted on {self.done[0].day}, after {day}."
        if last.state == game_regime().offers:
            return ""
        if game_regime().possible_steps(last.state):
            return f"{self} is {last.state} and not yet {game_regime().offers}."
        return f"{self} is {last.state} since {last.day}: {last.note.strip().rstrip('.')}."

    def why_exceeded(self, game: Game, kind: str) -> str:
        """The part of an operator's request that this approval does not allow, or ''."""
        if kind not in self.kinds:
            titles = listing(venue(one).title.lower() for one in self.kinds)
            return f"{self} covers a {titles}, not a {venue(kind).title.lower()}."
        allowed = dict(self.allowed)
        for name, value in options_of(game):
            if value not in allowed.get(name, ()):
                values = listing(allowed.get(name, ()), "or")
                return f"{self} allows {name} {values}, not {value}."
        if game.pays != self.pays:
            return f"{self} {self._describe_pays(game)}."
        return ""

    def _describe_pays(self, game: Game) -> str:
        missing, more = {*game.pays} - {*self.pays}, {*self.pays} - {*game.pays}
        asked = f"does not allow {describe_pays(missing)}" if missing else ""
        due = f"is for {describe_pays(more)}" if more else "" if asked else "is for other pays"
        return ", and ".join(part for part in (asked, due) if part)


@dataclass(frozen=True)
class Submissions:
    """All makers' approvals, folded from their events."""

    all: tuple[Submission, ...] = ()  # by number

    def __iter__(self) -> Iterator[Submission]:
        return iter(self.all)

    def __getitem__(self, number: int) -> Submission:
        if not 0 < number <= len(self.all):
            raise Unknown(f"No maker's approval has the number {number}.")
        return self.all[number - 1]

    def after(self, event: Event | Draft) -> "Submissions":
        if event.kind == SUBMITTED:
            return Submissions((*self.all, Submission.from_json(event.data)))
        if event.kind not in (STEP, LAPSED, CARRIED_OVER):
            return self
        old = self[event.data["submission"]]
        if event.kind == CARRIED_OVER:
            new = replace(old, digest=event.data["to"])
        else:
            new = replace(old, done=(*old.done, StepTaken.from_json(event.data)))
        return Submissions(tuple(new if one is old else one for one in self.all))

    # -- Steps ---------------------------------------------------------------------------------------

    def plan_submission(self, terms: SubmissionTerms, taker: Taker, day: date, note: str = "") -> Draft:
        """The event of a new submission; one of a game that is approved amends the last approved version."""
        taken = game_regime().path[0].take(taker, day, note)
        before = self.last_approved(terms.game.name)
        numbers = {"submission": len(self.all) + 1, "amends": before.number if before else 0}
        return Draft(HOUSE_CHAIN, SUBMITTED, {**numbers, **terms.to_data(), **taken.as_json()})

    def plan_step(self, number: int, step: str, taker: Taker, day: date, note: str = "") -> Draft:
        found = self[number]
        taken = game_regime().take_step(step, str(found), found.done[-1], taker, day, note)
        return Draft(
            HOUSE_CHAIN, LAPSED if step == LAPSE else STEP, {"submission": number, **taken.as_json()}
        )

    def plan_adoption(self, games: Mapping[str, Game], day: date) -> Iterator[Draft]:
        """The events by which submissions follow the rules of today: carried over, or lapsed."""
        for found in self:
            game = game_today(games, found.game, (), found.pays)
            if not found.is_open or (game and game.digest == found.digest):
                continue
            change = rules_change(game, found.digest) if game else NOT_OFFERED
            on = max(day, found.done[-1].day)
            if game and change.same_rules:
                about = {"submission": found.number, "by": AUTOMATIC.name, "side": AUTOMATIC.side}
                digests = {"from": found.digest, "to": game.digest, "day": on.isoformat(), "why": change.why}
                yield Draft(HOUSE_CHAIN, CARRIED_OVER, about | digests)
            elif found.state == game_regime().offers:
                yield self.plan_step(found.number, LAPSE, AUTOMATIC, on, change.reason)

    # -- Finding -------------------------------------------------------------------------------------

    def last_approved(self, game: str) -> Submission | None:
        """The last version of a game that was approved, whatever became of it."""
        return next((one for one in reversed(self.all) if one.game == game and one.letter_day), None)

    def find(self, game: Game, kind: str, day: date) -> Submission:
        """The maker's approval that allows a game at a kind of venue; a refusal says what is missing."""
        of_game = [one for one in reversed(self.all) if one.game == game.name]
        why_not = {one: one.why_not_on(day) or one.why_exceeded(game, kind) for one in of_game}
        for one, why in why_not.items():
            if not why:
                return one
        nearest = sorted(of_game, key=lambda one: bool(one.why_not_on(day)))
        none = f"No maker has submitted {game.name}; an operator's approval refers to a maker's approval."
        raise Refused(next(map(why_not.__getitem__, nearest), none))

    def list_changes(self, number: int) -> tuple[Submission | None, list[PacketChange]]:
        """The approved version that a submission amends, and the changes, clause by clause and pay by pay."""
        found = self[number]
        before = self[found.amends] if found.amends else None
        return before, list(_list_changes(before, found)) if before else []


def _list_changes(before: Submission, now: Submission) -> Iterator[PacketChange]:
    was, values = dict(before.allowed), dict(now.allowed)
    for name in dict.fromkeys([*was, *values]):
        old, new = listing(was.get(name, ())), listing(values.get(name, ()))
        if old != new:
            yield PacketChange(f"allowed values of {name}", old, new)
    kinds = [listing(venue(kind).title.lower() for kind in one.kinds) for one in (before, now)]
    if kinds[0] != kinds[1]:
        yield PacketChange("kinds of venue", *kinds)
    yield from changes(before.record, now.record)
