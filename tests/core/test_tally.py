"""Tallies: small examples worked out by hand, and what must hold of any tally."""

from fractions import Fraction

import numpy as np
import pytest

from feltlab.core.game import Game
from feltlab.core.layout import NOT_PLACED, new_outcomes
from feltlab.core.settlement import Settled
from feltlab.core.tally import Outcomes, Tally
from feltlab.games import GAMES
from tests.support.game_strategies import ALL_GAMES, random_round

WAR = GAMES["casino-war"]
PRIMARY, TIE = WAR.spots
WON, LOST, SURRENDERED = 0, 1, 2  # of the primary wager
WAR_WON = PRIMARY.number(3, units=2)
TIED, NOT_TIED = 0, 1

# Eight deals: four won, two lost, one surrendered, one won at war.
EIGHT = Tally(WAR, {(WON, NOT_TIED): 4, (LOST, NOT_TIED): 2, (SURRENDERED, TIED): 1, (WAR_WON, TIED): 1})

every_game = pytest.mark.parametrize("game", ALL_GAMES, ids=lambda game: game.name)


def outcomes_of(game: Game, times: int) -> list[Outcomes]:
    rng = np.random.default_rng(5)
    found = []
    for _ in range(times):
        round = random_round(game, rng)
        outcomes = np.full_like(new_outcomes(len(game.spots)), NOT_PLACED)
        game.rules.settle(game.kernel_data, round._array, round._played, outcomes)
        pairs = zip(game.spots, outcomes.tolist(), strict=True)
        found.append(tuple(spot.number(number, round.units(spot)) for spot, number in pairs))
    return found


# -- By hand ----------------------------------------------------------------------------------------


def test_deals_and_outcomes_are_counted() -> None:
    assert EIGHT.deals == 8
    assert EIGHT.outcomes(PRIMARY) == {
        "higher card": 4, "lower card": 2, "surrender": 1, "war won": 1, "war tied": 0, "war lost": 0,
    }  # fmt: skip
    assert EIGHT.outcomes(TIE) == {"tie": 2, "no tie": 6}


def test_the_mean_net_by_hand() -> None:
    assert EIGHT.expected(PRIMARY) == Fraction(5, 16)  # (4 * 1 - 2 * 1 - 1/2 + 1) / 8
    assert EIGHT.expected(TIE) == Fraction(7, 4)  # (2 * 10 - 6 * 1) / 8


def test_the_variance_by_hand() -> None:
    # Squares: 4 * 1 + 2 * 1 + 1/4 + 1 = 29/4 in 8 deals; less the squared mean.
    assert EIGHT.variance(PRIMARY) == Fraction(29, 32) - Fraction(5, 16) ** 2
    # Squares: 2 * 100 + 6 * 1 = 206 in 8 deals.
    assert EIGHT.variance(TIE) == Fraction(206, 8) - Fraction(7, 4) ** 2


def test_the_covariance_by_hand() -> None:
    # Products: 4 * (1 * -1) + 2 * (-1 * -1) - 1/2 * 10 + 1 * 10 = 3 in 8 deals.
    assert EIGHT.covariance(PRIMARY, TIE) == Fraction(3, 8) - Fraction(5, 16) * Fraction(7, 4)


def test_the_average_wager_and_the_element_of_risk_by_hand() -> None:
    assert EIGHT.average_wager(PRIMARY) == Fraction(9, 8)  # one deal of eight puts a second unit down
    assert EIGHT.average_wager(TIE) == 1
    assert EIGHT.element_of_risk(PRIMARY) == Fraction(-5, 16) / Fraction(9, 8)


def test_frequencies_by_hand() -> None:
    assert EIGHT.hit_frequency(PRIMARY) == Fraction(5, 8)  # four higher cards and a war
    assert EIGHT.win_frequency(PRIMARY) == Fraction(5, 8)
    assert EIGHT.push_frequency(PRIMARY) == 0
    assert EIGHT.hit_frequency(TIE) == Fraction(1, 4)


def test_a_bet_is_its_first_wager_and_its_raises() -> None:
    """High Five Poker, three deals: both won; fold; unqualified dealer, where only the Ante wins."""
    game = GAMES["high-five-poker"]
    ante = game.spot("ante")
    no_trips = 9
    tally = Tally.of(game, [(2, 2, no_trips), (NOT_PLACED, 0, no_trips), (0, 1, no_trips)])
    assert tally.expected(ante) == Fraction(2 - 1 + 1, 3)
    assert tally.average_wager(ante) == Fraction(2 + 1 + 2, 3)
    assert tally.element_of_risk(ante) == Fraction(-2, 5)
    assert tally.outcomes(game.spot("play"))["better hand"] == 1
    assert sum(tally.outcomes(game.spot("play")).values()) == 2  # nothing is put on Play by a fold


