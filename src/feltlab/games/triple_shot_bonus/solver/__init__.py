"""The proof of Triple Shot Bonus: the joint law of all wagers on the same cards.

The player's six cards are one stream: hits take the next, completing cards the rest. So the law of Poker
does not depend on the choices, and a strategy only decides where in the stream Blackjack ends. Undealt
cards are exchangeable, so the dealer's hand is dealt after those six. `states` says which hands have to
be told apart, `dealer` how the dealer ends, `worth` what is best, and `count` counts every deal.

Insurance is always declined. It wins with a ten under the ace. The player sees three cards, so at most 16
of 49 unseen cards are tens, fewer than the third that two to one needs; and it has no effect on any other
wager. So no stake makes it good; a pay that would is refused.
"""

from feltlab.core.game import Game
from feltlab.core.solver import Law, Solver
from feltlab.core.stake import Stake
from feltlab.games.triple_shot_bonus.solver import law as laws
from feltlab.games.triple_shot_bonus.solver.choice_values import values
from feltlab.games.triple_shot_bonus.solver.objective import Aim, check_insurance
from feltlab.games.triple_shot_bonus.solver.player import decisions, player
from feltlab.games.triple_shot_bonus.solver.strategies import BY_RULE, STRATEGIES, choices
from feltlab.games.triple_shot_bonus.solver.strategy_card import card, row_choices
from feltlab.parallel.progress import Progress


def solve(game: Game, stake: Stake, strategy: str, progress: Progress) -> Law:
    """The joint law of all wagers under a strategy."""
    return laws.law(game, lambda up: choices(game, stake, strategy, up), progress)


def law_key(game: Game, stake: Stake, strategy: str) -> object:
    """Who plays for the whole stake looks at what the Hat Trick is worth beside Blackjack, and that pays."""
    played = [game.options["soft-17"], game.options["six-card-rule"], strategy]
    if strategy in BY_RULE:
        return played
    check_insurance(game)
    aim = Aim.named(game, stake, strategy)
    return [*played, aim.blackjack, aim.hat_trick, aim.nets]


SOLVER = Solver(STRATEGIES, solve, values, card, decisions, player, law_key, row_choices)
