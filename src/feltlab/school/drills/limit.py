"""The drill of limits: may this wager be made, and what is paid under an aggregate payout limit?"""

import re
from collections.abc import Sequence
from math import lcm

from feltlab.core.amounts import check_beside
from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.core.limits import Limits
from feltlab.errors import Refused
from feltlab.school.drills.moments import show_wagers
from feltlab.school.drills.question import ONE, AnswerOption, DrillQuestion
from feltlab.school.hands import Draw, draw_wagers
from feltlab.school.rule_book import Citation, RuleBook
from feltlab.school.slips import DealerSlip
from feltlab.submission.venues import venues
from feltlab.text import dollars

NAME, TITLE = "limit", "Limits and aggregate payouts"
ACCEPT = "accept"
AGGREGATE_SHARE = 0.35  # of the questions, where the rules allow such a limit
REFUSAL_SUBJECTS = {"must equal": "equal", "may not be more than": "at-most"}  # of clauses.toml
BOUNDS = ((500, 10_000), (1000, 20_000), (1500, 30_000), (2500, 40_000))  # minimum and maximum in cents


def ask(book: RuleBook, draw: Draw, seed: int, level: int) -> DrillQuestion | None:
    """Ask whether wagers may stand under posted limits, or what a limited prize pays."""
    limited = [spot for spot in book.game.wagers if _least_limit(book.game, spot)]
    if limited and draw.random() < AGGREGATE_SHARE:
        return _ask_aggregate(book, limited[int(draw.integers(len(limited)))], draw, seed, level)
    low, high = BOUNDS[int(draw.integers(len(BOUNDS)))]
    limits = Limits(low, high)
    wagers = _spoil(book.game, draw_wagers(book.game, draw, level, limits), limits, draw)
    truth = why_refused(book.game, wagers, limits)
    placed = ", ".join(f"{book.game.spot(name).title} {dollars(cents)}" for name, cents in wagers.items())
    reasons = {truth, *_other_refusals(book.game, wagers, limits)} - {""}
    return DrillQuestion(
        NAME,
        str(book.game),
        seed,
        level,
        f"The limits are {limits}, in steps of {dollars(limits.step)}. Seat 1 has placed: {placed}. "
        "Do you accept it?",
        ONE,
        (truth or ACCEPT,),
        (AnswerOption(ACCEPT, "The wagers stand."), *(AnswerOption(why, why) for why in sorted(reasons))),
        felt=show_wagers(book, [wagers], f"Limits {limits}"),
        facts={"wagers": wagers, "limits": limits},
    )


def why_refused(game: Game, wagers: dict[str, int], limits: Limits) -> str:
    """The sentence that refuses wagers under limits, or ''."""
    try:
        _check_limits(game, wagers, limits)
        game.check_wagers(wagers)
    except Refused as refused:
        return _state_rule(refused)
    return ""


def _check_limits(game: Game, wagers: dict[str, int], limits: Limits) -> None:
    for name, cents in wagers.items():
        if not game.spot(name).fixed_cents:
            limits.check(game.spot(name), cents)


def _state_rule(refused: Refused) -> str:
    """The rule of a refusal, without the amount that broke it: that would give the answer away."""
    return re.sub(r", not \$[\d,.]+(?=\.$)", "", str(refused))


def _spoil(game: Game, wagers: dict[str, int], limits: Limits, draw: Draw) -> dict[str, int]:
    """The wagers with one of them below, above or beside the limits, or as they are."""
    name = list(wagers)[int(draw.integers(len(wagers)))]
    spoilt = [wagers[name], limits.minimum - limits.step, limits.maximum + limits.step, wagers[name] + 50]
    if beside := _beside(game, name):
        spoilt.append(wagers[beside] + lcm(limits.step, game.step(game.spot(name))))
    return wagers | {name: max(50, spoilt[int(draw.integers(len(spoilt)))])}


