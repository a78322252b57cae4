"""Other readings of Casino War, counted card by card from one deck."""

from fractions import Fraction
from itertools import permutations

import pytest

from feltlab.core.stake import default_stake
from feltlab.core.tally import Tally
from feltlab.games import GAMES
from feltlab.games.casino_war.other_laws import OTHER_LAWS
from feltlab.parallel.progress import nobody_listens

GAME = GAMES["casino-war"].with_options({"decks": "1"})
# By reading, the place of a card: the ace below the two, or suits that break ties.
PLACES = {"ace-low": lambda card: (card // 4 + 1) % 13, "suits-ranked": lambda card: card}


@pytest.mark.parametrize("name", PLACES)
def test_first_cards_of_one_deck(name: str) -> None:
    place = PLACES[name]
    pairs = list(permutations(range(52), 2))
    won = sum(place(one) > place(two) for one, two in pairs)
    tied = sum(place(one) == place(two) for one, two in pairs)
    law = OTHER_LAWS[name](GAME, default_stake(GAME), "surrender", nobody_listens)
    tally = Tally(GAME, law.counts)
    assert tally.outcomes(GAME.spot("tie"))["tie"] * len(pairs) == tied * tally.deals
    lost = len(pairs) - won - tied
    assert tally.expected(GAME.spot("primary")) == Fraction(2 * won - 2 * lost - tied, 2 * len(pairs))


def test_wars_of_an_ace_that_is_low() -> None:
    """War cards from the 50 that are left after a pair; both sides are alike."""
    law = OTHER_LAWS["ace-low"](GAME, default_stake(GAME), "war", nobody_listens)
    found = Tally(GAME, law.counts).outcomes(GAME.spot("primary"))
    assert found["war won"] == found["war lost"]
    # Of the 50 cards 48 have three partners and two have one.
    assert Fraction(found["war tied"], found["war won"] + found["war tied"] + found["war lost"]) == Fraction(
        48 * 3 + 2, 50 * 49
    )
