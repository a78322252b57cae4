"""The solver of Triple Shot Rummy: every player's hand up to suits, against every dealer's hand.

Pair Plus and 6 Card Bonus do not depend on the choice, so the best choice is the Ante's: play where
the expected net of Ante and Play is more than the lost Ante.
"""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import comb, lcm
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import Cards
from feltlab.core.game import Game
from feltlab.core.hands import poker, rummy, three_card
from feltlab.core.layout import NOT_PLACED
from feltlab.core.round import Round
from feltlab.core.solver import ClassTables, Decisions, Law, Player, Solver, StrategyCard, nets_on
from feltlab.core.stake import Stake
from feltlab.core.strategy.card_rows import CardRow, HandKey
from feltlab.core.tally import Outcomes, Tally
from feltlab.counting.suits import Hands, classes
from feltlab.games.triple_shot_rummy import rules
from feltlab.kernel import Array, int64, kernel, lean
from feltlab.parallel.progress import Progress
from feltlab.parallel.threads import map_in_threads, slices

DEALERS = comb(49, 3)
POINTS = range(15, 31)
KEY = "points"  # the one key of the strategy card
STRATEGIES = {
    "optimal": "the better of play and fold for every hand",
    "never-fold": "always play",
    **{f"{most}-or-less": f"play with {most} points or less" for most in POINTS},
}
Counts = NDArray[np.int64]  # by class, outcome of Play, outcome of 6 Card Bonus
ReadHand = Callable[[int, int, int], int]  # a number of three cards: their points, or their strength


class RummyReading(NamedTuple):
    """A way of reading hands. The defaults are the rules; other values serve to prove other readings."""

    points: ReadHand = rummy.points
    strength: ReadHand = three_card.strength  # for Pair Plus
    unopposed_bonus: bool = False  # does Play win by its table when the dealer does not play?


AS_RULED = RummyReading()


class Dealers(NamedTuple):
    """All 22,100 hands of the dealer, with the numbers that counting needs."""

    cards: NDArray[np.int64]  # a bit per card
    total: NDArray[np.int64]  # the sums of poker keys
    lanes: NDArray[np.int64]
    points: NDArray[np.int64]


@cache
def dealers(points_of: ReadHand) -> Dealers:
    hands = np.array(list(combinations(range(52), 3)))
    tables = poker.tables()
    points = score_hands(points_of, hands)
    return Dealers((1 << hands).sum(1), tables.key[hands].sum(1), tables.lane[hands].sum(1), points)


def score_hands(points_of: ReadHand, hands: NDArray[Any]) -> NDArray[np.int64]:
    return np.array([points_of(*hand) for hand in hands.tolist()], np.int64)


@kernel
def _count_against_all(
    tables: poker.Tables, dealers: Dealers, hands: Hands, mine: NDArray[np.int64], counts: Counts
) -> None:
    """By hand, count the outcomes of Play and 6 Card Bonus against the dealer's 18,424 hands."""
    key, lane = tables.key, tables.lane
    cards, totals, lanes, points = dealers
    for i in range(len(hands)):
        a, b, c = hands[i]
        held = 1 << int64(a) | 1 << int64(b) | 1 << int64(c)
        total = poker.LANES_EMPTY + key[a] + key[b] + key[c]
        lane_total = lane[a] + lane[b] + lane[c]
        for d in range(len(cards)):
            if held & cards[d] == 0:
                play, _ = rules.judge(mine[i], points[d])
                six = poker.look_up(tables, total + totals[d], lane_total + lanes[d])
                counts[i, play, rules.judge_six_card_bonus(six)] += 1


def count_outcomes(hands: Hands, read: RummyReading = AS_RULED) -> Counts:
    """By hand, the counts of the outcomes of Play and 6 Card Bonus, computed on all cores."""
    counts = np.zeros((len(hands), len(rules.PLAYED.lines), len(rules.SIX_CARD_BONUS[0].lines)), np.int64)
    tables, others, mine = poker.tables(), dealers(read.points), score_hands(read.points, hands)
    map_in_threads(
        lambda part: _count_against_all(tables, others, hands[part], mine[part], counts[part]),
        slices(len(hands), 64),
    )
    if read.unopposed_bonus:
        _pay_unopposed(mine, counts)
    return counts


