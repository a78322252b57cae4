"""A wrong number of cards in a hand of one seat's round voids it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltlab.core.card_counts import CountedHands
from feltlab.core.cards import FACE_DOWN, UNKNOWN, Cards, cards
from feltlab.core.deal import Deal
from feltlab.core.round import Round, seat_shoe
from feltlab.errors import Refused
from feltlab.games import GAMES
from tests.support.game_strategies import deals

RUMMY = GAMES["triple-shot-rummy"]


def test_a_round_of_too_many_cards_is_void() -> None:
    round = Round.of(RUMMY, "5s 6s 7s 8c", "2c 9d 4h", ante=1000)
    assert round.void == "The player has 4 cards; the rules deal at most 3."
    assert (round.settlement.net, round.settlement["ante"].returned, round.choices) == (0, 1000, ())
    assert "dealer has 4 cards" in Round.of(RUMMY, "5s 6s 7s", "2c 9d 4h Ks", ante=1000).void
    with pytest.raises(Refused, match="5s is given 2 times"):
        Round.of(RUMMY, "5s 6s 7s 5s", "2c 9d 4h", ante=1000)


def test_a_seats_shoe_has_no_place_for_surplus_cards() -> None:
    with pytest.raises(Refused, match=r"^The player has 4 cards; the rules deal at most 3\.$"):
        seat_shoe(RUMMY, Cards([0, 1, 2, 3]), Cards())


def test_cards_that_the_dealer_has_collected_are_not_counted() -> None:
    hunter = GAMES["rabbit-hunter"]
    deal = Deal.start(hunter, hunter.deck.cards, [{"ante": 500}] * 2)
    assert deal.cards_due[:2] == [6, 6]  # the last one face down
    assert deal.turn is not None
    after = deal.choose(deal.turn, "play")
    assert after.cards_due[deal.turn] == 5  # the sixth was not bought
    assert deal.choose(deal.turn, "fold").cards_due[deal.turn] == 0
    assert not after.count_hands([5, 6] if deal.turn == 0 else [6, 5], after.cards_due[-1]).void


def test_a_choice_that_needs_a_missing_card_leaves_a_wrong_number() -> None:
    """Without the player's card nobody can tell that the hands tied."""
    hands = CountedHands(GAMES["casino-war"], (Cards(), cards("9d")), complete=True)
    assert hands.play({"primary": 500}, ("surrender",)).void == "The player has 0 cards instead of 1."


@pytest.mark.parametrize(
    ("name", "wagers", "missing"),
    [
        ("mississippi-stud", {"ante": 500}, ""),
        ("mississippi-stud", {"ante": 500, "three-card-bonus": 500}, "The board's first card is missing."),
    ],
)
def test_after_a_fold_only_cards_that_decide_a_wager_are_missing(name, wagers, missing) -> None:
    hands = CountedHands(GAMES[name], (cards("9d 2c"), Cards()))
    if missing:
        with pytest.raises(Refused, match=missing):
            hands.play(wagers, ("fold",))
    else:
        assert hands.play(wagers, ("fold",)).settlement.net == -500


@given(deals(over=True), st.data())
def test_the_cards_of_a_deal_are_a_right_number_for_each_seat(deal: Deal, data: st.DataObject) -> None:
    """Also where the dealer has drawn for other seats; one card more or fewer makes the round void."""
    seat = data.draw(st.integers(0, len(deal.seats) - 1))
    areas = deal.game.split_areas(deal.rounds[seat].shoe).values()
    player, *shared = (Cards(card for card in held if card != UNKNOWN) for held in areas)
    play = (deal.seats[seat].wagers, deal.seats[seat].chosen)
    assert not CountedHands(deal.game, (player, *shared), complete=True).play(*play).void
    spare = Cards(deal.rest[:1])
    surplus = CountedHands(deal.game, (Cards((*player, *spare)), *shared)).play(*play)
    assert "player has" in surplus.void or "surrender" in play[1] or not spare
    kept = len(player) - deal.rounds[seat].view.player.count(FACE_DOWN)  # without one that was not bought
    assert not CountedHands(deal.game, (Cards(player[:kept]), *shared), complete=True).play(*play).void
    short = CountedHands(deal.game, (Cards(player[: kept - 1]), *shared), complete=True).play(*play)
    assert "player has" in short.void
    assert short.settlement.net == 0
