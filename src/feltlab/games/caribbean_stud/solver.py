"""The solver of Caribbean Stud Poker: every hand and up card against every dealer's hand."""

from feltlab.counting.showdown_solver import Showdown, showdown_solver
from feltlab.counting.suits import strengths_of
from feltlab.games.caribbean_stud import rules
from feltlab.games.caribbean_stud.strategies import STRATEGIES

SHOWDOWN = Showdown(strengths_of, rules.judge, decides=("ante",), qualifies=rules.QUALIFIES)
SOLVER = showdown_solver(SHOWDOWN, STRATEGIES)
