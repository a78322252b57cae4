"""Other readings of High Five Poker, held to slow hands and to tiny decks."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from feltlab.core.cards import JOKER, cards
from feltlab.core.hands import poker
from feltlab.core.stake import default_stake
from feltlab.games import GAMES
from feltlab.games.high_five_poker import rules
from feltlab.games.high_five_poker.other_laws import (
    judge_aces_below,
    judge_any_aces,
    judge_without_joker_straight_flush,
    pay_no_joker_straight_flush,
)
from feltlab.games.high_five_poker.solver.law import TripsReading, law
from tests.games.high_five_poker.test_solver import NO_END, TINY_DECKS, prove_deck
from tests.support import slow_hands

GAME = GAMES["high-five-poker"]
HOUSE = slow_hands.POKER.index("Full House")


def read(hand: tuple[int, ...]) -> tuple[slow_hands.Value, int]:
    return slow_hands.poker(hand), int(poker.strength(poker.tables(), np.array(hand, np.uint8)))


def some_hands(times: int = 4000) -> list[tuple[int, ...]]:
    generator = np.random.default_rng(14)
    low = [*range(36, 52), JOKER]  # pictures, aces and the joker: many full houses
    return [tuple(generator.choice(low, 7, replace=False).tolist()) for _ in range(times)]


def test_aces_up_read_otherwise() -> None:
    seen = Counter()
    for hand in some_hands():
        value, strength = read(hand)
        if value[0] != HOUSE:
            assert judge_any_aces(strength) == judge_aces_below(strength) == rules.judge_trips(strength)
            continue
        three, pair = value[1:3]
        seen[three == 14, pair == 14] += 1
        any_aces, below = judge_any_aces(strength), judge_aces_below(strength)
        assert any_aces == (rules.FULL_HOUSE_ACES if 14 in (three, pair) else rules.FULL_HOUSE)
        assert below == (rules.FULL_HOUSE_ACES if pair == 14 else rules.FULL_HOUSE)
    assert len(seen) == 3


def slow_without_straight_flush(hand: tuple[int, ...]) -> str:
    """The best category of six cards and a joker that completes a straight or a flush, not both."""
    names = slow_hands.POKER
    best = max(slow_hands.poker(some)[0] for some in [hand])
    for five in combinations(hand, 4):
        for card in range(52):
            value = slow_hands.poker((*five, card)) if card not in five else (0,)
            if names[value[0]] in ("Straight", "Flush"):
                best = max(best, value[0])
        best = max(best, slow_hands._natural([14, *map(slow_hands.rank, five)], suited=False)[0])
    return names[best]


@pytest.mark.parametrize(
    "hand",
    [
        "As Ks Qs Js 2d 3c", "As Ks Qs Js Ad Ac", "As Ks Qs Js Ad Kc", "9s Ts Js Qs Ks 2d",
        "5h 6h 7h 8h 9h Td", "5h 6h 7h 8h 8d 8c", "5h 6h 7h 8h 8d Ac",
        "2c 3c 4c 5c Ad Ah", "Ah 2h 3h 4h 4d 4s",
    ],
)  # fmt: skip
def test_a_joker_that_completes_no_straight_flush(hand: str) -> None:
    held = tuple(cards(hand))
    assert read((*held, JOKER))[0][0] >= slow_hands.POKER.index("Straight Flush")
    outcome = rules.TRIPS[0].outcomes[judge_without_joker_straight_flush(list(held))]
    assert outcome.removesuffix(" (Aces Up)").removesuffix(" (Other)") == slow_without_straight_flush(held)


def test_the_joker_that_completes_no_straight_flush_costs_the_player() -> None:
    (extra,) = pay_no_joker_straight_flush(GAME, default_stake(GAME), "optimal").values()
    assert Fraction(-6, 100) < extra < Fraction(-5, 100)


@pytest.mark.parametrize("deck", TINY_DECKS.values(), ids=TINY_DECKS)
def test_a_fold_loses_trips_on_a_tiny_deck(deck: str) -> None:
    """On a tiny deck hands that win Trips may be folded; then they lose it."""
    proof = prove_deck(cards(deck), NO_END)
    ours, other = law(proof, "optimal"), law(proof, "optimal", TripsReading(lost_by_fold=True))
    moved: Counter[tuple[int, ...]] = Counter()
    for (play, ante, trips), n in ours.counts.items():
        moved[play, ante, rules.NO_TRIPS if ante == rules.ANTE_FOLDED else trips] += n
    assert dict(moved) == dict(other.counts)


def place(value: slow_hands.Value, second: bool) -> tuple[float, ...]:
    """A hand's place; A-2-3-4-5 is the lowest straight, or the highest but one."""
    is_wheel = slow_hands.POKER[value[0]] in ("Straight", "Straight Flush") and value[1] == 5
    return (value[0], 13.5) if is_wheel and second else value


def net_of_play(mine: tuple[float, ...], his: tuple[float, ...]) -> int:
    """The net of Ante and Play, of a player who plays."""
    if his < (slow_hands.POKER.index("Pair"), 6):
        return 2 if mine[0] >= slow_hands.POKER.index("Straight") else 1
    return 2 * ((mine > his) - (mine < his))


def test_the_order_of_straights_moves_no_money() -> None:
    """Every deal of a deck with a wheel and higher straights, all hands played, in both orders."""
    deck = cards("As 2s 3s 4s 5s 6s 6d 7s 8d 3d 4d 5d Ad 2d 7d")
    best = {hand: slow_hands.poker(hand) for hand in combinations(sorted(deck), 7)}
    totals, moved = [0, 0], 0
    for player, mine in best.items():
        rest = [card for card in sorted(deck) if card not in player]
        for dealer in combinations(rest, 7):
            nets = [net_of_play(place(mine, way), place(best[dealer], way)) for way in (False, True)]
            totals = [total + net for total, net in zip(totals, nets, strict=True)]
            moved += nets[0] != nets[1]
    assert moved > 0
    assert totals[0] == totals[1]
