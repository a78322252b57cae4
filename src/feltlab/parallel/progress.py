"""Progress of long work: a share from 0 to 1, reported to whoever listens."""

from collections.abc import Callable

Progress = Callable[[float], None]  # called now and then with the share of the work that is done


def nobody_listens(done: float) -> None:
    """Progress that is not shown."""


def part_of(progress: Progress, low: float, high: float) -> Progress:
    """Report the progress of a part of some work as progress of the whole."""
    return lambda share: progress(low + (high - low) * share)
