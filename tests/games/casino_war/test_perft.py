"""The counts of a tiny deck, derived by hand."""

from tests.support.perft import cases_of, count, kernels


def test_ten_cards_by_hand() -> None:
    """Ten cards: of 10 * 9 first pairs, 3*2 + 2*1 + 3*2 + 2*1 = 16 tie, and 74 are split evenly.

    A tie is surrendered, or fought with any two of the eight cards left: 16 * 8 * 7 = 896 wars.
    """
    (case,) = cases_of("casino-war")
    found = count(case, kernels(case))
    primary = found.outcomes["primary"]
    assert found.leaves == {0: 74, 1: 16 + 896}
    assert (primary["higher card"], primary["lower card"], primary["surrender"]) == (37, 37, 16)
    assert primary["war won"] + primary["war tied"] + primary["war lost"] == 896
