"""The card that counts: the first one at once, the second one after going to war."""

from collections.abc import Iterator, Sequence

from feltlab.core.cards import RANK_NAMES

Group = tuple[str, str, Sequence[int]]  # title, reading, positions
TITLES = ("card", "war card")


def group_cards(
    held: Sequence[int], chosen: Sequence[str] | None
) -> Iterator[tuple[str, str, Sequence[int]]]:
    for n, (title, card) in enumerate(zip(TITLES, held, strict=False)):
        yield title, RANK_NAMES[card >> 2], [n]
