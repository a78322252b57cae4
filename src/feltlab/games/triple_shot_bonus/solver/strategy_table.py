"""The complete strategy: every class of hands against every up-card, with the exact value of each choice.

War and Poker do not depend on the choices, so a value is the expected net of Blackjack and the Hat Trick.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from feltlab.core.cards import ACE, Cards
from feltlab.core.cards import RANKS as NAMES
from feltlab.core.game import Game
from feltlab.core.stake import Stake
from feltlab.core.strategy.table import StrategyRow, StrategyTable
from feltlab.games.triple_shot_bonus import rules
from feltlab.games.triple_shot_bonus.solver.hand_values import (
    FIRST_CHOICES,
    SolvedUpCard,
    best_choices,
    join_parts,
    weigh_first,
    weigh_later,
    weigh_split,
)
from feltlab.games.triple_shot_bonus.solver.labels import LEVEL_WITH_ACE
from feltlab.games.triple_shot_bonus.solver.objective import Objective, solve_up_card, stake_units
from feltlab.games.triple_shot_bonus.solver.states import NONE, PARTS, find_state, states
from feltlab.games.triple_shot_bonus.solver.strategy_classes import (
    ALIVE,
    DEAD,
    count_hands,
    count_pairs,
    open_pairs,
    open_states,
)
from feltlab.parallel.progress import Progress

UP_RANKS = range(len(NAMES))
TITLES = ("Hat Trick alive", "Hat Trick lost", "no Hat Trick")
NOTE = (
    "A value is the expected net of the Blackjack and the Hat Trick wager in units, if the dealer has "
    "no blackjack, with the best play after the choice; War and Poker do not depend on the choice. While the "
    "Hat Trick is alive, the up-card is of clubs, which stands for any suit. hands: orders of two cards, or "
    "sets of three and more cards. Insurance is always declined."
)


class Against(NamedTuple):
    """One up-card in one phase, solved, and what turns its values into units of the stake."""

    game: Game
    phase: int
    title: str
    solved: SolvedUpCard
    unit: Fraction  # one part of a value
    fixed: Fraction  # the net of the Hat Trick if it is lost
    has_hat_trick: bool

    def row(
        self, hand: str, more: str, hands: int, choice: int, nets: dict[int, int], ways: int
    ) -> StrategyRow:
        """A row; `nets` are in parts and summed over all ways to go on."""
        scale, base = self.unit.numerator * self.fixed.denominator, self.fixed.numerator * ways
        whole = {n: net * scale + base * self.unit.denominator for n, net in nets.items()}
        listed = tuple(whole.get(n) for n in range(len(self.game.choices)))
        situation = f"up-card {NAMES[self.solved.up]}{'c' if self.phase == ALIVE else ''}, {self.title}{more}"
        parts = ways * self.unit.denominator * self.fixed.denominator
        return StrategyRow(hand, situation, hands, choice, listed, parts)

    def ways(self, state: int) -> int:
        """The orders of the cards to come in which the dealer has no blackjack."""
        odds = self.solved.odds[state]
        return sum(map(join_parts, odds[: len(odds) // 2]))


def strategy_table(game: Game, stake: Stake, progress: Progress) -> StrategyTable:
    phases = (ALIVE, DEAD) if stake.get("hat-trick") else (DEAD,)
    asked = [(up, phase) for up in UP_RANKS for phase in phases]
    count = sum(_count_rows(stake, up, phase) for up, phase in asked)

    def rows() -> Iterator[StrategyRow]:
        for n, (up, phase) in enumerate(asked):
            progress(n / len(asked))
            yield from _rows(_solve(game, stake, up, phase))

    return StrategyTable(count, rows(), NOTE)


def _count_rows(stake: Stake, up: int, phase: int) -> int:
    has = bool(stake.get("hat-trick"))
    pairs = sum(count_pairs(phase, up, one, two, has) > 0 for one, two in open_pairs(phase, up).tolist())
    return pairs + len(open_states(phase, up))


def _solve(game: Game, stake: Stake, up: int, phase: int) -> Against:
    """Solve an up-card for the stake; a lost Hat Trick leaves Blackjack alone, and suits do not matter."""
    lines, units = game.pay_table(game.spot("hat-trick")).lines, stake_units(stake, "hat-trick")
    objective = Objective.of(game, stake)
    if phase == DEAD:
        objective = Objective.weighed(game, stake_units(stake, "blackjack"), Fraction(0))
    data = game.kernel_data
    solved = solve_up_card(data.hits_soft_17, data.six_card_rule, objective, up, phase == ALIVE)
    fixed = units * lines[rules.BLACKJACK_TOOK_IT].pays
    return Against(
        game, phase, TITLES[phase if units else 2], solved, objective.unit / PARTS, fixed, bool(units)
    )


def _rows(against: Against) -> Iterator[StrategyRow]:
    first = best_choices(against.solved).first
    for one, two in open_pairs(against.phase, against.solved.up).tolist():
        hands = count_pairs(against.phase, against.solved.up, one, two, against.has_hat_trick)
        if hands:
            yield _pair_row(against, one, two, hands, int(first[one, two]))
    for state in open_states(against.phase, against.solved.up).tolist():
        yield _state_row(against, state)


def _pair_row(against: Against, one: int, two: int, hands: int, choice: int) -> StrategyRow:
    table, solved = states(), against.solved
    out = np.zeros((FIRST_CHOICES, 2, 2), np.int64)
    weigh_first(table, solved, one, two, out)
    nets = {n: join_parts(out[n, 0]) for n in (rules.HIT, rules.STAND, rules.DOUBLE)}
    if (one >> 2, two >> 2) == (ACE, ACE):
        weigh_split(table, LEVEL_WITH_ACE, solved, one, two, out[rules.SPLIT_ACES])
        nets[rules.SPLIT_ACES] = join_parts(out[rules.SPLIT_ACES, 0])
    hand = str(Cards((one, two))) if against.phase == ALIVE else _ranks([one >> 2, two >> 2])
    ways = against.ways(find_state(table, False, np.array([one, two])))
    return against.row(hand, "", hands, choice, nets, ways)


def _state_row(against: Against, state: int) -> StrategyRow:
    out, solved = np.zeros((FIRST_CHOICES, 2, 2), np.int64), against.solved
    weigh_later(solved, state, out)
    nets = {
        n: join_parts(out[n, 0])
        for n in (rules.HIT, rules.STAND)
        if n == rules.STAND or solved.may_hit[state]
    }
    hands = count_hands(against.phase, solved.up, state)
    hand, more = _describe_state(state, against.phase)
    return against.row(hand, more, hands, int(solved.choice[state]), nets, against.ways(state))


def _describe_state(state: int, phase: int) -> tuple[str, str]:
    table = states()
    held = table.held[table.plain_of[state] - table.first_plain].tolist()
    hand = _ranks([rank for rank, n in enumerate(held) for _ in range(n)])
    if phase == DEAD:
        return hand, ""
    if state >= table.first_plain:
        return hand, ", no flush in reach"
    own, odd = int(table.own[state >> 1]), int(table.odd[state >> 1])
    suited = _ranks([rank for rank in UP_RANKS if own >> rank & 1])
    whose = "the up-card's" if state & 1 else "one other"
    other = "" if odd == NONE else f" and {NAMES[odd]} of another"
    return hand, f", {suited} of {whose} suit{other}"


def _ranks(ranks: list[int]) -> str:
    return "-".join(NAMES[rank] for rank in sorted(ranks))
