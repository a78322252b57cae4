"""Verdicts on finished rounds: the value of every choice at each decision, and what the wagers are worth.

The worker reads the round from the ledger and deals it again by the rules. A solver sees only the cards that
the player saw at that moment.

The result of a round is the expected result of its wagers under the best play, minus the cost of the choices,
plus luck. So luck is zero on average, however somebody plays.
"""

from fractions import Fraction
from math import gcd
from typing import Any

from feltlab.core.choices import split_choice
from feltlab.errors import Refused
from feltlab.games.offers import game_from_data, game_to_data
from feltlab.ledger.ledger import Ledger, LedgerDown
from feltlab.parallel.progress import Progress
from feltlab.pit.hands.decisions import Decision, list_decisions
from feltlab.pit.recorded_round import RecordedRound, load_round
from feltlab.pit.replay import Replay, replay_round
from feltlab.proving.advice import advise
from feltlab.proving.proof import prove
from feltlab.workers.protocol import Question, run_worker

Data = dict[str, Any]
MISTAKE_CENTS = 1e-9  # equal choices may differ by a rounding


def judge_round(question: Question, progress: Progress) -> Data:
    """The decisions of each seat of a round with the value of every choice, in cents; seats from 1."""
    try:
        with Ledger.open(question["database"], writer=False) as ledger:
            replay = replay_round(load_round(ledger, question["table"], question["round"]))
    except LedgerDown as down:
        raise Refused(str(down)) from None
    _check_judgeable(replay)
    judged: dict[int, list[Data]] = {seat.position: [] for seat in replay.recorded.seats}
    decisions = list(list_decisions(replay))
    for number, decision in enumerate(decisions):
        judged[decision.seat + 1].append(judge_decision(decision))
        progress((number + 1) / len(decisions))
    return {"game": game_to_data(replay.recorded.game), "seats": _list_seats(replay.recorded, judged)}


def _check_judgeable(replay: Replay) -> None:
    recorded = replay.recorded
    if recorded.void:
        raise Refused(f"The round is void: {recorded.void}")
    if recorded.under_other_rules:
        raise Refused("The round was played under other rules than those of today.")
    if not replay.same:
        raise Refused("The record of the round differs from the rules.")


def _list_seats(recorded: RecordedRound, judged: dict[int, list[Data]]) -> list[Data]:
    return [
        {
            "seat": seat.position,
            "player": seat.player,
            "wagers": dict(seat.wagers),
            "decisions": judged[seat.position],
        }
        for seat in recorded.seats
    ]


def judge_decision(decision: Decision) -> Data:
    """The value of each open choice, best first, and what the one made cost against the best possible one."""
    values = {one.choice: float(one.expected) for one in advise(decision.round)}
    best = max(value for choice, value in values.items() if choice not in decision.barred)
    made = _value_of(decision, values)
    cost = max(0.0, best - made)
    return {
        "number": decision.number,
        "choice": decision.choice,
        "by_house": decision.by_house,
        "expected": made,
        "cost": cost if cost > MISTAKE_CENTS else 0.0,
        "choices": [
            {"choice": choice, "expected": value, "barred": choice in decision.barred}
            for choice, value in sorted(values.items(), key=lambda item: -item[1])
        ],
    }


def _value_of(decision: Decision, values: dict[str, float]) -> float:
    """The value of the choice made. Of a choice that put down less than it could, it is in proportion."""
    name, cents = split_choice(decision.choice)
    if cents is None:
        return values[name]
    round = decision.round
    nothing = max(value for choice, value in values.items() if not round.cost(choice))
    return nothing + (values[name] - nothing) * cents / round.cost(name)


def expect_stake(question: Question, progress: Progress) -> Data:
    """The expected result of wagers in cents, under the play that is best for them together."""
    game, wagers = game_from_data(question), question["wagers"]
    unit = gcd(*wagers.values())
    proof = prove(game, {spot: Fraction(cents, unit) for spot, cents in wagers.items()}, progress=progress)
    return {"expected": float(proof.tally.total_expected(proof.stake) * unit)}


KINDS = {"round": judge_round, "stake": expect_stake}


def answer(question: Question, progress: Progress) -> Data:
    return KINDS[question["kind"]](question, progress)


if __name__ == "__main__":
    run_worker(answer)