def test_a_raise_counts_at_its_size() -> None:
    """Insurance is half the Blackjack wager: it wins 2 to 1 on a half while a dealer's blackjack wins."""
    game = GAMES["triple-shot-bonus"]
    insured, dealers_blackjack = 0, 6
    tally = Tally.of(game, [(0, insured, dealers_blackjack, 9, 2)])
    assert tally.expected(game.spot("blackjack")) == 2 * Fraction(1, 2) - 1
    assert tally.average_wager(game.spot("blackjack")) == Fraction(3, 2)
    assert tally.push_frequency(game.spot("blackjack")) == 1  # even money, as insurance means to be


def test_two_tallies_add_up() -> None:
    more = Tally.of(WAR, [(WON, NOT_TIED), (LOST, NOT_TIED), (WAR_WON, TIED)])
    both = EIGHT + more
    assert both.deals == 11
    assert both.counts[WON, NOT_TIED] == 5
    assert both.expected(PRIMARY) == (8 * EIGHT.expected(PRIMARY) + 3 * more.expected(PRIMARY)) / 11


def test_tallies_of_different_games_do_not_add_up() -> None:
    with pytest.raises(ValueError, match="different games"):
        EIGHT + Tally(WAR.with_options({"decks": "1"}), EIGHT.counts)


# -- What holds of any tally ------------------------------------------------------------------------


@every_game
def test_every_deal_is_a_win_a_push_or_a_loss(game: Game) -> None:
    outcomes = outcomes_of(game, 200)
    tally = Tally.of(game, outcomes)
    for bet in game.wagers:
        lost = Fraction(sum(tally.net(bet, one) < 0 for one in outcomes), len(outcomes))
        assert tally.win_frequency(bet) + tally.push_frequency(bet) + lost == 1
        pays = [line.pays for line in game.pay_table(bet).lines]
        own = [bet.split_number(one[game.spot_numbers[bet.name]])[0] for one in outcomes]
        assert tally.hit_frequency(bet) == Fraction(sum(pays[number] > 0 for number in own), len(own))


@every_game
def test_covariance_is_symmetric_and_a_variance_is_never_negative(game: Game) -> None:
    tally = Tally.of(game, outcomes_of(game, 200))
    for bet in game.wagers:
        assert tally.variance(bet) >= 0
        for other in game.wagers:
            assert tally.covariance(bet, other) == tally.covariance(other, bet)
            assert tally.covariance(bet, other) ** 2 <= tally.variance(bet) * tally.variance(other)


@every_game
def test_a_stake_is_the_sum_of_its_bets(game: Game) -> None:
    """Mean and variance of the summed net, found from each deal's net directly."""
    outcomes = outcomes_of(game, 200)
    tally = Tally.of(game, outcomes)
    stake = {bet.name: Fraction(n + 2, 2) for n, bet in enumerate(game.wagers)}
    nets = [sum(units * tally.net(game.spot(bet), one) for bet, units in stake.items()) for one in outcomes]
    mean = sum(nets, Fraction(0)) / len(nets)
    assert tally.total_expected(stake) == mean
    assert tally.total_variance(stake) == sum(((net - mean) ** 2 for net in nets), Fraction(0)) / len(nets)


@every_game
def test_a_tally_pays_what_rounds_pay(game: Game) -> None:
    """The mean of the nets in cents, bet by bet with raises, over the unit."""
    rng = np.random.default_rng(5)  # the seed of `outcomes_of`
    tally = Tally.of(game, outcomes_of(game, 100))
    rounds = [random_round(game, rng) for _ in range(100)]
    for bet in game.wagers:
        unit = rounds[0].wagers[bet.name]
        wagers = [settled for round in rounds for settled in round.settlement.wagers]
        own = [settled for settled in wagers if bet.name in (settled.spot.name, settled.spot.follows)]
        assert tally.expected(bet) == Fraction(sum(settled.net for settled in own), 100 * unit)
        staked = sum(settled.staked for settled in own if is_wagered(game, settled))
        assert tally.average_wager(bet) == Fraction(staked, 100 * unit)


def is_wagered(game: Game, settled: Settled) -> bool:
    """A bet that was taken back was not wagered."""
    lines = game.pay_table(settled.spot).lines
    return next(line.wagered for line in lines if line.outcome == settled.outcome)


@every_game
def test_parts_add_up_to_the_whole(game: Game) -> None:
    outcomes = outcomes_of(game, 200)
    assert Tally.of(game, outcomes[:70]) + Tally.of(game, outcomes[70:]) == Tally.of(game, outcomes)
