"""A round that nobody sees, so that the first round at a table does not wait for compilation."""

from feltlab.core.deal import Deal
from feltlab.core.game import Game


def rehearse(game: Game) -> None:
    """Play a round of a game by the first open choices, and word it."""
    first = game.wagers[: game.rules.GAMES_PER_HAND]
    deal = Deal.start(game, game.deck.cards, [{spot.name: spot.fixed_cents or 10_000 for spot in first}])
    while not deal.over:
        deal = deal.choose(0, deal.rounds[0].choices[0])
    _ = deal.rounds[0].view, str(deal.rounds[0].settlement)
