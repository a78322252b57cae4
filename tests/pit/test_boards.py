"""Tables of a game with a board: its cards are counted, shown street by street, recorded and replayed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.pit.irregularities.actions import record_irregularity
from feltlab.pit.irregularities.hands import cards_due
from feltlab.pit.seats import Phase
from feltlab.pit.view import view
from tests.support.board_game import load_board_game
from tests.support.felt import BY_HAND, Felt, kinds
from tests.support.own_games import nothing_named
from tests.support.pages import open_house

BACK = "##"


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Game]:
    with nothing_named():
        yield load_board_game(tmp_path / "streets")


@pytest.fixture
def felt(game: Game) -> Felt:
    """Two seats, of which the first is asked on the first street."""
    return Felt(game, timers=BY_HAND).until(Phase.CHOOSING, (0, 1))


def choose(felt: Felt, *choices: str) -> None:
    for choice in choices:
        felt.choose(f"player {felt.turn}", felt.turn, choice)


def test_the_board_is_shown_street_by_street_and_to_everybody(felt: Felt) -> None:
    assert view(felt.table)["board"] == []
    choose(felt, "check", "bet-2")
    for viewer in ("", "player 0", "player 1"):
        shown = view(felt.table, viewer)
        assert len(shown["board"]) == 3
        assert BACK not in shown["board"]
        assert shown["dealer"] == [BACK]
    board = view(felt.table)["board"]
    choose(felt, "fold", "bet")
    while felt.phase != Phase.BETTING:
        assert view(felt.table)["board"] == board
        felt.time_is_up()
    assert BACK not in view(felt.table)["dealer"]


def test_the_cards_of_the_board_are_counted(felt: Felt) -> None:
    assert cards_due(felt.deal) == {"seat 1": 1, "seat 2": 1, "board": 0, "dealer": 1}
    choose(felt, "bet", "bet-4")
    assert cards_due(felt.deal) == {"seat 1": 1, "seat 2": 1, "board": 3, "dealer": 1}
    with pytest.raises(Refused, match="The board has 3 cards, as the rules give it"):
        record_irregularity(felt.table, "sue", "wrong-count", "board", "void", 3)
    money = felt.chips
    drafts = felt.act(lambda t: record_irregularity(t, "sue", "wrong-count", "board", "void", 4))
    assert kinds(drafts)[:2] == ["irregularity", "void"]
    assert (drafts[0].data["due"], drafts[0].data["player"]) == (3, "")
    assert drafts[1].data["reason"] == "The board has 4 cards instead of 3."
    assert (felt.phase, felt.chips) == (Phase.BETTING, money)


async def test_the_page_of_a_round_has_the_board(game: Game, tmp_path: Path) -> None:
    async with open_house(tmp_path / "house") as house:
        ann, table = await house.guest(), f"{game.name}-1"
        await ann.at(table, "sit", seat=1, cents=50_000)
        wagers = {spot.name: 1000 for spot in game.wagers}
        await ann.at(table, "wager", seat=1, round=1, wagers=wagers)
        await ann.at(table, "ready", seat=1, round=1)
        for choice in ("bet-3", "bet"):
            found = await ann.at(table, "choose", seat=1, round=1, choice=choice)
            assert found.status_code == 200, found.text
        told = (await (await house.visitor()).get(f"/tables/{table}/rounds/1.json")).json()
        assert told["same"] is True
        assert {hand["to"]: len(hand["cards"]) for hand in told["hands"]} == {"dealer": 1, "board": 3, "1": 1}
        assert [step["text"] for step in told["steps"] if step["to"] == "board"] == ["Board"]
