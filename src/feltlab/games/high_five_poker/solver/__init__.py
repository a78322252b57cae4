"""The solver of High Five Poker: every deal counted, and the best choice proved for every single hand.

The method, module by module:

- `choices` decides for each hand P between playing and folding. It compares the sum of *weights* over all
  dealer's hands that avoid P with a threshold, by bounds for most hands and exactly for the others.
- `deck_proof` counts a whole deck with `counting.showdown`, lets `choices` decide every hand, and lists the
  hands whose best choice differs from the rule "a pair of sevens or better plays".
- `law` turns that into the law of a strategy. A rule by strength needs no single hand: `showdown.meet`
  counts, for each strength of the player's hand, the deals in which the dealer does not qualify, is weaker
  or is equal.
- `strategy_card` describes the exceptions to the rule in words.
- `player` makes a strategy that a simulation can follow; `classes` exports the classes of a certificate,
  and `strategy_table` the complete strategy.
"""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from feltlab.core.game import Game
from feltlab.core.hands import poker
from feltlab.core.round import Round
from feltlab.core.solver import Law, Solver, nets_on
from feltlab.core.stake import Stake
from feltlab.core.tally import Outcomes, Tally
from feltlab.counting import showdown
from feltlab.counting.subsets import HAND
from feltlab.games.high_five_poker import rules
from feltlab.games.high_five_poker.solver.choices import FOLDED, LISTED_NETS, Nets, judge_kinds
from feltlab.games.high_five_poker.solver.classes import classes
from feltlab.games.high_five_poker.solver.deck_proof import prove_standard_deck
from feltlab.games.high_five_poker.solver.law import STRATEGIES, law
from feltlab.games.high_five_poker.solver.player import decisions, player
from feltlab.games.high_five_poker.solver.strategy_card import card, read_hand
from feltlab.games.high_five_poker.solver.strategy_table import strategy_table
from feltlab.parallel.progress import Progress


def solve(game: Game, stake: Stake, strategy: str, progress: Progress) -> Law:
    """The law of a strategy. The best choice depends on pays, but on no option and not on the stake."""
    nets = Nets.of(game) if strategy == "optimal" else LISTED_NETS
    return law(prove_standard_deck(progress, nets), strategy)


def values(round: Round, stake: Stake) -> dict[str, Fraction]:
    """The expected net of the stake for each open choice, over every dealer's hand."""
    hand = np.array(round.shoe[:HAND], np.uint8)
    player = int(poker.strength(poker.tables(), hand))
    trips = rules.judge_trips(player)
    kinds = showdown.count_against(np.array(round.game.deck.cards, np.uint8), hand, rules.QUALIFIES)
    played: Counter[Outcomes] = Counter()
    for outcomes, dealers in zip(judge_kinds(player), kinds, strict=True):
        played[*outcomes, trips] += dealers
    laws: dict[str, Mapping[Outcomes, int]] = {"play": played, "fold": {(*FOLDED, trips): 1}}
    return {choice: Tally(round.game, laws[choice]).total_expected(stake) for choice in round.choices}


def law_key(game: Game, stake: Stake, strategy: str) -> object:
    """The best choice depends on the pays of Play and Ante; no choice matters to Trips."""
    return [strategy, nets_on(game, "play", "ante") if strategy == "optimal" else None]


SOLVER = Solver(
    STRATEGIES,
    solve,
    values,
    card,
    decisions,
    player,
    law_key,
    classes=classes,
    strategy_table=strategy_table,
    read_hand=read_hand,
)
