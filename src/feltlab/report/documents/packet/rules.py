"""Parts of a submission packet that print clauses: rules of play, dealing procedure, irregularities."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from feltlab.core.cards import Cards
from feltlab.core.deal import Deal
from feltlab.core.game import Game
from feltlab.core.layout import BOARD, BURNT, DEALER
from feltlab.core.settlement import Settled
from feltlab.games.data import example
from feltlab.report.document import Block, Items, Paragraph, Section, TableBlock, columns
from feltlab.report.felt_layout import is_dealt_by_hand
from feltlab.shuffling.guide import fault_guides
from feltlab.submission import packet_parts
from feltlab.submission.rendered_sheet import STEP
from feltlab.submission.rule_sheet import (
    DEALING,
    IRREGULARITIES,
    PROCEDURE,
    SETTLING,
    Chapter,
    Clause,
    parse_rule_sheet,
)
from feltlab.submission.venues import Venue
from feltlab.text import dollars, listing

STEP_SHARES = (7, 9, 49, 23, 12)  # of the columns of a procedure: step, who, does, says, clauses
# chapters that have parts of their own
ELSEWHERE = (*DEALING, SETTLING, IRREGULARITIES, PROCEDURE)


def rules_of_play(game: Game, venue: Venue) -> Iterator[Section]:
    rules = parse_rule_sheet(game, venue)
    elsewhere = packet_parts.fill_references(
        venue,
        "The clauses on dealing and settling are in {Dealing procedure}, those on irregularities in "
        "{Irregularities}.",
    )
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
            shares = STEP_SHARES if head[0] == STEP else ()
            yield TableBlock(columns(*head), tuple(body), f"Table of clause {clause.number}.", shares=shares)
    if rows:
        yield _clause_table(rows)


def _clause_table(rows: Sequence[tuple[str, str, str]]) -> TableBlock:
    return TableBlock(columns("clause", "rule", "source"), tuple(rows), shares=(7, 58, 35))


def dealing(game: Game, venue: Venue) -> Iterator[Section]:
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
    yield Paragraph(describe_wagers(deals[0]))
    rows = ((str(step), *row) for step, row in enumerate(_example_steps(deals), 1))
    yield TableBlock(columns(">step", "action", "cards, or outcome", ">money"), tuple(rows))


def describe_wagers(deal: Deal) -> str:
    """The wagers of the three positions of an example."""
    every, required = (listing(deal.game.spot(n).title for n in deal.seats[at].wagers) for at in (0, 1))
    amount = dollars(next(iter(deal.seats[0].wagers.values())))
    return (
        f"Positions are numbered from the dealer's left. Positions 1 and 3 have wagers on {every}; "
        f"position 2 has only {required}. Every wager is {amount}."
    )


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
    shared = {BURNT: "Burned", BOARD: "To the board", DEALER: "To the dealer"}
    return shared.get(who) or f"To {_position(who).lower()}"


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


def irregularities(game: Game, venue: Venue) -> Iterator[Section]:
    yield from chapters(game, venue, IRREGULARITIES)
    yield describe_void_round()
    yield from describe_faults(game)


def describe_void_round() -> Section:
    return Section("After a void round", (Items(VOID_ROUND, numbered=True),))


def describe_faults(game: Game) -> Iterator[Section]:
    """The guide for faults, where a shuffler gives the cards."""
    if not is_dealt_by_hand(game):
        yield Section("The guide for faults of the shuffler", (_fault_guide(),))


def _fault_guide() -> TableBlock:
    """The guide that the dealer follows before a shuffler is replaced."""
    rows = [(g.kind, g.shows, f"{g.first} {' '.join(g.steps)} {g.service}") for g in fault_guides().values()]
    return TableBlock(columns("fault", "the machine shows", "what to do"), tuple(rows))
