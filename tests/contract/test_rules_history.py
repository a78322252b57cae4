"""Every game's rules are the last wording of their history, so that rewording them closes no table."""

import pytest

from feltlab.core.game import Game
from feltlab.games import GAMES
from feltlab.games.rules_history import is_recorded, wordings_of
from tests.support.rules_history import describe_missing


@pytest.mark.parametrize("game", GAMES.values(), ids=str)
def test_the_wording_of_the_rules_is_recorded(game: Game) -> None:
    assert is_recorded(game), describe_missing(game)


@pytest.mark.parametrize("game", GAMES.values(), ids=str)
def test_wordings_are_in_order_and_each_says_why(game: Game) -> None:
    wordings = wordings_of(game.name)
    assert [wording.date for wording in wordings] == sorted(wording.date for wording in wordings)
    assert all(wording.why.endswith(".") for wording in wordings)
    digests = [wording.rules_digest for wording in wordings]
    assert len({*digests}) == len(digests)
    assert all(digests[1:])
