"""The parts of a submission packet, each a document."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction
from itertools import groupby

from feltlab.analysis.par_sheet import ParSheet
from feltlab.core.cards import Cards
from feltlab.core.deal import Deal
from feltlab.core.game import Game
from feltlab.core.layout import BURNT, DEALER, Spot
from feltlab.core.paytable import PayTable
from feltlab.core.stake import default_stake
from feltlab.games.data import cards_at_once, example, packet_data
from feltlab.report.document import Block, Document, Items, Paragraph, Section, TableBlock, columns
from feltlab.report.documents import par_sheet as par
from feltlab.report.numbers import count_of
from feltlab.submission.packet import Packet, PacketChange
from feltlab.submission.pay_text import describe_pay, describe_pay_to_player
from feltlab.submission.rule_sheet import DEALING, IRREGULARITIES, SETTLING, Chapter, Clause, parse_rule_sheet
from feltlab.submission.venues import Cap, Venue
from feltlab.text import capitalised, dollars, listing, percent

ELSEWHERE = (*DEALING, SETTLING, IRREGULARITIES)  # chapters that are not in the part "Rules of play"
FACTS = columns("item", "value")
HALF = Fraction(1, 2)


def documents(packet: Packet, sheet: ParSheet) -> tuple[Document, ...]:
    """The parts of a packet in order; the sheet is the PAR sheet of its game."""
    game, venue = packet.game, packet.venue
    return (
        _part(game, "Rules of play", _rules(game)),
        _part(game, "Dealing procedure", _dealing(game)),
        _part(game, "Irregularities", _irregularities(game)),
        _part(game, "Pay tables", _pay_tables(game)),
        _part(game, "Equipment", _equipment(game)),
        _part(game, "Rack card", _rack_card(game)),
        _part(game, "Table signs", _signs(game, venue, sheet)),
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


def _rules(game: Game) -> Iterator[Section]:
    rules = parse_rule_sheet(game.name)
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
            "Options that the rules leave to the house. Where a clause states another default, the value in "
            "force applies.",
        )


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


def _dealing(game: Game) -> Iterator[Section]:
    chapters = parse_rule_sheet(game.name).chapters
    deals = list(example(game))
    yield from (_chapter(chapter) for chapter in chapters if chapter.title in DEALING)
    yield Section("The dealer's calls", tuple(_calls(game, deals[0])))
    yield Section("An example: the deal", tuple(_example_deal(deals)))
    yield from (_chapter(chapter) for chapter in chapters if chapter.title == SETTLING)
    yield Section("An example: settling", tuple(_example_settling(deals[-1])))


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


def _example_deal(deals: Sequence[Deal]) -> Iterator[Block]:
    first = deals[0]
    every, required = (listing(first.game.spot(n).title for n in first.seats[at].wagers) for at in (0, 1))
    amount = dollars(next(iter(first.seats[0].wagers.values())))
    yield Paragraph(
        f"Positions are numbered from the dealer's left. Positions 1 and 3 have wagers on {every}; "
        f"position 2 has only {required}. Every wager is {amount}."
    )
    yield TableBlock(columns(">step", "action", "cards"), tuple(_steps(deals)))


def _steps(deals: Sequence[Deal]) -> Iterator[tuple[str, str, str]]:
    """The deal in order: the cards that one receiver gets together, and each choice."""
    done, step = 0, 0
    for n, deal in enumerate(deals):
        for who, dealt in groupby(deal.dealt[done:], key=lambda pair: pair[0]):
            step += 1
            yield str(step), _receiver(who), str(Cards(card for _, card in dealt))
        done = len(deal.dealt)
        if deal.turn is not None:
            step += 1
            yield str(step), f"{_position(deal.turn)} chooses {deals[n + 1].seats[deal.turn].chosen[-1]}", ""


def _receiver(who: int) -> str:
    return "Burned" if who == BURNT else "To the dealer" if who == DEALER else f"To {_position(who).lower()}"


def _position(seat: int) -> str:
    return f"Position {seat + 1}"


def _example_settling(deal: Deal) -> Iterator[Block]:
    yield Paragraph(
        "The same deal, in the order in which the dealer takes losing wagers and pays winning ones."
    )
    rows = [
        (str(n), _position(seat), w.spot.title, f"{w.outcome}: {w.why}", _describe_payment(w.result, w.net))
        for n, (seat, w) in enumerate(deal.payments, 1)
    ]
    yield TableBlock(columns(">order", "position", "wager", "outcome", ">dealer"), tuple(rows))


def _describe_payment(result: str, net: int) -> str:
    return f"pays {dollars(net)}" if net > 0 else f"takes {dollars(-net)}" if net < 0 else result


VOID_ROUND = (
    "The dealer calls the floor supervisor before any card or chip is moved.",
    "All wagers are returned in full. All cards are collected, counted and shuffled again.",
    "The supervisor logs the date, the time, the table, what went wrong and who made the decision.",
)
SHUFFLER_FAULT = (
    "No card from an unfinished shuffle is dealt.",
    "The dealer looks up the fault that the shuffler displays in its guide and clears it.",
    "A shuffler that keeps failing is switched off, unplugged and replaced by the backup.",
    "The cards are counted and shuffled again; then play resumes.",
    "The supervisor logs the fault and calls the manufacturer's service.",
)


def _irregularities(game: Game) -> Iterator[Section]:
    chapters = parse_rule_sheet(game.name).chapters
    yield from (_chapter(chapter) for chapter in chapters if chapter.title == IRREGULARITIES)
    yield Section("After a void round", (Items(VOID_ROUND, numbered=True),))
    yield Section("When the shuffler fails", (Items(SHUFFLER_FAULT, numbered=True),))


# -- Part 4: pay tables -----------------------------------------------------------------------------


def _pay_tables(game: Game) -> Iterator[Section]:
    for spot in game.spots:
        table = game.pay_table(spot)
        blocks = (Paragraph(_describe_spot(game, spot)), _pays(table, f"Pay table {table.name}"))
        yield Section(spot.title, blocks)


def _describe_spot(game: Game, spot: Spot) -> str:
    """Whether a wager is required, and how large it may be."""
    if spot.raises:
        return f"A raise {_size(spot.size)} the {game.spot(spot.raises).title} wager."
    need = "Required" if game.is_required(spot) else "Optional"
    return f"{need}; at most the {game.spot(spot.at_most).title} wager." if spot.at_most else f"{need}."


def _size(size: Fraction) -> str:
    return "equal to" if size == 1 else "of half" if size == HALF else f"of {size} times"


def _pays(table: PayTable, caption: str) -> TableBlock:
    rows = tuple((line.outcome, describe_pay(line)) for line in table.lines if line.listed)
    return TableBlock(columns("outcome", ">pays"), rows, caption)


# -- Part 5: equipment ------------------------------------------------------------------------------

SHUFFLER = (
    "It counts the deck before a card reaches a player, and rejects a deck with missing, extra or duplicate "
    "cards.",
    "It displays what it is doing, and keeps a log of its cycles, of the hands delivered and of its faults.",
    "A backup shuffler is available. Where cards are shuffled by hand, the house's approved procedure "
    "applies.",
)


def _equipment(game: Game) -> Iterator[Section]:
    yield Section("Cards and seats", (TableBlock(FACTS, tuple(_card_facts(game))),))
    yield Section("The shuffler", (Items((_shuffles(game), *SHUFFLER)),))
    yield Section("Layout", (_layout(game),))
    yield Section("Chips", tuple(_chips(game)))


def _shuffles(game: Game) -> str:
    packed = " into packets, and delivers the packets in random order" if cards_at_once(game) > 1 else ""
    return f"It draws every card at random{packed}."


def _card_facts(game: Game) -> Iterator[tuple[str, str]]:
    cards, at_once = len(game.deck), cards_at_once(game)
    yield "cards in play", f"{cards}: {_decks(game)}"
    if game.behind_cut < cards:
        yield "shuffled", f"when the cut card comes out; {game.behind_cut} cards stay behind it"
    else:
        yield "shuffled", "all cards, before every round"
    yield "dealt", "one card at a time" if at_once == 1 else f"in packets of {at_once} cards"
    yield "shuffler mode", " or ".join(packet_data(game).shuffler) or "the rules name none"
    needed = game.cards_needed(game.seats)
    yield "seats", f"up to {game.seats}; a full table uses at most {needed} cards"


def _decks(game: Game) -> str:
    jokers = len(game.deck) % 52
    decks = count_of(len(game.deck) // 52, "deck of 52", "decks of 52")
    return f"{decks} and {count_of(jokers, 'joker')}" if jokers else f"{decks}, no joker"


def _layout(game: Game) -> TableBlock:
    rows = [(str(n), spot.title, _describe_spot(game, spot)) for n, spot in enumerate(game.spots, 1)]
    return TableBlock(
        columns(">order", "spot", "wager"),
        tuple(rows),
        "The betting spots of each position. Those that are decided at one time are settled in this order.",
    )


def _chips(game: Game) -> Iterator[Block]:
    yield Paragraph("Every payment must be a whole number of cents and payable with the chips at hand.")
    yield TableBlock(
        columns("wager", ">a multiple of", "with whole-dollar chips only"),
        tuple(
            (spot.title, dollars(game.step(spot)), _whole_dollars(game.step(spot))) for spot in game.wagers
        ),
    )


def _whole_dollars(step: int) -> str:
    return "any wager can be paid" if step == 1 else f"the wager is a multiple of {dollars(100 * step)}"


# -- Parts 6 and 7: for players ---------------------------------------------------------------------


def _rack_card(game: Game) -> Iterator[Section]:
    data = packet_data(game)
    yield Section("How to play", (Items(data.rack_card, numbered=True),))
    rows = tuple(row for spot in game.spots for row in _wins(game, spot, data.outcomes))
    yield Section("What each wager pays", (TableBlock(columns("wager", "outcome", ">pays"), rows),))


def _wins(game: Game, spot: Spot, names: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """The winning lines of a spot, each once even if two outcomes read the same."""
    lines = [line for line in game.pay_table(spot).lines if line.listed and line.result == "win"]
    wins = {names.get(line.outcome, line.outcome): describe_pay_to_player(line) for line in lines}
    for n, (outcome, pays) in enumerate(wins.items()):
        yield spot.title if n == 0 else "", outcome, pays


def _signs(game: Game, venue: Venue, sheet: ParSheet) -> Iterator[Section]:
    yield Section("Limits", tuple(_limits(game, venue)))
    yield Section("Games on one hand", (Paragraph(_games_per_hand(game, venue)),))
    if game.rules.OPTIONS:
        options = (f"{capitalised(o.help).rstrip('?')}: {game.options[o.name]}" for o in game.rules.OPTIONS)
        yield Section("At this table", (Items(tuple(options)),))
    yield Section("Odds", tuple(_odds(sheet)))


def _limits(game: Game, venue: Venue) -> Iterator[Block]:
    rows = tuple((spot.title, "$ ______", "$ ______") for spot in game.spots)
    yield TableBlock(columns("wager", ">minimum", ">maximum"), rows)
    if venue.caps:
        yield Paragraph(f"No wager, raises included, may exceed the limit of {venue.limits_reference}:")
        yield Items(tuple(_caps(venue.caps)))
    else:
        also = ", raises included" if any(spot.raises for spot in game.spots) else ""
        yield Paragraph(f"Highest wager{also}: {venue.limits_reference}.")


def _caps(caps: Sequence[Cap]) -> Iterator[str]:
    """Each cap with the days on which it holds."""
    for cap, after in zip(caps, (*caps[1:], None), strict=True):
        until = f"before {_day(after.begins)}" if after else f"from {_day(cap.begins)} on"
        yield f"{dollars(cap.cents)} a wager {until}"


def _day(day: date) -> str:
    return f"{day.day} {day:%B} {day.year}"


def _games_per_hand(game: Game, venue: Venue) -> str:
    wagers = count_of(len(game.wagers), "wager")
    own = f"This game has {wagers} of its own; a raise is part of the wager that it follows."
    if venue.games_per_hand:
        most = f"A player may wager on at most {venue.games_per_hand} separate games with one hand of cards"
        return f"{most} ({venue.games_reference}). {own}"
    blank = "The number of separate games that may be wagered on with one hand of cards is at most ______"
    return f"{blank} ({venue.games_reference}). {own}"


def _odds(sheet: ParSheet) -> Iterator[Block]:
    tally = sheet.proof.tally
    yield TableBlock(
        columns("wager", ">wins", ">house edge"),
        tuple(
            (bet.title, percent(tally.hit_frequency(bet), 2), percent(-tally.expected(bet), 2))
            for bet in sheet.game.wagers
        ),
    )
    yield Paragraph(
        "The house edge is the average loss on a wager, raises included, as a share of the wager, under the "
        f"strategy that is best for {_played_for(sheet.game)}. A negative edge is the player's advantage.",
        "note",
    )


def _played_for(game: Game) -> str:
    """The wagers of the default stake, for which the packet's strategy is best."""
    titles = [game.spot(name).title for name, units in default_stake(game).items() if units]
    return f"the {titles[0]} alone" if len(titles) == 1 else f"{listing(titles)} together"


