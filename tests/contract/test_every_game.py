"""The contract of every game, under every option."""

import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import FrozenInstanceError, replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltlab.core.cards import FACE_DOWN, JOKER, NOT_DEALT, UNKNOWN, Cards, cards
from feltlab.core.choices import number_choices
from feltlab.core.deal import Deal
from feltlab.core.game import MAX_SEATS, Game
from feltlab.core.layout import NOT_PLACED, new_outcomes
from feltlab.core.round import Round
from feltlab.core.seating import Seat
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.kernel import plain_python
from tests.support import strategies  # noqa: F401  (its profile: compiling takes time, which fails no test)
from tests.support.game_data import Example, data_of, file_of, referee_of, texts_by_area
from tests.support.game_strategies import (
    ALL_GAMES,
    ALL_VARIANTS,
    deals,
    label,
    random_cards,
    random_deal,
    random_round,
    rounds,
    shoe_size,
    smallest_wagers,
)

SEED = 20230614  # any seed will do
every_game = pytest.mark.parametrize("game", ALL_GAMES, ids=lambda game: game.name)
every_variant = pytest.mark.parametrize("game", ALL_VARIANTS, ids=label)


def refusal(act: object, *arguments: object) -> str:
    """The sentence of a refusal."""
    with pytest.raises(Refused) as caught:
        act(*arguments)  # type: ignore[operator]
    return str(caught.value)


def known_cards(round: Round) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The player's cards, and those that all seats share."""
    own = round.game.own_places
    return tuple(card for card in round.shoe[:own] if card >= 0), tuple(
        card for card in round.shoe[own:] if card >= 0
    )


def put_on_spots(round: Round) -> list[str]:
    """The spots on which the choices put a unit, once for each unit."""
    choices = enumerate(map(round.game.choice, round.chosen))
    return [name for made, choice in choices for name in round.game.puts(choice, made)]


def is_a_sentence(text: str) -> bool:
    return text.endswith(".") and ". " not in text and not text[0].islower()


# -- Choices ----------------------------------------------------------------------------------------


@given(rounds())
def test_a_choice_is_accepted_iff_it_is_offered(round: Round) -> None:
    before = (round.shoe, dict(round.wagers), round.chosen)
    for name in [*(choice.name for choice in round.game.choices), "raise", ""]:
        if name in round.choices:
            assert round.choose(name).chosen == (*round.chosen, name)
        else:
            assert is_a_sentence(refusal(round.choose, name))
    assert (round.shoe, dict(round.wagers), round.chosen) == before


@given(rounds())
def test_a_round_settles_iff_nothing_is_open(round: Round) -> None:
    if round.over:
        assert round.settlement.wagers
    else:
        assert refusal(lambda: round.settlement).startswith("The round is not over")


@given(rounds())
def test_the_referee_opens_the_same_choices(round: Round) -> None:
    if any(choice.wager in round.wagers for choice in round.game.choices):
        player, shared = known_cards(round)
        judge = referee_of(round.game.name)
        assert set(round.choices) == set(judge.open_choices(round.game.options, player, shared, round.chosen))
    else:
        assert round.over


@given(rounds())
def test_exactly_one_open_choice_is_the_house_rule_and_it_costs_nothing(round: Round) -> None:
    if round.choices:
        (choice,) = (c for c in map(round.game.choice, round.choices) if c.house_rule)
        assert not choice.puts
        assert round.cost(choice.name) == 0


# -- Visible cards ---------------------------------------------------------------------------------


@given(rounds())
def test_every_card_shown_is_the_true_card(round: Round) -> None:
    for shown, true in zip(round.seen, round.shoe, strict=True):
        assert shown in (true, FACE_DOWN, NOT_DEALT)


@given(rounds(), st.randoms(use_true_random=False))
def test_unseen_cards_change_nothing(round: Round, random) -> None:  # type: ignore[no-untyped-def]
    """Every card that is not shown is exchanged for any others of the deck."""
    shown = [card for card in round.seen if card >= 0]
    others = list((Counter(round.game.deck.cards) - Counter(shown)).elements())
    random.shuffle(others)
    shoe = Cards(card if card >= 0 else others.pop() for card in round.seen)
    dealers = [round.game.split_areas(held).get("dealer", ()) for held in (round.shoe, shoe)]
    peek = referee_of(round.game.name).peek
    if peek(dealers[0]) != peek(dealers[1]):
        return  # the one thing that a card face down gives away
    same = replace(round, shoe=shoe)
    assert same.seen == round.seen
    assert same.choices == round.choices
    if round.over:
        assert same.settlement == round.settlement


