"""The solver of Triple Shot Bonus: the joint law of all wagers on the same cards.

The player's six cards are one stream: hits take the next card, and the cards that complete six are the rest.
So the law of Poker does not depend on the choices; a strategy only decides where in the stream Blackjack
ends. Undealt cards are exchangeable, so the dealer's hand may be dealt after those six.

The method, module by module:

- `states` numbers the player's hands, as far as they differ for the law;
- `dealer` counts how the dealer ends, given the player's six cards;
- `labels` reduces a finished Blackjack hand to a label, which with the dealer's end gives the outcome;
- `reading` says how the rules are read, so that other readings can be proved;
- `objective` weighs Blackjack against the Hat Trick for a stake;
- `hand_values` computes the value of every state by backward induction, and so the best choices;
- `strategies` gives the choices of each strategy: the best ones, the published table, rules of thumb;
- `count` counts every deal under a strategy against one up-card, and `law` puts the up-cards together;
- `choice_values` gives the exact value of each open choice in one position;
- `table_audit` compares the published table with the best play, hand by hand;
- `strategy_card` puts the best strategy on a card, `player` makes one that a simulation can follow;
- `classes` exports the classes of a certificate, `strategy_table` the complete strategy.

Insurance is always declined. It wins with a ten under the ace. The player sees three cards, so at most 16 of
49 unseen cards are tens, fewer than the third that 2 to 1 needs; and insurance affects no other wager. So no
stake makes it good, and a pay that would is refused.
"""

from feltlab.core.game import Game
from feltlab.core.solver import Law, Solver
from feltlab.core.stake import Stake
from feltlab.games.triple_shot_bonus.solver.choice_values import values
from feltlab.games.triple_shot_bonus.solver.classes import classes
from feltlab.games.triple_shot_bonus.solver.law import law as strategy_law
from feltlab.games.triple_shot_bonus.solver.objective import Objective, blackjack_alone, check_insurance
from feltlab.games.triple_shot_bonus.solver.player import decisions, player
from feltlab.games.triple_shot_bonus.solver.reading import AS_RULED, BonusReading
from feltlab.games.triple_shot_bonus.solver.strategies import BY_RULE, STRATEGIES, choices
from feltlab.games.triple_shot_bonus.solver.strategy_card import card, read_hand
from feltlab.games.triple_shot_bonus.solver.strategy_table import strategy_table
from feltlab.games.triple_shot_bonus.solver.table_audit import audit_table
from feltlab.parallel.progress import Progress


def solve(game: Game, stake: Stake, strategy: str, progress: Progress, read: BonusReading = AS_RULED) -> Law:
    """The joint law of all wagers under a strategy."""
    return strategy_law(game, lambda up: choices(game, stake, strategy, up, read), progress, read)


def law_key(game: Game, stake: Stake, strategy: str) -> object:
    """The optimal player weighs the Hat Trick against Blackjack, so the law depends on both pays."""
    played = [game.options["soft-17"], game.options["six-card-rule"], strategy]
    if strategy in BY_RULE:
        return played
    check_insurance(game)
    objective = Objective.named(game, stake, strategy)
    if not objective.hat_trick:  # then Blackjack is played for its own sake, whatever the stake on it
        objective = blackjack_alone(game)
    return [*played, objective.blackjack, objective.hat_trick, objective.nets]


SOLVER = Solver(
    STRATEGIES,
    solve,
    values,
    card,
    decisions,
    player,
    law_key,
    audit_table,
    classes,
    strategy_table,
    read_hand,
)
