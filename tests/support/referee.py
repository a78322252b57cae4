"""What the slow referees of the games share. A referee settles a game from its rule sheet alone.

It shares nothing with the game's kernels: it reads cards one by one and values hands by `slow_hands`.
Each game has one, `REFEREE` in `tests/games/<game>/referee.py`.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from tests.support import slow_hands

Options = Mapping[str, str]
Hand = Sequence[int]
Made = Sequence[str]  # the names of the choices made
Results = dict[str, tuple[str, Fraction]]

SIX, TEN, JACK, QUEEN, KING, ACE = 6, 10, 11, 12, 13, 14  # ranks
HALF = Fraction(1, 2)


def peek_at_nothing(dealer: Hand) -> object:
    """The dealer looks at no face-down card before the players choose."""
    return None


class Referee(NamedTuple):
    """Three functions of (options, player's cards, shared cards, names of the choices made), and `peek`.

    The shared cards are those of all areas that seats share, in the order of a seat's shoe: the board's
    first, then the dealer's. Most games have one such area.

    - `open_choices`: the choices that the player has now.
    - `needs`: the numbers of cards that the player and the shared areas have yet to receive.
    - `settle`: each spot's outcome, and its net in units of the first wager. Every first wager is
      placed; a raise is settled only if a choice put it down.
    - `peek`: what the dealer learns from a face-down card and thereby tells everyone, of the dealer's
      cards. Two dealers' hands for which it differs may look different to a player.
    """

    open_choices: Callable[[Options, Hand, Hand, Made], tuple[str, ...]]
    needs: Callable[[Options, Hand, Hand, Made], tuple[int, int]]
    settle: Callable[[Options, Hand, Hand, Made], Results]
    peek: Callable[[Hand], object] = peek_at_nothing


def exact(results: Mapping[str, tuple[str, int | Fraction]]) -> Results:
    return {spot: (outcome, Fraction(net)) for spot, (outcome, net) in results.items()}


def no_more_cards(options: Options, player: Hand, shared: Hand, made: Made) -> tuple[int, int]:
    """No choice brings a card: all can be dealt before the first one."""
    return 0, 0


def one_choice(*names: str) -> Callable[[Options, Hand, Hand, Made], tuple[str, ...]]:
    """One choice, the same for every hand."""
    return lambda options, player, shared, made: () if made else names


# -- Hands ------------------------------------------------------------------------------------------


class Poker(NamedTuple):
    """The best five of some cards; better hands compare greater."""

    value: tuple[int, ...]

    @property
    def category(self) -> str:
        return slow_hands.POKER[self.value[0]]

    @property
    def lead(self) -> int:
        """The rank of the pair, of the three, or of the highest card."""
        return self.value[1]


def poker(hand: Hand) -> Poker:
    return _poker(tuple(sorted(hand)))


@cache
def _poker(hand: tuple[int, ...]) -> Poker:
    return Poker(slow_hands.poker(hand))


def three_card(hand: Hand) -> str:
    return slow_hands.THREE_CARD[slow_hands.three_card(hand)[0]]


# Tables 1 to 13 of bonuses on three cards, from the royal flush down to the pair.
THREE_CARD_PAYS = (
    "40/40/30/6/4/1", "40/40/30/5/4/1", "40/40/30/6/3/1", "50/40/30/6/4/1", "50/40/30/5/4/1",
    "50/40/30/6/3/1", "35/35/33/6/4/1", "40/40/25/6/4/1", "35/35/25/6/4/1", "40/40/20/6/4/1",
    "100/40/30/5/4/1", "50/50/30/6/3/1", "200/40/30/6/3/1",
)  # fmt: skip
THREE_CARD_HANDS = ("Royal Flush", "Straight Flush", "Three of a Kind", "Straight", "Flush", "Pair")


def three_card_bonus(hand: Hand, table: str) -> tuple[str, int]:
    """A bonus on three cards, which wins with a pair or better."""
    name, pays = three_card(hand), THREE_CARD_PAYS[int(table) - 1].split("/")
    if name not in THREE_CARD_HANDS:
        return "less than a Pair", -1
    return name, int(pays[THREE_CARD_HANDS.index(name)])


def has_pair_of(hand: Poker, lowest: int) -> bool:
    """A pair of this rank or higher, or more than a pair."""
    if hand.category == "Pair":
        return hand.lead >= lowest
    return hand.category != "High Card"


def compare(mine: Poker, his: Poker) -> tuple[str, int]:
    if mine == his:
        return "tie", 0
    return ("better hand", 1) if mine > his else ("worse hand", -1)
