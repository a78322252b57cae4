"""What a seen card is worth in Casino War.

A dead card leaves the shoe before the deal, so every order of four ranks is weighted by the cards that are
left, and the better choice is made for each rank of a tie.
"""

from fractions import Fraction
from functools import cache
from itertools import product
from math import perm

from feltlab.core.cards import RANKS as NAMES
from feltlab.core.game import Game
from feltlab.core.solver import DEAD_CARD, SeenCard, SeenRank
from feltlab.core.stake import Stake
from feltlab.core.tally import Outcomes, Tally
from feltlab.games.casino_war.solver import RANKS, count_deals, decisions, settle_ranks
from feltlab.parallel.progress import Progress

METHOD = "every order of a dead card and four ranks, weighted by the cards of each rank in the shoe"
NONE_IN_TIME = (
    "no card of the dealer's can be seen in time: the first lies face up, and the war card is dealt after "
    "the choice"
)


def see_cards(game: Game, stake: Stake, progress: Progress) -> tuple[SeenCard, ...]:
    ranks = tuple(_see_rank(game, stake, rank) for rank in RANKS)
    return (
        SeenCard("dead", DEAD_CARD, METHOD, ranks),
        SeenCard("dealer", "the dealer's war card", NONE_IN_TIME),
    )


def _see_rank(game: Game, stake: Stake, dead: int) -> SeenRank:
    """The cards of one rank, with the nets of all deals after them in whole deals."""
    (base,) = decisions(game, stake, "optimal").tolist()
    decks, size = game.kernel_data.decks, len(game.deck)

    @cache
    def net(outcomes: Outcomes) -> Fraction:
        return Tally(game, {outcomes: 1}).total_expected(stake)

    def sum_choice(tied: int, choice: int) -> Fraction:
        dealt = ((tied, tied, *war) for war in product(RANKS, repeat=2))
        nets = (
            count_deals((dead, *ranks), decks) * net(settle_ranks(game, ranks, choice)) for ranks in dealt
        )
        return sum(nets, Fraction(0))

    apart = sum(
        (
            count_deals((dead, one, two), decks) * net(settle_ranks(game, (one, two, 0, 0), None))
            for one, two in product(RANKS, repeat=2)
            if one != two
        ),
        Fraction(0),
    ) * perm(size - 3, 2)
    tied = [[sum_choice(rank, choice) for choice in range(len(game.choices))] for rank in RANKS]
    deals = count_deals((dead,), decks) * perm(size - 1, 4)
    unused = (apart + sum(nets[base] for nets in tied)) / deals
    used = (apart + sum(map(max, tied))) / deals
    return SeenRank(NAMES[dead], Fraction(1, len(RANKS)), unused, used)
