"""The section of the findings report on a published hold."""

from collections.abc import Iterator, Sequence

from feltlab.analysis.hold_claim import BUY_INS, AuditedHold
from feltlab.analysis.house_side import ROUNDS_PER_HOUR
from feltlab.games import GAMES
from feltlab.report.document import Block, Paragraph, Section, TableBlock, columns
from feltlab.text import percent


def sections(holds: Sequence[AuditedHold]) -> Iterator[Section]:
    """A section for each published hold."""
    for audited in holds:
        title = f"When {GAMES[audited.game].title} holds {audited.claim.published}"
        yield Section(title, tuple(_blocks(audited)))


def _blocks(audited: AuditedHold) -> Iterator[Block]:
    claim = audited.claim
    yield Paragraph(
        f"The {claim.where}, says that the game should hold {claim.published}. The hold is the house's win "
        "as a share of the chips that players buy. No pay table has one: a player puts the same chips down "
        "many times, so a house with an edge holds more with every round. The table shows after how many "
        "rounds the expected hold is in that range, for a player who buys in once, plays the best strategy, "
        "and stops when less is left than a round can require."
    )
    titles = columns("layout", ">edge on the wagers", *(f">buy-in of {n} times" for n in BUY_INS))
    rows = tuple(
        (layout.words, percent(layout.edge), *(window.rounds for window in layout.windows))
        for layout in audited.layouts
    )
    yield TableBlock(titles, rows, "Rounds after which the hold is in the published range")
    yield Paragraph(_conclusion(audited))


def _conclusion(audited: AuditedHold) -> str:
    error = max(window.error for layout in audited.layouts for window in layout.windows)
    never = " On the layouts marked never, the player has the advantage." if audited.never else ""
    return (
        f"A buy-in is a number of times the first wagers of a round; {ROUNDS_PER_HOUR} rounds are about an "
        f"hour. A shorter session holds less, a longer one more.{never} The holds are computed by a chain of "
        f"the bankroll and are off by less than {error:.0e}."
    )
