"""Clauses that the rule sheets of public games share: one function for each."""

from collections.abc import Mapping

import pytest

from feltlab.core.cards import cards
from feltlab.core.deal import Deal
from feltlab.core.game import Game
from feltlab.core.round import Round
from feltlab.core.seating import Seat
from feltlab.errors import Refused
from tests.support.procedures import steps_at

CENTS = 100


def all_wagers(game: Game, cents: int = CENTS) -> dict[str, int]:
    return {spot.name: cents for spot in game.wagers}


def start_deal(game: Game, seats: int = 2, first: str = "") -> Deal:
    """A deal with every wager at every seat; the deck begins with some cards."""
    top = cards(first)
    shoe = cards((*top, *(card for card in game.deck.cards if card not in top)))
    return Deal.start(game, shoe, [all_wagers(game)] * seats)


def play_out(deal: Deal, choice: str) -> Deal:
    """The deal after every seat has made this choice whenever it had to choose."""
    while deal.turn is not None:
        deal = deal.choose(deal.turn, choice)
    return deal


def nets_of(game: Game, *areas: str, choices: str, wagers: Mapping[str, int] | None = None) -> dict[str, int]:
    """By spot, what a round with 100 cents on every first wager nets."""
    placed = {name.replace("-", "_"): cents for name, cents in (wagers or all_wagers(game)).items()}
    settlement = Round.of(game, *areas, **placed).choose(*choices.split()).settlement
    return {paid.spot.name: paid.net for paid in settlement.wagers}


# -- Cards, wagers, the deal ------------------------------------------------------------------------


def check_deck(game: Game, joker_hand: str) -> None:
    """52 cards; a hand with a joker is refused."""
    assert sorted(game.deck.cards) == list(range(52))
    with pytest.raises(Refused, match="not in this game's deck"):
        Round.of(game, joker_hand, **{spot.name.replace("-", "_"): CENTS for spot in game.wagers})


def check_fresh_deck(game: Game) -> None:
    assert game.behind_cut == len(game.deck)  # so nothing is left to deal a second round from


def check_seats(game: Game, cards_used: int) -> None:
    full = play_out(start_deal(game, game.seats), game.choices[0].name)
    assert len(full.shoe) - len(full.rest) == cards_used
    with pytest.raises(Refused, match=f"at most {game.seats}"):
        start_deal(game, game.seats + 1)


def check_one_seat(game: Game) -> None:
    held = [tuple(Seat(all_wagers(game), player=name) for name in names) for names in ("ab", "aa")]
    assert Deal(game, game.deck.cards, held[0])
    with pytest.raises(Refused, match="only one seat"):
        Deal(game, game.deck.cards, held[1])


def check_last_call(game: Game) -> None:
    assert start_deal(game).calls[0] == "No more bets."


def check_own_cards(game: Game) -> None:
    """A view has one hand, the player's own, face up."""
    deal = start_deal(game)
    for seat, round in enumerate(deal.rounds):
        own = [card for to, card in deal.dealt if to == seat]
        assert list(round.view.player) == own
        assert {card for card in round.seen[game.own_places :] if card >= 0} == set()


def check_rest_unused(game: Game) -> None:
    over = play_out(start_deal(game), game.choices[0].name)
    assert len(over.rest) == len(game.deck) - len(over.dealt)


def check_one_choice(game: Game, choice: str) -> None:
    """After a choice it is the turn of the next seat, and the seat that has chosen cannot choose again."""
    deal = start_deal(game).choose(0, choice)
    assert deal.turn == 1
    with pytest.raises(Refused, match="turn of position 2"):
        deal.choose(0, choice)


def check_turns(game: Game, choice: str) -> None:
    """Every seat chooses once before a seat chooses again, from the dealer's left."""
    deal, turns = start_deal(game, 3), []
    while deal.turn is not None:
        turns.append(deal.turn)
        deal = deal.choose(deal.turn, choice)
    assert turns == [0, 1, 2] * (len(turns) // 3)


# -- Settling ---------------------------------------------------------------------------------------


def check_seats_from_right(game: Game) -> None:
    over = play_out(start_deal(game, 3), game.choices[0].name)
    assert [seat for seat, _ in over.settling] == [2, 1, 0]


def check_spots_in_order(game: Game, choice: str, *spots: str) -> None:
    over = play_out(start_deal(game, 1), choice)
    assert tuple(paid.spot.name for _, paid in over.payments) == spots


def check_settled_once(game: Game, choice: str) -> None:
    over = play_out(start_deal(game), choice)
    found = [(seat, paid.spot.name) for seat, paid in over.payments]
    assert len(found) == len(set(found))
    assert all(paid.outcome and paid.why for _, paid in over.payments)


def check_taken_at_fold(game: Game, *spots: str) -> None:
    """A fold of the first seat settles these spots before the second seat chooses, and no other."""
    deal = start_deal(game).choose(0, "fold")
    assert deal.turn == 1
    assert [(seat, paid.spot.name, paid.net) for seat, paid in deal.payments] == [
        (0, spot, -CENTS) for spot in spots
    ]


# -- Irregularities and procedure -------------------------------------------------------------------


def check_wrong_count(game: Game) -> None:
    """A card more or less in any hand, or in an area that all seats share, voids the round."""
    deal = start_deal(game)
    due = deal.cards_due
    assert deal.count_hands(due[:2], *due[2:]) == deal
    for at in range(len(due)):
        for by in (-1, 1):
            found = [count + by * (n == at) for n, count in enumerate(due)]
            void = deal.count_hands(found[:2], *found[2:])
            assert {paid.result for _, paid in void.payments} == {"refund"}


def check_void_refunds(game: Game, choice: str) -> None:
    """What a choice put down is refunded too."""
    deal = start_deal(game).choose(0, choice)
    void = deal.declare_void("a card fell to the floor")
    staked = sum(round.staked(spot) for round in deal.rounds for spot in game.spots)
    assert sum(paid.returned for _, paid in void.payments) == staked
    assert void.payments[0][1].why == "a card fell to the floor"


def check_void_opens_nothing(game: Game) -> None:
    void = start_deal(game).declare_void("the shuffler failed")
    assert void.over
    with pytest.raises(Refused, match="no choice is open"):
        void.choose(0, game.choices[0].name)


def check_moment(game: Game, moment: str, *words: str) -> None:
    """The steps at a moment of the round say these words."""
    said = steps_at(game, moment)
    assert all(word in said for word in words), said
