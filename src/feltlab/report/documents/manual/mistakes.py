"""Common mistakes at a game and what each costs, found in its pay tables and in dealt rounds."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, permutations

from feltlab.core.deal import Deal
from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.core.paytable import Line
from feltlab.core.settlement import Settled
from feltlab.games.data import printed_lines
from feltlab.report.document import Paragraph, Section, TableBlock, columns
from feltlab.report.documents.manual.payments import example_stakes
from feltlab.report.documents.manual.sampled_rounds import describe_settled, sample_rounds, settled_wagers
from feltlab.submission.chips import describe_chips
from feltlab.text import dollars

MAX_LINE_MISTAKES = 2  # of one wager: neighbouring lines that are taken for each other


@dataclass(frozen=True)
class Mistake:
    """A wrong settlement of one wager, and the right one."""

    wager: str
    wrong: str
    right: str
    house_cents: int  # that the house loses by it; what the player loses is negative

    @property
    def cost(self) -> str:
        who = "house" if self.house_cents > 0 else "player"
        return f"the {who} loses {dollars(abs(self.house_cents))}"


def describe_mistakes(game: Game) -> Section:
    """The section of a training manual."""
    lead = (
        "Each row is an error that this game invites. The costs follow from its pay tables; the errors with "
        "hands are taken from rounds that were dealt and settled by the rules."
    )
    rows = tuple((m.wager, m.wrong, m.right, m.cost) for m in find_mistakes(game))
    table = TableBlock(columns("wager", "mistake", "right", "what it costs"), rows, shares=(12, 36, 34, 18))
    return Section("Common mistakes", (Paragraph(lead), table))


def find_mistakes(game: Game) -> list[Mistake]:
    """Mistakes of every wager, and those that confuse two wagers of one hand."""
    return [*_pay_mistakes(game), *_mistakes_beside(game)]


# -- From the pay tables ----------------------------------------------------------------------------


def _pay_mistakes(game: Game) -> Iterator[Mistake]:
    for spot in game.spots:
        lines, cents = printed_lines(game, spot), example_stakes(game, spot)[0]
        yield from _partial_losses(spot, lines, cents)
        yield from _odd_pays(spot, lines, cents)
        yield from _wrong_lines(spot, lines, cents)


def _partial_losses(spot: Spot, lines: list[Line], cents: int) -> Iterator[Mistake]:
    for line in lines:
        if -1 < line.pays < 0:
            due = int(-cents * line.pays)
            wrong = f"Takes the whole {dollars(cents)} on “{line.outcome}”."
            right = f"Take {dollars(due)} ({describe_chips(due)}) and leave the rest."
            yield Mistake(spot.title, wrong, right, due - cents)


def _odd_pays(spot: Spot, lines: list[Line], cents: int) -> Iterator[Mistake]:
    """Pays between two whole numbers, paid as if they were the lower one."""
    for line in lines:
        if line.pays > 0 and line.pays.denominator > 1:
            due, paid = int(cents * line.pays), int(cents * max(1, int(line.pays)))
            if paid != due:
                wrong = f"Pays {dollars(paid)} on {dollars(cents)} for “{line.outcome}”."
                right = f"{line.odds} on {dollars(cents)} is {dollars(due)}: {describe_chips(due)}."
                yield Mistake(spot.title, wrong, right, paid - due)


def _wrong_lines(spot: Spot, lines: list[Line], cents: int) -> Iterator[Mistake]:
    """The lowest winning lines, each paid like the one above it."""
    wins = [line for line in lines if line.result == "win"]
    pairs = [(above, line) for above, line in pairwise(wins) if above.pays > line.pays]
    for above, line in pairs[::-1][:MAX_LINE_MISTAKES]:
        paid, due = int(cents * above.pays), int(cents * line.pays)
        like = f"like “{above.outcome}”, {above.odds}"
        wrong = f"Pays “{line.outcome}” {like}: {dollars(paid)} on {dollars(cents)}."
        right = f"{line.odds}: {dollars(due)} ({describe_chips(due)})."
        yield Mistake(spot.title, wrong, right, paid - due)


# -- From dealt rounds ------------------------------------------------------------------------------


def _mistakes_beside(game: Game) -> Iterator[Mistake]:
    """Wagers of one hand that end differently, settled as if they ended alike: one example of each pair."""
    seen: set[tuple[str, str, str, str]] = set()
    for deal in sample_rounds(game):
        for other, paid in permutations(settled_wagers(deal), 2):
            key = (other.spot.name, other.result, paid.spot.name, paid.result)
            if key not in seen and _belong_together(other, paid):
                seen.add(key)
                yield from _mistake_beside(deal, other, paid)


def _belong_together(other: Settled, paid: Settled) -> bool:
    """Is one of two wagers a raise of the other or a bonus on it, or must they be equal?"""
    first, second = other.spot, paid.spot
    return first.name in (second.follows, second.equals) or second.name in (first.follows, first.equals)


def _mistake_beside(deal: Deal, other: Settled, paid: Settled) -> Iterator[Mistake]:
    hands = "; ".join(f"{area} {held}" for area, held in deal.rounds[0].view.areas.items() if held)
    if other.result == "lose" and paid.result in ("win", "push"):
        wrong = f"Takes {paid.spot.title} because {other.spot.title} loses ({hands})."
        yield Mistake(paid.spot.title, wrong, describe_settled(paid), -paid.returned)
    elif other.result == "win" and paid.result == "push":
        wrong = f"Pays {paid.spot.title} because {other.spot.title} wins ({hands})."
        yield Mistake(paid.spot.title, wrong, describe_settled(paid), paid.staked)
