"""Positions as links: every decision of every game goes there and back, and no unseen card goes with it."""

from urllib.parse import parse_qsl

import pytest
from hypothesis import assume, given

from feltlab.core.cards import Cards, name
from feltlab.core.position import (
    MAX_VALUE_CHARS,
    hide_unseen,
    position_query,
    read_position,
    usual_wagers,
    write_position,
)
from feltlab.core.round import Round
from feltlab.errors import Refused
from feltlab.games import GAMES
from tests.support import strategies  # noqa: F401  (its profile: compiling takes time, which fails no test)
from tests.support.game_strategies import ALL_GAMES, rounds


@given(rounds())
def test_a_position_goes_to_a_link_and_back(round: Round) -> None:
    assume(round.choices)
    link = write_position(round)
    back = read_position(GAMES[round.game.name], dict(parse_qsl(link)))
    assert back == hide_unseen(round)
    assert back.choices == round.choices
    assert back.seen == round.seen
    assert write_position(back) == link


@given(rounds())
def test_a_link_holds_no_unseen_card(round: Round) -> None:
    assume(round.choices)
    areas = [position_query(round).get(area.name, "") for area in round.game.areas]
    shown = Cards(card for card in round.seen if card >= 0)
    assert sorted(word for area in areas for word in area.split() if word != "??") == sorted(map(name, shown))


@pytest.mark.parametrize("game", ALL_GAMES, ids=lambda game: game.name)
def test_the_usual_wagers_are_accepted(game) -> None:
    game.check_wagers(usual_wagers(game))


def test_a_link_carries_options_and_pays() -> None:
    game = GAMES["casino-war"].with_options({"decks": "1"}).with_pays("tie", {"tie": 11})
    round = Round.of(game, "9s 5c", "9d 4h", primary=500, tie=100)
    link = write_position(round)
    expected = "player=9s&dealer=9d&wagers=primary:500,tie:100&option-decks=1&pay-tie/tie=11"
    assert link == expected
    assert read_position(GAMES["casino-war"], dict(parse_qsl(link))).game == game


def test_a_link_without_wagers_has_the_usual_ones() -> None:
    round = read_position(GAMES["casino-war"], {"player": "9s", "dealer": "9d"})
    assert dict(round.wagers) == {"primary": 1000}


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"player": "9s", "dealer": "Zz"}, "'Zz' is not a card"),
        ({"player": "9s", "dealer": "9s", "option-decks": "1"}, "9s is given 2 times"),
        ({"player": "9s", "dealer": "4d"}, "No choice is open in this position."),
        ({"player": "9s"}, "The dealer's first card is missing."),
        ({}, "is missing."),
        ({"player": "9s 9s 9s 9s 9s 9s 9s", "dealer": "9d"}, "the rules deal at most"),
        ({"player": "9s 5c", "dealer": "9d"}, "The player does not see 5c yet."),
        ({"player": "9s", "dealer": "9d", "chosen": "hit"}, "'hit' cannot be chosen here"),
        ({"player": "9s", "dealer": "9d", "chosen": "surrender"}, "No choice is open in this position."),
        ({"player": "9s", "dealer": "9d", "wagers": "primary"}, "'primary' is not a wager with its cents"),
        ({"player": "9s", "dealer": "9d", "wagers": "no:1"}, "'no' is not a wager"),
        ({"player": "9s", "dealer": "9d", "wagers": "primary:1,primary:2"}, "given twice"),
        ({"player": "9s", "dealer": "9d", "option-x": "1"}, "'x' is not an option"),
        ({"player": "9s", "dealer": "9d", "pay-tie/no": "1"}, "tie has no outcome 'no'."),
        ({"player": "9s", "dealer": "9d", "pay-tie/tie": "1/0"}, "'1/0' is not a pay"),
        ({"player": "9s", "dealer": "9d", "pay-tie/tie": "1e999999999"}, "is not a pay"),
        ({"player": "9s" * MAX_VALUE_CHARS, "dealer": "9d"}, "too long"),
    ],
)
def test_an_impossible_position_is_refused_in_a_sentence(query, sentence) -> None:
    with pytest.raises(Refused) as refused:
        read_position(GAMES["casino-war"], query)
    assert sentence in str(refused.value)