@given(deals())
def test_no_seat_sees_a_card_that_is_hidden_from_the_seat_in_turn(deal: Deal) -> None:
    """A player who has chosen could warn the others."""
    if deal.turn is not None:
        own = deal.game.own_places
        hidden = deal.rounds[deal.turn].seen[own:]
        for round in deal.rounds:
            pairs = zip(hidden, round.seen[own:], strict=True)
            assert all(shown == FACE_DOWN for mark, shown in pairs if mark == FACE_DOWN)


# -- Outcomes and money -----------------------------------------------------------------------------


@every_game
def test_all_tables_of_a_spot_name_the_same_outcomes_once(game: Game) -> None:
    for spot in game.spots:
        for table in spot.tables:
            assert table.outcomes == spot.outcomes
            assert len(set(table.outcomes)) == len(table.outcomes)


@every_variant
def test_kernel_outcomes_are_on_the_pay_table(game: Game) -> None:
    rng = np.random.default_rng(SEED)
    for _ in range(100):
        round = random_round(game, rng)
        outcomes = np.full_like(new_outcomes(len(game.spots)), 99)
        game.rules.settle(game.kernel_data, round._array, round._played, outcomes)
        for spot, outcome in zip(game.spots, outcomes.tolist(), strict=True):
            assert outcome == NOT_PLACED or 0 <= outcome < len(game.pay_table(spot).lines)
            assert (outcome == NOT_PLACED) == (not round.staked(spot) and not spot.bonus_on)


@given(rounds(over=True))
def test_each_unit_that_the_choices_put_down_is_paid_by_the_line(round: Round) -> None:
    for settled in round.settlement.wagers:
        lines = round.game.pay_table(settled.spot).lines
        line = next(line for line in lines if line.outcome == settled.outcome)
        unit = round.wagers[settled.spot.follows or settled.spot.name] * settled.spot.size
        units = put_on_spots(round).count(settled.spot.name) + (not settled.spot.raises)
        assert units <= settled.spot.most_units_of(line)
        staked = 0 if settled.spot.bonus_on else units * unit
        assert staked == settled.staked == round.staked(settled.spot)
        assert line.pays * units * unit == settled.net
        assert line.result == settled.result


@given(rounds(over=True))
def test_every_placed_wager_is_settled_exactly_once(round: Round) -> None:
    bonuses = [spot.name for spot in round.game.spots if spot.bonus_on in round.wagers]
    settled = [one.spot.name for one in round.settlement.wagers]
    assert sorted(settled) == sorted({*round.wagers, *put_on_spots(round), *bonuses})
    order = [spot.name for spot in round.game.spots]
    assert settled == sorted(settled, key=order.index)
    for one in round.settlement.wagers:
        assert one.result in ("win", "push", "lose", "refund")
        assert (one.net > 0, one.net < 0) == (one.result == "win", one.result == "lose")
        assert one.outcome
        assert one.why


@given(rounds(over=True))
def test_the_total_staked_is_the_wagers_and_the_cost_of_the_choices(round: Round) -> None:
    cost = sum(replace(round, chosen=round.chosen[:n]).cost(name) for n, name in enumerate(round.chosen))
    assert round.settlement.staked == sum(round.wagers.values()) + cost
    assert all(0 <= one.returned == one.staked + one.net for one in round.settlement.wagers)


@given(deals(over=True))
def test_money_sums_to_zero_over_a_deal(deal: Deal) -> None:
    """Chips change hands between a player and the tray, and nowhere else."""
    tray = 0
    players = [0] * len(deal.seats)
    for seat, settlement in deal.settling:
        for one in settlement.wagers:
            players[seat] -= one.staked
            tray += one.staked
            players[seat] += one.returned
            tray -= one.returned
        assert players[seat] == settlement.net
    assert sum(players) + tray == 0


# -- Every outcome can happen -----------------------------------------------------------------------


# What random rounds seldom or never reach.
EXAMPLES = [(name, example) for name in GAMES for example in data_of(name).examples]
every_example = pytest.mark.parametrize(
    ("name", "example"),
    EXAMPLES,
    ids=str,
)


def play(name: str, example: Example) -> Round:
    game = GAMES[name].with_options(example.options)
    wagers = {name.replace("-", "_"): cents for name, cents in smallest_wagers(game).items()}
    return Round.of(game, *texts_by_area(game, example), **wagers).choose(*example.choices.split())


@every_example
def test_an_example_ends_as_it_says(name: str, example: Example) -> None:
    settlement = play(name, example).settlement
    assert {spot: settlement[spot].outcome for spot in example.outcomes} == example.outcomes


