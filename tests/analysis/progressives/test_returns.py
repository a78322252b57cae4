"""Returns, break-evens and laws of progressives, held to published figures and to simulation."""

from dataclasses import replace
from datetime import date
from fractions import Fraction
from math import ceil, comb, log, log1p

import numpy as np
import pytest

from feltlab import GAMES, Refused
from feltlab.analysis.progressives.checklists import checklist_items
from feltlab.analysis.progressives.level_chances import count_levels
from feltlab.analysis.progressives.meter_simulation import measure_returns, simulate_meter
from feltlab.analysis.progressives.progressive_proof import HitClock
from feltlab.analysis.progressives.proposal import make_proposal
from feltlab.analysis.progressives.returns import (
    ProgressiveReturns,
    geometric_percentile,
    must_hit_bet,
    must_hit_break_even,
    must_hit_return_at,
)
from feltlab.progressives.progressive import Attachment, Level, Meter, MustHit, Progressive
from feltlab.text import round_fraction

FIVE = ("player",)
DAY = date(2026, 11, 17)


def percent(number):
    return Fraction(str(number)) / 100


def made(levels, meters, reading="poker", attached=(("caribbean-stud", FIVE),), **changes):
    taken = sum((meter.taken for meter in meters), Fraction(0))
    return Progressive(
        "test", "Test", "2026-11-17", "test", 100, reading,
        tuple(Attachment(*each) for each in attached), tuple(meters), tuple(levels), 1 - taken, **changes,
    )  # fmt: skip


def returns_of(progressive, game="caribbean-stud"):
    return ProgressiveReturns(progressive, count_levels(progressive, game).chances)


# https://nilapub.com/games/casino-hold-em/progressive/: seed, rate, mean win and return of the metered lines.
HOLDEM = {
    1: (
        (1000, 9, "6847.66", "0.105391"),
        (250, 20, "1083.00", "0.260024"),
        (50, 8, "105.53", "0.152029"),
        "0.654960",
    ),
    2: (
        (6000, 8, "11197.92", "0.172345"),
        (500, 9.5, "895.68", "0.215048"),
        (100, 8, "155.53", "0.224058"),
        "0.748967",
    ),
}
LINES = (("Straight Flush", "Royal Flush"), ("Four of a Kind",), ("Full House",))


@pytest.mark.parametrize("table", HOLDEM)
def test_casino_holdem_line_by_line_to_six_digits(table):
    *metered, total = HOLDEM[table]
    meters = [
        Meter(hands[0], 100 * seed, percent(rate), seeded_by="house")
        for hands, (seed, rate, _, _) in zip(LINES, metered, strict=True)
    ]
    levels = [Level(hands[0], hands, Fraction(1), meter=hands[0]) for hands in LINES]
    levels += [
        Level("Flush", ("Flush",), fixed_cents=5_000),
        Level("Straight", ("Straight",), fixed_cents=1_000),
    ]
    returns = returns_of(made(levels, meters))
    for line, (_, _, win, returned) in zip(returns.level_returns(), metered, strict=False):
        assert str(round_fraction(line.mean_cents / 100, 2)) == win
        assert str(round_fraction(line.returned, 6)) == returned
    assert str(round_fraction(returns.long_run, 6)) == total
    assert returns.long_run == returns.conserved


def caribbean(fixed, **meter):
    names = ("Four of a Kind", "Full House", "Flush")
    levels = [Level("Royal Flush", ("Royal Flush",), Fraction(1)),
              Level("Straight Flush", ("Straight Flush",), Fraction(1, 10))]  # fmt: skip
    levels += [Level(name, (name,), fixed_cents=100 * pay) for name, pay in zip(names, fixed, strict=True)]
    given = {"name": "main", "seed_cents": 1_000_000, "rate": Fraction(1, 2), "reserve_rate": Fraction(1, 20)}
    return made(levels, [Meter(**given | meter)])


