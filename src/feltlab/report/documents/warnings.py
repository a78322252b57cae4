"""Warnings for the cover of a document: wagers that favour the player."""

from collections.abc import Iterator

from feltlab.analysis.par_sheet import ParSheet
from feltlab.analysis.player_edges import BEST_PLAY, PlayerEdge
from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.report.documents.wager_costs import describe_stake
from feltlab.report.numbers import units
from feltlab.text import listing, percent


def cover_warnings(sheet: ParSheet) -> tuple[str, ...]:
    """A warning for each wager and stake of a PAR sheet that favours the player."""
    return tuple(_describe(sheet.game, found) for found in sheet.player_edges)


def _describe(game: Game, found: PlayerEdge) -> str:
    subject = _title(game, found.bet) if found.bet else "The whole stake"
    play = "the best play for this stake" if found.strategy == BEST_PLAY else f"the {found.strategy} strategy"
    setting = f"With {describe_stake(game, found.stake)} and {play}"
    return f"Warning: {subject} favours the player. {setting}, {'; '.join(_figures(found))}. {_result(found)}"


def _title(game: Game, bet: Spot) -> str:
    """'Ante', or 'Ante with Blind' where the two must be equal."""
    others = [game.spot(name).title for name in game.equal_wagers(bet.name) if name != bet.name]
    return f"{bet.title} with {listing(others)}" if others else bet.title


def _figures(found: PlayerEdge) -> Iterator[str]:
    its = "its" if found.bet else "the"
    yield f"{its} house edge is {percent(found.edge)} (return to player {percent(1 - found.edge)})"
    if found.added is not None:
        less = " (a round costs the player less with it than without it)" if found.added < 0 else ""
        yield f"its added cost is {percent(found.added)}{less}"


def _result(found: PlayerEdge) -> str:
    winner = "player" if found.loss < 0 else "house"
    return f"On all wagers together the {winner} wins {units(abs(found.loss))} units per round."
