"""The index of a ledger from before it, built once from the events.

A table's events are read in order. Wagers name the players of the seats, so no table is folded and no card is
dealt: a ledger of a million rounds takes minutes, not hours. The server serves meanwhile. A start that is
interrupted begins again; what is in the index already stays.
"""

from collections.abc import Iterator

import orjson

from feltlab.ledger.event import Entry, IndexPart, Mention
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.mentions import last_unmentioned
from feltlab.pit.event_kinds import ROUND_ENDS
from feltlab.pit.hands.mentions import mentions_of
from feltlab.pit.irregularities.recorded import CORRECTED
from feltlab.pit.recorded_round import table_names
from feltlab.pit.seat_numbers import from_record

MENTIONS_PER_PART = 2_000  # written in one transaction
READ_KINDS = frozenset(("opened", "wagered", CORRECTED, *ROUND_ENDS))
FoundMention = tuple[Mention, int, str, int, str]  # with the sequence, chain, round and time of its event


def index_old_rounds(ledger: Ledger) -> int:
    """Index the events from before the index; returns how many mentions they have. Blocks its thread."""
    last, count = last_unmentioned(ledger), 0
    if not last:
        return 0
    waiting: list[FoundMention] = []
    for chain in table_names(ledger):
        for found in _read_mentions(ledger, chain, last):
            waiting.append(found)
            count += 1
            if len(waiting) == MENTIONS_PER_PART:
                ledger.append_blocking(Entry((), indexed=IndexPart(tuple(waiting), is_last=False)))
                waiting.clear()
    ledger.append_blocking(Entry((), indexed=IndexPart(tuple(waiting), is_last=True)))
    return count


def _read_mentions(ledger: Ledger, chain: str, last: int) -> Iterator[FoundMention]:
    game, players = "", dict[int, str]()
    for stored in ledger.stored_events(last=last, chain=chain):
        if stored.kind not in READ_KINDS:
            continue
        data = from_record(orjson.loads(stored.data))
        if stored.kind == "opened":
            game = data["game"]
        elif stored.kind == "wagered":
            players[data["seat"]] = data["player"]
        else:
            for mention in mentions_of(stored.kind, data, game, players.__getitem__):
                yield mention, stored.sequence, chain, stored.round, stored.at