# Widely quoted; each is (1 - fixed) / (p of a royal + p of a straight flush / 10), rounded.
@pytest.mark.parametrize(("fixed", "even"), [((500, 100, 50), 218_047), ((100, 75, 50), 263_205)])
def test_caribbean_break_even_to_the_dollar(fixed, even):
    returns = returns_of(caribbean(fixed))
    meter = returns.progressive.meters[0]
    assert round_fraction(returns.break_even(meter) / 100, 0) == even
    assert returns.return_at({"main": returns.break_even(meter)}) == 1
    assert returns.chances[0] == Fraction(4, comb(52, 5))


def test_three_card_poker_breaks_even_at_about_ten_thousand():
    levels = (
        Level("spades", ("As Ks Qs",), Fraction(1)),
        Level("Royal Flush", ("Royal Flush",), fixed_cents=50_000),
        Level("Straight Flush", ("Straight Flush",), fixed_cents=7_000),
        Level("Three of a Kind", ("Three of a Kind",), fixed_cents=6_000),
        Level("Straight", ("Straight",), fixed_cents=600),
    )
    rules = made(levels, [Meter("main", 0, Fraction(1, 5))], "three-card", (("three-card-poker", FIVE),))
    returns = returns_of(rules, "three-card-poker")
    # By hand: (22,100 - 3*500 - 44*70 - 52*60 - 720*6) / 1 of 22,100; "about $10,000, 4.5 % per $1,000".
    assert returns.break_even(rules.meters[0]) == 100 * (22_100 - 1_500 - 3_080 - 3_120 - 4_320)
    assert str(round_fraction(returns.slope(rules.meters[0]) * 100_000, 3)) == "0.045"


def test_the_law_of_the_winning_amount_is_geometric():
    levels = [Level("Four of a Kind", ("Four of a Kind",), Fraction(1))]
    returns = returns_of(made(levels, [Meter("main", 25_000, Fraction(1, 5), seeded_by="house")]))
    meter, p = returns.progressive.meters[0], float(Fraction(624, comb(52, 5)))
    median = returns.percentile(meter, 50)
    bets = (median - 25_000) / 20
    assert 1 - (1 - p) ** int(bets) >= 0.5 > 1 - (1 - p) ** int(bets - 1)
    assert returns.chance_above(meter, median) <= 0.5 < returns.chance_above(meter, median - 20)
    cap = replace(meter, cap_cents=int(median), overflow="house")
    capped = ProgressiveReturns(made(levels, [cap]), returns.chances)
    assert capped.percentile(cap, 99) == median
    assert capped.overflow_share(cap) == pytest.approx(returns.chance_above(meter, median))
    assert returns.bets_to(meter, median) == bets


@pytest.mark.parametrize("hidden", [Fraction(0), Fraction(1, 20)])
def test_share_levels_conserve_money_in_a_hundred_million_simulated_bets(hidden):
    returns = returns_of(caribbean((50, 20, 10), hidden_rate=hidden))
    meter = returns.progressive.meters[0]
    history = simulate_meter(returns, meter, 100_000_000, np.random.default_rng(7))
    exact = sum(line.returned for line in returns.level_returns()[:2])
    assert abs(history.returned - float(exact)) < 5 * history.error < 0.2
    assert abs(history.residue) < 1e-9
    assert returns.long_run == returns.conserved
    assert history.percentile(50) < history.percentile(95)


def test_must_hit_by_is_the_closed_form():
    meter = Meter("mystery", 10_000, Fraction(1, 100), must_hit=MustHit(10_000, 50_000))
    # RTP share c (lo + hi) / (hi - lo) with the seed at the lower end.
    rules = made([Level("Pair", ("Pair",), fixed_cents=10)], [meter])
    returns = ProgressiveReturns(rules, (Fraction(1, 2),))
    assert returns.must_hit_return(meter) == Fraction(1, 100) * 60_000 / 40_000
    assert returns.long_run == returns.conserved
    edge = Fraction(1, 10)
    even = must_hit_break_even(meter, edge)
    assert must_hit_return_at(meter, even) == edge
    with pytest.raises(Refused, match="cannot be hit"):
        must_hit_return_at(meter, Fraction(50_000))