@every_game
def test_every_outcome_can_happen(game: Game) -> None:
    rng = np.random.default_rng(SEED)
    found = [random_round(game, rng) for _ in range(1500)]
    found += [play(game.name, example) for example in data_of(game.name).examples]
    reached = {(s.spot.name, s.outcome) for round in found for s in round.settlement.wagers}
    never = {(spot.name, outcome) for spot in game.spots for outcome in spot.outcomes} - reached
    assert not never, (
        f"Write `examples` in {file_of(game.name, 'data.py')} that reach {sorted(never)},"
        " or leave an outcome that no deal can reach out of the pay table."
    )


# -- Values -----------------------------------------------------------------------------------------


@given(rounds())
def test_cards_round_trip_as_text(round: Round) -> None:
    assert cards(str(round.shoe)) == round.shoe
    assert eval(repr(round.shoe)) == round.shoe


@given(rounds(over=True))
def test_replay_is_identical(round: Round) -> None:
    again = Round(round.game, cards(str(round.shoe)), dict(round.wagers))
    for name in round.chosen:
        again = again.choose(name)
    assert again == round
    assert again.settlement == round.settlement
    assert again.view == round.view


@given(rounds())
def test_a_round_is_immutable(round: Round) -> None:
    for name in ("game", "shoe", "wagers", "chosen", "void"):
        with pytest.raises(FrozenInstanceError):
            setattr(round, name, getattr(round, name))
    with pytest.raises(TypeError):
        round.wagers["more"] = 100  # type: ignore[index]


def test_a_round_does_not_change_with_the_mapping_of_its_wagers() -> None:
    wagers = {"primary": 200}
    round = Round(GAMES["casino-war"], cards("9c 9d 9h 9s"), wagers)
    wagers["primary"] = 10**6
    assert dict(round.wagers) == {"primary": 200}


@given(rounds(), st.sampled_from(["shuffler fault", "a card fell"]))
def test_a_void_round_refunds_everything(round: Round, reason: str) -> None:
    void = round.declare_void(reason)
    assert void.choices == ()
    assert void.settlement.net == 0
    assert {s.result for s in void.settlement.wagers} == {"refund"}
    assert {s.why for s in void.settlement.wagers} == {reason}
    before = [replace(round, chosen=round.chosen[:made]) for made in range(len(round.chosen))]
    raised = sum(earlier.cost(choice) for earlier, choice in zip(before, round.chosen, strict=True))
    assert void.settlement.staked == sum(round.wagers.values()) + raised


# -- Compiled and interpreted -----------------------------------------------------------------------


@every_variant
def test_compiled_equals_interpreted(game: Game) -> None:
    rng, rules = np.random.default_rng(SEED), game.rules
    for _ in range(30):
        round = random_round(game, rng)
        for made in range(len(round.chosen) + 1):
            state = game.kernel_data, round._array, number_choices(game, round.wagers, round.chosen[:made])
            assert rules.legal(*state) == plain_python(rules.legal)(*state)
            seen = np.full((2, len(round.shoe)), 99, np.int8)
            rules.visible(*state, seen[0])
            plain_python(rules.visible)(*state, seen[1])
            assert seen[0].tolist() == seen[1].tolist()
        outcomes = np.full((2, len(game.spots)), 99, np.int16)
        rules.settle(*state, outcomes[0])
        plain_python(rules.settle)(*state, outcomes[1])
        assert outcomes[0].tolist() == outcomes[1].tolist()


def seeded_results() -> list[list[object]]:
    """Random rounds of every game in a form that can be printed."""
    rng = np.random.default_rng(SEED)
    found = []
    for game in ALL_GAMES:
        for _ in range(60):
            round = random_round(game, rng)
            outcomes = [s.outcome for s in round.settlement.wagers]
            found.append(
                [str(round.shoe), list(round.chosen), str(round.seen), outcomes, round.settlement.net]
            )
    return found


PRINT_RESULTS = """
import json
from feltlab.kernel import INTERPRETED
from tests.contract.test_every_game import seeded_results
print(json.dumps([INTERPRETED, seeded_results()]))
"""


@pytest.mark.slow
def test_everything_compiled_equals_everything_interpreted() -> None:
    """A whole process without a compiled kernel deals and settles the same rounds alike."""
    environment = os.environ | {"FELTLAB_INTERPRET": "1", "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-c", PRINT_RESULTS]
    printed = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    without_kernels, results = json.loads(printed)
    assert without_kernels
    assert results == seeded_results()


# -- The referee ------------------------------------------------------------------------------------


