"""Answers that a server works out before anybody asks: strategy cards, then what the pages of games show.

A first solve of a game compiles and counts for up to a minute. Then all of it is in the store of proofs,
where the next start of the server finds it.
"""

from collections.abc import Iterable

from feltlab.core.game import Game
from feltlab.core.stake import default_stake, has_choices
from feltlab.workers.pool import Pool
from feltlab.workers.training.trainer import Trainer

PAGE_PARTS = ("costs",)  # of the page of a game; the lab answers each
PAGE_PARTS_WITH_CHOICES = ("costs", "card", "mistakes", "rows")


async def prepare_games(games: Iterable[Game], trainer: Trainer, lab: Pool, day: str) -> None:
    """Prepare the strategy cards of games, the hand of the day and then the pages, one after the other."""
    listed = list(games)
    for game in listed:
        if game.choices:
            await trainer.prepare(game)
    await trainer.prepare_daily(day)
    for game in listed:
        await prepare_page(game, lab)


async def prepare_page(game: Game, lab: Pool) -> None:
    """Prepare the parts of the page of a game, by the questions that the page asks."""
    stake = default_stake(game)
    question = {
        "game": game.name,
        "options": dict(game.chosen),
        "stake": {bet: str(units) for bet, units in stake.items()},
    }
    await lab.prepare("proof", **question, strategy="optimal")
    for part in PAGE_PARTS_WITH_CHOICES if has_choices(game, stake) else PAGE_PARTS:
        await lab.prepare(part, **question)


def order_games(games: Iterable[Game], played: Iterable[str]) -> list[Game]:
    """The games, those first that are played at a table."""
    first = set(played)
    return sorted(games, key=lambda game: game.name not in first)