def test_envy_is_linear_in_the_other_seats():
    levels = [Level("Royal Flush", ("Royal Flush",), Fraction(1), envy_cents=10_000)]
    returns = returns_of(made(levels, [Meter("main", 0, Fraction(1, 2))]))
    assert returns.envy(6) == 6 * Fraction(4, comb(52, 5)) * 100


# -- Proposals --------------------------------------------------------------------------------------


def verdicts(progressive, **more):
    proposal = make_proposal(progressive, DAY, **more)
    return {item.name: (item.passes, item.sentence) for item in proposal.items}


def test_sixty_five_and_five_on_caribbeans_usual_pays_is_106_percent():
    found = verdicts(caribbean((500, 100, 50), rate=percent(65), reserve_rate=percent(5)))
    passes, why = found["solvency"]
    assert not passes
    assert "together 106.2" in why
    assert "more than the whole bet" in why


def test_reserves_must_cover_seeds():
    found = verdicts(caribbean((100, 20, 10), reserve_rate=percent(1)))
    assert not found["reserve"][0]  # 4 / 2,598,960 of $10,000 is 1.5391 % of each bet
    assert "1.5391 %" in found["reserve"][1]
    assert verdicts(caribbean((100, 20, 10), reserve_rate=percent(2)))["reserve"][0]


def test_caribbean_and_let_it_ride_may_be_linked_and_three_card_may_not():
    attached = (("caribbean-stud", FIVE), ("let-it-ride", ("player", "board")))
    linked = replace(caribbean((50, 10, 5)), attached=tuple(Attachment(*each) for each in attached))
    assert verdicts(linked)["link"][0]
    assert verdicts(linked)["washington: link"][0]
    seven = (("caribbean-stud", FIVE), ("high-five-poker", ("player:5",)))
    unlike = verdicts(replace(linked, attached=tuple(Attachment(*each) for each in seven)))
    assert not unlike["link"][0]  # a deck with a joker
    assert "A link needs equal chances" in unlike["link"][1]
    three = (("caribbean-stud", FIVE), ("three-card-poker", FIVE))
    with pytest.raises(Refused, match="takes 5 to 7 cards, but Three Card Poker gives it 3"):
        make_proposal(replace(linked, attached=tuple(Attachment(*each) for each in three)), DAY)


def test_a_link_of_unequal_cards_says_so_where_its_play_cannot_be_solved():
    """High Five Poker with a fold that forfeits has too many deals to solve; its deck has a joker anyway."""
    games = (("caribbean-stud", FIVE), ("high-five-poker", ("player:5",)))
    unlike = made([Level("Royal Flush", ("Royal Flush",), Fraction(1))], [Meter("main", 0, Fraction(1, 2))],
                  attached=games, fold="forfeits")  # fmt: skip
    # Four natural royals, and each of their five cards may be the joker: 24 of C(53, 5).
    with pytest.raises(Refused, match=r"A link needs equal chances, but .* 1/649740 at .* 24/28"):
        make_proposal(unlike, DAY)


def test_seven_in_a_row_of_a_suit_with_a_joker():
    """228 of C(53, 7): eight runs in each suit; with a joker six of a run's seven cards, each set once.

    By hand for a suit: of 8 runs 7 sets each is 56, less the 7 that two neighbours share (their middle six).
    """
    rules = made([Level("seven", ("run of seven",), Fraction(1))], [Meter("main", 0, Fraction(1, 2))],
                 "suited-run", (("high-five-poker", ("player",)),))  # fmt: skip
    counted = count_levels(rules, "high-five-poker")
    assert counted.counts == (4 * 8 + 4 * (8 * 7 - 7),) == (228,)
    assert counted.sets == comb(53, 7) == 154_143_080


