"""The payouts of a game with examples in chips, for a training manual."""

from collections.abc import Iterator

from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.core.paytable import Line
from feltlab.games.data import printed_lines
from feltlab.report.document import Block, Paragraph, Section, TableBlock, columns
from feltlab.submission.chips import RACK, describe_chips
from feltlab.submission.pay_text import describe_pay
from feltlab.text import dollars, listing

EXAMPLE_CENTS = (1_500, 2_500)  # wagers of the examples; three red chips make odd payments


def describe_payments(game: Game) -> Iterator[Section]:
    """A section on chips, and one for each wager with all lines of its pay table."""
    colours = listing(f"{dollars(chip.cents)} {chip.colour}" for chip in reversed(RACK) if chip.cents >= 100)
    chips = (
        f"The chips of the examples are {colours}; smaller amounts are paid in coins. A payment is made with "
        "the fewest chips, the largest first, and is placed beside the wager, never on it."
    )
    yield Section("Payouts", (Paragraph(chips),))
    for spot in game.spots:
        if lines := printed_lines(game, spot):
            yield Section(spot.title, tuple(_spot_blocks(game, spot, lines)), level=2)


def _spot_blocks(game: Game, spot: Spot, lines: list[Line]) -> Iterator[Block]:
    stakes = example_stakes(game, spot)
    heads = [f"on {dollars(cents)}" for cents in stakes]
    rows = [
        (
            line.outcome,
            describe_pay(spot, line),
            *(pay_in_chips(line, at, bool(spot.bonus_on)) for at in stakes),
        )
        for line in lines
    ]
    shares = (24, 18, *[58 // len(stakes)] * len(stakes))
    yield TableBlock(
        columns("outcome", "pays", *heads), tuple(rows), _describe_table(game, spot), shares=shares
    )


def _describe_table(game: Game, spot: Spot) -> str:
    named = f"Pay table {game.pay_table(spot).name}."
    if spot.bonus_on:
        return f"{named} A bonus is paid on the {game.spot(spot.bonus_on).title} wager."
    return named


def example_stakes(game: Game, spot: Spot) -> tuple[int, ...]:
    """Wagers for the examples of a spot, in cents, that its rules allow."""
    first = game.spot(spot.follows or spot.name)
    if first.fixed_cents:
        return (int(first.fixed_cents * spot.size),)
    return tuple(
        dict.fromkeys(
            max(step, cents - cents % step) for cents in EXAMPLE_CENTS for step in [game.step(first)]
        )
    )


def pay_in_chips(line: Line, cents: int, is_bonus: bool = False) -> str:
    """The dealer's part of a settled wager: '$22.50: 4 red, 2 white and 1 half dollar'."""
    amount = int(cents * line.pays)
    if amount > 0:
        return f"{dollars(amount)}: {describe_chips(amount)}"
    if amount < 0:
        return f"take {'the wager' if amount == -cents else dollars(-amount)}"
    return "return the wager" if line.refund else "nothing" if is_bonus else "leave the wager"
