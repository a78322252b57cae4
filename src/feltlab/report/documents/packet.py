"""The parts of a submission packet, a document each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby

from feltlab.analysis.par_sheet import par_sheet
from feltlab.core.cards import Cards
from feltlab.core.deal import Deal
from feltlab.core.game import Game
from feltlab.core.layout import BURNT, DEALER, Spot
from feltlab.core.paytable import PayTable
from feltlab.core.stake import default_stake
from feltlab.games.data import cards_at_once, example, particulars
from feltlab.proving.proof import prove
from feltlab.report.document import Block, Column, Document, Items, Paragraph, Section, Table
from feltlab.report.documents import par_sheet as par
from feltlab.report.numbers import counted, percent
from feltlab.submission.rule_sheet import Chapter, Clause, sheet
from feltlab.submission.sheets import paid
from feltlab.submission.venues import Cap, Venue
from feltlab.text import dollars, listing

# Sections of a rule sheet that belong to another part than the rules of play.
DEALING = ("The deal", "Calls and dealing", "Settling")
IRREGULARITIES = ("Irregularities",)


@dataclass(frozen=True)
class Change:
    """Something that is not as in the packet before."""

    what: str
    before: str  # nothing where it is new
    now: str  # nothing where it is gone


def documents(
    game: Game, venue: Venue, digest: str, before: str, changes: Sequence[Change] | None
) -> tuple[Document, ...]:
    """All parts in order; the digests are those of this packet's record and of the one before."""
    return (
        _part(game, "Rules of play", _rules(game)),
        _part(game, "Dealing procedure", _dealing(game)),
        _part(game, "Irregularities", _irregularities(game)),
        _part(game, "Pay tables", _pay_tables(game)),
        _part(game, "Equipment", _equipment(game)),
        _part(game, "Rack card", _rack_card(game)),
        _part(game, "Table signs", _signs(game, venue)),
        replace(par.document(par_sheet(game)), kind="Mathematical report"),
        _part(game, "Change log", _change_log(game, digest, before, changes)),
        _part(game, "Approval checklist", _checklist(game, venue, digest)),
    )


def played_for(game: Game) -> str:
    """The wagers that decide how a game is played where nothing else is said."""
    return listing(game.spot(name).title for name, units in default_stake(game).items() if units)


def _part(game: Game, kind: str, sections: Iterator[Section]) -> Document:
    return Document(game.title, kind, game.digest, game.date, tuple(sections))


def joined(game: Game, venue: Venue, digest: str, parts: Sequence[Document]) -> Document:
    """One document of all parts, each on a new page."""
    sections = [Section("Contents", tuple(_cover(game, venue, digest, parts)))]
    for n, part in enumerate(parts, 1):
        sections.append(Section(f"Part {n}: {part.kind}", (), new_page=True))
        sections += [replace(section, level=section.level + 1) for section in part.sections]
    return Document(game.title, "Submission packet", game.digest, game.date, tuple(sections))


def _cover(game: Game, venue: Venue, digest: str, parts: Sequence[Document]) -> Iterator[Block]:
    yield Paragraph(game.rules.SUMMARY, "lead")
    facts = {
        "submitted for": venue.title,
        "to be approved by": venue.approves,
        "options": ", ".join(f"{name}={value}" for name, value in game.options.items()) or "none",
        "digest of the rules": game.digest,
        "digest of this packet": digest,
    }
    yield Table((Column("what"), Column("")), tuple(facts.items()))
    yield Items(tuple(part.kind for part in parts), numbered=True)


# -- Parts 1 to 3: clauses --------------------------------------------------------------------------


def _rules(game: Game) -> Iterator[Section]:
    rules = sheet(game.name)
    elsewhere = "Clauses on dealing and settling are in part 2, those on irregularities in part 3."
    yield Section("The game", (Paragraph(rules.summary, "lead"), *_options(game), Paragraph(elsewhere)))
    yield from (_chapter(c) for c in rules.chapters if c.title not in DEALING + IRREGULARITIES)
    yield Section("Names", (Paragraph(rules.closing, "note"),))