def test_checklists_follow_the_day():
    levels = [Level("Royal Flush", ("Royal Flush",), Fraction(1)),
              Level("Flush", ("Flush",), Fraction(1), meter="second")]  # fmt: skip
    two = made(levels, [Meter("main", 0, Fraction(1, 5)), Meter("second", 0, Fraction(1, 5))])
    chances = {"caribbean-stud": count_levels(two, "caribbean-stud").chances}
    names = lambda on, several=None: {  # noqa: E731
        item.name: item.passes for item in checklist_items(two, chances, on, ("washington",), several)
    }
    assert names(DAY)["washington: one at a time"] is False
    assert "washington: one at a time" not in names(date(2015, 11, 7))
    assert "washington: one at a time" not in names(DAY, date(2024, 1, 1))
    with pytest.raises(Refused, match="has no checklist"):
        checklist_items(two, chances, DAY, ("atlantis",))


def test_new_jersey_refuses_odds_beyond_a_hundred_million():
    levels = [Level("never", ("Five Aces",), Fraction(1))]
    rules = made(levels, [Meter("main", 0, Fraction(1, 2))])
    items = checklist_items(rules, {"caribbean-stud": (Fraction(0),)}, DAY, ("new-jersey",))
    assert [item.passes for item in items if item.name == "new-jersey: odds"] == [False]


def test_fixed_prizes_of_the_meter_may_not_drain_it():
    rules = caribbean((500, 100, 50), rate=percent(30))
    levels = tuple(replace(level, from_meter=bool(level.fixed_cents)) for level in rules.levels)
    assert not verdicts(replace(rules, levels=levels, house_rate=percent(65)))["solvency"][0]
    fed = replace(rules.meters[0], rate=percent(65))
    rich = replace(rules, levels=levels, house_rate=percent(30), meters=(fed,))
    assert verdicts(rich)["solvency"][0]


def test_every_game_is_refused_where_hands_are_too_many():
    with pytest.raises(Refused, match="at most 200,000,000 are counted"):
        count_levels(
            made([Level("run", ("run of five",), Fraction(1))], [Meter("m", 0, Fraction(1, 2))], "suited-run",
                 (("casino-war", ("player", "dealer")),)),
            GAMES["casino-war"],
        )  # fmt: skip


# -- Must-hit-by ------------------------------------------------------------------------------------


def secret_meter(knots=(), low=10_000, high=50_000, rate=Fraction(1, 100)):
    return Meter("mystery", 10_000, rate, must_hit=MustHit(low, high, knots))


def every_trigger(meter, bet_cents, triggers):
    """The mean prize and the mean bets of a jackpot, by playing until each secret amount is passed."""
    prizes, bets = Fraction(0), 0
    for trigger in triggers:
        shown = Fraction(meter.seed_cents)
        while shown < trigger:
            shown = min(shown + meter.rate * bet_cents, Fraction(meter.must_hit.high_cents))
            bets += 1
        prizes += shown
    return prizes / len(triggers), Fraction(bets, len(triggers))


def test_one_bet_on_a_secret_amount_is_worth_what_every_trigger_says():
    meter, bet = secret_meter(low=10_000, high=10_100), 1_000  # each bet adds 10 cents
    triggers = [10_000 + Fraction(2 * n + 1, 2) for n in range(100)]
    for now in (10_000, 10_050, 10_090):
        chance, prize = must_hit_bet(meter, bet, now)
        left = [trigger for trigger in triggers if trigger > now]
        assert chance == Fraction(sum(trigger <= now + 10 for trigger in left), len(left))
        assert prize == now + 10
    # Small bets come near the closed forms: the mean prize, the bets, and c x / (hi - x) of each bet.
    prize, bets = every_trigger(meter, 100, triggers)
    assert abs(prize - meter.must_hit.mean_cents) <= 1
    assert abs(bets - 50) <= 1
    chance, prize = must_hit_bet(meter, 1, 10_050)
    assert abs(chance * prize - must_hit_return_at(meter, Fraction(10_050))) < Fraction(1, 10_000)


