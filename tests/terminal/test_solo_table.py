"""The table for one player: wagers, choices and money, without a screen."""

import re
from dataclasses import replace

import pytest

from feltlab.core.game import Game
from feltlab.core.limits import Limits
from feltlab.errors import Refused
from feltlab.games import GAMES
from tests.support.solo_tables import FIVE_DOLLARS, WAR, at_choice, every_game, finished, seated, wagered


@every_game
def test_the_same_seed_and_actions_deal_the_same_cards(game: Game) -> None:
    first, second = (wagered(seated(game, 7)).deal_round() for _ in range(2))
    assert first.round == second.round
    assert first.round != wagered(seated(game, 8)).deal_round().round


def test_the_shoe_goes_on_until_the_cut_card() -> None:
    table = wagered(seated(WAR)).deal_round()
    sizes = []
    while len(sizes) < 400:
        while table.is_playing:
            table = table.choose("surrender")
        assert table.deal
        sizes.append(len(table.deal.shoe))
        before = table.deal.rest
        table = replace(table, bankroll=10_000).rebet().deal_round()
        assert table.deal
        if len(before) > WAR.behind_cut:
            assert table.deal.shoe == before
        else:
            assert len(table.deal.shoe) == len(WAR.deck)
    assert (
        sizes.count(len(WAR.deck)) == 4
    )  # 312 cards, 78 of them behind the cut, at 2 a round: 117 rounds a shoe


@every_game
def test_a_deck_without_cut_card_is_shuffled_for_every_round(game: Game) -> None:
    if game.behind_cut == len(game.deck):
        table = finished(wagered(seated(game)).deal_round())
        again = table.rebet().deal_round()
        assert again.deal
        assert len(again.deal.shoe) == len(game.deck)


@pytest.mark.parametrize(
    ("cents", "sentence"),
    [
        (400, "The Primary wager must be at least $5, not $4."),
        (550, "The Primary wager must be a multiple of $1, not $5.50."),
        (-500, "The Primary wager must be more than $0, not -$5."),
    ],
)
def test_a_wager_outside_the_limits_is_not_dealt(cents: int, sentence: str) -> None:
    with pytest.raises(Refused, match=re.escape(sentence)):
        seated(WAR).place("primary", cents).deal_round()


def test_no_more_than_the_maximum_or_the_bankroll_can_be_placed() -> None:
    with pytest.raises(Refused, match=r"at most \$400, not \$401"):
        seated(WAR).place("primary", 40_100)
    with pytest.raises(Refused, match=r"come to \$105; your bankroll is \$100"):
        seated(WAR, bankroll=10_000).place("primary", 10_000).add_chips("tie", FIVE_DOLLARS)


def test_unknown_and_missing_wagers_are_refused() -> None:
    with pytest.raises(Refused, match="'ante' is not a wager of Casino War"):
        seated(WAR).place("ante", FIVE_DOLLARS)
    with pytest.raises(Refused, match="requires the Primary wager"):
        seated(WAR).place("tie", FIVE_DOLLARS).deal_round()


def test_chips_go_on_and_come_off() -> None:
    table = seated(WAR).add_chips("primary", 2_500).add_chips("primary", 100)
    assert table.placed == {"primary": 2_600}
    assert (table.free_cents, table.staked) == (97_400, 2_600)
    assert table.add_chips("primary", -10_000).placed == {}
    assert table.add_chips("tie", FIVE_DOLLARS).clear().placed == {}


def test_rebet_and_double() -> None:
    table = seated(WAR)
    with pytest.raises(Refused, match="no earlier round"):
        table.rebet()
    with pytest.raises(Refused, match="no wager to double"):
        table.double()
    table = finished(wagered(table).deal_round())
    assert table.placed == {}
    assert table.rebet().double().placed == {"primary": 1_000, "tie": 1_000}
    with pytest.raises(Refused, match="at most"):
        table.place("primary", 40_000).double()


@every_game
def test_money_is_neither_made_nor_lost(game: Game) -> None:
    table = seated(game, 3)
    for _ in range(40):
        table = wagered(replace(table, bankroll=100_000))
        total = table.bankroll
        table = table.deal_round()
        while table.is_playing:
            won = sum(wager.net for wager in table.payments)
            assert table.bankroll + table.staked == total + won
            table = table.choose(table.choices[table.rounds_settled % len(table.choices)].name)
        assert table.settlement
        assert table.bankroll == total + table.settlement.net


