"""The dealer peeks at the hole card: players learn of a blackjack, and of nothing else."""

from feltlab.core.cards import Cards, cards
from feltlab.core.round import Round
from feltlab.games import GAMES
from tests.games.triple_shot_bonus.referee import is_natural
from tests.support.game_strategies import smallest_wagers

GAME = GAMES["triple-shot-bonus"]


def test_an_unknown_hole_card_is_no_blackjack() -> None:
    wagers = smallest_wagers(GAME)
    known = Round.of(GAME, "9c 7d", "Td 2c", **{name.replace("-", "_"): c for name, c in wagers.items()})
    unknown = Round.of(GAME, "9c 7d", "Td", **{name.replace("-", "_"): c for name, c in wagers.items()})
    assert unknown.choices == known.choices == ("hit", "stand", "double")


def test_a_peeked_card_shows_itself_only_as_a_blackjack() -> None:
    """A ten up and any card face down: an ace ends the round at once, all others look alike."""
    seen = set()
    for hole in set(GAME.deck.cards) - set(cards("9c 7d Td 2c 2d 2h 2s 3c 3d 3h 3s 4c 4d 4h")):
        dealer = Cards((*cards("Td"), hole, *cards("3c 3d 3h 3s 4c 4d 4h")))
        round = Round.of(GAME, "9c 7d 2c 2d 2h 2s", dealer, **smallest_wagers(GAME))
        assert round.over == is_natural(dealer)
        seen.add((round.view, round.choices) if not round.over else "blackjack")
    assert len(seen) == 2


def test_insurance_is_offered_before_the_dealer_looks() -> None:
    """An ace up: the face-down card changes nothing until the player has decided."""
    views = set()
    for hole in set(GAME.deck.cards) - set(cards("9c 7d Ad")):
        round = Round.of(GAME, "9c 7d", Cards((*cards("Ad"), hole)), **smallest_wagers(GAME))
        views.add((round.view, round.choices))
    assert {choices for _, choices in views} == {("insure", "decline")}
    assert len(views) == 1
