"""Cards that should not be seen, as blocks of a document."""

from collections.abc import Iterator
from fractions import Fraction

from feltlab.analysis.seen_cards import SeenCards
from feltlab.core.solver import SeenCard, SeenRank
from feltlab.report.document import Block, Paragraph, TableBlock, Tone, columns
from feltlab.report.numbers import percent_with_error, units
from feltlab.text import capitalised, percent

TITLE = "Cards that should not be seen"
NOT_PROVED = "What a seen card of another seat, a burned one or one of the dealer's is worth is not proved."
HARMLESS = Fraction(1, 1000)  # units per round, below which a gain is called small
SHORT_TITLES = {"dead": "dead card", "dealer": "dealer's card", "sixth": "sixth card"}


def seen_card_blocks(found: SeenCards) -> Iterator[Block]:
    """The worth of each kind of card in words, then a table by rank."""
    if not found.cards:
        yield Paragraph(NOT_PROVED)
        return
    for card in found.cards:
        yield Paragraph(_describe(found, card), _tone(found, card))
    seen = [card for card in found.cards if card.ranks]
    if seen:
        yield _rank_table(found, seen)
        yield Paragraph(" ".join((READING, *_notes(seen))), "note")


READING = (
    "The edge is that of the whole stake at best play with the knowledge. The gain is what the knowledge "
    "brings the player in a round, in units: the difference to a player who meets the same cards and has not "
    "seen that one."
)
BY_RANK = (
    "With some ranks the edge is higher than usual, because the card itself is bad for the player, "
    "whether it is seen or not."
)


def _notes(seen: list[SeenCard]) -> Iterator[str]:
    if any(card.gain and len(card.ranks) > 1 for card in seen):
        yield BY_RANK
    for method in dict.fromkeys(card.method for card in seen):
        yield f"Method: {method.removesuffix('.')}."


def _describe(found: SeenCards, card: SeenCard) -> str:
    """Two sentences for whoever watches the table."""
    if not card.ranks:
        return f"{capitalised(card.card)}: {card.method}."
    edge, gain = found.edge_with(card.used), units_with_error(card.gain, card.gain_error)
    if not card.gain:
        return f"{capitalised(card.card)}. Whoever sees it gains nothing: no choice changes by it."
    source = "By a sample of hands, the" if card.gain_error else "The"
    reached = _edge(found, card.used, card.gain_error)
    change = f"{source} house edge falls from {percent(found.edge)} to {reached}"
    words = f"{capitalised(card.card)}. {change}, which is worth {gain} units per round to the player"
    if card.gain < HARMLESS:
        return f"{words}: next to nothing."
    advantage = ": the player has the advantage" if edge < 0 else ""
    return f"{words}{advantage}.{_best_rank(card)}"


def _best_rank(card: SeenCard) -> str:
    if len(card.ranks) == 1:
        return ""
    best = max(card.ranks, key=lambda each: each.used - each.unused)
    gain = units(best.used - best.unused)
    return f" The most useful card to see is {_name(best)}: knowing it gains {gain} units in such a round."


def _tone(found: SeenCards, card: SeenCard) -> Tone:
    return "bad" if card.ranks and found.edge_with(card.used) < 0 <= found.edge else "plain"


def _edge(found: SeenCards, used: Fraction, error: float) -> str:
    edge = found.edge_with(used)
    return percent_with_error(float(edge), error / float(found.first_wagers)) if error else percent(edge)


def units_with_error(value: Fraction, error: float) -> str:
    return units(value) if not error else f"{float(value):.5f} ± {error:.5f}"


def _name(each: SeenRank) -> str:
    names = {"A": "an ace", "K": "a king", "Q": "a queen", "J": "a jack", "T": "a ten", "8": "an 8"}
    names["joker"] = "the joker"
    return names.get(each.rank, f"a {each.rank}")


def _rank_table(found: SeenCards, seen: list[SeenCard]) -> TableBlock:
    titles = [title for card in seen for title in (f">{SHORT_TITLES[card.key]}: edge", ">gain")]
    without = ("none seen", *((percent(found.edge), "") * len(seen)))
    caption = "House edge when one card is known before the choice, and the gain per round in units"
    return TableBlock(columns("card seen", *titles), (without, *_rank_rows(found, seen)), caption)


def _rank_rows(found: SeenCards, seen: list[SeenCard]) -> Iterator[tuple[str, ...]]:
    """The mean over all ranks, then each rank; one row where all ranks are alike or none is apart."""
    ranks = list(zip(*(card.ranks for card in seen), strict=True))
    alike = all(card.ranks[0].used == each.used for card in seen for each in card.ranks)
    mean = (cell for card in seen for cell in _cells(found, card.used, card.gain, card.gain_error))
    yield "each rank" if alike and len(ranks) > 1 else "any", *mean
    if not alike:
        for same in reversed(ranks):
            cells = (_cells(found, each.used, each.used - each.unused, each.error) for each in same)
            yield same[0].rank, *(cell for pair in cells for cell in pair)


def _cells(found: SeenCards, used: Fraction, gain: Fraction, error: float) -> tuple[str, str]:
    return _edge(found, used, error), units_with_error(gain, error)