def test_a_declared_law_of_the_secret_amount_is_exact():
    law = secret_meter(((20_000, Fraction(3, 4)),)).must_hit
    assert law.mean_cents == Fraction(3, 4) * 15_000 + Fraction(1, 4) * 35_000
    assert [law.amount_at(Fraction(n, 4)) for n in range(5)] == [
        10_000, Fraction(40_000, 3), Fraction(50_000, 3), 20_000, 50_000,
    ]  # fmt: skip
    assert [law.chance_by(cents) for cents in (0, 15_000, 20_000, 35_000, 99_999)] == [
        0, Fraction(3, 8), Fraction(3, 4), Fraction(7, 8), 1,
    ]  # fmt: skip
    meter = secret_meter(((20_000, Fraction(3, 4)),))
    rules = made([Level("Pair", ("Pair",), fixed_cents=10)], [meter])
    returns = ProgressiveReturns(rules, (Fraction(1, 2),))
    assert returns.long_run == returns.conserved
    assert returns.win_rate(meter) == meter.rate * rules.bet_cents / (law.mean_cents - 10_000)
    for edge in (Fraction(1, 50), Fraction(1, 4), Fraction(3, 1)):
        even = must_hit_break_even(meter, edge)
        assert must_hit_return_at(meter, even) == edge or even in (10_000, 20_000)
        assert must_hit_return_at(meter, even) >= edge or even == 20_000


def test_the_share_of_a_secret_amount_is_the_contribution_where_it_begins_at_nothing():
    meter = Meter("mystery", 0, Fraction(1, 50), must_hit=MustHit(0, 50_000))
    returns = ProgressiveReturns(made([Level("Pair", ("Pair",), fixed_cents=10)], [meter]), (Fraction(1, 2),))
    assert returns.must_hit_return(meter) == Fraction(1, 50)
    assert must_hit_break_even(meter, Fraction(1, 10)) == Fraction(1, 10) * 50_000 / (Fraction(3, 25))
    with pytest.raises(Refused, match="is not a must-hit-by"):
        must_hit_return_at(Meter("m", 0, Fraction(1, 2)), Fraction(1))


# -- Clocks and caps --------------------------------------------------------------------------------


@pytest.mark.parametrize("share", [Fraction(1, 20), Fraction(1, 2), Fraction(3, 4), Fraction(99, 100)])
@pytest.mark.parametrize("chance", [Fraction(1, 2), Fraction(1, 4), Fraction(1, 649_740)])
def test_percentiles_of_the_clock_are_exact(share, chance):
    many = geometric_percentile(chance, share)
    lost = 1 - chance
    if many < 1_000:
        assert 1 - lost**many >= share
        assert many == 1 or 1 - lost ** (many - 1) < share
    else:
        assert many == ceil(log(1 - share) / log1p(-float(chance)))


def test_the_clock_counts_bets_rounds_and_days():
    clock = HitClock(tables=10, seats=6, rounds_an_hour=40, hours_a_day=20)
    assert clock.bets_a_day == 48_000
    assert clock.days(649_740) == Fraction(649_740, 48_000)
    assert clock.rounds(649_740) == 10_829
    with pytest.raises(Refused, match="tables is a number from 1 to 10,000, not 0"):
        HitClock(tables=0)


@pytest.mark.parametrize("overflow", ["house", "reserve", "next"])
def test_a_cap_beside_share_levels_is_simulated_and_conserves_money(overflow):
    rules = caribbean((50, 20, 10), cap_cents=40_000_000, overflow=overflow)
    free = returns_of(caribbean((50, 20, 10)))
    found = measure_returns(rules, free.chances)
    (meter,) = rules.meters
    history = simulate_meter(found, meter, 5 * 10**10, np.random.default_rng(3))
    assert abs(history.residue) < 1e-9
    assert history.overflow_share == pytest.approx(found.overflow_share(meter), abs=0.02)
    exact = sum(line.returned for line in found.level_returns()[:2])
    assert abs(history.returned - float(exact)) < 5 * history.error
    uncapped = free.mean_seen(free.progressive.meters[0])
    assert (found.mean_seen(meter) == uncapped) == (overflow == "next")
    assert found.long_run == found.conserved


