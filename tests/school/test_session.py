"""A whole table: the robot makes no slip, and each planted slip is named with its clause and its cost."""

from dataclasses import replace

import numpy as np
import pytest

from feltlab.errors import Refused
from feltlab.games import FOLDERS, GAMES
from feltlab.school import DealerAct, deal_perfectly, fewest_chips, open_book, start_session, view_session
from feltlab.school.course import ASK, CALL, COLLECT, END, PAY, PITCH, PUSH, TAKE, TURN
from feltlab.school.practice import BOX_WAITS, RIGHT_TO_RISE, Practice, read_practice
from feltlab.school.session import open_session
from tests.support.board_game import load_board_game
from tests.support.own_games import nothing_named

GAME = GAMES["three-card-poker"]


def session_with(kind, level=3):
    """A session that has reached an act of a kind."""
    for seed in range(40):
        session = start_session(GAME, np.random.default_rng(seed), level)
        if any(act.kind == kind for act in session.due):
            while session.due[0].kind != kind:
                session = session.perform(session.due[0])
            return session
    raise AssertionError(kind)


@pytest.mark.parametrize("name", FOLDERS)
def test_the_robot_deals_every_game_without_a_slip(name):
    for seed, level in ((0, 1), (1, 5)):
        start = start_session(GAMES[name], np.random.default_rng(seed), level)
        end = deal_perfectly(start)
        assert end.is_over
        assert end.slips == ()
        assert view_session(start)["over"] is False
        assert view_session(end)["over"] is True


def test_the_robot_deals_a_made_up_game(tmp_path):
    with nothing_named():
        game = load_board_game(tmp_path / "toy-streets")
        end = deal_perfectly(start_session(game, np.random.default_rng(2), 3))
        assert end.is_over
        assert end.slips == ()


def last_slip(session, act):
    after = session.perform(act)
    assert len(after.slips) == 1, after.slips
    assert deal_perfectly(after).is_over
    return after.slips[0]


def test_a_missed_call_is_named():
    session = start_session(GAME, np.random.default_rng(0), 2)
    slip = last_slip(session, session.due[1])
    assert (slip.kind, slip.clause.number) == ("missed-call", "4.1")


def test_a_wrong_call_is_named():
    session = start_session(GAME, np.random.default_rng(0), 2)
    slip = last_slip(session, DealerAct(CALL, "table", "Place your bets."))
    assert (slip.kind, slip.clause.number) == ("wrong-call", "4.1")


def test_a_card_to_the_wrong_place_is_named():
    session = session_with(PITCH)
    slip = last_slip(session, replace(session.due[0], place="dealer"))
    assert (slip.kind, slip.clause) == ("misdeal", open_book(GAME).cite("pitch"))


def test_a_card_turned_too_early_is_named():
    session = session_with(ASK)
    slip = last_slip(session, DealerAct(TURN, "dealer"))
    assert (slip.kind, slip.clause.number) == ("early-turn", "4.3")


def test_a_seat_asked_out_of_turn_is_named():
    session = next(s for s in (session_with(ASK, n) for n in (3, 4, 5)) if len(s.hand.wagers) > 1)
    other = f"seat {2 if session.due[0].place == 'seat 1' else 1}"
    slip = last_slip(session, DealerAct(ASK, other))
    assert (slip.kind, slip.clause.number) == ("wrong-turn-to-choose", "5.8")


@pytest.mark.parametrize(("extra", "house", "player"), [(500, 500, 0), (-50, 0, 50)])
def test_a_wrong_amount_costs_the_difference(extra, house, player):
    session = session_with(PAY)
    due = session.due[0]
    slip = last_slip(session, replace(due, chips=fewest_chips(due.cents + extra)))
    assert (slip.kind, slip.house_cents, slip.player_cents) == ("wrong-amount", house, player)


def test_a_wager_taken_that_wins_costs_the_player_both():
    session = session_with(PAY)
    due = session.due[0]
    slip = last_slip(session, DealerAct(TAKE, due.place, spot=due.spot))
    staked = session.hand.deal.rounds[due.seat].staked(GAME.spot(due.spot))
    assert slip.kind == "wrong-result"
    assert slip.player_cents == due.cents + staked


