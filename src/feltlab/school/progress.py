"""Progress: how a dealer gets on with a game, in errors, speed and money; and a class at a glance."""

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from feltlab.school.slips import SLIP_TITLES
from feltlab.school.timing import SECONDS_PER_HOUR

PRACTISED = "practised"  # the kind of its events
TABLE_DRILL = "table"  # in place of a drill: a whole table was dealt
FORMULA_BEGINNINGS = ("=", "+", "-", "@", "\t", "\r", "\n")
CSV_COLUMNS = (
    *("dealer", "game", "hands", "right", "percent", "seconds", "tables", "rounds an hour"),
    *("cost", "house cost", "player cost", "cost a hand", "cost an hour", "costs are"),
)


@dataclass
class GameProgress:
    """A dealer's record in one game."""

    dealer: str
    game: str
    hands: int = 0
    right: int = 0
    seconds: float = 0.0
    house_cents: int = 0
    player_cents: int = 0
    tables: int = 0
    table_seconds: float = 0.0
    table_level: int = 1
    slips: Counter[str] = field(default_factory=Counter)  # by kind
    drills: dict[str, list[int]] = field(default_factory=dict)  # asked and right, by drill
    slip_cents: Counter[str] = field(default_factory=Counter)  # by kind
    met: Counter[str] = field(default_factory=Counter)  # outcomes that were to be settled: 'ante: tie',
    wrong: Counter[str] = field(default_factory=Counter)  # those that were settled wrongly,
    wrong_cents: Counter[str] = field(default_factory=Counter)  # what that moved,
    wrong_staked: Counter[str] = field(default_factory=Counter)  # and what was staked

    def add(self, data: Mapping[str, Any]) -> None:
        """Count one answer, or one table."""
        self.hands += 1
        self.right += data["right"]
        self.seconds += data["seconds"]
        asked = self.drills.setdefault(data["drill"], [0, 0])
        asked[0] += 1
        asked[1] += data["right"]
        if data["drill"] == TABLE_DRILL:
            self.tables += 1
            self.table_seconds += data["seconds"]
            self.table_level = data["level"]
        self.met.update(data.get("met", {}))
        for slip in data["slips"]:
            self._add_slip(slip)

    def _add_slip(self, slip: Mapping[str, Any]) -> None:
        self.slips[slip["kind"]] += 1
        self.slip_cents[slip["kind"]] += slip["house_cents"] + slip["player_cents"]
        self.house_cents += slip["house_cents"]
        self.player_cents += slip["player_cents"]
        if wager := slip.get("wager"):
            self.wrong[wager] += 1
            self.wrong_cents[wager] += slip["house_cents"] + slip["player_cents"]
            self.wrong_staked[wager] += slip["staked"]

    @property
    def percent(self) -> int:
        return 100 * self.right // self.hands if self.hands else 0

    @property
    def cost(self) -> int:
        return self.house_cents + self.player_cents

    @property
    def rounds_an_hour(self) -> float | None:
        """Tables that were dealt, in rounds an hour; None before the first one."""
        return SECONDS_PER_HOUR * self.tables / self.table_seconds if self.table_seconds else None

    def to_json(self) -> dict[str, Any]:
        rate = self.rounds_an_hour
        return {
            "dealer": self.dealer,
            "game": self.game,
            "hands": self.hands,
            "right": self.right,
            "percent": self.percent,
            "seconds": round(self.seconds / self.hands, 1) if self.hands else 0,
            "rounds_an_hour": rate and round(rate, 1),
            "house_cents": self.house_cents,
            "player_cents": self.player_cents,
            "cost": self.cost,
            "tables": self.tables,
            "drills": {
                name: {"asked": asked, "right": right} for name, (asked, right) in self.drills.items()
            },
            "slips": [
                {"kind": kind, "title": SLIP_TITLES[kind], "count": count, "cents": self.slip_cents[kind]}
                for kind, count in self.slips.most_common()
            ],
        }


class ProgressBook:
    """The progress of all dealers, by dealer and game."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], GameProgress] = {}

    def add(self, data: Mapping[str, Any]) -> None:
        key = (str(data["dealer"]), str(data["game"]))
        self._found.setdefault(key, GameProgress(*key)).add(data)

    def of_dealer(self, dealer: str) -> list[GameProgress]:
        return [progress for progress in self.all() if progress.dealer == dealer]

    def all(self) -> list[GameProgress]:
        """Everybody's progress, by dealer and game."""
        return [self._found[key] for key in sorted(self._found)]


def write_csv(
    progress: Iterable[GameProgress],
    costs: Callable[[GameProgress], Mapping[str, Any] | None] = lambda _: None,
) -> str:
    """Progress as a table for a spreadsheet, in dollars; costs by the proofs where they are known."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow((*CSV_COLUMNS, *SLIP_TITLES.values()))
    for each in progress:
        plain = each.to_json()
        amounts = (plain[name] / 100 for name in ("cost", "house_cents", "player_cents"))
        proved = costs(each)
        by_proof = (
            (f"{proved['hand_cents'] / 100:.4f}", f"{proved['hour_cents'] / 100:.2f}", proved["basis"])
            if proved
            else ("", "", "")
        )
        counts = (each.slips[kind] for kind in SLIP_TITLES)
        names = ("dealer", "game", "hands", "right", "percent", "seconds", "tables", "rounds_an_hour")
        writer.writerow(
            (
                *(_protect(plain[name]) for name in names),
                *(f"{cents:.2f}" for cents in amounts),
                *by_proof,
                *counts,
            )
        )
    return text.getvalue()


def _protect(value: Any) -> Any:
    """A name that a spreadsheet would take for a formula begins with an apostrophe."""
    return f"'{value}" if isinstance(value, str) and value[:1] in FORMULA_BEGINNINGS else value