def in_units(round: Round) -> dict[str, tuple[str, Fraction]]:
    return {
        s.spot.name: (s.outcome, Fraction(s.net, round.wagers[s.spot.follows or s.spot.name]))
        for s in round.settlement.wagers
    }


def referee_agrees(game: Game, times: int, rng: np.random.Generator) -> None:
    for _ in range(times):
        round = random_round(game, rng)
        expected = referee_of(game.name).settle(game.options, *known_cards(round), round.chosen)
        assert in_units(round) == expected, round


@every_variant
def test_the_referee_agrees(game: Game) -> None:
    referee_agrees(game, 1000 if not game.chosen else 100, np.random.default_rng(SEED))


@pytest.mark.slow
@every_game
def test_the_referee_agrees_on_thousands_of_rounds(game: Game) -> None:
    """A fault in one round of a thousand is missed once in twenty times; other options change little."""
    referee_agrees(game, 3000, np.random.default_rng(SEED + 1))


@every_example
def test_the_referee_agrees_on_examples(name: str, example: Example) -> None:
    round = play(name, example)
    assert in_units(round) == referee_of(name).settle(round.game.options, *known_cards(round), round.chosen)


# -- Several seats ----------------------------------------------------------------------------------


@given(deals(over=True))
def test_a_seat_settles_as_it_would_alone(deal: Deal) -> None:
    for seat, settlement in deal.settling:
        round = deal.rounds[seat]
        alone = Round(deal.game, round.shoe, deal.seats[seat].wagers)
        for name in deal.seats[seat].chosen:
            alone = alone.choose(name)
        assert alone.over
        assert alone.settlement == settlement


@given(deals())
def test_no_card_is_dealt_twice(deal: Deal) -> None:
    places = deal.game.own_places
    dealt = [card for round in deal.rounds for card in round.shoe[:places] if card != UNKNOWN]
    dealt += [card for card in deal.rounds[0].shoe[places:] if card != UNKNOWN]
    used = deal.shoe[: len(deal.shoe) - len(deal.rest)]
    assert not Counter(dealt) - Counter(used)
    assert len(used) <= deal.game.cards_needed(len(deal.seats))


@given(deals())
def test_all_seats_have_the_same_dealer(deal: Deal) -> None:
    places = deal.game.own_places
    if deal.game.options.get("war") == "each":
        assert len({round.shoe[places] for round in deal.rounds}) == 1
    else:
        assert len({round.shoe[places:] for round in deal.rounds}) == 1


@given(deals(over=True))
def test_a_seat_never_holds_a_card_of_another(deal: Deal) -> None:
    """In one deck every card is one card; where several decks are shuffled, count them."""
    places = deal.game.own_places
    stock = Counter(deal.shoe)
    for seat, round in enumerate(deal.rounds):
        others = Counter(c for n, other in enumerate(deal.rounds) if n != seat for c in other.shoe[:places])
        held = Counter(round.shoe)
        assert all(held[card] + others[card] <= stock[card] for card in held if card != UNKNOWN)


@given(deals())
def test_the_same_shoe_and_choices_give_the_same_deal(deal: Deal) -> None:
    again = Deal.start(deal.game, cards(str(deal.shoe)), [seat.wagers for seat in deal.seats])
    left = [list(seat.chosen) for seat in deal.seats]
    while again.turn is not None and left[again.turn]:
        again = again.choose(again.turn, left[again.turn].pop(0))
    assert again == deal
    assert again.rounds == deal.rounds
    assert again.rest == deal.rest


@given(deals())
def test_a_played_deal_equals_the_same_deal_checked_again(deal: Deal) -> None:
    """Choosing goes on from the deal before; the constructor checks and deals everything."""
    again = Deal(deal.game, deal.shoe, deal.seats)
    assert (again, again.turn, again.dealt) == (deal, deal.turn, deal.dealt)
    assert again.rounds == deal.rounds
    for one, other in zip(again.rounds, deal.rounds, strict=True):
        checked = replace(one)
        assert checked == one
        assert (checked.choices, checked.view) == (other.choices, other.view)
    if deal.over:
        assert again.payments == deal.payments


@given(deals())
def test_each_open_choice_can_be_tried_on_the_same_deal(deal: Deal) -> None:
    if deal.turn is not None:
        rounds = deal.rounds
        for name in rounds[deal.turn].choices:
            tried = deal.choose(deal.turn, name)
            assert tried.rounds == replace(tried).rounds
        assert replace(deal).rounds == rounds


