"""The worth of a seen card in High Five Poker, counted by the rank of the card.

The dealer's hands that hold a card and those that do not are all of them, so one sum of weights for a hand
and a card serves a card of the dealer's and a dead card (`seen_cards_gains`).
"""

from collections.abc import Iterator
from fractions import Fraction
from math import comb
from typing import Any

from numpy.typing import NDArray

from feltlab.core.cards import RANKS
from feltlab.core.game import Game
from feltlab.core.solver import DEAD_CARD, SeenCard, SeenRank
from feltlab.core.stake import Stake
from feltlab.counting.subsets import HAND
from feltlab.games.high_five_poker import rules
from feltlab.games.high_five_poker.seen_cards_gains import (
    DEAD,
    DEALERS,
    SURE_STRENGTH,
    SeenDeck,
    count_seen_deck,
    sum_gains,
)
from feltlab.games.high_five_poker.solver.choices import FOLDED, Nets, Undecided
from feltlab.games.high_five_poker.solver.deck_proof import counted_deck
from feltlab.parallel.progress import Progress, part_of

DEALER_CARD = "one of the dealer's seven cards"
METHOD = (
    "every hand of the player below two pair up to suits, beside every card that can be seen, against all "
    "dealer's hands that hold it or do not, by inclusion and exclusion; from two pair on, a bound shows that "
    "every hand is played whatever card is seen"
)
UNPROVED = "not proved: with these pays, hands from two pair on may fold"
RANK_NAMES = (*RANKS, "joker")


def see_cards(game: Game, stake: Stake, progress: Progress) -> tuple[SeenCard, ...]:
    listed = counted_deck(progress)
    deck = count_seen_deck(listed.found, listed.order, SURE_STRENGTH, part_of(progress, 0.4, 0.6))
    try:
        gains = sum_gains(deck, listed.strengths, Nets.of(game), part_of(progress, 0.6, 1.0))
    except Undecided:
        return SeenCard("dead", DEAD_CARD, UNPROVED), SeenCard("dealer", DEALER_CARD, UNPROVED)
    dead, dealers = (tuple(list_ranks(game, stake, deck, gains, kind)) for kind in (DEAD, DEALERS))
    return SeenCard("dead", DEAD_CARD, METHOD, dead), SeenCard("dealer", DEALER_CARD, METHOD, dealers)


def list_ranks(
    game: Game, stake: Stake, deck: SeenDeck, gains: NDArray[Any], kind: int
) -> Iterator[SeenRank]:
    """The expected nets for each rank of the card seen, of a deck and the gains by playing."""
    nets, cards = Nets.of(game), len(deck.found.deck)
    trips = sum_trips(game, deck)
    for rank, size in enumerate(deck.rank_sizes.tolist()):
        if size:
            hands = size * comb(cards - 1, HAND)
            fixed = stake["trips"] * trips[rank] / hands + stake["ante"] * Fraction(
                nets.together(FOLDED), nets.parts
            )
            part = stake["ante"] / (nets.parts * hands * deck.dealers[kind])
            unused, used = (fixed + part * int(gain) for gain in gains[kind, :, rank])
            yield SeenRank(RANK_NAMES[rank], Fraction(size, cards), unused, used)


def sum_trips(game: Game, deck: SeenDeck) -> list[Fraction]:
    """By rank of the card seen: the net of Trips over all hands and cards of the rank outside."""
    lines = game.pay_table(game.spot("trips")).lines
    nets = [lines[rules.judge_trips(strength)].pays for strength in deck.order.strengths.tolist()]
    return [
        sum((int(n) * net for n, net in zip(hands, nets, strict=True)), Fraction(0))
        for hands in deck.hands_beside
    ]
