"""The worth of a seen card in Casino War.

A dead card leaves the shoe before the deal, so every order of four ranks is weighted by the cards that are
left, and the better choice is made for each rank of a tie.
"""

from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import perm

from feltlab.core.cards import RANKS as NAMES
from feltlab.core.game import Game
from feltlab.core.solver import DEAD_CARD, SeenCard, SeenRank
from feltlab.core.stake import Stake
from feltlab.core.tally import Tally
from feltlab.games.casino_war.solver import RANKS, count_deals, decisions, settle_ranks
from feltlab.parallel.progress import Progress

METHOD = "every order of a dead card and four ranks, weighted by the cards of each rank in the shoe"
NONE_IN_TIME = (
    "none can be seen in time, because the first lies face up and the war card is dealt after the choice"
)


def see_cards(game: Game, stake: Stake, progress: Progress) -> tuple[SeenCard, ...]:
    ranks = tuple(_see_rank(game, stake, rank) for rank in RANKS)
    return (
        SeenCard("dead", DEAD_CARD, METHOD, ranks),
        SeenCard("dealer", "a hidden card of the dealer's", NONE_IN_TIME),
    )


def _see_rank(game: Game, stake: Stake, dead: int) -> SeenRank:
    """One rank of the dead card, with the nets summed over all deals."""
    (base,) = decisions(game, stake, "optimal").tolist()
    apart = _sum_apart(game, stake, dead)
    choices = range(len(game.choices))
    tied = [[_sum_tied(game, stake, dead, rank, choice) for choice in choices] for rank in RANKS]
    deals = count_deals((dead,), game.kernel_data.decks) * perm(len(game.deck) - 1, 4)
    unused, used = apart + sum(nets[base] for nets in tied), apart + sum(map(max, tied))
    return SeenRank(NAMES[dead], Fraction(1, len(RANKS)), unused / deals, used / deals)


def _sum_apart(game: Game, stake: Stake, dead: int) -> Fraction:
    """The nets of all deals without a tie, after which any two cards may follow."""
    nets = (
        count_deals((dead, one, two), game.kernel_data.decks) * _net(game, stake, (one, two, 0, 0), None)
        for one, two in permutations(RANKS, 2)
    )
    return sum(nets, Fraction(0)) * perm(len(game.deck) - 3, 2)


def _sum_tied(game: Game, stake: Stake, dead: int, tied: int, choice: int) -> Fraction:
    """The nets of all deals with a tie of this rank and a choice."""
    dealt = ((tied, tied, *war) for war in product(RANKS, repeat=2))
    decks = game.kernel_data.decks
    nets = (count_deals((dead, *ranks), decks) * _net(game, stake, ranks, choice) for ranks in dealt)
    return sum(nets, Fraction(0))


def _net(game: Game, stake: Stake, ranks: tuple[int, ...], choice: int | None) -> Fraction:
    """The net of the stake, which depends only on how the cards compare."""
    player, dealer, player_war, dealer_war = ranks
    first, second = _compare(player, dealer), _compare(player_war, dealer_war)
    return _net_of_example(game, tuple(stake.items()), first, second, choice)


def _compare(one: int, two: int) -> int:
    return (one > two) - (one < two)


@cache
def _net_of_example(
    game: Game, staked: tuple[tuple[str, Fraction], ...], first: int, second: int, choice: int | None
) -> Fraction:
    outcomes = settle_ranks(game, (1 + first, 1, 1 + second, 1), choice)
    return Tally(game, {outcomes: 1}).total_expected(dict(staked))