def _options(game: Game) -> Iterator[Block]:
    if game.rules.OPTIONS:
        yield Table(
            (Column("option"), Column("in force"), Column("what it decides"), Column("may be")),
            tuple(
                (o.name, game.options[o.name], o.help, listing(o.values, "or")) for o in game.rules.OPTIONS
            ),
            "What the house decides within the rules. Where a clause names another value, this one holds.",
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
            yield Table(tuple(map(Column, head)), tuple(body), f"Table of clause {clause.number}.")
    if rows:
        yield _clause_table(rows)


def _clause_table(rows: Sequence[tuple[str, str, str]]) -> Table:
    return Table((Column("clause"), Column("rule"), Column("source")), tuple(rows))


def _dealing(game: Game) -> Iterator[Section]:
    chapters = {chapter.title: chapter for chapter in sheet(game.name).chapters if chapter.title in DEALING}
    settling = chapters.pop("Settling")
    deals = list(example(game))
    yield from map(_chapter, chapters.values())
    yield Section("The dealer's calls", tuple(_calls(game, deals[0])))
    yield Section("An example: the deal", tuple(_course(deals)))
    yield _chapter(settling)
    yield Section("An example: settling", tuple(_settling(deals[-1])))


def _calls(game: Game, deal: Deal) -> Iterator[Block]:
    called = listing(spot.title for spot in game.wagers if spot.called)
    if any(spot.called for spot in game.wagers):
        yield Paragraph(f"Positions without {called} are named. In the example below the dealer says:")
    else:
        yield Paragraph("Before the first card the dealer says:")
    yield Items(tuple(f"“{call}”" for call in deal.calls))


def _course(deals: Sequence[Deal]) -> Iterator[Block]:
    first = deals[0]
    with_all, least = (listing(first.game.spot(n).title for n in first.seats[at].wagers) for at in (0, 1))
    yield Paragraph(
        f"Positions are counted from the dealer's left. Positions 1 and 3 have wagers on {with_all}, "
        f"position 2 on {least}; each wager is {dollars(next(iter(first.seats[0].wagers.values())))}."
    )
    yield Table((Column("step", right=True), Column("what happens"), Column("cards")), tuple(_steps(deals)))


def _steps(deals: Sequence[Deal]) -> Iterator[tuple[str, str, str]]:
    """What happens in order: cards to one receiver together, and choices."""
    done, step = 0, 0
    for n, deal in enumerate(deals):
        for who, dealt in groupby(deal.dealt[done:], key=lambda pair: pair[0]):
            step += 1
            yield str(step), _receives(who), str(Cards(card for _, card in dealt))
        done = len(deal.dealt)
        if deal.turn is not None:
            step += 1
            yield str(step), f"{_position(deal.turn)} chooses {deals[n + 1].seats[deal.turn].chosen[-1]}", ""


def _receives(who: int) -> str:
    return "Burned" if who == BURNT else "To the dealer" if who == DEALER else f"To {_position(who).lower()}"


def _position(seat: int) -> str:
    return f"Position {seat + 1}"


def _settling(deal: Deal) -> Iterator[Block]:
    yield Paragraph("The same deal, in the order in which the dealer takes and pays.")
    rows = [
        (
            str(n),
            _position(seat),
            wager.spot.title,
            f"{wager.outcome}: {wager.why}",
            _moved(wager.result, wager.net),
        )
        for n, (seat, wager) in enumerate(deal.payments, 1)
    ]
    yield Table(
        (
            Column("order", right=True),
            Column("position"),
            Column("wager"),
            Column("outcome"),
            Column("dealer", right=True),
        ),
        tuple(rows),
    )


def _moved(result: str, net: int) -> str:
    return f"pays {dollars(net)}" if net > 0 else f"takes {dollars(-net)}" if net < 0 else result


def _irregularities(game: Game) -> Iterator[Section]:
    chapters = [chapter for chapter in sheet(game.name).chapters if chapter.title in IRREGULARITIES]
    yield from map(_chapter, chapters)
    yield Section(
        "After a void round",
        (
            Items(
                (
                    "The floor supervisor is called before any card or chip is moved.",
                    "All wagers are returned, all cards are collected, counted and shuffled again.",
                    "The event is logged: date, time, table, what was wrong, who decided.",
                ),
                numbered=True,
            ),
        ),
    )
    yield Section(
        "When the shuffler fails",
        (
            Items(
                (
                    "No card from an unfinished shuffle is dealt.",
                    "The fault that the shuffler shows is looked up in its guide and removed.",
                    "A shuffler that goes on failing is switched off, unplugged and replaced by the backup.",
                    "The cards are counted and shuffled anew; then play resumes.",
                    "The fault is logged and the maker's service is called.",
                ),
                numbered=True,
            ),
        ),
    )


# -- Part 4: pay tables -----------------------------------------------------------------------------


def _pay_tables(game: Game) -> Iterator[Section]:
    for spot in game.spots:
        table = game.pay_table(spot)
        yield Section(spot.title, (Paragraph(_stands(game, spot)), _pays(table, f"Pay table {table.name}")))


def _stands(game: Game, spot: Spot) -> str:
    """Who may put a wager on a spot, and how much."""
    if spot.raises:
        times = "" if spot.size == 1 else f"{spot.size} of "
        return f"A raise, {times}the {game.spot(spot.raises).title} in size."
    least = "Required." if game.requires(spot) else "Optional."
    return f"{least} At most the {game.spot(spot.at_most).title}." if spot.at_most else least


def _pays(table: PayTable, caption: str = "") -> Table:
    rows = tuple((line.outcome, paid(line)) for line in table.lines if line.listed)
    return Table((Column("outcome"), Column("pays", right=True)), rows, caption)


# -- Part 5: equipment ------------------------------------------------------------------------------


def _equipment(game: Game) -> Iterator[Section]:
    yield Section("Cards and shuffler", (Table((Column("what"), Column("")), tuple(_card_facts(game))),))
    yield Section("The shuffler", (Items((_draws(game), *SHUFFLER)),))
    yield Section("Layout", (_layout(game),))
    yield Section("Chips", tuple(_chips(game)))


SHUFFLER = (
    "It counts the deck before a card reaches a player, and refuses one that is short, long or has a card "
    "twice.",
    "It shows what it is doing, and keeps a log of its cycles, of the hands delivered and of faults.",
    "A backup shuffler is at hand. Where cards are shuffled by hand, the house's approved procedure holds.",
)


def _draws(game: Game) -> str:
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
    yield "shuffler mode", particulars(game).shuffler or "none is named by the rules"
    yield (
        "seats",
        f"up to {game.seats}; they and the dealer use at most {game.rules.cards_needed(game.seats)} cards",
    )


def _decks(game: Game) -> str:
    jokers = len(game.deck) % 52
    decks = counted(len(game.deck) // 52, "deck of 52", "decks of 52")
    return f"{decks} and {counted(jokers, 'joker')}" if jokers else f"{decks}, no joker"


def _layout(game: Game) -> Table:
    passes = {stage: n for n, stage in enumerate(sorted({spot.stage for spot in game.spots}), 1)}
    rows = [
        (str(n), spot.title, _stands(game, spot), str(passes[spot.stage]))
        for n, spot in enumerate(game.spots, 1)
    ]
    return Table(
        (
            Column("settled", right=True),
            Column("spot"),
            Column("wager"),
            Column("pass over the table", right=True),
        ),
        tuple(rows),
        "The spots of each position, in the order in which they are settled.",
    )


def _chips(game: Game) -> Iterator[Block]:
    yield Paragraph("Every pay must come out in whole cents, and with the chips at hand.")
    yield Table(
        (Column("wager"), Column("a multiple of", right=True), Column("with whole-dollar chips only")),
        tuple(
            (spot.title, dollars(game.step(spot)), _whole_dollars(game.step(spot))) for spot in game.wagers
        ),
    )


def _whole_dollars(step: int) -> str:
    return "any wager can be paid" if step == 1 else f"the wager is a multiple of {dollars(100 * step)}"


# -- Parts 6 and 7: for players ---------------------------------------------------------------------


def _rack_card(game: Game) -> Iterator[Section]:
    yield Section("How to play", (Items(particulars(game).rack_card, numbered=True),))
    won = [(spot, [line for line in game.pay_table(spot).lines if line.listed]) for spot in game.spots]
    wins = [
        (spot.title if n == 0 else "", line.outcome, paid(line))
        for spot, lines in won
        for n, line in enumerate(line for line in lines if line.result == "win")
    ]
    yield Section(
        "What is paid", (Table((Column("wager"), Column("with"), Column("pays", right=True)), tuple(wins)),)
    )


def _signs(game: Game, venue: Venue) -> Iterator[Section]:
    yield Section("Limits", tuple(_limits(game, venue)))
    yield Section("Games on one hand", (Paragraph(_games_per_hand(game, venue)),))
    if game.rules.OPTIONS:
        options = tuple(f"{_sentence(o.help)}: {game.options[o.name]}" for o in game.rules.OPTIONS)
        yield Section("At this table", (Items(options),))
    yield Section("Odds", tuple(_odds(game)))


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:].rstrip("?")


def _limits(game: Game, venue: Venue) -> Iterator[Block]:
    raises = [spot.title for spot in game.spots if spot.raises]
    rows = [(spot.title, "$ ______", "$ ______") for spot in game.spots]
    yield Table((Column("wager"), Column("minimum", right=True), Column("maximum", right=True)), tuple(rows))
    if venue.caps:
        yield Paragraph(f"No wager, raises included, is above the cap of {venue.limits_reference}:")
        yield Items(tuple(_caps(venue.caps)))
    else:
        also = ", raises included" if raises else ""
        yield Paragraph(f"The highest wager{also}: {venue.limits_reference}.")


def _caps(caps: Sequence[Cap]) -> Iterator[str]:
    """Each cap with the days on which it holds."""
    for cap, after in zip(caps, (*caps[1:], None), strict=True):
        until = f"before {_day(after.begins)}" if after else f"from {_day(cap.begins)} on"
        yield f"{dollars(cap.cents)} a wager {until}"


def _day(day: date) -> str:
    return f"{day.day} {day:%B} {day.year}"


def _games_per_hand(game: Game, venue: Venue) -> str:
    wagers = counted(len(game.wagers), "wager")
    own = f"This game has {wagers} of its own; raises belong to the wager that they follow."
    if venue.games_per_hand:
        most = f"One hand of cards may be wagered on at most {venue.games_per_hand} separate games"
        return f"{most} ({venue.games_reference}). {own}"
    return f"How many separate games one hand may be wagered on: ______ ({venue.games_reference}). {own}"


def _odds(game: Game) -> Iterator[Block]:
    tally = prove(game).tally
    yield Table(
        (Column("wager"), Column("wins", right=True), Column("house edge", right=True)),
        tuple(
            (bet.title, percent(tally.hit_frequency(bet), 2), percent(-tally.expected(bet), 2))
            for bet in game.wagers
        ),
    )
    yield Paragraph(
        "House edge: what is lost on average of each wager, its raises included, by who plays as is best for "
        f"{played_for(game)}. A negative edge is the player's advantage.",
        "note",
    )


# -- Parts 9 and 10 ---------------------------------------------------------------------------------


def _change_log(game: Game, digest: str, before: str, changes: Sequence[Change] | None) -> Iterator[Section]:
    digests = {"digest of the packet before": before, "digest of this packet": digest}
    facts = Table((Column("what"), Column("")), tuple((k, v) for k, v in digests.items() if v))
    yield Section("Against the packet before", (*_changed(changes), facts))


def _changed(changes: Sequence[Change] | None) -> Iterator[Block]:
    if changes is None:
        yield Paragraph("First submission: there is no packet before this one.")
    elif not changes:
        yield Paragraph("Nothing changed: options, pay tables, clauses and rules are the same.", "good")
    else:
        yield Paragraph(
            f"{counted(len(changes), 'change')}. A change may affect an approval that was given before."
        )
        rows = tuple((change.what, change.before or "none", change.now or "none") for change in changes)
        yield Table((Column("what"), Column("before"), Column("now")), rows)


def _checklist(game: Game, venue: Venue, digest: str) -> Iterator[Section]:
    yield Section(venue.title, (Paragraph(f"To be approved by: {venue.approves}."), _steps_to_tick(venue)))
    yield Section(
        "What the approval is for",
        (
            Paragraph(
                "An approval holds for the rules, the options and the pay tables of this packet and for "
                "nothing else. The digest tells whether they are the same. Any change is submitted again "
                "before it is used."
            ),
            Table(
                (Column("what"), Column("")),
                (("digest of this packet", digest), ("approved on", ""), ("by", "")),
            ),
        ),
    )


def _steps_to_tick(venue: Venue) -> Table:
    return Table(
        (Column("done"), Column("what"), Column("responsible"), Column("reference"), Column("date")),
        tuple(("[  ]", step.does, step.responsible, step.reference, "") for step in venue.steps),
    )
