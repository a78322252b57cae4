"""The verdicts on a round's decisions, as the page of the round shows them.

Amounts are shown to the cent, and the difference of two choices is the difference of the amounts shown.
"""

from collections.abc import Iterable

import orjson

from feltlab.core.choices import split_choice
from feltlab.core.position import write_position
from feltlab.ledger.mentions import IndexedMention
from feltlab.pit.hands.decisions import Decision, list_decisions
from feltlab.pit.hands.mentions import OPEN_STATES
from feltlab.pit.hands.played import describe_hand
from feltlab.pit.replay import CHOICES, Replay
from feltlab.pit.replay_steps import ReplayStep
from feltlab.web.card_faces import card_face
from feltlab.web.page import Data


def describe_verdicts(
    replay: Replay, walked: Iterable[ReplayStep], mentions: Iterable[IndexedMention]
) -> Data:
    """The decisions of a round with the values that are known by now, and each seat's luck."""
    steps = [number for number, step in enumerate(walked, 1) if step.about == CHOICES]
    found = {one.place: one for one in mentions}
    judged = {place: _read_decisions(one) for place, one in found.items()}
    made = list(list_decisions(replay)) if not replay.recorded.under_other_rules else []
    return {
        "decisions": [
            _describe_decision(one, steps, judged.get(one.seat + 1, {}).get(one.number)) for one in made
        ],
        "lucks": [_describe_luck(one) for one in found.values()],
        "working": any(one.state in OPEN_STATES for one in found.values()),
    }


def _read_decisions(mention: IndexedMention) -> dict[int, Data]:
    note = orjson.loads(mention.note) if mention.note else {}
    return {decision["number"]: decision for decision in note.get("decisions", ())}


def _describe_luck(mention: IndexedMention) -> Data:
    told = describe_hand(mention)
    names = ("seat", "state", "result", "expected", "cost", "why")
    return {name: told[name] for name in names}


def _describe_decision(decision: Decision, steps: list[int], verdict: Data | None) -> Data:
    round = decision.round
    areas = round.view.areas.items()
    cards = [{"area": area, "faces": [card_face(card) for card in str(held).split()]} for area, held in areas]
    return {
        "seat": decision.seat + 1,
        "step": steps[decision.number] if decision.number < len(steps) else None,
        "choice": decision.choice,
        "by_house": decision.by_house,
        "cards": [held for held in cards if held["faces"]],
        "reading": round.player_reading,
        "position": f"/train/{round.game.name}?{write_position(round)}",
        "verdict": _describe_values(decision, verdict) if verdict else None,
    }


def _describe_values(decision: Decision, verdict: Data) -> Data:
    """Every open choice with its value and its distance from the best possible one, in cents."""
    possible = [one for one in verdict["choices"] if not one["barred"]]
    best, made = possible[0], split_choice(decision.choice)[0]
    return {
        "best": best["choice"],
        "cost": verdict["cost"],
        "choices": [
            {
                "choice": one["choice"],
                "expected": one["expected"],
                "behind": best["expected"] - one["expected"],
                "shown": round(best["expected"]) - round(best["expected"] - one["expected"]),
                "barred": one["barred"],
                "made": one["choice"] == made,
            }
            for one in verdict["choices"]
        ],
    }
