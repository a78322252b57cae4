"""Shuffles that deal the prepared hands of a game's data.

They are whole decks in a known order, so the house's commitment to them holds.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np

from feltlab.core.cards import UNKNOWN, Cards, cards
from feltlab.core.game import Game
from feltlab.core.layout import BOARD, BURNT, CHOOSES, DEALER
from feltlab.games import GAMES
from feltlab.shuffling.models import mode_of
from tests.support.game_data import PreparedHand, texts_by_area

SHARED = {DEALER: "dealer", BOARD: "board"}


def shuffles_of(game: str, hands: Iterable[PreparedHand]) -> Iterator[Cards]:
    """The orders that deal these hands to a single player, one after the other."""
    played = [list(_fallen(GAMES[game], hand)) for hand in hands]
    if mode_of(GAMES[game]).shoe:
        played = [[card for round in played for card in round]]
    return (_completed(GAMES[game], round) for round in played)


def beginning(game: str, text: str) -> Cards:
    """An order that begins with these cards."""
    return _completed(GAMES[game], list(cards(text)))


def _fallen(game: Game, hand: PreparedHand) -> Iterator[int | None]:
    """The cards in dealing order; None for a burned card, which may be any card."""
    areas = dict(zip(game.area_starts, map(cards, texts_by_area(game, hand)), strict=True))
    names = [choice.name for choice in game.choices]
    shoe = np.full(game.places, UNKNOWN, np.int8)
    for name, held in areas.items():
        start = game.area_starts[name]
        shoe[start : start + len(held)] = held
    chosen = np.array([names.index(choice) for choice in hand.choices.split()], np.int8)
    for who, at in game.rules.dealing(game.kernel_data, [(shoe, chosen)]):
        assert at != CHOOSES, f"{hand} leaves a choice open"
        if at >= 0:  # a card; otherwise the dealer stops to take and pay
            yield None if who == BURNT else areas[SHARED.get(who, "player")][at]


def _completed(game: Game, fallen: list[int | None]) -> Cards:
    """A whole deck that begins with these cards."""
    rest = Counter(game.deck.cards) - Counter(card for card in fallen if card is not None)
    others = iter(sorted(rest.elements()))
    return Cards([*(next(others) if card is None else card for card in fallen), *others])
