"""How to play each game in at most seven lines."""

from dataclasses import replace
from pathlib import Path

import pytest

from feltlab.games import GAMES
from feltlab.games import data as game_data
from feltlab.submission import how_to_play as module
from feltlab.submission.how_to_play import MAX_LINES, how_to_play
from tests.support.own_games import new_game, nothing_named

MAX_LINE_CHARS = 420  # five lines of print on a page


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_explained_in_at_most_seven_lines(name: str) -> None:
    game = GAMES[name]
    lines = how_to_play(game)
    assert 3 <= len(lines) <= MAX_LINES
    assert all(line and line[-1] == "." and len(line) <= MAX_LINE_CHARS for line in lines)
    said = " ".join(lines)
    assert all(spot.title in said for spot in game.wagers if game.is_required(spot))
    assert "{" not in said


def test_a_pay_in_the_lines_is_the_pay_in_force() -> None:
    war = GAMES["casino-war"].with_pays("tie", {"tie": 11})
    assert "pays 11 to 1" in how_to_play(war)[2]
    assert "pays 10 to 1" in how_to_play(GAMES["casino-war"])[2]


def test_more_than_seven_lines_of_a_packet_become_seven(monkeypatch: pytest.MonkeyPatch) -> None:
    game = GAMES["casino-war"]
    many = replace(game_data.packet_data(game), rack_card=tuple(f"Line {n}." for n in range(1, 10)))
    monkeypatch.setattr(module, "packet_data", lambda _: many)
    assert how_to_play(game)[5:] == ("Line 6.", "Line 7. Line 8. Line 9.")


def test_a_game_without_packet_data_is_explained_by_its_spots_and_choices(tmp_path: Path) -> None:
    with nothing_named():
        folder = new_game(tmp_path / "mine")
        (folder / "packet.toml").unlink()
        assert how_to_play(GAMES[f"{folder}/"]) == (
            "Two cards each; raise once or twice, or fold, against a dealer who needs a king.",
            "Make these wagers: Ante. You may also wager on Pair Bet.",
            "You receive up to two cards and the dealer up to two cards.",
            "When it is your turn: raise twice the Ante, with an ace or a pair, raise as much as the Ante or"
            " give up the Ante.",
            "Pair Bet pays up to 20 to 1: Pair of Aces.",
        )
