"""The catalogue: the games of the approval letter by number and name."""

import csv
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Entry:
    """A line of the letter; `game` is the name under which feltlab deals it, or ''."""

    number: int
    name: str
    game: str


def catalogue() -> list[Entry]:
    with Path(__file__).with_name("catalogue.csv").open(newline="", encoding="utf-8") as lines:
        return [Entry(int(row["number"]), row["name"], row["game"]) for row in csv.DictReader(lines)]