def _pay_unopposed(mine: NDArray[np.int64], counts: Counts) -> None:
    """Count a Play that the dealer does not oppose as a win by the table, for hands that it lists."""
    for i in np.flatnonzero(mine < rules.DEALER_PLAYS):
        won, _ = rules.judge(int(mine[i]), rules.DEALER_PLAYS)
        counts[i, won] += counts[i, rules.PLAY_UNOPPOSED]
        counts[i, rules.PLAY_UNOPPOSED] = 0


@cache
def all_hands(read: RummyReading = AS_RULED) -> tuple[Hands, NDArray[np.int64], Counts]:
    hands, weights = classes(3)
    return hands, weights, count_outcomes(hands, read)


def plays(game: Game, strategy: str, read: RummyReading = AS_RULED) -> NDArray[np.bool_]:
    """By class, does the strategy play?"""
    hands, _, counts = all_hands(read)
    if strategy == "never-fold":
        return np.ones(len(hands), np.bool_)
    if strategy == "optimal":
        return gains(game, counts)[0] > 0
    return score_hands(read.points, hands) <= int(strategy.removesuffix("-or-less"))


def gains(game: Game, counts: Counts) -> tuple[NDArray[Any], int]:
    """The gain of playing over folding for each class, summed over all dealers' hands, and its scale.

    The scale is the number of parts in a unit; gains are whole parts, as Python ints.
    """
    by_play, unit = gain_by_play(game)
    return counts.sum(axis=2).astype(object) @ np.array(by_play, object), unit


def gain_by_play(game: Game) -> tuple[list[int], int]:
    """By outcome of Play, the gain of playing over folding in whole parts of a unit; and the parts of one."""
    play, ante = (game.pay_table(game.spot(spot)).lines for spot in ("play", "ante"))
    gain = [play[p].pays + ante[a].pays - ante[rules.ANTE_FOLDED].pays for p, a in judged_pairs()]
    unit = lcm(*(net.denominator for net in gain))
    return [int(net * unit) for net in gain], unit


@cache
def judged_pairs() -> list[tuple[int, int]]:
    """Each outcome of Play with the outcome of Ante that goes with it."""
    return sorted({rules.judge(player, dealer) for player in range(31) for dealer in range(31)})


def solve(game: Game, stake: Stake, strategy: str, progress: Progress, read: RummyReading = AS_RULED) -> Law:
    """The joint law of all wagers under a strategy."""
    hands, weights, counts = all_hands(read)
    playing = plays(game, strategy, read)
    ante_of = dict(judged_pairs())
    joint: Counter[Outcomes] = Counter()
    for hand, weight, played, table in zip(hands, weights.tolist(), playing, counts, strict=True):
        pair_plus = int(rules.judge_pair_plus(read.strength(*hand.tolist())))
        for play, bonus in np.argwhere(table).tolist():
            beside = (play, ante_of[play]) if played else (NOT_PLACED, rules.ANTE_FOLDED)
            joint[(*beside, pair_plus, bonus)] += weight * int(table[play, bonus])
    total = int(weights[playing].sum()) * DEALERS
    first = {"play": total, "fold": comb(52, 3) * DEALERS - total}
    return Law(joint, first, "every hand of the player up to suits against every hand of the dealer")


def values(round: Round, stake: Stake) -> dict[str, Fraction]:
    """The expected net of each open choice, over every dealer's hand."""
    hand = np.array([round.seen[: rules.HAND]], np.uint8)
    table = count_outcomes(hand)[0]
    pair_plus = int(rules.judge_pair_plus(three_card.strength(*hand[0])))
    ante_of = dict(judged_pairs())
    played: Counter[Outcomes] = Counter()
    folded: Counter[Outcomes] = Counter()
    for play, bonus in np.argwhere(table).tolist():
        played[play, ante_of[play], pair_plus, bonus] += int(table[play, bonus])
        folded[NOT_PLACED, rules.ANTE_FOLDED, pair_plus, bonus] += int(table[play, bonus])
    laws = {"play": played, "fold": folded}
    return {choice: Tally(round.game, law).total_expected(stake) for choice, law in laws.items()}


