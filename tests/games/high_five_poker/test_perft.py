"""The counts of a tiny deck, derived by hand."""

from tests.support.perft import cases_of, count, kernels


def test_fourteen_cards_by_hand() -> None:
    """Fourteen cards to two hands: C(14, 7) = 3432 deals, each played and folded.

    The player holds all five aces with any two of the nine other cards: C(9, 2) = 36 deals, counted
    once for each choice.
    """
    case, _ = cases_of("high-five-poker")
    found = count(case, kernels(case))
    assert found.leaves == {1: 2 * 3432}
    assert found.outcomes["trips"]["Five Aces"] == 2 * 36
