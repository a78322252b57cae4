"""Hands for training: dealt to a decision, and on by the best choices to the next one."""

import time
from collections.abc import Callable, Iterator
from random import SystemRandom

from feltlab.core.cards import Cards
from feltlab.core.game import Game
from feltlab.core.position import hide_unseen, usual_wagers
from feltlab.core.round import Round
from feltlab.core.solver import StrategyCard
from feltlab.digests import sha256_hex
from feltlab.errors import Refused
from feltlab.proving.advice import advise
from feltlab.workers.training.decisions import Data, describe_decision, row_of

MAX_DEALS = 200_000  # without a decision of the wanted row
DAILY_CANDIDATES = 8
Deal = Callable[[], Cards]
Wagers = dict[str, int]


def training_wagers(game: Game) -> Wagers:
    """The usual wagers; where no choice belongs to them, the first wager to which one does."""
    usual = usual_wagers(game)
    if not game.chosen_for.isdisjoint(usual):
        return usual
    required = {name: cents for name, cents in usual.items() if game.is_required(game.spot(name))}
    deciding = next(spot.name for spot in game.wagers if spot.name in game.chosen_for)
    return {**required, deciding: max(usual.values())}


def deal_at_random(game: Game) -> Deal:
    """Shoes of a seat from the system's source of randomness; undealt cards are exchangeable."""
    random = SystemRandom()
    return lambda: Cards(random.sample(game.deck.cards, game.places))


def deal_by_digest(game: Game, text: str) -> Deal:
    """The shoes that a text determines, the same on every machine: cards in the order of digests."""
    numbers = iter(range(MAX_DEALS))

    def deal() -> Cards:
        number = next(numbers)
        deck = enumerate(game.deck.cards)
        order = sorted(deck, key=lambda item: sha256_hex(f"{text} {number} {item[0]}".encode()))
        return Cards(card for _, card in order[: game.places])

    return deal


def play_hand(round: Round, card: StrategyCard | None) -> Iterator[Round]:
    """The decisions of a hand, each after the best choices before."""
    while round.choices:
        yield round
        row = row_of(card, round)
        best = row.choice if row else advise(hide_unseen(round))[0].choice
        round = round.choose(best)


def deal_hands(
    game: Game, wagers: Wagers, card: StrategyCard | None, count: int, row: str = "", seconds: float = 3.0
) -> list[list[Data]]:
    """Some hands as lists of decisions; with a row, hands that begin with a decision of that row.

    A row is named as `CardRow.name` names it, or by a prefix for a whole row or chart. Fewer hands come back
    if the time is up.
    """
    deal, found, until = deal_at_random(game), list[list[Data]](), time.monotonic() + seconds
    for _ in range(MAX_DEALS):
        if len(found) >= count or (time.monotonic() > until and (found or row)):
            return found
        decisions = play_hand(Round(game, deal(), wagers), card)
        wanted = [one for one in decisions if not row or is_of_row(card, one, row)]
        if wanted:
            listed = wanted[:1] if row else wanted
            found.append([describe_decision(one, card) for one in listed])
    if not found and not row:
        raise Refused(f"No hand of {game.title} came to a choice.")
    return found


def is_of_row(card: StrategyCard | None, round: Round, row: str) -> bool:
    found = row_of(card, round)
    return found is not None and f"{found.name}/".startswith(f"{row}/")


def pick_daily(game: Game, wagers: Wagers, card: StrategyCard | None, date: str) -> Data:
    """The decision of a day: the closest of several, so that it is worth thinking about."""
    deal, found = deal_by_digest(game, f"{date} {game.name}"), list[Data]()
    while len(found) < DAILY_CANDIDATES:
        for one in play_hand(Round(game, deal(), wagers), None):
            found.append(describe_decision(one, card))
    return min(found, key=_closeness)


def _closeness(decision: Data) -> tuple[bool, float]:
    """Decisions with one best choice first, by what the next one costs."""
    costs = sorted(value["cost"] for value in decision["values"])
    second = costs[1] if costs[1:] else 0.0
    return not second, second