def test_a_cap_that_money_cannot_pass_fails_conservation():
    levels = [Level("Royal Flush", ("Royal Flush",), Fraction(1))]
    meter = Meter("main", 1_000_00, Fraction(1, 2), Fraction(1, 100), cap_cents=2_000_00)
    found = verdicts(made(levels, [meter]))
    assert found["conservation"][0] is False  # the mean win without a cap is far above it
    assert "a cap keeps the rest" in found["conservation"][1]


def test_a_meter_without_contribution_keeps_its_seed():
    levels = [Level("Royal Flush", ("Royal Flush",), Fraction(1))]
    returns = returns_of(made(levels, [Meter("main", 5_000, Fraction(0), Fraction(1, 2))]))
    (meter,) = returns.progressive.meters
    assert [returns.chance_above(meter, cents) for cents in (4_999, 5_000)] == [1.0, 0.0]
    assert returns.percentile(meter, 99) == 5_000


# -- Checklists by the day --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("day", "bet", "passes"),
    [((2023, 8, 18), 30_001, False), ((2023, 8, 19), 30_001, True), ((2023, 8, 19), 40_001, False),
     ((2008, 12, 31), 100, None)],
)  # fmt: skip
def test_the_bet_is_a_wager_under_the_limit_of_its_day(day, bet, passes):
    assert washington(date(*day), bet_cents=bet)["wager limit"].passes is passes


@pytest.mark.parametrize(
    ("day", "limit"), [((2007, 12, 31), 2), ((2008, 1, 1), 3), ((2009, 9, 13), 3), ((2009, 9, 14), 6)]
)
def test_the_progressive_is_a_game_on_the_hand(day, limit):
    item = washington(date(*day), bet_cents=600)["games on a hand"]
    assert f"a hand may carry {limit}." in item.sentence
    assert "counts among the three over $5" in item.sentence


def washington(on, **changes):
    rules = replace(caribbean((50, 20, 10)), **changes)
    chances = {"caribbean-stud": (Fraction(1, 9),) * 5}
    items = checklist_items(rules, chances, on, ("washington",))
    assert all(item.citation for item in items)
    return {item.name.removeprefix("washington: "): item for item in items}


def test_prizes_over_three_thousand_dollars_are_paid_on_camera():
    assert washington(DAY)["camera"].passes is None
    low = caribbean((50, 20, 10), seed_cents=100, cap_cents=2_000_00)
    chances = {"caribbean-stud": (Fraction(1, 9),) * 5}
    items = {item.name: item for item in checklist_items(low, chances, DAY, ("washington",))}
    assert items["washington: camera"].passes is True


# "As 1 with quads 300 (.272029), straight 20 (.078493)", PUB nilapub.com/games/casino-hold-em/progressive.
@pytest.mark.parametrize(
    ("hand", "seed", "rate", "returned"), [("Four of a Kind", 30_000, Fraction(1, 5), "0.272029")]
)
def test_the_third_casino_holdem_table(hand, seed, rate, returned):
    chance = Fraction(624, comb(52, 5))
    assert str(round_fraction(rate + chance * seed / 100, 6)) == returned
    meter = Meter("main", seed, rate, seeded_by="house")
    (line,) = returns_of(made([Level(hand, (hand,), Fraction(1))], [meter])).level_returns()
    assert str(round_fraction(line.returned, 6)) == returned
    straight = Level("Straight", ("Straight",), fixed_cents=2_000)
    lines = returns_of(made([Level(hand, (hand,), Fraction(1)), straight], [meter])).level_returns()
    assert str(round_fraction(lines[1].returned, 6)) == "0.078493"


