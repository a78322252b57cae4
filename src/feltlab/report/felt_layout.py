"""The layout of a game's felt, from its own data: where the wagers lie, which pays and notices are printed.

The wagers that a hand requires lie nearest to the player, each with its raises beside it; side bets lie
beyond them, nearer to the dealer.
"""

from collections.abc import Iterator
from typing import Any

from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.core.paytable import Line
from feltlab.games.data import packet_data, printed_lines
from feltlab.submission import game_facts
from feltlab.text import listing

NOTE_ODDS = 2  # to 1; a wager that pays more has its pay table printed, one that pays less a note


def is_dealt_by_hand(game: Game) -> bool:
    return game_facts.card_source(game) == "hand"


def card_source(game: Game) -> str:
    """The source of the cards: a shoe, a shuffler, or the dealer's hand."""
    source = game_facts.card_source(game)
    return "deck" if source == "hand" else source


# -- Spots ------------------------------------------------------------------------------------------


def arrange_spots(game: Game) -> dict[str, list[list[dict[str, Any]]]]:
    """Rows of spots, far (the dealer's side) and near; each first wager and its raises form a group."""
    near = [_group(game, spot) for spot in game.wagers if _is_main(game, spot)]
    far = [_group(game, spot) for spot in game.wagers if not _is_main(game, spot)]
    return {"far": far, "near": near}


def _is_main(game: Game, spot: Spot) -> bool:
    return game.is_required(spot) or any(other.follows == spot.name for other in game.spots)


def _group(game: Game, wager: Spot) -> list[dict[str, Any]]:
    followers = [spot for spot in game.spots if spot.follows == wager.name]
    return [_describe_spot(game, spot) for spot in (wager, *followers)]


def _describe_spot(game: Game, spot: Spot) -> dict[str, Any]:
    notices = [notice.text for notice in packet_data(game).notice if notice.spot == spot.name]
    followed = {"raises": spot.raises, "bonus_on": spot.bonus_on}
    return {"spot": spot.name, "title": spot.title, **followed, "notices": notices}


# -- Printed pays and notices -----------------------------------------------------------------------


def printed_pay_tables(game: Game) -> list[dict[str, Any]]:
    """The pay tables printed on the felt, with the winning lines that the house lists.

    Wagers that are paid alike share a table.
    """
    titles: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for spot, wins in _listed_wins(game):
        if max(line.pays for line in wins) > NOTE_ODDS:
            titles.setdefault(tuple((line.outcome, line.odds) for line in wins), []).append(spot.title)
    return [
        {"title": listing(spots), "pays": [{"outcome": outcome, "pays": odds} for outcome, odds in pays]}
        for pays, spots in titles.items()
    ]


def pay_notes(game: Game) -> list[str]:
    """Lines for wagers that pay a little more than even money: 'Blackjack pays 3 to 2'."""
    best = ((spot, max(wins, key=lambda line: line.pays)) for spot, wins in _listed_wins(game))
    return [f"{spot.title} pays {line.odds}" for spot, line in best if 1 < line.pays <= NOTE_ODDS]


def table_notices(game: Game) -> list[str]:
    """The notices that are printed across the layout, and at no spot."""
    return [notice.text for notice in packet_data(game).notice if not notice.spot]


def _listed_wins(game: Game) -> Iterator[tuple[Spot, list[Line]]]:
    """Each spot that can win, with the winning lines of its pay table that are printed."""
    for spot in game.spots:
        wins = [line for line in printed_lines(game, spot) if line.result == "win"]
        if wins:
            yield spot, wins
