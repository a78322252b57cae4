"""An incident report: one page about what went wrong in a round, to be signed."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from feltlab.report.document import Block, Document, Items, Paragraph, Section, TableBlock, columns
from feltlab.report.numbers import count_of
from feltlab.text import dollars, signed_dollars

Data = Mapping[str, Any]  # an incident as plain data

SIGNATURE_LINE = "_" * 30
DATE_LINE = "_" * 18
NO_LINE = ("", "", "")
MAX_SECTIONS = 1  # of entries with a section each; more are rows of one table, to fit on a page
MAX_EVENTS = 4  # that are listed, the last ones; with many entries fewer, to fit on a page
MIN_EVENTS = 1


def document(incident: Data) -> Document:
    """The report of an incident, from the plain data of it."""
    drill = " (drill)" if incident["drill"] else ""
    return Document(
        f"{incident['table']}, round {incident['round']}{drill}",
        "Incident report",
        incident["rules_digest"],
        incident["rules_date"],
        tuple(_sections(incident)),
    )


def _sections(incident: Data) -> Iterator[Section]:
    yield Section("The round", tuple(_round_blocks(incident)), 2)
    entries = incident["entries"]
    if len(entries) <= MAX_SECTIONS:
        yield from (Section(entry["title"], tuple(_entry_blocks(entry)), 2) for entry in entries)
    else:
        yield Section("What went wrong", (_entry_table(entries),), 2)
    clauses = (*_clauses(entries), *filter(None, (incident["stays"],)))
    if clauses:
        yield Section("Rules", (Items(clauses),), 2)
    yield Section("Money", tuple(_money_blocks(incident)), 2)
    yield Section("Events on record", tuple(_event_blocks(incident)), 2)
    yield Section("Signatures", (_signatures(incident),), 2)


def _round_blocks(incident: Data) -> Iterator[Block]:
    rows = [
        ("game", f"{incident['title']} ({incident['game']})"),
        ("house", incident["house"]),
        ("betting opened, ended", f"{_time(incident['began'])} UTC, {_time(incident['ended'])} UTC"),
        ("result", f"void: {incident['void'].rstrip('.')}." if incident["void"] else "settled"),
        ("cards as they lay", "; ".join(f"{hand} {cards}" for hand, cards in incident["hands"])),
        ("wagers settled", "; ".join(incident["settled"])),
        ("wagers returned", "; ".join(incident["returned"])),
    ]
    yield _facts([(title, value) for title, value in rows if value])


def _entry_blocks(entry: Data) -> Iterator[Block]:
    yield Paragraph(entry["what"], "lead")
    counts = f"{entry['found']} found, {entry['due']} due" if entry["found"] is not None else ""
    hand = f"{entry['hand']}, {entry['player']}" if entry["player"] else entry["hand"]
    decided = f"{entry['decision']}: {entry['decided']}" if entry["decision"] else ""
    rows = [
        ("recorded by", f"{entry['by']}, {_time(entry['time'])} UTC"),
        ("hand", hand),
        ("phase", entry["phase"]),
        ("cards", counts),
        ("decision", decided),
        ("clause", entry["clause"]),
        ("drill", "This was a drill." if entry["drill"] else ""),
    ]
    yield _facts([(title, value) for title, value in rows if value])


def _entry_table(entries: Sequence[Data]) -> TableBlock:
    titles = columns("time (UTC)", "recorded by", "what", "decision", "clause")
    names = ("by", "what", "decision", "clause")
    return TableBlock(titles, tuple((_time(e["time"]), *(e[name] for name in names)) for e in entries))


def _clauses(entries: Sequence[Data]) -> tuple[str, ...]:
    """Each clause once, with the house's reading of it."""
    texts = {
        f"Clause {e['clause']}. {e['clause_text']}"
        + (f" The house's reading: {e['reading']}" if e["reading"] else "")
        for e in entries
        if e["clause"]
    }
    return tuple(sorted(texts))


def _money_blocks(incident: Data) -> Iterator[Block]:
    titles = columns("seat", "player", ">put down", ">won or lost", ">refunded", ">corrected since")
    rows = tuple(
        (
            str(seat["seat"]),
            seat["player"],
            dollars(seat["put_down"]),
            signed_dollars(seat["settled"]),
            dollars(seat["refunded"]),
            signed_dollars(seat["corrected"]),
        )
        for seat in incident["money"]
    )
    house = -sum(seat["settled"] for seat in incident["money"])
    corrected = -sum(seat["corrected"] for seat in incident["money"])
    total = ("", "the house", "", signed_dollars(house), "", signed_dollars(corrected))
    yield TableBlock(titles, (*rows, total), totals=1)


def _event_blocks(incident: Data) -> Iterator[Block]:
    shown = max(MIN_EVENTS, MAX_EVENTS - len(incident["entries"]) // 2)
    events = incident["events"][-shown:]
    rows = tuple((str(e["number"]), e["kind"], _time(e["time"]), e["digest"]) for e in events)
    yield TableBlock(columns(">event", "kind", "time (UTC)", "digest"), rows)
    left = len(incident["events"]) - len(events)
    if left:
        yield Paragraph(f"In the ledger: {count_of(left, 'earlier event')} of the round.", "note")


def _signatures(incident: Data) -> TableBlock:
    by = dict.fromkeys(entry["by"] for entry in incident["entries"] if entry["by"] != "house")
    names = [f"{name}, supervisor" for name in by] or ["supervisor"]
    lines = [(name, SIGNATURE_LINE, DATE_LINE) for name in (*names, "dealer", "surveillance")]
    rows = tuple(row for line in lines for row in (NO_LINE, line))  # with room to write
    return TableBlock(columns("role", "signature", "date and time"), rows)


def _facts(rows: list[tuple[str, str]]) -> TableBlock:
    return TableBlock(columns("item", "on record"), tuple(rows))


def _time(at: str) -> str:
    """'2026-01-31 12:00:00'."""
    return at[:19].replace("T", " ")
