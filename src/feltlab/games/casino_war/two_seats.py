"""Two seats of Casino War against one dealer: every order of their cards, weighted as in the solver."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from math import perm

from feltlab.core.game import Game
from feltlab.core.solver import TwoSeats
from feltlab.core.stake import Stake
from feltlab.core.tally import Outcomes
from feltlab.games.casino_war import rules
from feltlab.games.casino_war.solver import RANKS, count_deals, decisions, settle_ranks

Seat = tuple[int, ...]  # the player's card, the dealer's, the player's at war, the dealer's at war
MAX_CARDS = 7  # dealt to two seats, with a war for each


def count_pairs(game: Game, stake: Stake, strategy: str) -> Mapping[tuple[Outcomes, Outcomes], int]:
    """The number of equally likely deals that lead to each pair of joint outcomes of two seats."""
    choice = int(decisions(game, stake, strategy)[0])

    @cache
    def settle(seat: Seat) -> Outcomes:
        return settle_ranks(game, seat, choice if seat[0] == seat[1] else None)

    found: Counter[tuple[Outcomes, Outcomes]] = Counter()
    for one, other, dealt in _deals(choice == rules.WAR, game.kernel_data.war_for_each):
        left = len(game.deck) - len(dealt)
        ways = count_deals(dealt, game.kernel_data.decks) * perm(left, MAX_CARDS - len(dealt))
        found[settle(one), settle(other)] += ways
    return found


def _deals(goes_to_war: bool, war_for_each: bool) -> Iterator[tuple[Seat, Seat, tuple[int, ...]]]:
    """The cards of both seats, and all cards dealt; war cards only where there is a war."""
    for dealer, one, other in product(RANKS, repeat=3):
        at_war = [goes_to_war and card == dealer for card in (one, other)]
        dealers = sum(at_war) if war_for_each else any(at_war)
        for cards in product(RANKS, repeat=sum(at_war) + dealers):
            players, against = iter(cards[: sum(at_war)]), cards[sum(at_war) :]
            facing = (against[0], against[-1]) if against else (0, 0)
            wars = [(next(players), facing[n]) if war else (0, 0) for n, war in enumerate(at_war)]
            yield (one, dealer, *wars[0]), (other, dealer, *wars[1]), (dealer, one, other, *cards)


TWO_SEATS = TwoSeats(count_pairs=count_pairs)
