"""Joint play: the main game and the jackpot together, held to hands that are valued one by one."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise

import pytest

from feltlab import GAMES, Refused, Round, cards
from feltlab.analysis.progressives.decision_scan import FORFEITS, shape_of
from feltlab.analysis.progressives.joint_play import solve_joint_play
from feltlab.analysis.progressives.play_chances import chances_at
from feltlab.core.stake import default_stake
from feltlab.games import solver_of
from feltlab.progressives.catalogue import find_progressive
from feltlab.progressives.claims import attach

RUMMY = GAMES["triple-shot-rummy"]
STAKE = default_stake(RUMMY)
UNIT = 500


@pytest.fixture(scope="module")
def rules():
    """The 6 Card jackpot in a house in which a fold forfeits it: three of its six cards are not seen."""
    return replace(find_progressive("six-card-jackpot"), fold="forfeits")


@pytest.fixture(scope="module")
def joint(rules):
    return solve_joint_play(rules, RUMMY, STAKE, UNIT)


def test_the_choice_is_described_by_the_unseen_cards_that_count(rules):
    shape = shape_of(attach(rules, RUMMY))
    assert (shape.own, shape.beside) == ((0, 1, 2), ())
    assert shape.unseen[RUMMY.choice_numbers["play"]] == 3
    assert shape.unseen[RUMMY.choice_numbers["fold"]] == FORFEITS
    assert shape.moves


def prize_of(rules, held, cents):
    """The mean prize of three cards that stay in play, by dealing every three cards of the dealer."""
    hand = attach(rules, RUMMY)
    rest = [card for card in range(52) if card not in held]
    found = [hand.find((*held, *three)) for three in combinations(rest, 3)]
    won = sum(level.fixed_cents + level.share * cents for level in found if level)
    return won / len(found)


@pytest.mark.parametrize("meter", [100_000, 50_000_000])
def test_a_hand_is_valued_like_the_solver_and_every_deal(joint, rules, meter):
    hand = joint.moved_at(50_000_000)[7]
    values = solver_of(RUMMY).values(Round.of(RUMMY, hand.cards, ante=UNIT), STAKE)
    together = {
        "fold": values["fold"] * UNIT,
        "play": values["play"] * UNIT + prize_of(rules, hand.cards, meter),
    }
    for choice, worth in together.items():
        at_nothing, rise = hand.lines[RUMMY.choice_numbers[choice]]
        assert at_nothing + meter * rise == worth
    assert RUMMY.choices[hand.best(Fraction(meter))].name == max(together, key=together.get)


def test_the_value_is_a_rising_convex_polygon(joint):
    values = [joint.value_at(cents) for cents in range(0, 10_000_001, 1_000_000)]
    rises = [after - before for before, after in pairwise(values)]
    assert min(rises) > 0
    assert rises == sorted(rises)
    assert joint.gain_at(0) >= 0


def test_the_jackpot_breaks_even_exactly_and_sooner_than_apart(joint, rules):
    assert joint.value_at(joint.break_even) == joint.main
    assert joint.break_even < (rules.bet_cents - joint.fixed) / joint.share
    assert all(hand.moves_at() >= joint.first_move for hand in joint.hands)


def test_forfeited_hands_are_no_hits(rules):
    forfeiting, staying = chances_at(rules, RUMMY), chances_at(replace(rules, fold="stays"), RUMMY)
    assert all(0 < less <= more for less, more in zip(forfeiting, staying, strict=True))
    assert sum(forfeiting) < sum(staying)


def test_where_every_claim_is_played_anyway_nothing_moves():
    game = GAMES["three-card-poker"]
    text = find_progressive("six-card-jackpot")
    levels = (
        replace(text.levels[0], name="Royal Flush"),
        replace(text.levels[2], name="pair", hands=("Pair",)),
    )
    rules = replace(
        text, reading="three-card", fold="forfeits", levels=levels,
        attached=(replace(text.attached[0], game="three-card-poker", cards=("player",)),),
    )  # fmt: skip
    joint = solve_joint_play(rules, game, default_stake(game), UNIT)
    assert joint.hands == ()
    assert joint.first_move is None
    assert chances_at(rules, game)[0] == Fraction(4, 22_100)
    weak = replace(rules, levels=(replace(levels[0], hands=("High Card", "Pair")),))
    moved = solve_joint_play(weak, game, default_stake(game), UNIT)
    # Every hand without a pair that is folded is played for the whole meter once that is worth a raise.
    assert sum(hand.chance for hand in moved.moved_at(100_000)) > Fraction(1, 4)
    assert moved.gain_at(100_000) > 0


def test_games_with_several_choices_are_refused():
    text = replace(find_progressive("six-card-jackpot"), fold="forfeits")
    several = replace(
        text, attached=(replace(text.attached[0], game="mississippi-stud", cards=("player", "board")),)
    )
    with pytest.raises(Refused, match="does not have one choice for the jackpot in every round"):
        shape_of(attach(several, "mississippi-stud"))
    stays = replace(text, fold="stays")
    with pytest.raises(Refused, match="they are played apart"):
        solve_joint_play(stays, RUMMY, STAKE, UNIT)


def test_cards_bought_count_for_the_choice_that_buys_them():
    hand = attach(find_progressive("rabbit-jackpot"), "rabbit-hunter")
    shape = shape_of(hand)
    by_name = {choice.name: shape.unseen[n] for n, choice in enumerate(hand.game.choices)}
    assert by_name == {"fold": FORFEITS, "play": 0, "buy": 1}
    assert hand.find(cards("As Ks Qs Js Ts 2d")).name == "Royal Flush"
