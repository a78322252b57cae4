"""The parts of a submission packet, each a document."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from feltlab.analysis.par_sheet import ParSheet
from feltlab.core.cards import Cards
from feltlab.core.deal import Deal
from feltlab.core.game import Game
from feltlab.core.layout import BURNT, DEALER
from feltlab.core.settlement import Settled
from feltlab.games.data import example, packet_data, printed_lines
from feltlab.report.document import Block, Document, Items, Paragraph, Section, TableBlock, columns
from feltlab.report.documents import par_sheet as par
from feltlab.report.documents.packet_equipment import describe_spot, equipment
from feltlab.report.documents.packet_papers import approval_letters
from feltlab.report.documents.packet_signs import rack_card, table_signs
from feltlab.report.felt_layout import is_dealt_by_hand
from feltlab.report.numbers import count_of
from feltlab.shuffling.guide import fault_guides
from feltlab.submission.packet import Packet
from feltlab.submission.pay_text import describe_pay
from feltlab.submission.rule_sheet import (
    DEALING,
    IRREGULARITIES,
    PROCEDURE,
    SETTLING,
    Chapter,
    Clause,
    parse_rule_sheet,
)
from feltlab.submission.venues import ChecklistStep, Venue
from feltlab.text import dollars, listing

# chapters that are not in part 1
ELSEWHERE = (*DEALING, SETTLING, IRREGULARITIES, PROCEDURE)
FACTS = columns("item", "value")


def documents(packet: Packet, sheet: ParSheet) -> tuple[Document, ...]:
    """The parts of a packet in order; the sheet is the PAR sheet of its game."""
    game, venue = packet.game, packet.venue
    return (
        _part(game, "Rules of play", _rules(game, venue)),
        _part(game, "Dealing procedure", _dealing(game, venue)),
        _part(game, "Irregularities", _irregularities(game, venue)),
        _part(game, "Pay tables", pay_tables(game)),
        _part(game, "Equipment", equipment(game, venue)),
        _part(game, "Rack card", rack_card(packet)),
        _part(game, "Table signs", table_signs(game, venue, sheet)),
        replace(par.document(sheet), kind="Mathematical report"),
        _part(game, "Change log", _change_log(packet)),
        _part(game, "Approval checklist", _checklist(packet)),
    )


def _part(game: Game, kind: str, sections: Iterator[Section]) -> Document:
    return Document(game.title, kind, game.digest, game.date, tuple(sections))


def join_parts(packet: Packet, parts: Sequence[Document]) -> Document:
    """One document of all parts, each on a new page."""
    game = packet.game
    sections = [Section("Contents", tuple(_cover(packet, parts)))]
    for n, part in enumerate(parts, 1):
        sections.append(Section(f"Part {n}: {part.kind}", (), new_page=True))
        sections += [replace(section, level=section.level + 1) for section in part.sections]
    return Document(game.title, "Submission packet", game.digest, game.date, tuple(sections))


def _cover(packet: Packet, parts: Sequence[Document]) -> Iterator[Block]:
    game, venue = packet.game, packet.venue
    yield Paragraph(game.rules.SUMMARY, "lead")
    facts = {
        "submitted for": venue.title,
        "to be approved by": venue.approves,
        "options": ", ".join(f"{name}={value}" for name, value in game.options.items()) or "none",
        "digest of the rules": game.digest,
        "digest of this packet": packet.digest,
    }
    yield TableBlock(FACTS, tuple(facts.items()))
    yield Items(tuple(part.kind for part in parts), numbered=True)


# -- Parts 1 to 3: clauses --------------------------------------------------------------------------


def _rules(game: Game, venue: Venue) -> Iterator[Section]:
    rules = parse_rule_sheet(game, venue)
    elsewhere = "Part 2 has the clauses on dealing and settling, part 3 those on irregularities."
    yield Section("The game", (Paragraph(rules.summary, "lead"), *_options(game), Paragraph(elsewhere)))
    yield from (_chapter(chapter) for chapter in rules.chapters if chapter.title not in ELSEWHERE)
    yield Section("Trademarks", (Paragraph(rules.closing, "note"),))


def _options(game: Game) -> Iterator[Block]:
    if game.rules.OPTIONS:
        yield TableBlock(
            columns("option", "value in force", "what it decides", "possible values"),
            tuple(
                (o.name, game.options[o.name], o.help, listing(o.values, "or")) for o in game.rules.OPTIONS
            ),
            "Options that the rules leave to the house. The clauses below are those that hold under the "
            "values in force; a clause that holds under other values only is left out, and its number stays "
            "free.",
        )


def chapters(game: Game, venue: Venue | None, *titles: str) -> Iterator[Section]:
    """The chapters of the rule sheet with one of these titles."""
    found = parse_rule_sheet(game, venue).chapters
    return (_chapter(chapter) for chapter in found if chapter.title in titles)


def _chapter(chapter: Chapter) -> Section:
    return Section(f"{chapter.number} {chapter.title}", tuple(_clauses(chapter.clauses)))


def _clauses(clauses: Sequence[Clause]) -> Iterator[Block]:
    """Clauses in tables, interrupted by the tables that belong to one of them."""
    rows: list[tuple[str, str, str]] = []
    for clause in clauses:
        reading = f" Reading: {clause.reading}" if clause.reading else ""
        rows.append((clause.number, clause.text, clause.source + reading))
        if clause.table:
            yield _clause_table(rows)
            rows = []
            head, *body = clause.table
            yield TableBlock(columns(*head), tuple(body), f"Table of clause {clause.number}.")
    if rows:
        yield _clause_table(rows)


def _clause_table(rows: Sequence[tuple[str, str, str]]) -> TableBlock:
    return TableBlock(columns("clause", "rule", "source"), tuple(rows))


def _dealing(game: Game, venue: Venue) -> Iterator[Section]:
    deals = list(example(game))
    yield from chapters(game, venue, PROCEDURE)
    yield from chapters(game, venue, *DEALING)
    yield Section("The dealer's calls", tuple(_calls(game, deals[0])))
    yield from chapters(game, venue, SETTLING)
    yield Section("An example of a round", tuple(example_blocks(deals)))


def _calls(game: Game, deal: Deal) -> Iterator[Block]:
    called = [spot.title for spot in game.wagers if spot.called]
    if called:
        yield Paragraph(
            f"The dealer announces the positions that have no {listing(called, 'or')} wager. In the example "
            "below the dealer says:"
        )
    else:
        yield Paragraph("Before the first card the dealer says:")
    yield Items(tuple(f"“{call}”" for call in deal.calls))


def example_blocks(deals: Sequence[Deal]) -> Iterator[Block]:
    first = deals[0]
    every, required = (listing(first.game.spot(n).title for n in first.seats[at].wagers) for at in (0, 1))
    amount = dollars(next(iter(first.seats[0].wagers.values())))
    yield Paragraph(
        f"Positions are numbered from the dealer's left. Positions 1 and 3 have wagers on {every}; "
        f"position 2 has only {required}. Every wager is {amount}."
    )
    rows = ((str(step), *row) for step, row in enumerate(_example_steps(deals), 1))
    yield TableBlock(columns(">step", "action", "cards, or outcome", ">money"), tuple(rows))


def _example_steps(deals: Sequence[Deal]) -> Iterator[tuple[str, str, str]]:
    """The round in order: cards that one receiver gets together, each choice, and each wager settled."""
    cards = stages = 0
    for n, deal in enumerate(deals):
        for end, payments in (*deal.stages[stages:], (len(deal.dealt), ())):
            yield from _dealt_cards(deal, cards, end)
            yield from (_payment(seat, paid) for seat, paid in payments)
            cards = end
        stages = len(deal.stages)
        if deal.turn is not None:
            yield f"{_position(deal.turn)} chooses {deals[n + 1].seats[deal.turn].chosen[-1]}", "", ""


def _dealt_cards(deal: Deal, first: int, end: int) -> Iterator[tuple[str, str, str]]:
    for who, dealt in groupby(deal.dealt[first:end], key=lambda pair: pair[0]):
        yield _receiver(who), str(Cards(card for _, card in dealt)), ""


def _payment(seat: int, paid: Settled) -> tuple[str, str, str]:
    money = _describe_payment(paid.result, paid.net)
    return f"{_position(seat)}, {paid.spot.title}", f"{paid.outcome}: {paid.why}", money


def _receiver(who: int) -> str:
    return "Burned" if who == BURNT else "To the dealer" if who == DEALER else f"To {_position(who).lower()}"


def _position(seat: int) -> str:
    return f"Position {seat + 1}"


def _describe_payment(result: str, net: int) -> str:
    return f"pays {dollars(net)}" if net > 0 else f"takes {dollars(-net)}" if net < 0 else result


VOID_ROUND = (
    "The dealer calls the floor supervisor before any card or chip is moved.",
    "All wagers that are still open are returned in full. Wagers that were settled before stay settled.",
    "All cards are collected, counted and shuffled again.",
    "The supervisor records the date, the time, the table, the hand, the number of cards in it, what was "
    "decided and who decided.",
)


def _irregularities(game: Game, venue: Venue) -> Iterator[Section]:
    yield from chapters(game, venue, IRREGULARITIES)
    yield Section("After a void round", (Items(VOID_ROUND, numbered=True),))
    if not is_dealt_by_hand(game):
        yield Section("The guide for faults of the shuffler", (_fault_guide(),))


def _fault_guide() -> TableBlock:
    """The guide that the dealer follows before a shuffler is replaced."""
    rows = [(g.kind, g.shows, f"{g.first} {' '.join(g.steps)} {g.service}") for g in fault_guides().values()]
    return TableBlock(columns("fault", "the machine shows", "what to do"), tuple(rows))


# -- Part 4: pay tables -----------------------------------------------------------------------------


def pay_tables(game: Game) -> Iterator[Section]:
    for spot in game.spots:
        rows = tuple((line.outcome, describe_pay(line)) for line in printed_lines(game, spot))
        table = TableBlock(columns("outcome", ">pays"), rows, f"Pay table {game.pay_table(spot).name}")
        yield Section(spot.title, (Paragraph(describe_spot(game, spot)), table))


# -- Parts 9 and 10 ---------------------------------------------------------------------------------


def _change_log(packet: Packet) -> Iterator[Section]:
    before = packet.previous["digest"] if packet.previous else ""
    digests = {"digest of the previous packet": before, "digest of this packet": packet.digest}
    facts = TableBlock(FACTS, tuple((name, digest) for name, digest in digests.items() if digest))
    yield Section("Changes from the previous packet", (*_changes(packet), facts))


def _changes(packet: Packet) -> Iterator[Block]:
    changes = packet.changes
    if changes is None:
        yield Paragraph(
            "No previous packet was given to compare with. That does not make this a first submission: the "
            f"rules are those of {packet.game.date}, which may have been approved before."
        )
    elif not changes:
        yield Paragraph("Nothing changed: options, pay tables, clauses and rules are the same.", "good")
    else:
        yield Paragraph(f"{count_of(len(changes), 'change')}. A change may affect an existing approval.")
        rows = tuple((change.what, change.before or "none", change.now or "none") for change in changes)
        yield TableBlock(columns("item", "previous packet", "this packet"), rows)


def _checklist(packet: Packet) -> Iterator[Section]:
    venue = packet.venue
    steps = (*venue.steps, *_posted_notices(packet))
    rows = tuple(("[  ]", step.does, step.responsible, step.reference, "") for step in steps)
    table = TableBlock(columns("done", "step", "responsible", "reference", "date"), rows)
    yield Section(venue.title, (Paragraph(f"To be approved by: {venue.approves}."), table))
    text = (
        "An approval covers the rules, the options and the pay tables of this packet and nothing else. The "
        "digest shows whether they are unchanged. Every change is submitted again before it is used."
    )
    facts = (("digest of this packet", packet.digest), ("approved on", ""), ("approved by", ""))
    yield Section("What the approval covers", (Paragraph(text), TableBlock(FACTS, facts)))
    yield from approval_letters(packet.game)


def _posted_notices(packet: Packet) -> Iterator[ChecklistStep]:
    """The notices that a paper of the game wants posted."""
    for notice in packet_data(packet.game).notice:
        if notice.required_by:
            does = f"“{notice.text}” is posted on the layout or on a placard at the table (parts 5 and 7)."
            yield ChecklistStep(does, packet.venue.operator, notice.required_by)