@given(deals())
def test_only_the_seat_whose_turn_it_is_may_choose(deal: Deal) -> None:
    for seat in range(len(deal.seats)):
        name = deal.rounds[seat].choices[0] if deal.rounds[seat].choices else deal.game.choices[0].name
        if seat == deal.turn:
            assert deal.choose(seat, name).seats[seat].chosen == (*deal.seats[seat].chosen, name)
        else:
            assert is_a_sentence(refusal(deal.choose, seat, name))


@given(deals())
def test_a_deal_settles_from_right_to_left_once_it_is_over(deal: Deal) -> None:
    if deal.over:
        assert [seat for seat, _ in deal.settling] == list(reversed(range(len(deal.seats))))
    else:
        assert is_a_sentence(refusal(lambda: deal.settling))


@every_variant
def test_one_seat_more_would_not_fit(game: Game) -> None:
    assert 1 <= game.seats <= MAX_SEATS
    assert game.cards_needed(game.seats) <= len(game.deck)
    assert game.seats == MAX_SEATS or game.cards_needed(game.seats + 1) > len(game.deck)


@every_game
def test_a_full_table_can_be_dealt(game: Game) -> None:
    rng = np.random.default_rng(SEED)
    for _ in range(5):
        deal = random_deal(game, game.seats, rng)
        assert len(list(deal.settling)) == game.seats


@every_game
def test_deals_that_cannot_be_are_refused_with_a_sentence(game: Game) -> None:
    rng, wagers = np.random.default_rng(SEED), smallest_wagers(game)
    shoe = random_cards(game, game.cards_needed(1), rng)
    assert is_a_sentence(refusal(Deal.start, game, game.deck.cards, [wagers] * (game.seats + 1)))
    assert is_a_sentence(refusal(Deal.start, game, shoe, []))
    assert is_a_sentence(refusal(Deal.start, game, Cards(shoe[1:]), [wagers]))
    often = len([c for c in game.deck.cards if c == shoe[0]])
    twice = Cards([shoe[0]] * (often + 1) + list(shoe))
    assert is_a_sentence(refusal(Deal.start, game, twice, [wagers]))


@pytest.mark.parametrize("game", [g for g in ALL_GAMES if JOKER not in g.deck.cards], ids=lambda g: g.name)
def test_a_joker_is_foreign_to_a_deck_without_one(game: Game) -> None:
    shoe = random_cards(game, shoe_size(game) - 1, np.random.default_rng(SEED))
    joker = Cards((*shoe, JOKER))
    assert refusal(Round, game, joker, smallest_wagers(game)) == "Jk is not in this game's deck."


@every_variant
def test_one_player_has_one_position_or_two_adjacent_ones_where_allowed(game: Game) -> None:
    def deal(*players: str) -> Deal:
        shoe = game.deck.cards[: game.cards_needed(3)]
        return Deal(game, shoe, tuple(Seat(smallest_wagers(game), (), player) for player in players))

    assert deal("Ann", "Bob", "").seats
    if game.allows_second_seat:
        assert deal("Ann", "Ann", "Bob").seats
        assert is_a_sentence(refusal(deal, "Ann", "Bob", "Ann"))
        assert is_a_sentence(refusal(deal, "Ann", "Ann", "Ann"))
    else:
        assert is_a_sentence(refusal(deal, "Ann", "Ann", "Bob"))


@given(deals(), st.data())
def test_a_wrong_number_of_cards_voids_the_deal(deal: Deal, data: st.DataObject) -> None:
    seats = len(deal.seats)
    hands, shared = deal.cards_due[:seats], deal.cards_due[seats:]
    for seat, count in enumerate(hands):  # a folded hand is collected, and so is a card that was not bought
        view = deal.rounds[seat].view.player
        assert count in (0, len(view), len(view) - view.count(FACE_DOWN))
    assert deal.count_hands(hands, *shared) == deal
    wrong = data.draw(st.integers(0, len(deal.cards_due) - 1))
    by = data.draw(st.sampled_from([-1, 1]))
    counts = [count + by * (at == wrong) for at, count in enumerate(deal.cards_due)]
    void = deal.count_hands(counts[:seats], *counts[seats:])
    assert is_a_sentence(void.void)
    assert void.over
    paid = deal.payments
    assert void.payments[: len(paid)] == paid
    assert all(wager.result == "refund" and not wager.net for _, wager in void.payments[len(paid) :])
    assert len(void.payments) == sum(len(settlement.wagers) for _, settlement in void.settling)


def test_the_kernel_data_of_every_game_have_a_class_name_of_their_own():
    """numba distinguishes named tuples by the name of their class; a shared name makes every call slow."""
    names = [type(game.kernel_data).__name__ for game in GAMES.values()]
    assert len(set(names)) == len(names)
