"""Planted errors are shown, not told: a card that changes, chips that come or go, a card face up."""

import numpy as np
import pytest

from feltlab.games import GAMES
from feltlab.school import ask_question, deal_hand, open_book
from feltlab.school.drills.frames import DEALER_MOVES, HIDDEN, SHOE, describe_change, describe_move
from feltlab.school.drills.watch import PLANTERS, plant_error

GAMES_SHOWN = ("casino-war", "three-card-poker", "triple-shot-bonus", "let-it-ride")


def plant(name, kind, seeds=range(40)):
    game = GAMES[name]
    for seed in seeds:
        draw = np.random.default_rng(seed)
        hand = deal_hand(game, draw, 3)
        if found := plant_error(kind, open_book(game), hand, draw):
            return hand, found
    raise AssertionError(f"no hand of {name} gave an occasion for {kind}")


def seat_changes(planted):
    before, after = (planted.events[n].frame["seats"] for n in (planted.at - 1, planted.at))
    return [(was, now) for was, now in zip(before, after, strict=True) if was != now]


@pytest.mark.parametrize("name", GAMES_SHOWN)
@pytest.mark.parametrize("kind", ["capped-bet", "pinched-bet", "late-bet"])
def test_chips_that_come_or_go_are_on_the_felt_and_not_in_the_words(name, kind):
    if kind == "late-bet" and all(GAMES[name].is_required(spot) for spot in GAMES[name].wagers):
        pytest.skip("every wager is required")
    _, planted = plant(name, kind)
    ((was, now),) = seat_changes(planted)
    amounts = {spot: now["wagers"].get(spot, 0) - was["wagers"].get(spot, 0) for spot in now["wagers"]}
    ((spot, difference),) = [(spot, cents) for spot, cents in amounts.items() if cents]
    assert (difference < 0) == (kind == "pinched-bet")
    assert (spot in was["wagers"]) == (kind != "late-bet")
    assert planted.events[planted.at].text == describe_move(now["seat"] - 1)
    assert GAMES[name].spot(spot).title in planted.what


@pytest.mark.parametrize("name", GAMES_SHOWN)
def test_a_switched_card_is_seen_before_and_after(name):
    _, planted = plant(name, "switched-card")
    ((was, now),) = seat_changes(planted)
    pairs = zip(was["cards"].split(), now["cards"].split(), strict=True)
    ((before, after),) = [pair for pair in pairs if pair[0] != pair[1]]
    assert planted.what == f"The {before} of seat {now['seat']} became the {after}."
    assert planted.events[planted.at].text == describe_move(now["seat"] - 1)
    later = planted.events[-3].frame["seats"][now["seat"] - 1]["cards"].split()
    assert not later or after in later  # the card stays exchanged


@pytest.mark.parametrize("name", GAMES_SHOWN)
def test_a_flashed_card_is_face_up_in_one_frame_only(name):
    hand, planted = plant(name, "flashed-card")
    shown = [event.frame[SHOE] for event in planted.events]
    assert [n for n, card in enumerate(shown) if card != HIDDEN] == [planted.at]
    assert shown[planted.at] in planted.what
    assert planted.events[planted.at].text == DEALER_MOVES
    lying = " ".join(seat["cards"] for seat in planted.events[planted.at].frame["seats"]).split()
    assert len(hand.game.deck.cards) > 52 or shown[planted.at] not in lying


def test_a_wrong_payment_lies_beside_its_wager():
    hand, planted = plant("three-card-poker", "wrong-payment")
    (paid,) = [seat["paid"] for seat in planted.events[planted.at].frame["seats"] if "paid" in seat]
    ((spot, cents),) = paid.items()
    due = {each.net for _, each in hand.payments if each.spot.name == spot}
    assert cents not in due or len(due) > 1
    assert planted.house_cents + planted.player_cents == abs(
        cents - next(net for net in due if abs(cents - net) == planted.house_cents + planted.player_cents)
    )


@pytest.mark.parametrize("seed", range(12))
def test_moves_that_change_nothing_are_in_every_round(seed):
    question = ask_question(GAMES["three-card-poker"], "watch", seed, 3)
    assert len(question.shows) == len(question.events)
    assert set(question.shows) == set(range(len(question.frames)))
    wrong = int(question.truth[0]) - 1
    quiet = 0
    for n, text in enumerate(question.events):
        if n and n != wrong and (text == DEALER_MOVES or text.endswith("reaches over the layout.")):
            before, after = (question.frames[question.shows[m]] for m in (n - 1, n))
            assert {**before, SHOE: HIDDEN} == after
            quiet += 1
    assert quiet >= 3  # as many as the level


def test_a_change_is_described_for_a_terminal():
    _, planted = plant("casino-war", "capped-bet")
    words = describe_change(*(planted.events[n].frame for n in (planted.at - 1, planted.at)))
    assert words.startswith("seat ")
    assert "→" in words


def test_every_kind_is_planted_here():
    assert set(PLANTERS) == {
        *("late-bet", "capped-bet", "pinched-bet", "switched-card", "flashed-card"),
        *("wrong-payment", "wrong-order"),
    }
