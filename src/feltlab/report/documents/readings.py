"""Readings of the rules that could be otherwise, as sections of a document."""

from collections.abc import Iterable, Iterator
from fractions import Fraction

from feltlab.analysis.readings import Effect, ProvedReading
from feltlab.core.game import Game
from feltlab.report.document import Block, Document, Items, Paragraph, Section, TableBlock, columns
from feltlab.text import listing, percent

KIND = "Readings that could be otherwise"
LEAD = (
    "The documents leave these questions open. For each question: our reading, and what another one would do "
    "to the house edge and the hit frequency of the wagers, proved, with the play that is best under it. A "
    "published figure that decides between two readings is named. For all wagers together, the edge is the "
    "loss per round for each unit of the first wagers. A wager's own edge and hit frequency are those under "
    "the play that is best for the whole stake. House options that a table does not name are at their "
    "defaults."
)
NOTHING_OPEN = "No question of the rules is left open."
WHOLE_STAKE = "all wagers together"
TITLES = (">reading", "wager", ">edge", ">otherwise", ">change", ">hit", ">hit otherwise")


def document(game: Game, readings: Iterable[ProvedReading]) -> Document:
    """The readings of a game on their own."""
    found = tuple(sections_of(game, readings))
    sections = (Section(KIND, (Paragraph(LEAD if found else NOTHING_OPEN, "lead"),)), *found)
    return Document(game.title, KIND, game.digest, game.date, sections)


def sections_of(game: Game, readings: Iterable[ProvedReading]) -> Iterator[Section]:
    """A section for each question."""
    for proved in readings:
        yield Section(proved.reading.question, tuple(_blocks(game, proved)), level=2)


def _blocks(game: Game, proved: ProvedReading) -> Iterator[Block]:
    reading = proved.reading
    yield Paragraph(f"Our reading, clause {reading.clause}: {reading.ours} {reading.why}")
    yield Items(tuple(f"{other.reading.words} {other.verdict}" for other in proved.others), numbered=True)
    rows = tuple(_rows(game, proved))
    if rows:
        yield TableBlock(columns(*TITLES), rows, f"Proved for {describe_setting(game, proved)}")


def _rows(game: Game, proved: ProvedReading) -> Iterator[tuple[str, ...]]:
    several = len(proved.reading.strategies) > 1
    for number, other in enumerate(proved.others, 1):
        for effect in other.effects:
            yield str(number), _wager(game, effect, several), *describe_effect(effect)


def _wager(game: Game, effect: Effect, several: bool) -> str:
    title = game.spot(effect.bet).title if effect.bet else WHOLE_STAKE
    return f"{title}, {effect.strategy}" if several else title


def describe_effect(effect: Effect) -> tuple[str, ...]:
    """The edge under our reading, under the other, the change, and both hit frequencies."""
    change = f"{'+' if effect.change > 0 else ''}{percent(effect.change)}" if effect.change else "none"
    hits = (_hit(effect.hit), _hit(effect.other_hit))
    return percent(effect.edge), percent(effect.other_edge), change, *hits


def _hit(share: Fraction | None) -> str:
    return "" if share is None else percent(share, 2)


def describe_setting(game: Game, proved: ProvedReading) -> str:
    """'1 on Ante, 1 on Trips', with the options that the reading sets and its strategies."""
    staked = [f"{units} on {game.spot(bet).title}" for bet, units in proved.stake.items() if units]
    options = [f"{name}={value}" for name, value in proved.reading.options.items()]
    strategies = proved.reading.strategies
    return f"{', '.join([*staked, *options])}; {listing(strategies)} strategy"
