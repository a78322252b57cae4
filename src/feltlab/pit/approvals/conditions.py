"""The conditions of an operator's approval, and whether each holds on a day.

A regime sets conditions for every approval; the state, and the tribe at its own venue, attach others. The
house files what a condition asks for. A table opens, and goes on, only while every condition holds.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from feltlab.errors import Refused, Unknown
from feltlab.pit.approvals.approval import Approval, Filing
from feltlab.pit.approvals.licences import Licences
from feltlab.pit.approvals.submissions import Submission
from feltlab.pit.regimes import ConditionTerms, StepTaken
from feltlab.submission.venues import venue
from feltlab.text import listing

CONTROLS, MAKERS, MODELS, SECTION_18 = "controls", "makers", "shufflers", "section-18"
DOCUMENT, ADDED = "document", "text or document of the gaming operation"  # items of a subject of Section 18
SHA256_LINE = re.compile(r"[0-9a-f]{64} [ *]?\S.*")  # as sha256sum prints it
HOW_MET = "how it is met"  # the item of a condition in a regulator's own words
MAX_ITEM_CHARS = 60_000  # a text of internal controls has some thousand


@dataclass(frozen=True)
class Condition:
    """A condition, what the house files for it, and why it does not hold."""

    name: str
    says: str
    reference: str
    items: tuple[str, ...]
    confirmed: bool
    why_not: str = ""  # '' where it holds

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"items": list(self.items), "holds": not self.why_not}


def list_conditions(
    approval: Approval, under: Submission | None, day: date = date.max
) -> Iterator[ConditionTerms]:
    """The conditions of an approval on a day; one that no regulator gave has only those attached to it."""
    if not approval.caution:
        for terms in approval.regime.conditions:
            yield from list_subjects(approval.kind, terms) if terms.name == SECTION_18 else (terms,)
        yield from _list_attached("game", under.attached if under else (), day)
    yield from _list_attached("attached", approval.attached, day)


def _list_attached(name: str, steps: Iterable[StepTaken], day: date) -> Iterator[ConditionTerms]:
    """The conditions that were attached by a day, in a regulator's own words."""
    for n, done in enumerate(steps, 1):
        if done.day <= day:
            yield ConditionTerms(f"{name}-{n}", done.note, f"attached on {done.day} by {done.by}", (HOW_MET,))


def list_subjects(kind: str, terms: ConditionTerms) -> Iterator[ConditionTerms]:
    """The checklist of Section 18: a condition for each subject of the venue's rule pack."""
    dossier = venue(kind).dossier
    for n, item in enumerate(dossier.item if dossier else (), 1):
        parts = f"the packet's {listing(item.parts)}" if item.parts else ""
        what = listing(filter(None, (parts, item.house)))
        items = ((DOCUMENT,) if item.parts else ()) + ((ADDED,) if item.house else ())
        says = f"{terms.says} {item.subject}: {what}."
        yield ConditionTerms(f"{SECTION_18}-{n:02}", says, terms.reference, items, terms.confirmed)


def _fill_items(kind: str, terms: ConditionTerms) -> ConditionTerms:
    """The whole dossier as one condition, as earlier versions had it."""
    dossier = venue(kind).dossier
    items = tuple(item.subject for item in dossier.item) if dossier else ()
    return ConditionTerms(terms.name, terms.says, terms.reference, items, terms.confirmed)


def find_condition(
    approval: Approval, under: Submission | None, name: str, is_old: bool = False
) -> ConditionTerms:
    """A condition of an approval for which the house can file something; also of an old ledger."""
    known = {terms.name: terms for terms in list_conditions(approval, under) if terms.items}
    if is_old or approval.filing(SECTION_18):
        whole = (terms for terms in approval.regime.conditions if terms.name == SECTION_18)
        known |= {terms.name: _fill_items(approval.kind, terms) for terms in whole}
    if name not in known:
        raise Unknown(f"{approval} has no condition {name!r} to file for; it has {listing(known)}.")
    return known[name]


def check_items(terms: ConditionTerms, items: Mapping[str, str]) -> dict[str, str]:
    """The items of a filing, in order; refuses one that is missing, unknown, empty or too long."""
    for name, text in items.items():
        if name not in terms.items:
            raise Refused(f"{name!r} is no item of {terms.name!r}; its items are {listing(terms.items)}.")
        if len(text) > MAX_ITEM_CHARS:
            raise Refused(f"An item has at most {MAX_ITEM_CHARS:,} characters.")
        if name == DOCUMENT and not all(map(SHA256_LINE.fullmatch, text.strip().splitlines())):
            raise Refused("A document is on file by its SHA-256 and its name, as `sha256sum` prints them.")
    missing = [name for name in terms.items if not items.get(name, "").strip()]
    if missing:
        raise Refused(f"A filing for {terms.name!r} needs {listing(missing)}.")
    return {name: items[name] for name in terms.items}


# -- Whether they hold ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Circumstances:
    """The facts that a condition is checked against."""

    approval: Approval
    licences: Licences
    day: date
    models: Collection[str] | None  # of the table's shufflers; None where no table is looked at


def check_conditions(
    approval: Approval,
    under: Submission | None,
    licences: Licences,
    day: date,
    models: Collection[str] | None = None,
) -> Iterator[Condition]:
    """The conditions of an approval, each with the reason why it does not hold on a day, if it does not."""
    at = Circumstances(approval, licences, day, models)
    for terms in list_conditions(approval, under, day):
        why_not = CHECKS.get(terms.name, _why_not_filed)(terms, at)
        yield Condition(terms.name, terms.says, terms.reference, terms.items, terms.confirmed, why_not)


def _why_not_filed(terms: ConditionTerms, at: Circumstances) -> str:
    found = at.approval.filing(terms.name) or _find_old_filing(terms, at.approval)
    if found is None:
        gone = next((one for one in reversed(at.approval.filings) if one.condition == terms.name), None)
        return f"the filing was withdrawn: {gone.withdrawn.rstrip('.')}" if gone else "nothing is on file"
    if found.day > at.day:
        return f"it was filed on {found.day}"
    missing = [name for name in terms.items if name not in dict(found.items)]
    is_whole = found.condition != terms.name
    return f"{listing(missing)} is missing" if missing and not is_whole else ""


def _find_old_filing(terms: ConditionTerms, approval: Approval) -> Filing | None:
    """The filing of the whole dossier, as earlier versions had it."""
    return approval.filing(SECTION_18) if terms.name.startswith(f"{SECTION_18}-") else None


def _why_makers_unlicensed(terms: ConditionTerms, at: Circumstances) -> str:
    if missing := _why_not_filed(terms, at):
        return missing
    found, sides = at.approval.filing(terms.name), at.approval.regime.licences
    items = dict(found.items) if found else {}
    reasons = (at.licences.why_unlicensed(items[what], what, sides, at.day) for what in terms.items)
    return next(filter(None, reasons), "")


def _why_models_unapproved(terms: ConditionTerms, at: Circumstances) -> str:
    sides = at.approval.regime.licences
    if at.models is None:
        models = {one.model for one in at.licences.models}
        usable = [one for one in models if not at.licences.why_not_model(one, sides, at.day)]
        return "" if usable else f"no shuffler of a licensed maker is approved on {at.day}"
    reasons = (at.licences.why_not_model(model, sides, at.day) for model in sorted(at.models))
    return next(filter(None, reasons), "")


CHECKS: Mapping[str, Callable[[ConditionTerms, Circumstances], str]] = {
    MAKERS: _why_makers_unlicensed,
    MODELS: _why_models_unapproved,
}
