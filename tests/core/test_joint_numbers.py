"""Joint outcomes as numbers: an outcome with its units, and all spots of a round together."""

import numpy as np
import pytest

from feltlab.core.game import Game
from feltlab.core.joint_numbers import decode, encode, joint_code, units_on
from feltlab.core.layout import NOT_PLACED, OPEN
from feltlab.core.tally import Tally
from feltlab.games import GAMES
from feltlab.kernel import plain_python
from tests.support.game_strategies import ALL_GAMES, label
from tests.support.toy_games import STREETS, TOY_GAMES
from tests.support.toy_games.streets import BET, BET_3, CHECK

every_game = pytest.mark.parametrize("game", [*ALL_GAMES, *TOY_GAMES], ids=label)


@every_game
def test_an_outcome_and_its_units_come_back_from_their_number(game: Game) -> None:
    for spot in game.spots:
        pairs = [(n, units) for units in range(1, spot.most_units + 1) for n in range(len(spot.outcomes))]
        assert [spot.number(*pair) for pair in pairs] == list(range(spot.numbers))
        assert [spot.split_number(number) for number in range(spot.numbers)] == pairs


def test_marks_have_no_units() -> None:
    opening = STREETS.spot("opening")
    assert [opening.number(mark, 3) for mark in (NOT_PLACED, OPEN)] == [NOT_PLACED, OPEN]


def test_the_units_are_named_where_they_differ() -> None:
    ante, opening = STREETS.spot("ante"), STREETS.spot("opening")
    assert ante.name_number(ante.number(0, 1)) == "better hand"
    names = [opening.name_number(opening.number(1, units)) for units in (1, 4)]
    assert names == ["worse hand with 1 unit", "worse hand with 4 units"]
    primary = GAMES["casino-war"].spot("primary")
    names = [primary.name_number(primary.number(*ended)) for ended in ((0, 1), (3, 2))]
    assert names == ["higher card", "war won with 2 units"]


@every_game
def test_joint_outcomes_come_back_from_their_number(game: Game) -> None:
    code, rng = joint_code(game), np.random.default_rng(1)
    outcomes = rng.integers(-1, [len(spot.outcomes) for spot in game.spots], (200, len(game.spots)))
    nothing = np.zeros(0, np.int8)
    numbers = [encode(code, nothing, 0, joint.astype(np.int16)) for joint in outcomes]
    assert decode(code, numbers) == [tuple(joint) for joint in outcomes.tolist()]


@pytest.mark.parametrize("count_units", [units_on, plain_python(units_on)])
def test_units_are_those_of_the_street_on_which_they_are_put(count_units) -> None:  # type: ignore[no-untyped-def]
    code, spots = joint_code(STREETS), STREETS.spot_numbers
    choices = np.array([BET_3, BET, CHECK], np.int8)  # the last one belongs to an earlier round
    assert count_units(code, choices, 2, spots["opening"]) == 3
    assert count_units(code, choices, 2, spots["closing"]) == 1
    assert count_units(code, choices, 2, spots["ante"]) == 1


def test_a_tally_counts_units_and_pays_bonuses_without_a_stake() -> None:
    """Two deals, by hand: one won with three units on the opening and a double match, one folded."""
    opening = STREETS.spot("opening")
    won = (0, 0, opening.number(0, 3), NOT_PLACED, 0, 1)
    folded = (3, 2, NOT_PLACED, NOT_PLACED, 1, 1)
    tally, ante = Tally.of(STREETS, [won, folded]), STREETS.spot("ante")
    assert tally.outcomes(opening) == {"better hand": 1, "worse hand": 0, "tie": 0}
    assert tally.units(opening) == {"better hand": 3, "worse hand": 0, "tie": 0}
    assert tally.net(ante, won) == 1 + 3 + 10
    assert tally.net(STREETS.spot("blind"), won) == 3
    assert tally.staked(ante, won) == 1 + 3
    assert (tally.net(ante, folded), tally.staked(ante, folded)) == (-1, 1)
