"""Joint play of games with several choices, held to every deal of a tiny deck and to the scan of a choice."""

from collections import defaultdict
from fractions import Fraction
from itertools import pairwise, permutations
from math import ceil, floor

import numpy as np
import pytest

from feltlab import GAMES, Refused
from feltlab.analysis.progressives.joint_play import OneChoicePlay, solve_joint_play
from feltlab.analysis.progressives.level_prizes import meter_to_move, prize_lines
from feltlab.analysis.progressives.street_play import StreetPlay
from feltlab.analysis.progressives.street_walk import StreetWalk
from feltlab.core.layout import new_outcomes
from feltlab.core.stake import default_stake
from feltlab.core.tally import Tally
from feltlab.progressives.claims import attach
from feltlab.progressives.progressive import Attachment, Level, Meter, Progressive
from tests.support.small_decks import with_deck

UNIT = 500
MISSISSIPPI = GAMES["mississippi-stud"]
TINY = with_deck(MISSISSIPPI, "2c 3c 5c 7d 9h Kh")  # every hand is folded where nothing else is won
LEVELS = (
    Level("three", ("three of a suit",), Fraction(1)),
    Level("two", ("two of a suit",), Fraction(1, 10)),
)
MAIN = (Meter("main", 0, Fraction(1, 2)),)


def jackpot(game, cards, levels=LEVELS, meters=MAIN, reading="longest-suit"):
    attached = (Attachment(game, cards),)
    rest = 1 - sum(meter.rate for meter in meters)
    return Progressive(
        "p", "P", "2026-11-17", "test", 100, reading, attached, meters, levels, rest, "forfeits"
    )


def street_play(rules, game, others=None):
    meter = meter_to_move(rules, None)
    walk = StreetWalk(attach(rules, game), default_stake(game), UNIT)
    return StreetPlay(walk, meter, prize_lines(rules, meter, others or {}))


@pytest.fixture(scope="module")
def tiny():
    return street_play(jackpot("mississippi-stud", ("player", "board")), TINY)


def best_of_every_deal(hand, game, meter_cents):
    """The value of the best play in cents, in plain Python, with the claims of a live table."""
    tally, stake = Tally(game, {}), default_stake(game)

    def worth(shoe, made):
        outcomes = new_outcomes(len(game.spots))
        game.rules.settle(game.kernel_data, np.array(shoe, np.int8), np.array(made, np.int8), outcomes)
        units = [sum(game.puts(game.choices[n], k).count(s.name) for k, n in enumerate(made))
                 for s in game.spots]  # fmt: skip
        joint = tuple(
            s.number(int(o), u) for s, o, u in zip(game.spots, outcomes.tolist(), units, strict=True)
        )
        net = sum(units * tally.net(game.spot(bet), joint) for bet, units in stake.items() if units)
        level = hand.claim(shoe, made)
        bet = hand.progressive.bet_cents
        prize = level.fixed_cents + level.share * meter_cents + bet * level.to_one if level else Fraction(0)
        return net * UNIT + prize

    def best(shoes, made):
        total = Fraction(0)
        views = defaultdict(list)
        for shoe in shoes:
            seen, array = np.empty(game.places, np.int8), np.array(shoe, np.int8)
            game.rules.visible(game.kernel_data, array, np.array(made, np.int8), seen)
            views[tuple(seen.tolist())].append(shoe)
        for alike in views.values():
            legal = game.rules.legal(game.kernel_data, np.array(alike[0], np.int8), np.array(made, np.int8))
            if legal:
                open_now = [n for n in range(len(game.choices)) if legal >> n & 1]
                total += max(best(alike, (*made, n)) for n in open_now)
            else:
                total += sum(worth(shoe, made) for shoe in alike)
        return total

    shoes = [*permutations(game.deck.cards, game.places)]
    return best(shoes, ()) / len(shoes) - hand.progressive.bet_cents


