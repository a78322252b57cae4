"""Triple Shot Rummy against the rules' own settlement and against symmetry."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

from feltlab.core.cards import Cards
from feltlab.core.layout import new_outcomes
from feltlab.core.round import Round
from feltlab.games import GAMES
from feltlab.games.triple_shot_rummy import rules
from feltlab.games.triple_shot_rummy import solver as exact
from feltlab.parallel.progress import nobody_listens
from feltlab.proving.advice import advise
from feltlab.proving.proof import prove

GAME = GAMES["triple-shot-rummy"]
ANTE, PAIR_PLUS, BONUS = GAME.wagers


def settled(player: tuple[int, ...], dealer: tuple[int, ...], choice: int) -> tuple[int, ...]:
    outcomes = new_outcomes(4)
    rules.settle(
        GAME.kernel_data, np.array([*player, *dealer], np.int8), np.array([choice], np.int8), outcomes
    )
    return tuple(outcomes.tolist())


def test_some_hands_against_every_dealer_by_the_rules() -> None:
    generator = np.random.default_rng(3)
    for _ in range(12):
        hand = tuple(sorted(generator.choice(52, 3, replace=False).tolist()))
        others = [card for card in range(52) if card not in hand]
        slow = Counter(settled(hand, dealer, rules.PLAY) for dealer in combinations(others, 3))
        table = exact.count_outcomes(np.array([hand], np.uint8))[0]
        fast: Counter[tuple[int, int]] = Counter()
        for outcomes, count in slow.items():
            fast[outcomes[0], outcomes[3]] += count
        assert {(p, b): int(n) for (p, b), n in np.ndenumerate(table) if n} == dict(fast)


def test_every_deal_is_counted_once() -> None:
    law = exact.solve(GAME, {}, "optimal", nobody_listens)
    assert sum(law.counts.values()) == sum(law.first_choices.values()) == comb(52, 3) * comb(49, 3)


def test_over_all_deals_neither_side_is_favoured() -> None:
    """A player who always plays has fewer points than the dealer as often as more, by symmetry."""
    ante = prove(GAME, strategy="never-fold").tally.outcomes(ANTE)
    unopposed = ante["dealer does not play"]
    player_over_20 = unopposed  # the same chance for either side
    # when both play, more = fewer by symmetry; other losers have more than 20 against a dealer who plays
    both_play_more = ante["more points"] - (player_over_20 - above_20_together())
    assert both_play_more == ante["fewer points"]


def above_20_together() -> int:
    """Deals in which both sides have more than 20 points, counted directly on points."""
    points = exact.dealers(exact.AS_RULED.points).points
    cards = exact.dealers(exact.AS_RULED.points).cards
    high = cards[points > rules.DEALER_PLAYS]
    return sum(int((high & one == 0).sum()) for one in high)


def test_side_bets_do_not_depend_on_the_strategy() -> None:
    laws = [prove(GAME, strategy=name).tally for name in ("optimal", "never-fold", "15-or-less")]
    for bet in (PAIR_PLUS, BONUS):
        assert len({tally.expected(bet) for tally in laws}) == 1


def test_optimal_is_20_points_or_less_and_beats_every_other_threshold() -> None:
    edges = {name: -prove(GAME, strategy=name).tally.expected(ANTE) for name in exact.STRATEGIES}
    best = edges.pop("optimal")
    assert min(edges.values()) == edges["20-or-less"] == best
    assert best == Fraction(7745, 239512)  # proved here; no edge of the main game is published


def test_the_card_is_the_solution() -> None:
    card = exact.card(GAME, {"ante": Fraction(1)})
    assert card.lines[0] == ("20 points or less", "play")
    assert (card.exceptions, card.cost) == ((), 0)


@pytest.mark.parametrize("hand", ["Ks 4d 7c", "Ks 4d 6c", "9c 9d 4h", "Ac 2c 3c"])
def test_advice_is_the_mean_over_every_dealer(hand: str) -> None:
    round = Round.of(GAME, hand, "", ante=100, pair_plus=100, six_card_bonus=100)
    held = Cards(round.seen[:3])
    others = [card for card in range(52) if card not in held]
    for advice in advise(round):
        choice = [c.name for c in GAME.choices].index(advice.choice)
        slow = Counter(settled(held, dealer, choice) for dealer in combinations(others, 3))
        tables = [GAME.pay_table(spot) for spot in GAME.spots]
        net = sum(
            count * sum(table.lines[n].pays for table, n in zip(tables, outcomes, strict=True) if n >= 0)
            for outcomes, count in slow.items()
        )
        assert advice.expected == 100 * Fraction(net) / comb(49, 3)
