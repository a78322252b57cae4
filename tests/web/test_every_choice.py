"""Every choice of every game, made in a real browser by mouse and by keyboard, with prepared cards."""

import pytest

from feltlab.games import GAMES
from tests.support.at_table import Keyboard, Mouse, card_names, check_results
from tests.support.browsers import DESKTOP, PHONE
from tests.support.features import representatives
from tests.support.game_data import data_of
from tests.support.prepared import shuffles_of


@pytest.mark.parametrize("game", GAMES)
def test_the_prepared_hands_use_every_choice(game):
    made = {choice for hand in data_of(game).prepared_hands for choice in hand.choices.split()}
    assert made == {choice.name for choice in GAMES[game].choices}


SMOKE = "casino-war"  # the game of the fast part
# Every game by mouse; by keyboard, games with every feature, since a key names a choice as a button does.
PLAYED = [(game, Mouse, PHONE) for game in GAMES] + [(game, Keyboard, DESKTOP) for game in representatives()]


@pytest.mark.parametrize(
    ("game", "player", "screen"),
    [pytest.param(*played, marks=[pytest.mark.slow] * (played[0] != SMOKE)) for played in PLAYED],
)
def test_every_choice_is_played_and_paid(new_page, open_table, shuffles, game, player, screen):
    shuffles.extend(shuffles_of(game, data_of(game).prepared_hands))
    seat = player(new_page(viewport=screen), open_table(game)).sit()
    seat.wager()
    for number, hand in enumerate(data_of(game).prepared_hands, 1):
        if number > 1:
            seat.rebet()
        seat.play(*hand.choices.split())
        assert check_results(seat) == 100 * hand.wins, hand
        assert len(card_names(seat.page)) >= len(hand.player.split())
    _check_commitment(seat)
    seat.leave()


def _check_commitment(seat):
    """The page of the last round checks the cards against the commitment."""
    told = seat.page.context.new_page()
    told.goto(seat.page.locator("#results a").get_attribute("href"))
    if seat.live.table.shuffle.deck == "shoe":
        assert "Later rounds are dealt from the same shoe" in told.inner_text("main")
    else:
        told.wait_for_selector("[data-verdict=good]")
    told.close()