def test_wagers_are_closed_while_a_round_runs() -> None:
    table = at_choice(WAR, "war")
    for step in (table.clear, table.rebet, table.deal_round):
        with pytest.raises(Refused, match="Wagers are closed"):
            step()


@every_game
def test_a_choice_that_costs_too_much_is_not_offered_and_says_why(game: Game) -> None:
    for choice in game.choices:
        if choice.puts:
            poor = replace(at_choice(game, choice.name), bankroll=99)  # not a single chip
            assert poor.round
            assert poor.round.cost(choice.name) > 99
            assert choice not in poor.choices
            assert any(note.startswith(f"To {choice.name} you need $") for note in poor.notes)
            with pytest.raises(Refused, match=f"To {choice.name} you need"):
                poor.choose(choice.name)


def test_a_raise_may_be_below_the_minimum_but_not_above_the_maximum() -> None:
    bonus = GAMES["triple-shot-bonus"]
    table = at_choice(bonus, "insure")
    insured = table.choose("insure").round
    assert insured
    assert insured.staked(bonus.spot("insurance")) == 250  # half of $5, as the rules size it
    tight = replace(table, limits=Limits(100, 200))
    assert "insure" not in [choice.name for choice in tight.choices]
    assert "exceed the maximum, $2, on Insurance" in " ".join(tight.notes)


def test_insurance_is_offered_for_as_much_as_the_bankroll_covers() -> None:
    table = replace(at_choice(GAMES["triple-shot-bonus"], "insure"), bankroll=220)
    insure = table.choices[0]
    assert (insure.name, table.most_cents(insure)) == ("insure", 200)
    after = table.choose("insure")
    assert after.round
    assert after.round.chosen[0] == "insure=200"
    rich = replace(table, bankroll=10_000)
    down = [rich.step_cents(insure, cents, up=False) for cents in (250, 200, 100)]
    assert down == [200, 100, 100]
    assert [rich.step_cents(insure, cents, up=True) for cents in (100, 200, 250)] == [200, 250, 250]


def test_a_choice_that_is_not_open_is_refused() -> None:
    with pytest.raises(Refused, match="'hit' cannot be chosen here; the choice is war or surrender"):
        at_choice(WAR, "war").choose("hit")
    with pytest.raises(Refused, match="'war' cannot be chosen here"):
        seated(WAR).choose("war")


def test_leaving_in_mid_round_gives_every_open_wager_back() -> None:
    bonus = GAMES["triple-shot-bonus"]
    table = at_choice(bonus, "insure")
    assert {wager.spot.name for wager in table.payments} >= {"war"}
    won = sum(wager.net for wager in table.payments)
    assert table.void("The player left.").bankroll == 100_000 + won
    assert table.void("The player left.").net == won
    waiting = seated(WAR)
    assert waiting.void("There is nothing to void.") is waiting


@pytest.mark.parametrize("limits", [(0, 100), (-5, 100), (500, 400), (500, 10**13)])
def test_impossible_limits_are_refused(limits: tuple[int, int]) -> None:
    with pytest.raises(Refused):
        Limits(*limits)


def test_a_bankroll_below_the_minimum_is_broke() -> None:
    assert seated(WAR, bankroll=499).is_broke
    assert not seated(WAR, bankroll=500).is_broke


def test_insurance_takes_any_amount_up_to_half_in_chip_steps() -> None:
    bonus = GAMES["triple-shot-bonus"]
    table = replace(at_choice(bonus, "insure"), limits=Limits(100, 40_000, step=100))
    before = table.bankroll
    assert table.round
    for made in ("insure=100", "insure=200", "insure"):
        after = table.choose(made)
        assert after.round
        cents = table.round.cost(made)
        paid = [wager for wager in after.payments if wager.spot.name == "insurance"]
        back = sum(wager.returned for wager in after.payments[len(table.payments) :])
        assert after.bankroll == before - cents + back
        assert [wager.staked for wager in paid] == [cents]
    for made, sentence in {
        "insure=150": "You may insure for a multiple of $1 or for $2.50, not $1.50.",
        "insure=300": "You may insure for more than $0 and at most $2.50, not $3.",
        "insure=0": "You may insure for more than $0 and at most $2.50, not $0.",
        "insure=x": "'insure=x' names no whole number of cents.",
        "decline=100": "The amount of 'decline' is fixed by the rules.",
    }.items():
        with pytest.raises(Refused) as refused:
            table.choose(made)
        assert str(refused.value) == sentence
