"""Every deal of a tiny deck and every way to play it: kernels and referee count what the files say."""

import pytest

from feltlab.games import GAMES
from tests.support.game_data import data_of, file_of
from tests.support.perft import CASES, Case, count, kernels, referee, text

MARKED = [pytest.param(c, id=c.name, marks=[pytest.mark.slow] * c.tiny.slow) for c in CASES]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_tiny_deck(game: str) -> None:
    assert data_of(game).tiny_decks, (
        f"Write `tiny_decks` in {file_of(game, 'data.py')}: a TinyDeck of ten to fourteen cards in which the"
        " game's rare outcomes happen; then run python -m tests.support.perft --write."
    )


@pytest.mark.parametrize("case", MARKED)
def test_the_kernels_count_what_the_file_says(case: Case) -> None:
    assert case.path.exists(), (
        "Run python -m tests.support.perft --write, and read the counts that it writes."
    )
    assert text(case, count(case, kernels(case))) == case.path.read_text()


@pytest.mark.parametrize("case", MARKED)
def test_the_referee_counts_what_the_file_says(case: Case) -> None:
    assert text(case, count(case, referee(case))) == case.path.read_text()
