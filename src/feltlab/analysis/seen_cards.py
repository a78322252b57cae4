"""The worth of one card that a player sees before choosing, though it should not be seen.

A game proves it in its own way (`seen_cards.py` of the game). Here it is stored, and held to the proof of the
stake: a player who does not use the card must lose, over all cards that it can be, what the stake loses.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from feltlab.core.game import Game
from feltlab.core.solver import SeenCard, SeenRank
from feltlab.core.stake import Stake
from feltlab.games import see_cards_of
from feltlab.parallel.progress import Progress, nobody_listens
from feltlab.proving.exact_numbers import exact
from feltlab.proving.proof import prove
from feltlab.proving.store import cached_json


@dataclass(frozen=True)
class SeenCards:
    """Each kind of card that might be seen, for one stake at best play."""

    loss: Fraction  # of a round without any knowledge, in units
    first_wagers: Fraction
    cards: tuple[SeenCard, ...]  # empty where nothing is proved for the game

    @property
    def edge(self) -> Fraction:
        """The joint edge of a player who has seen nothing."""
        return self.loss / self.first_wagers

    def edge_with(self, expected: Fraction) -> Fraction:
        """The joint edge that goes with an expected net of the stake."""
        return -expected / self.first_wagers

    def as_json(self) -> dict[str, Any]:
        cards = {card.key: self._card_json(card) for card in self.cards}
        return {"house_edge": exact(self.edge), "first_wagers": exact(self.first_wagers), "cards": cards}

    def _card_json(self, card: SeenCard) -> dict[str, Any]:
        found: dict[str, Any] = {"card": card.card, "method": card.method}
        if not card.ranks:
            return found
        return found | {
            "house_edge": exact(self.edge_with(card.used)),
            "gain": exact(card.gain),
            "gain_error": card.gain_error,
            "ranks": {each.rank: self._rank_json(each) for each in card.ranks},
        }

    def _rank_json(self, each: SeenRank) -> dict[str, Any]:
        return {
            "probability": exact(each.chance),
            "house_edge_unused": exact(self.edge_with(each.unused)),
            "house_edge": exact(self.edge_with(each.used)),
            "gain": exact(each.used - each.unused),
            "error": each.error,
        }


def seen_cards(game: Game, stake: Stake, progress: Progress = nobody_listens) -> SeenCards:
    """The worth of each kind of seen card under a stake; stored with the proofs."""
    proof, see = prove(game, stake, progress=progress), see_cards_of(game)
    if see is None:
        return SeenCards(proof.loss, proof.first_wagers, ())
    staked = {bet: str(units) for bet, units in stake.items()}
    key = [str(game.as_proved), "seen cards", staked]
    stored = cached_json(key, lambda: [_to_json(card) for card in see(game, stake, progress)])
    cards = tuple(map(_from_json, stored))
    for card in cards:
        _check(card, proof.loss)
    return SeenCards(proof.loss, proof.first_wagers, cards)


def _check(card: SeenCard, loss: Fraction) -> None:
    """The law of total expectation: a card that is not used changes nothing on average."""
    sampled = any(each.error for each in card.ranks)
    if card.ranks and card.unused != -loss and not (sampled and abs(card.unused + loss) < 1e-9):
        raise ArithmeticError(f"{card.card}: the mean over all ranks is not that of the proof")


def _to_json(card: SeenCard) -> dict[str, Any]:
    ranks = [
        asdict(each) | {name: str(getattr(each, name)) for name in ("chance", "unused", "used")}
        for each in card.ranks
    ]
    return asdict(card) | {"ranks": ranks}


def _from_json(data: Mapping[str, Any]) -> SeenCard:
    ranks = tuple(
        SeenRank(
            each["rank"],
            Fraction(each["chance"]),
            Fraction(each["unused"]),
            Fraction(each["used"]),
            each["error"],
        )
        for each in data["ranks"]
    )
    return SeenCard(data["key"], data["card"], data["method"], ranks, data["gain_error"])