# -- Parts 9 and 10 ---------------------------------------------------------------------------------


def _change_log(packet: Packet) -> Iterator[Section]:
    before = packet.previous["digest"] if packet.previous else ""
    digests = {"digest of the previous packet": before, "digest of this packet": packet.digest}
    facts = TableBlock(FACTS, tuple((name, digest) for name, digest in digests.items() if digest))
    yield Section("Changes from the previous packet", (*_changes(packet.changes), facts))


def _changes(changes: Sequence[PacketChange] | None) -> Iterator[Block]:
    if changes is None:
        yield Paragraph("First submission: there is no previous packet.")
    elif not changes:
        yield Paragraph("Nothing changed: options, pay tables, clauses and rules are the same.", "good")
    else:
        yield Paragraph(f"{count_of(len(changes), 'change')}. A change may affect an existing approval.")
        rows = tuple((change.what, change.before or "none", change.now or "none") for change in changes)
        yield TableBlock(columns("item", "previous packet", "this packet"), rows)


def _checklist(packet: Packet) -> Iterator[Section]:
    venue = packet.venue
    steps = tuple(("[  ]", step.does, step.responsible, step.reference, "") for step in venue.steps)
    table = TableBlock(columns("done", "step", "responsible", "reference", "date"), steps)
    yield Section(venue.title, (Paragraph(f"To be approved by: {venue.approves}."), table))
    text = (
        "An approval covers the rules, the options and the pay tables of this packet and nothing else. The "
        "digest shows whether they are unchanged. Every change is submitted again before it is used."
    )
    facts = (("digest of this packet", packet.digest), ("approved on", ""), ("approved by", ""))
    yield Section("What the approval covers", (Paragraph(text), TableBlock(FACTS, facts)))
