"""Receipts of old rounds, made from a ledger and its archives under a head that was signed before."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from feltlab.errors import Refused, Unknown
from feltlab.ledger.archive.receipts import find_round
from feltlab.ledger.event_tree import EventTree
from feltlab.ledger.heads import SignedHead, read_last_lines
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.witnesses import CACHE_FILE, HEADS_FILE, load_successions
from feltlab.pit.custody.archived_rounds import describe_archived
from feltlab.pit.event_kinds import ROUND_ENDS


def write_old_receipt(
    live: Ledger, archives: Sequence[Ledger], folder: Path, table: str, round: int
) -> dict[str, Any]:
    """The receipt of a round in a ledger or its archives, under the last head in the pit's folder."""
    try:
        found = find_round([live, *archives], table, round, ROUND_ENDS)
    except (Refused, Unknown):
        if where := describe_archived(live, table, round):
            raise Unknown(f"{where} Its receipt needs --archive FILE.") from None
        raise
    head = _load_last_head(folder / HEADS_FILE)
    tree = EventTree(live, folder / CACHE_FILE)
    tree.catch_up()
    if head is None or head.size < found.sequence:
        raise Refused(f"No head of {folder / HEADS_FILE} covers round {round} of {table} yet.")
    if (root := tree.root_at(head.size)) is None or root.hex() != head.root:
        raise Refused(f"The ledger is not the one of the last signed head, of {head.at}; verify it first.")
    path = tree.back_to(head.size).find_path(found.sequence, archives)
    return found.write_receipt(head, path, load_successions(live))


def _load_last_head(path: Path) -> SignedHead | None:
    """The head of most events among the last lines of a file; None without one."""
    heads: list[SignedHead] = []
    for line in read_last_lines(path):
        with suppress(Refused):  # the server may be writing it, or it is a succession of keys
            heads.append(SignedHead.parse(line))
    return max(heads, key=lambda head: head.size, default=None)
