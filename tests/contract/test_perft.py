"""Every deal of a tiny deck and every way to play it: kernels and referee count what the files say."""

import pytest

from feltlab.games import GAMES
from tests.support.perft import CASES, Case, count, kernels, referee, text

SLOW = {"triple-shot-bonus-stand"}  # half a million ways to play
MARKED = [pytest.param(c, id=c.name, marks=[pytest.mark.slow] * (c.name in SLOW)) for c in CASES]


@pytest.mark.parametrize("case", MARKED)
def test_the_kernels_count_what_the_file_says(case: Case) -> None:
    assert text(case, count(case, kernels(case.game))) == case.path.read_text()


@pytest.mark.parametrize("case", MARKED)
def test_the_referee_counts_what_the_file_says(case: Case) -> None:
    assert text(case, count(case, referee(case.game))) == case.path.read_text()


def test_every_game_has_a_file() -> None:
    assert {case.game.name for case in CASES} == set(GAMES)


def test_casino_war_by_hand() -> None:
    """Ten cards: of 10 * 9 first pairs, 3*2 + 2*1 + 3*2 + 2*1 = 16 tie, and 74 are split evenly.

    A tie is surrendered, or fought with any two of the eight cards left: 16 * 8 * 7 = 896 wars.
    """
    case = CASES[0]
    found = count(case, kernels(case.game))
    primary = found.outcomes["primary"]
    assert found.leaves == {0: 74, 1: 16 + 896}
    assert (primary["higher card"], primary["lower card"], primary["surrender"]) == (37, 37, 16)
    assert primary["war won"] + primary["war tied"] + primary["war lost"] == 896


def test_high_five_poker_by_hand() -> None:
    """Fourteen cards to two hands: C(14, 7) = 3432 deals, each played and folded.

    The player holds all five aces with any two of the nine other cards: C(9, 2) = 36 deals, counted
    once for each choice.
    """
    case = next(case for case in CASES if case.name == "high-five-poker")
    found = count(case, kernels(case.game))
    assert found.leaves == {1: 2 * 3432}
    assert found.outcomes["trips"]["Five Aces"] == 2 * 36
