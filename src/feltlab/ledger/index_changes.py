"""The changes that one transaction makes to the index of accounts."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, bindparam, delete, update

from feltlab.ledger.database import MENTIONS, META, UNMENTIONED
from feltlab.ledger.event import Assessment, Draft, IndexPart, Mention

MentionRow = tuple[Any, ...]  # the columns that are written with an event
ASSESSED_FIELDS = ("state", "expected", "cost", "decisions", "mistakes", "note")
ASSESS = (
    update(MENTIONS)
    .where(
        MENTIONS.c.account == bindparam("of_account"),
        MENTIONS.c.sequence == bindparam("of_sequence"),
        MENTIONS.c.place == bindparam("of_place"),
    )
    .values({name: bindparam(f"new_{name}") for name in ASSESSED_FIELDS})
)


class IndexChanges:
    """New rows, assessments of earlier ones, and whether the index of an old ledger is complete now."""

    def __init__(self) -> None:
        self.rows: list[MentionRow] = []
        self._assessments: list[Assessment] = []
        self._is_built = False

    def mention(self, draft: Draft, sequence: int, at: str) -> None:
        """Index an event under the accounts that it mentions."""
        for mention in draft.mentions:
            self.rows.append(_mention_row(mention, sequence, draft.chain, draft.round, at))

    def add(self, assessments: Iterable[Assessment], indexed: IndexPart | None) -> None:
        self._assessments += assessments
        if indexed:
            self.rows += (_mention_row(*found) for found in indexed.mentions)
            self._is_built = indexed.is_last

    def save(self, connection: Connection) -> None:
        """Write everything but the rows, which go in with those of other tables."""
        if self._assessments:
            connection.execute(ASSESS, [_assessment_values(one) for one in self._assessments])
        if self._is_built:
            connection.execute(delete(META).where(META.c.name == UNMENTIONED))


def _mention_row(mention: Mention, sequence: int, chain: str, round: int, at: str) -> MentionRow:
    place = (mention.account, sequence, mention.place, chain, mention.round or round, at)
    return (*place, mention.label, mention.cents, mention.state)


def _assessment_values(one: Assessment) -> dict[str, Any]:
    of = {f"of_{name}": value for name, value in one.key._asdict().items()}
    return of | {f"new_{name}": getattr(one, name) for name in ASSESSED_FIELDS}