def _other_refusals(game: Game, wagers: dict[str, int], limits: Limits) -> list[str]:
    """The reasons to refuse the other mistakes with the same wager."""
    name = next(iter(wagers))
    spot, cents = game.spot(name), wagers[name]
    found = []
    for other in (limits.minimum - limits.step, limits.maximum + limits.step, cents + 50):
        try:
            limits.check(spot, max(50, other))
        except Refused as refused:
            found.append(_state_rule(refused))
    found += [_refuse_beside(game, {**wagers, n: wagers[other] + 1}, n) for n, other in _pairs(game, wagers)]
    return [why for why in found if why not in {_refuse_beside(game, wagers, n) for n in wagers}]


def _pairs(game: Game, wagers: dict[str, int]) -> list[tuple[str, str]]:
    """Wagers that must equal or may not exceed another, with that one."""
    return [(name, other) for name in wagers if (other := _beside(game, name)) in wagers]


def _beside(game: Game, name: str) -> str:
    """The wager that another one must equal or may not exceed, or ''."""
    spot = game.spot(name)
    return spot.equals or spot.at_most


def _refuse_beside(game: Game, wagers: dict[str, int], name: str) -> str:
    """The refusal of a wager beside the others, or ''."""
    try:
        check_beside(game.spot(name), wagers, game.spot)
    except Refused as refused:
        return _state_rule(refused)
    return ""


def _least_limit(game: Game, spot: Spot) -> int:
    highest = next(iter(venues().values())).highest_wager
    return (highest.least_limit(game, spot) or 0) if highest else 0


def _ask_aggregate(book: RuleBook, spot: Spot, draw: Draw, seed: int, level: int) -> DrillQuestion:
    limit, best = (
        _least_limit(book.game, spot),
        max(book.game.pay_table(spot).lines, key=lambda line: line.pays),
    )
    share = float(draw.uniform(0.3, 0.9))
    stake = max(100, int(limit * share / best.pays) // 100 * 100)
    winners = int(draw.integers(1, 4))
    due = int(best.pays * stake) * winners
    amounts = sorted({due, limit, due // winners, due + limit})
    return DrillQuestion(
        NAME,
        str(book.game),
        seed,
        level,
        f"The aggregate payout limit of {spot.title} is {dollars(limit)}. In one deal "
        f"{_say_winners(winners, stake)} won {best.odds} ({best.outcome}). What does the house pay in all?",
        ONE,
        (str(min(due, limit)),),
        tuple(AnswerOption(str(cents), dollars(cents)) for cents in amounts),
        felt=show_wagers(
            book, [{spot.name: stake}] * winners, f"{spot.title}: aggregate limit {dollars(limit)}"
        ),
        facts={"spot": spot.name, "limit": limit},
    )


def _say_winners(count: int, stake: int) -> str:
    return f"a player with {dollars(stake)}" if count == 1 else f"{count} players with {dollars(stake)} each"


def judge(question: DrillQuestion, answer: Sequence[str], book: RuleBook) -> tuple[list[DealerSlip], str]:
    right = question.truth[0]
    says = next(option.text for option in question.options if option.key == right)
    if answer[0] == right:
        return [], says
    if "limit" in question.facts:
        posted = RuleBook(book.game, {question.facts["spot"]: question.facts["limit"]})
        cost = int(answer[0]) - int(right)
        slip = DealerSlip(
            "wrong-limit", f"{says} is paid.", posted.cite("aggregate"), max(0, cost), max(0, -cost)
        )
        return [slip], says
    return [DealerSlip("wrong-limit", says, _cite_limit(book, question))], says


def _cite_limit(book: RuleBook, question: DrillQuestion) -> Citation:
    """The clause on the amount that the rules refuse, and the one on limits for all else."""
    try:
        _check_limits(book.game, question.facts["wagers"], question.facts["limits"])
    except Refused:
        return book.cite("limits")
    truth = question.truth[0]
    for words, subject in REFUSAL_SUBJECTS.items():
        if words in truth:
            return book.cite(subject)
    return book.cite_stake(truth) if "multiple" in truth else book.cite("limits")
