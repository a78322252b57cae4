"""The felt of a game, as clients are sent it. Views of tables are held to the rules in test_table_machine."""

import pytest

from feltlab.core.game import Game
from feltlab.games import GAMES
from feltlab.pit.view import layout


@pytest.mark.parametrize("game", GAMES.values(), ids=str)
def test_the_felt_prints_exactly_the_listed_lines_of_each_pay_table(game: Game) -> None:
    for spot in layout(game)["spots"]:
        table = game.pay_table(game.spot(spot["spot"]))
        assert [line["outcome"] for line in spot["pays"]] == [
            line.outcome for line in table.lines if line.listed
        ]


def test_pair_plus_1_lists_no_royal_flush() -> None:
    """It pays a Royal Flush as a Straight Flush, and its sign has no line for it."""
    game = GAMES["triple-shot-rummy"]
    assert game.options["pair-plus"] == "1"
    (pair_plus,) = (spot for spot in layout(game)["spots"] if spot["spot"] == "pair-plus")
    assert next(line["outcome"] for line in pair_plus["pays"] if line["result"] == "win") == "Straight Flush"
    lines = game.pay_table(game.spot("pair-plus")).lines
    assert [line.outcome for line in lines if line.result == "win" and not line.listed] == ["Royal Flush"]
