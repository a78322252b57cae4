"""What a seen card is worth in Triple Shot Bonus, held against a plain recursion over the cards left."""

from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from feltlab.core.stake import check_stake, default_stake
from feltlab.games import GAMES
from feltlab.games.triple_shot_bonus import seen_cards
from feltlab.games.triple_shot_bonus.seen_blackjack import SeenBlackjack
from feltlab.games.triple_shot_bonus.solver.objective import blackjack_nets
from feltlab.parallel.progress import nobody_listens
from feltlab.proving.proof import prove

GAME = GAMES["triple-shot-bonus"]
DATA = GAME.kernel_data
Left = tuple[int, ...]  # cards left of each value: ace, two to nine, ten


def total(hand: tuple[int, ...]) -> tuple[int, bool]:
    """The Blackjack total of values (0 is the ace), and whether an ace counts eleven."""
    hard = sum(value + 1 for value in hand)
    soft = 0 in hand and hard <= 11
    return hard + 10 * soft, soft


def draws(left: Left):
    cards = sum(left)
    for value, n in enumerate(left):
        if n:
            rest = tuple(m - (v == value) for v, m in enumerate(left))
            yield Fraction(n, cards), value, rest


@cache
def dealer_law(hand: tuple[int, ...], left: Left) -> dict[int, Fraction]:
    """The chance of each total with which the dealer ends; 22 for a bust, 0 for a blackjack."""
    points, soft = total(hand)
    if len(hand) == 2 and points == 21:
        return {0: Fraction(1)}
    stands = points > 17 or (points == 17 and not (soft and DATA.hits_soft_17))
    if len(hand) > 1 and stands:
        return {min(points, 22): Fraction(1)}
    found: dict[int, Fraction] = defaultdict(Fraction)
    for chance, value, rest in draws(left):
        for end, other in dealer_law(tuple(sorted((*hand, value))), rest).items():
            found[end] += chance * other
    return found


def compare(points: int, end: int) -> int:
    return 1 if end == 22 or points > end else 0 if points == end else -1


def stand(hand: tuple[int, ...], dealer: tuple[int, ...], left: Left) -> Fraction:
    """The net of a hand that draws no more, over the rounds in which the dealer has no blackjack."""
    points = total(hand)[0]
    law = dealer_law(dealer, left)
    if points > 21:
        return law.get(0, Fraction(0)) - Fraction(1)
    if len(hand) == 6 and DATA.six_card_rule:
        return Fraction(1) - law.get(0, Fraction(0))
    return sum((chance * compare(points, end) for end, chance in law.items() if end), Fraction(0))


@cache
def best(hand: tuple[int, ...], dealer: tuple[int, ...], left: Left) -> Fraction:
    """The best of standing and hitting."""
    standing = stand(hand, dealer, left)
    if len(hand) == 6 or total(hand)[0] > 21:
        return standing
    hits = (c * best(tuple(sorted((*hand, v))), dealer, rest) for c, v, rest in draws(left))
    return max(standing, sum(hits, Fraction(0)))


def first(hand: tuple[int, ...], dealer: tuple[int, ...], left: Left) -> Fraction:
    doubled = sum((2 * c * stand((*hand, v), dealer, rest) for c, v, rest in draws(left)), Fraction(0))
    return max(best(hand, dealer, left), doubled)


def take(*values: int) -> Left:
    gone = Counter(values)
    return tuple((16 if v == 9 else 4) - gone[v] for v in range(10))


@pytest.mark.parametrize(
    ("hand", "up", "dead", "hole"),
    [
        ((5, 9), 9, (), (5,)),  # sixteen against a ten with a six under it
        ((3, 6), 4, (), (9,)),  # eleven against a five with a ten under it
        ((1, 9), 2, (), (0,)),  # twelve against a three with an ace under it
        ((5, 9), 8, (9,), ()),  # sixteen against a nine; a ten is dead
    ],
)
def test_a_hand_is_worth_what_a_plain_recursion_says(hand, up, dead, hole) -> None:
    nets, parts = blackjack_nets(GAME)
    one = SeenBlackjack(DATA.hits_soft_17, DATA.six_card_rule, nets, (2, -1), up, dead, hole)
    values, _ = one.play()
    at = one.hands[2].held.tolist().index(np.bincount(hand, minlength=10).tolist())
    left = take(*hand, up, *dead, *hole)
    dealer = (up, *hole)
    caught = Fraction(int(one.ways[2][at, -1]), int(one.ways[2][at].sum()))  # the dealer's blackjacks lose
    found = Fraction(int(values[at]), int(one.ways[2][at].sum()))
    assert found == parts * (first(tuple(sorted(hand)), dealer, left) - caught)


def test_an_ace_up_with_a_ten_under_it_is_insured() -> None:
    """Half a unit at 2 to 1 wins the unit that Blackjack loses."""
    one = SeenBlackjack(DATA.hits_soft_17, DATA.six_card_rule, blackjack_nets(GAME)[0], (1, -1), 0, (), (9,))
    values, choices = one.play()
    can_be = one.ways[2].sum(axis=1) > 0
    natural = (one.hands[2].held[:, 0] == 1) & (one.hands[2].held[:, 9] == 1)
    assert choices.insures[can_be].all()
    assert not values[can_be & ~natural].any()
    assert (values[natural] == one.ways[2][natural].sum(axis=1)).all()  # a push, and the insurance


@pytest.mark.parametrize("rank", range(13))
def test_war_from_51_cards(rank: int) -> None:
    """A tie loses half. 12 * 4 * 3 + 3 * 2 = 150 of 51 * 50 deals tie, whatever rank is gone."""
    assert seen_cards.expect_war(GAME, rank) == Fraction(-150, 2 * 51 * 50)


def test_poker_from_51_cards() -> None:
    """Over all ranks that can be gone, Poker nets what it nets from 52 cards."""
    mean = sum(seen_cards.expect_poker(GAME, rank) for rank in range(13)) / 13
    assert mean == -prove(GAME).house_edge("poker")


def test_a_stake_on_the_hat_trick_is_said_not_to_be_proved() -> None:
    stake = check_stake(GAME, default_stake(GAME) | {"hat-trick": 1})
    assert not any(card.ranks for card in seen_cards.see_cards(GAME, stake, nobody_listens))


@pytest.mark.parametrize("soft_17", ["hit", pytest.param("stand", marks=pytest.mark.slow)])
def test_a_card_that_is_not_used_changes_nothing_on_average(soft_17) -> None:
    """The base of both is solved by values here and by ranks and suits in the solver."""
    game = GAME.with_options({"soft-17": soft_17})
    stake = default_stake(game)
    for card in seen_cards.see_cards(game, stake, nobody_listens):
        assert card.unused == -prove(game, stake).loss
        assert all(each.used >= each.unused for each in card.ranks)
