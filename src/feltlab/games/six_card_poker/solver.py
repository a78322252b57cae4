"""The solver of Six Card Poker: the rules' own judge, in the solver of games with up cards."""

from feltlab.core.layout import NOT_PLACED
from feltlab.counting.up_cards.solver import UpCardRules, up_card_solver
from feltlab.games.six_card_poker import rules

RULES = UpCardRules(rules.judge, (rules.ANTE_FOLDED, NOT_PLACED), rules.QUALIFIES, rules.RAISE, rules.FOLD)
SOLVER = up_card_solver(RULES)
