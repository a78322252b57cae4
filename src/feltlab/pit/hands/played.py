"""The rounds that an account has played, with their results, luck and mistakes, as plain data."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

import orjson

from feltlab.ledger.ledger import Ledger
from feltlab.ledger.mentions import (
    IndexedMention,
    MentionFilter,
    MentionTotals,
    list_mentions,
    total_mentions,
)
from feltlab.pit.hands.mentions import CORRECTION, JUDGED, OPEN_STATES, UNJUDGED, VALUED, VOID

PLAYED = ("", VALUED, JUDGED, UNJUDGED)  # the states of a round that was played to its end
CARDS = "revealed"  # the kind of the event that shows the cards of a round


@dataclass(frozen=True)
class HandTotals:
    """Sums over rounds. Everything is in cents; what is not worked out yet is left out of luck and cost."""

    rounds: int = 0
    void: int = 0
    corrections: int = 0
    result: int = 0
    judged: int = 0  # rounds whose luck is known
    waiting: int = 0  # rounds that are not judged yet
    expected: float = 0.0  # of the judged rounds, under the best play
    luck: float = 0.0  # of the judged rounds
    cost: float = 0.0
    decisions: int = 0
    mistakes: int = 0
    mistaken: int = 0  # rounds with a mistake

    def __add__(self, other: "HandTotals") -> "HandTotals":
        names = [each.name for each in fields(self)]
        return HandTotals(*(getattr(self, name) + getattr(other, name) for name in names))

    @property
    def accuracy(self) -> float | None:
        """The share of decisions without a cost; None without a decision."""
        return 1 - self.mistakes / self.decisions if self.decisions else None

    def as_json(self) -> dict[str, Any]:
        return vars(self) | {"accuracy": self.accuracy}


def _totals_of(found: MentionTotals) -> HandTotals:
    is_judged = found.state == JUDGED
    return HandTotals(
        rounds=found.rows if found.state in PLAYED else 0,
        void=found.rows if found.state == VOID else 0,
        corrections=found.rows if found.state == CORRECTION else 0,
        result=found.cents,
        judged=found.rows if is_judged else 0,
        waiting=found.rows if found.state in OPEN_STATES else 0,
        expected=found.expected if is_judged else 0.0,
        luck=luck_of(found.cents, found.expected, found.cost) if is_judged else 0.0,
        cost=found.cost,
        decisions=found.decisions,
        mistakes=found.mistakes,
        mistaken=found.mistaken,
    )


def luck_of(cents: int, expected: float, cost: float) -> float:
    """The part of a result that is neither expected nor the cost of choices."""
    return cents - expected + cost


def total_hands(ledger: Ledger, asked: MentionFilter) -> dict[str, HandTotals]:
    """The totals of each game with a round that a filter asks for."""
    totals: dict[str, HandTotals] = defaultdict(HandTotals)
    for found in total_mentions(ledger, asked):
        totals[found.label] += _totals_of(found)
    return dict(totals)


def sum_totals(totals: Iterable[HandTotals]) -> HandTotals:
    return sum(totals, HandTotals())


# -- Single rounds ----------------------------------------------------------------------------------


def describe_hand(mention: IndexedMention) -> dict[str, Any]:
    """A round, a void round or a correction of an account, without its cards."""
    is_judged = mention.expected is not None
    luck = luck_of(mention.cents, mention.expected or 0.0, mention.cost or 0.0)
    note = orjson.loads(mention.note) if mention.note else {}
    return {
        "table": mention.chain,
        "round": mention.round,
        "seat": mention.place,
        "at": mention.at,
        "game": mention.label,
        "state": mention.state,
        "result": mention.cents,
        "expected": mention.expected,
        "luck": luck if is_judged else None,
        "cost": mention.cost,
        "decisions": mention.decisions,
        "mistakes": mention.mistakes,
        "choices": [describe_choice(decision) for decision in note.get("decisions", ())],
        "why": note.get("why", ""),
    }


def describe_choice(decision: dict[str, Any]) -> dict[str, Any]:
    """A decision of a verdict in short: the choice made, its cost and the best one that was possible."""
    best = next(one["choice"] for one in decision["choices"] if not one["barred"])
    plain = {name: decision[name] for name in ("choice", "cost", "by_house")}
    return plain | {"best": best}


def load_cards(ledger: Ledger, mention: IndexedMention) -> dict[str, list[str]]:
    """The cards of a finished round that its player saw at the end: by area, the player's first."""
    shown = ledger.events(mention.chain, round=mention.round, kinds=(CARDS,))
    texts = [text for event in shown for text in event.data["dealt"].split()]
    held: dict[str, list[str]] = {str(mention.place): []}
    for text in texts:
        to, _, card = text.partition(":")
        if not to.isdigit() and to != "burnt":
            held.setdefault(to, [])
        if to in held:
            held[to].append(card)
    return {"player" if to.isdigit() else to: cards for to, cards in held.items() if cards}


def load_hands(ledger: Ledger, asked: MentionFilter, count: int, skip: int = 0) -> list[dict[str, Any]]:
    """The rounds that a filter asks for with their cards, the newest first."""
    found = list_mentions(ledger, asked, count, skip)
    return [describe_hand(mention) | {"cards": load_cards(ledger, mention)} for mention in found]


# -- Trends -----------------------------------------------------------------------------------------

MAX_TREND_ROUNDS = 5_000
MAX_TREND_POINTS = 120
Point = tuple[int, float, float, float]  # rounds so far; result, best play and own play added up, in cents


def load_trends(ledger: Ledger, asked: MentionFilter) -> dict[str, list[Point]]:
    """By game, the judged rounds added up, of the last some thousand rounds that a filter asks for."""
    found = list_mentions(ledger, asked, MAX_TREND_ROUNDS)[::-1]
    games: dict[str, list[IndexedMention]] = defaultdict(list)
    for mention in found:
        if mention.state == JUDGED:
            games[mention.label].append(mention)
    return {game: _add_up(mentions) for game, mentions in games.items()}


def _add_up(mentions: list[IndexedMention]) -> list[Point]:
    points: list[Point] = [(0, 0.0, 0.0, 0.0)]
    for number, mention in enumerate(mentions, 1):
        _, result, best, own = points[-1]
        expected, cost = mention.expected or 0.0, mention.cost or 0.0
        points.append((number, result + mention.cents, best + expected, own + expected - cost))
    step = -(-len(points) // MAX_TREND_POINTS)
    return points[::step] if points[::step][-1] == points[-1] else [*points[::step], points[-1]]
