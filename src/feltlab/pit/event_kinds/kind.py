"""A kind of event: everything that is known about it. The package lists them all."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from feltlab.pit.irregularities.kinds import irregularity_kind, irregularity_kinds
from feltlab.pit.roles import Permission, Side
from feltlab.pit.seats import Phase
from feltlab.text import dollars, signed_dollars


@dataclass(frozen=True)
class EventKind:
    name: str
    subject: str = ""  # the heading under which auditors find it; kinds without one are not significant
    sentence: str = ""  # of a significant event, with fields of the event's data in braces
    phases: tuple[Phase, ...] = ()  # of a table, in which it may happen
    permission: Permission | None = None  # that the account named `by` needs
    by_house: bool = False  # the server may do it without being asked
    is_by_side: bool = False  # the permission is that of the side which its data name, if they do
    is_trouble: bool = False  # auditors see it marked
    is_of_round: bool = False  # auditors see a link to the round
    ends_round: bool = False
    names_shuffle: bool = False  # its data commit to the shuffle from which the round is dealt
    cage_kind: str = ""  # the event of the cage that is written with it, if it moves money

    @property
    def is_significant(self) -> bool:
        return bool(self.subject)

    def permission_for(self, data: Mapping[str, Any]) -> Permission | None:
        """The permission that the account named `by` needs for an event with these data."""
        if not self.is_by_side or data.get("side") not in list(Side):
            return self.permission
        return Side(data["side"]).decides_by

    def describe(self, data: Mapping[str, Any]) -> str:
        """The event in one sentence; fields that its data lack are left out."""
        return self.sentence.format_map(_BlankIfMissing({**data, **_words_of(data)})).rstrip(" :")


class _BlankIfMissing(dict[str, Any]):
    def __missing__(self, name: str) -> str:
        return ""


def _words_of(data: Mapping[str, Any]) -> dict[str, str]:
    """Words for people in place of names and cents that an event's data have."""
    words = {"drilled": "Drill. " if data.get("drill") else ""}
    if {"paid", "due", "cents"} <= data.keys():
        words |= {name: signed_dollars(data[name]) for name in ("paid", "due", "cents")}
    if "cents" in data:
        words["prize"] = dollars(data["cents"])
    if "claims" in data:
        words["levels"] = ", ".join(f"{level} at seat {seat}" for seat, level in data["claims"])
    if "hits" in data:
        words["hit"] = ", ".join(f"{hit['meter']} by seat {hit['seat']}" for hit in data["hits"])
    if data.get("kind") in {kind.name for kind in irregularity_kinds()}:
        words["title"] = irregularity_kind(data["kind"]).title.lower()
    return words


def index_kinds(*kinds: EventKind) -> Mapping[str, EventKind]:
    return {kind.name: kind for kind in kinds}
