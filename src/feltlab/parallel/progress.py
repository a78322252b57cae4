"""Progress of long work: a share from 0 to 1."""

from collections.abc import Callable

Progress = Callable[[float], None]  # called now and then with the share of the work that is done


def nobody_listens(share: float) -> None:
    """Ignore progress."""


def part_of(progress: Progress, low: float, high: float) -> Progress:
    """Report the progress of one part of some work as progress of the whole, from `low` to `high`."""
    return lambda share: progress(low + (high - low) * share)