@pytest.mark.slow
@pytest.mark.parametrize("cents", [0, 12_000])
def test_the_value_is_that_of_every_deal_of_a_tiny_deck(tiny, cents):
    assert tiny.value_at(cents) == best_of_every_deal(tiny.walk.hand, TINY, cents)


@pytest.mark.slow
def test_the_value_is_a_rising_convex_polygon_and_its_figures_lie_on_it(tiny):
    values = [tiny.value_at(cents) for cents in range(0, 100_001, 20_000)]
    rises = [after - before for before, after in pairwise(values)]
    assert rises == sorted(rises)
    assert min(rises) >= 0
    even, first = tiny.break_even, tiny.first_move
    assert tiny.gain_at(floor(first)) == 0
    assert tiny.gain_at(ceil(first) + 1) > 0
    assert tiny.value_at(floor(even)) <= tiny.main <= tiny.value_at(ceil(even))
    shares = tiny.street_shares(100_000)
    assert sum(new for street, _, _, new in shares if street == "third") == 1
    assert [old for street, choice, old, _ in shares if (street, choice) == ("third", "fold")] == [1]
    assert tiny.moved_share(100_000) > 0
    assert tiny.examples(100_000, 3)[0][1] == "fold"


@pytest.mark.slow
def test_the_tree_and_the_scan_of_one_choice_agree():
    game = GAMES["big-raise-stud"]
    levels = (Level("Flush", ("Flush",), Fraction(1)), Level("Pair", ("Pair",), fixed_cents=150))
    rules = jackpot("big-raise-stud", ("player", "board"), levels, reading="poker")
    scanned = solve_joint_play(rules, game, default_stake(game), UNIT)
    assert isinstance(scanned, OneChoicePlay)
    walked = street_play(rules, game)
    for cents in (0, 30_000, 300_000):
        assert walked.value_at(cents) == scanned.value_at(cents)
        assert walked.gain_at(cents) == scanned.gain_at(cents)
        assert walked.moved_share(cents) == scanned.moved_share(cents)
    assert walked.break_even == scanned.break_even
    assert walked.first_move == scanned.first_move


def test_two_meters_are_lines_in_one_and_fixed_prizes_of_the_other():
    second = Level("second", ("four of a suit",), Fraction(1), meter="second", to_one=True)
    meters = Meter("main", 0, Fraction(1, 4)), Meter("second", 0, Fraction(1, 4))
    rules = jackpot("mississippi-stud", ("player", "board"), (*LEVELS, second), meters)
    lines = prize_lines(rules, rules.meters[0], {"second": 500})
    assert [tuple(line) for line in lines] == [(0, 1), (0, Fraction(1, 10)), (600, 0)]
    lines = prize_lines(rules, rules.meters[1], {"main": 900})
    assert [tuple(line) for line in lines] == [(900, 0), (90, 0), (100, 1)]
    with pytest.raises(Refused, match="needs an amount on meter 'main'"):
        prize_lines(rules, rules.meters[1], {})
    with pytest.raises(Refused, match="No hand wins a share of meter 'third'; possible is main or second"):
        meter_to_move(rules, "third")


def test_a_tree_that_is_too_large_is_refused_with_its_estimate():
    rules = jackpot("ultimate-texas-holdem", ("player", "board:3"))
    game = GAMES["ultimate-texas-holdem"]
    joint = solve_joint_play(rules, game, default_stake(game), UNIT)
    with pytest.raises(Refused, match=r"has about \de\+13 deals to visit for each amount on the meter"):
        joint.value_at(100)


def test_a_hand_of_some_cards_of_an_area_reads_their_order():
    whole, part = (jackpot("mississippi-stud", ("player", each)) for each in ("board:3", "board:2"))
    games = [
        StreetWalk(attach(each, MISSISSIPPI), default_stake(MISSISSIPPI), UNIT).game for each in (whole, part)
    ]
    assert [[area.any_order for area in game.areas] for game in games] == [[True, True], [True, False]]
    assert games[0].suits == "alike"