def card(game: Game, stake: Stake) -> StrategyCard:
    """The threshold that costs least, and its exceptions."""
    hands, weights, counts = all_hands()
    gain, unit = gains(game, counts)
    cost = {
        name: _missed(gain, weights, plays(game, name)) / unit
        for name in STRATEGIES
        if name.endswith("-or-less")
    }
    best = min(cost, key=lambda name: cost[name])
    missed = [Cards(hand.tolist()) for hand in hands[plays(game, best) != (gain > 0)]]
    most = best.removesuffix("-or-less")
    lines = ((f"{most} points or less", "play"), ("more", "fold"))
    exceptions = tuple(f"not with {hand}" for hand in missed)
    lost = cost[best] * stake["ante"]
    index = {KEY: (CardRow("play", (-int(most),), line=0), CardRow("fold", line=1))}
    return StrategyCard(lines, exceptions, lost, classes=len(hands), missed=len(missed), index=index)


def read_hand(round: Round) -> HandKey:
    """Fewer points are a higher order."""
    return HandKey(KEY, (-int(rummy.points(*round.seen[: rules.HAND])),))


def _missed(gain: NDArray[Any], weights: NDArray[np.int64], playing: NDArray[np.bool_]) -> Fraction:
    """The mean loss of a strategy against the best choice, in the gain's parts of a unit."""
    lost = np.where(playing, np.maximum(-gain, 0), np.maximum(gain, 0))
    return Fraction(int(lost @ weights), comb(52, 3) * DEALERS)


# -- For simulation -----------------------------------------------------------------------------------


def decisions(game: Game, stake: Stake, strategy: str) -> Decisions:
    """The choices of a strategy, by class."""
    return np.where(plays(game, strategy), rules.PLAY, rules.FOLD).astype(np.uint8)


class ThreeCardChoices(NamedTuple):
    """The choice of every hand of three cards."""

    choice: Decisions  # by three cards in any order


@lean
def decide(data: ThreeCardChoices, seen: Array, legal: int, choices: Array) -> int:
    return int64(data.choice[seen[0], seen[1], seen[2]])


def player(game: Game, strategy: str, made: Decisions) -> Player:
    """The player who makes the choice of its class with every hand, in any order of the cards."""
    hands, _ = classes(rules.HAND)
    choice = np.zeros((52, 52, 52), np.uint8)
    for suits in permutations(range(4)):
        renamed = hands & 0xFC | np.array(suits, np.uint8)[hands & 3]
        for first, second, third in permutations(range(rules.HAND)):
            choice[renamed[:, first], renamed[:, second], renamed[:, third]] = made
    return Player(decide, ThreeCardChoices(choice))


# -- For a certificate ----------------------------------------------------------------------------------


def classes_to_certify(game: Game, stake: Stake, progress: Progress) -> ClassTables:
    """By class of three cards: its weight, the choice, and the deals of each outcome under each choice."""
    hands, weights, counts = all_hands()
    pair_plus = [int(rules.judge_pair_plus(three_card.strength(*hand))) for hand in hands.tolist()]
    ante_of = dict(judged_pairs())
    found: dict[str, dict[Outcomes, Counts]] = {"play": {}, "fold": {}}
    for at, play, bonus in np.argwhere(counts).tolist():
        deals = weights[at] * counts[at, play, bonus]
        for choice, beside in (("play", (play, ante_of[play])), ("fold", (NOT_PLACED, rules.ANTE_FOLDED))):
            outcomes = (*beside, pair_plus[at], bonus)
            found[choice].setdefault(outcomes, np.zeros(len(hands), np.int64))[at] += deals
    columns = {f"counts.{choice}": tuple(sorted(rows)) for choice, rows in found.items()}
    arrays: dict[str, NDArray[Any]] = {
        f"counts.{choice}": np.array([rows[o] for o in sorted(rows)], np.uint32).T
        for choice, rows in found.items()
    }
    choices = decisions(game, stake, "optimal")
    return ClassTables(
        arrays | {"cards": hands, "weights": weights.astype(np.uint8), "choices": choices}, columns
    )


def law_key(game: Game, stake: Stake, strategy: str) -> object:
    """The best choice depends on the pays of Play and Ante; no choice matters to the side bets."""
    return [strategy, nets_on(game, "play", "ante") if strategy == "optimal" else None]


SOLVER = Solver(
    STRATEGIES,
    solve,
    values,
    card,
    decisions,
    player,
    law_key,
    classes=classes_to_certify,
    read_hand=read_hand,
)
