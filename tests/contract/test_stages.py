"""Money in stages: a wager is open until the cards decide it, and what is decided never changes."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feltlab.core.cards import UNKNOWN, Cards
from feltlab.core.deal import Deal
from feltlab.core.game import Game
from feltlab.core.layout import OPEN, new_outcomes
from feltlab.core.round import Round
from feltlab.core.stake import default_stake
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.proving.proof import cache_key
from tests.support.game_strategies import deals, random_round
from tests.support.prepared import SHARED

few = settings(max_examples=40)  # each plays a full table in all its stages


def play_in_stages(deal: Deal) -> list[Deal]:
    """The same deal with a dealer who waits at every stop: each state that the table is in."""
    states = [Deal(deal.game, deal.shoe, tuple(_without_choices(deal)), settled=0)]
    left = [list(seat.chosen) for seat in deal.seats]
    while not states[-1].over:
        now = states[-1]
        if now.due:
            states.append(now.settle_due())
        elif now.turn is not None and left[now.turn]:
            states.append(now.choose(now.turn, left[now.turn].pop(0)))
        else:
            break
    return states


def _without_choices(deal: Deal):
    for seat in deal.seats:
        yield type(seat)(seat.wagers, (), seat.player, seat.position)


def put_down(deal: Deal, seat: int) -> int:
    round = deal.rounds[seat]
    return sum(round.staked(spot) for spot in deal.game.spots)


@few
@given(deals(over=True))
def test_an_outcome_that_is_decided_never_changes(deal: Deal) -> None:
    """Card by card, with all choices known from the start, which is more than a table ever asks."""
    rules, data = deal.game.rules, deal.game.kernel_data
    played = [round._played for round in deal.rounds]
    table = np.full((len(deal.seats), deal.game.places), UNKNOWN, np.int8)
    known = np.full((len(deal.seats), len(deal.game.spots)), OPEN)
    shoe = iter(deal.shoe)
    for who, place in rules.dealing(data, list(zip(table, played, strict=True))):
        if place < 0:
            continue
        card = next(shoe)
        if who in SHARED:
            table[:, deal.game.area_starts[SHARED[who]] + place] = card
        elif who >= 0:
            table[who, place] = card
        for seat, before in enumerate(known):
            now = np.full_like(new_outcomes(len(deal.game.spots)), OPEN)
            rules.settle(data, table[seat], played[seat], now)
            assert ((before == OPEN) | (before == now)).all()
            known[seat] = now
    assert (known != OPEN).all()


@few
@given(deals(over=True))
def test_stage_by_stage_or_all_at_once_the_money_is_the_same(deal: Deal) -> None:
    *_, end = play_in_stages(deal)
    assert end.over
    assert end.payments == deal.payments
    assert list(end.settling) == list(deal.settling)


@few
@given(deals(over=True))
def test_payments_only_grow_and_every_cent_is_on_the_felt_or_settled(deal: Deal) -> None:
    states = play_in_stages(deal)
    for before, now in pairwise(states):
        assert now.payments[: len(before.payments)] == before.payments
    for state in states:
        for seat in range(len(state.seats)):
            settled = sum(paid.staked for n, paid in state.payments if n == seat)
            assert sum(state.on_felt(seat).values()) + settled == put_down(state, seat)
    assert not any(states[-1].on_felt(seat) for seat in range(len(deal.seats)))


@few
@given(deals(over=True))
def test_the_dealer_settles_what_is_due_once_and_before_anybody_acts(deal: Deal) -> None:
    for state in play_in_stages(deal):
        if state.due:
            assert state.turn is None
            assert not any(round.choices for round in state.rounds)
            with pytest.raises(Refused, match="not over"):
                _ = state.settling
        else:
            with pytest.raises(Refused, match="nothing to take or to pay"):
                state.settle_due()


@few
@given(deals(over=True), st.data())
def test_a_void_round_refunds_only_what_is_open(deal: Deal, data: st.DataObject) -> None:
    state = data.draw(st.sampled_from(play_in_stages(deal)))
    void = state.declare_void("A card was exposed.")
    paid = len(state.payments)
    assert void.payments[:paid] == state.payments
    assert {wager.result for _, wager in void.payments[paid:]} <= {"refund"}
    for seat, settlement in void.settling:
        assert settlement.staked == put_down(state, seat)
        won = sum(wager.net for n, wager in state.payments if n == seat)
        assert settlement.net == won


@few
@given(deals(over=True))
def test_a_payment_says_nothing_about_cards_that_are_not_shown(deal: Deal) -> None:
    """Cards that no player sees at a stage are exchanged for others: each payment made reads the same."""
    for state in play_in_stages(deal)[:-1]:
        used = len(state.dealt)
        hidden = _hidden_places(state)
        later = list(state.shoe[used:])
        for place, other in zip(hidden, later, strict=False):
            cards = list(state.shoe)
            cards[place], cards[used + later.index(other)] = other, cards[place]
            try:
                same = Deal(state.game, Cards(cards), state.seats, settled=state.settled)
            except Refused:
                continue  # the other card would have ended the choices
            told = [(seat, str(paid)) for seat, paid in state.payments]
            again = [(seat, str(paid)) for seat, paid in same.payments]
            if [p.outcome for _, p in same.payments] == [p.outcome for _, p in state.payments]:
                assert again == told


def _hidden_places(deal: Deal) -> list[int]:
    """The places in the shoe of the shared cards that are dealt and not shown."""
    shown = {card for round in deal.rounds for card in round.seen[deal.game.own_places :]}
    return [n for n, (to, card) in enumerate(deal.dealt) if to in SHARED and card not in shown]


# -- Options that change only the procedure ---------------------------------------------------------

PROCEDURES = [
    (game, game.with_options({option.name: value}))
    for game in GAMES.values()
    for option in game.rules.OPTIONS
    if option.procedure
    for value in option.values[1:]
]


@pytest.mark.parametrize(("usual", "other"), PROCEDURES, ids=str)
def test_a_procedure_changes_no_law_and_no_key_of_a_law(usual: Game, other: Game) -> None:
    assert other.as_proved == usual
    stake = default_stake(usual)
    assert cache_key(other, stake) == cache_key(usual, stake)


@pytest.mark.parametrize(("usual", "other"), PROCEDURES, ids=str)
def test_a_procedure_settles_one_seat_on_the_same_cards_alike(usual: Game, other: Game) -> None:
    rng = np.random.default_rng(14)
    for _ in range(50):
        round = random_round(usual, rng)
        again = Round(other, round.shoe, round.wagers, round.chosen)
        assert [(paid.spot.name, paid.outcome, paid.net) for paid in again.settlement.wagers] == [
            (paid.spot.name, paid.outcome, paid.net) for paid in round.settlement.wagers
        ]


def test_some_option_changes_only_the_procedure() -> None:
    assert PROCEDURES
