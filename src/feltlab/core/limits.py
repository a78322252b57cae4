"""The limits of a table: the smallest and largest wager on each spot, and the chips in use."""

from dataclasses import dataclass

from feltlab.core.amounts import MAX_WAGER_CENTS
from feltlab.core.choices import split_choice
from feltlab.core.layout import Choice, Spot
from feltlab.core.round import Round
from feltlab.errors import Refused
from feltlab.text import dollars


@dataclass(frozen=True)
class Limits:
    """The smallest and the largest wager on each spot, in cents, and the step between wagers.

    The rules fix the size of a raise, so it may be below the minimum and between two steps, but not above
    the maximum.

    >>> print(Limits(minimum=500, maximum=40_000))
    $5 to $400
    """

    minimum: int = 500
    maximum: int = 40_000
    step: int = 100

    def __post_init__(self) -> None:
        if self.minimum <= 0 or self.step <= 0:
            raise Refused("The minimum and the step must be more than $0.")
        if self.maximum > MAX_WAGER_CENTS:
            raise Refused(f"The maximum may be at most {dollars(MAX_WAGER_CENTS)}.")
        if self.maximum < self.minimum:
            raise Refused(
                f"The maximum, {dollars(self.maximum)}, is less than the minimum, {dollars(self.minimum)}."
            )

    def __str__(self) -> str:
        return f"{dollars(self.minimum)} to {dollars(self.maximum)}"

    def check(self, spot: Spot, cents: int) -> None:
        if cents < self.minimum:
            raise Refused(
                f"The {spot.title} wager must be at least {dollars(self.minimum)}, not {dollars(cents)}."
            )
        if cents % self.step:
            raise Refused(
                f"The {spot.title} wager must be a multiple of {dollars(self.step)}, not {dollars(cents)}."
            )
        self.check_maximum(spot, cents)

    def check_maximum(self, spot: Spot, cents: int) -> None:
        if cents > self.maximum:
            raise Refused(
                f"The {spot.title} wager may be at most {dollars(self.maximum)}, not {dollars(cents)}."
            )


STANDARD_LIMITS = Limits()
CHIPS = (100, 500, 2_500, 10_000)  # cents


def most_cents(round: Round, choice: Choice, bankroll: int, limits: Limits) -> int:
    """The cents that a choice puts down; for one of any amount, the most that the bankroll covers."""
    cost, covered = round.cost(choice.name), bankroll // limits.step * limits.step
    return covered if choice.any_amount and limits.step <= covered < cost else cost


def why_unaffordable(round: Round, choice: str, bankroll: int, limits: Limits) -> str:
    """Why a choice that the rules offer cannot be made with this bankroll at this table, or ''."""
    name, named = split_choice(choice)
    short = round.cost(choice) - bankroll
    if short > 0:
        return f"To {name} you need {dollars(short)} more than your bankroll."
    if named is not None and named % limits.step and named != round.cost(name):
        most = dollars(round.cost(name))
        return f"You may {name} for a multiple of {dollars(limits.step)} or for {most}, not {dollars(named)}."
    for spot, cents in round.raises(name):
        if cents > limits.maximum:
            return f"To {name} you would exceed the maximum, {dollars(limits.maximum)}, on {spot.title}."
    return ""