# -- Further progressives, each by counts of all hands -----------------------------------------------


FIVE_CARDS = {"Royal Flush": 4, "Straight Flush": 36, "Four of a Kind": 624, "Full House": 3_744,
              "Flush": 5_108, "Straight": 10_200, "Three of a Kind": 54_912}  # fmt: skip


def levels_of(pays):
    """A level for each hand: a share of the meter, or whole dollars."""
    return [
        Level(hand, (hand,), pay)
        if isinstance(pay, Fraction)
        else Level(hand, (hand,), fixed_cents=100 * pay)
        for hand, pay in pays.items()
    ]


def test_the_first_five_cards_of_ultimate_are_a_five_card_hand():
    """Two cards and the flop: the break-even is (C(52, 5) - fixed prizes) / (4 + 36 / 10)."""
    fixed = {"Four of a Kind": 300, "Full House": 50, "Flush": 40, "Straight": 30, "Three of a Kind": 9}
    shares = {"Royal Flush": Fraction(1), "Straight Flush": Fraction(1, 10)}
    rules = made(levels_of(shares | fixed), [Meter("main", 100_000, Fraction(1, 5), Fraction(1, 100))],
                 attached=(("ultimate-texas-holdem", ("player", "board:3")),))  # fmt: skip
    returns = returns_of(rules, "ultimate-texas-holdem")
    assert returns.chances == tuple(Fraction(FIVE_CARDS[hand], comb(52, 5)) for hand in shares | fixed)
    prizes = sum(FIVE_CARDS[hand] * pay for hand, pay in fixed.items())
    assert returns.break_even(rules.meters[0]) / 100 == (comb(52, 5) - prizes) / Fraction("7.6")
    assert returns.mean_seen(rules.meters[0]) == 6_892_000  # (0.2 C(52, 5) + 4 * 1,000) / 7.6 dollars


def test_shares_alone_make_the_meter_small():
    """Shares of 20, 10, 5 and 2 % beside the royal's 100 %: hands that are common keep the meter down."""
    shares = {"Royal Flush": Fraction(1), "Straight Flush": percent(20), "Four of a Kind": percent(10),
              "Full House": percent(5), "Flush": percent(2)}  # fmt: skip
    (meter,) = (rules := made(levels_of(shares), [Meter("main", 100_000, percent(60), percent(1))])).meters
    weight = sum(FIVE_CARDS[hand] * share for hand, share in shares.items())  # 362.96 of C(52, 5)
    returns = returns_of(rules)
    assert returns.break_even(meter) == 100 * comb(52, 5) / weight
    assert returns.mean_seen(meter) == 100 * (percent(60) * comb(52, 5) + 4 * 1_000) / weight
    assert str(round_fraction(returns.mean_seen(meter) / 100, 2)) == "4307.30"


def test_the_envy_of_a_three_card_progressive():
    """100 of 22,100 hands win: one in spades, three other suited A-K-Q, 44 straight flushes, 52 threes."""
    levels = [
        Level("spades", ("As Ks Qs",), Fraction(1), envy_cents=10_000),
        Level("Royal Flush", ("Royal Flush",), fixed_cents=50_000, envy_cents=2_500),
        *levels_of({"Straight Flush": 100, "Three of a Kind": 90}),
    ]
    meter = Meter("main", 100_000, Fraction(1, 5), Fraction(1, 20))
    returns = returns_of(
        made(levels, [meter], "three-card", (("three-card-poker", FIVE),)), "three-card-poker"
    )
    assert sum(returns.chances) == Fraction(100, 22_100)
    assert returns.break_even(meter) == 100 * (22_100 - 3 * 500 - 44 * 100 - 52 * 90)
    assert returns.mean_seen(meter) == 100_000 + 20 * 22_100
    assert returns.envy(1) == Fraction(1 * 100 + 3 * 25, 22_100)