def test_a_losing_wager_that_is_left_costs_the_house():
    session = session_with(TAKE)
    due = session.due[0]
    slip = last_slip(session, DealerAct(PUSH, due.place, spot=due.spot))
    assert (slip.kind, slip.player_cents) == ("wrong-result", 0)
    assert slip.house_cents == session.hand.deal.rounds[due.seat].staked(GAME.spot(due.spot))


def test_settling_out_of_order_is_named():
    for seed in range(40):
        session = start_session(GAME, np.random.default_rng(seed), 4)
        while session.due and len(session._wagers_due) < 2:
            session = session.perform(session.due[0])
        if session.due:
            break
    first, second = session._wagers_due[:2]
    slip = last_slip(session, second)
    kind, number = ("wrong-order", "10.2") if first.place == second.place else ("wrong-direction", "10.1")
    assert (slip.kind, slip.clause.number) == (kind, number)


def test_a_wager_that_is_not_due_or_forgotten_is_named():
    session = session_with(TAKE)
    due = session.due[0]
    after = session.perform(due)
    assert last_slip(after, due).kind == "settled-twice"
    ended = session.perform(DealerAct(COLLECT, "table"))
    assert "missed-wager" in {slip.kind for slip in ended.slips}
    assert ended.cost > 0


def test_cards_that_are_not_collected_are_named():
    session = session_with(COLLECT)
    after = session.perform(DealerAct(END, "table"))
    assert after.is_over
    assert [slip.kind for slip in after.slips] == ["late-close"]


@pytest.mark.parametrize(
    "act",
    [
        DealerAct("juggle", "table"),
        DealerAct(PITCH, "seat 9"),
        DealerAct(PAY, "seat 1", spot="no-such-spot"),
        DealerAct(CALL, "table", " "),
    ],
)
def test_an_act_that_no_dealer_can_make_is_refused(act):
    with pytest.raises(Refused):
        start_session(GAME, np.random.default_rng(0), 1, 1).perform(act)


def test_a_round_that_is_over_takes_no_more_acts():
    end = deal_perfectly(start_session(GAME, np.random.default_rng(0), 1, 1))
    with pytest.raises(Refused):
        end.perform(DealerAct(COLLECT, "table"))
    assert open_session(end.hand).due


# -- Practice ---------------------------------------------------------------------------------------


def test_success_raises_the_level_and_slow_answers_do_not():
    fast = slow = Practice(str(GAME))
    for seed in range(RIGHT_TO_RISE):
        fast = fast.record("settle", seed, 1, True, 5.0)
        slow = slow.record("settle", seed, 1, True, 1e6)
    assert fast.state("settle").level == 2
    assert slow.state("settle").level == 1
    fallen = fast.record("settle", 8, 2, False, 5.0).record("settle", 9, 2, False, 5.0)
    assert fallen.state("settle").level == 1


def test_a_missed_question_comes_back_until_it_is_known():
    practice = Practice(str(GAME)).record("settle", 77, 1, False, 5.0)
    draw = np.random.default_rng(0)
    for wait in BOX_WAITS:
        assert practice.next_question(GAME, draw, "settle")[1] != 77
        for seed in range(wait):
            practice = practice.record("call", 100 + seed, 1, True, 5.0)
        assert practice.next_question(GAME, draw) == ("settle", 77, 1)
        practice = practice.record("settle", 77, 1, True, 5.0)
    assert practice.missed == ()


def test_a_practice_survives_as_plain_data():
    practice = Practice(str(GAME)).record("settle", 77, 1, False, 5.0)
    assert read_practice(practice.to_json()) == practice
    for bad in (
        {},
        {"game": "x", "drills": [], "missed": [], "asked": 1},
        practice.to_json() | {"missed": [{"a": 1}]},
    ):
        with pytest.raises(Refused):
            read_practice(bad)
