"""Made-up games with everything that the contract allows and no approved game has together."""

from typing import cast

from feltlab.core.game import Game
from feltlab.core.rules import Rules
from tests.support.toy_games import streets, two_sides

STREETS = Game(cast(Rules, streets))
TWO_SIDES = Game(cast(Rules, two_sides))
TOY_GAMES = (STREETS, TWO_SIDES)
