"""Commands on a game with a board and streets, which is made up."""

import pytest

from feltlab.cli.advise import cards_due, open_round
from feltlab.cli.settle import read_areas
from feltlab.core.cards import Cards, cards
from feltlab.core.stake import read_stake
from feltlab.errors import Refused
from tests.support.toy_games import STREETS, TWO_SIDES

STAKE = read_stake(STREETS, {"ace": "1"})  # a wager of one fixed size


def test_advice_asks_for_the_cards_of_each_street() -> None:
    assert cards_due(STREETS, []) == {"player": 1, "board": 0, "dealer": 0}
    assert cards_due(STREETS, ["bet"]) == {"player": 1, "board": 3, "dealer": 0}
    with pytest.raises(Refused, match=r"^Too few cards; give 1 of the player's and then 3 of the board's\.$"):
        open_round(STREETS, STAKE, cards("Ac 2c"), ["bet"])


def test_advice_puts_cards_into_their_areas() -> None:
    opening = open_round(STREETS, STAKE, cards("Ac"), [])
    assert opening.choices == ("check", "bet", "bet-2", "bet-3", "bet-4")
    closing = open_round(STREETS, STAKE, cards("Ac 2c 2d 3h"), ["check"])
    assert (closing.view.board, closing.choices) == (cards("2c 2d 3h"), ("fold", "bet"))


def test_typed_cards_are_read_by_area() -> None:
    typed = {"player": ("Ac",), "board": ("2c", "2d 3h"), "dealer": ()}
    assert read_areas(STREETS, **typed) == (cards("Ac"), cards("2c 2d 3h"), Cards())
    with pytest.raises(Refused, match=r"^Toy Two Sides has no cards of the board\.$"):
        read_areas(TWO_SIDES, **typed)
