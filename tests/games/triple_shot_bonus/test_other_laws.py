"""Other readings of Triple Shot Bonus: rounds played out and judged on their own, and identities."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import sqrt

import numpy as np
import pytest

from feltlab.core.cards import ACE, RANKS
from feltlab.core.solver import Law
from feltlab.core.stake import default_stake
from feltlab.core.tally import Tally
from feltlab.games import GAMES
from feltlab.games.triple_shot_bonus import other_laws, rules
from feltlab.games.triple_shot_bonus.solver import dealer
from feltlab.games.triple_shot_bonus.solver.reading import AS_RULED, BonusReading, war_outcomes
from feltlab.games.triple_shot_bonus.solver.strategies import follow_published_table
from feltlab.parallel.progress import nobody_listens
from feltlab.proving.proof import prove
from tests.support import slow_hands

GAME = GAMES["triple-shot-bonus"]
WAR, BLACKJACK, POKER, HAT_TRICK = GAME.wagers
ROUNDS = 20_000
Played = tuple[list[int], list[int], Fraction]  # the player's cards, the dealer's, the net of Blackjack


def law(name: str, strategy: str) -> Law:
    return other_laws.OTHER_LAWS[name](GAME, default_stake(GAME), strategy, nobody_listens)


# -- War --------------------------------------------------------------------------------------------


def war(player: int, dealer: int) -> int:
    return rules.WAR_TIED if player == dealer else rules.WAR_WON if player > dealer else rules.WAR_LOST


@pytest.mark.parametrize("up", range(13))
def test_war_by_rank(up: int) -> None:
    """Ranks written out: the ace as one, and tens and pictures as ten."""
    low = [*range(2, 14), 1]
    tens = [*range(2, 11), 10, 10, 10, 11]
    for read, rank in (
        (AS_RULED, range(13)),
        (BonusReading(ace_low=True), low),
        (BonusReading(tens_tie=True), tens),
    ):
        assert war_outcomes(read, up).tolist() == [war(rank[one], rank[up]) for one in range(13)]


# -- Rounds played out --------------------------------------------------------------------------------


def choose(held: list[int], up: int) -> int:
    ranks = "".join(RANKS[card >> 2] for card in sorted(held))
    total, soft = slow_hands.blackjack(held)
    letter = "A" if up >> 2 == ACE else "T" if up >> 2 >= 8 else RANKS[up >> 2]
    return follow_published_table(ranks, total, soft, letter)


def draw(shoe: list[int], up: int) -> tuple[str, list[list[int]]]:
    """How a player who follows the published table ends, with no look at the hole card: the hands."""
    held = shoe[:2]
    if slow_hands.blackjack(held)[0] == 21:
        return "blackjack", [held]
    while len(held) < 6 and slow_hands.blackjack(held)[0] <= 21:
        choice = choose(held, up)
        if choice == rules.SPLIT_ACES:
            return "split", [[shoe[0], shoe[2]], [shoe[1], shoe[3]]]
        if choice == rules.STAND:
            break
        held = shoe[: len(held) + 1]
        if choice == rules.DOUBLE:
            return "double", [held]
    return "played", [held]


def finish(cards: list[int]) -> list[int]:
    size = 2
    while (found := slow_hands.blackjack(cards[:size])) < (17, False) or found == (17, True):
        size += 1
    return cards[:size]


def net(kind: str, hands: list[list[int]], cards: list[int]) -> Fraction:
    """The net of Blackjack if the dealer does not look: a blackjack takes everything that was put down."""
    natural = slow_hands.blackjack(cards[:2])[0] == 21
    if kind == "blackjack":
        return Fraction(0 if natural else 3, 2)
    his, units = slow_hands.blackjack(finish(cards))[0], 2 if kind == "double" else 1
    return sum((units * _result(held, his, natural) for held in hands), Fraction(0))


def _result(held: list[int], his: int, natural: bool) -> Fraction:
    mine = slow_hands.blackjack(held)[0]
    if mine > 21 or natural:
        return Fraction(-1)
    if len(held) == 6 or his > 21:
        return Fraction(1)
    return Fraction((mine > his) - (mine < his))


def random_shoes(seed: int = 14) -> Iterator[tuple[list[int], list[int]]]:
    generator = np.random.default_rng(seed)
    for _ in range(ROUNDS):
        cards = generator.permutation(52)[:16].tolist()
        yield cards[:6], cards[6:]


def assert_mean(values: list[Fraction], expected: Fraction) -> None:
    """Within four standard errors; the seed is fixed."""
    numbers = np.array([float(value) for value in values])
    assert abs(numbers.mean() - float(expected)) < 4 * numbers.std() / sqrt(len(numbers))


@pytest.fixture(scope="module")
def played() -> list[Played]:
    return [(mine, his, net(*draw(mine, his[0]), his)) for mine, his in random_shoes()]


def test_a_dealer_who_does_not_look(played: list[Played]) -> None:
    proved = Tally(GAME, law("no-peek", "published").counts)
    assert_mean([won for _, _, won in played], proved.expected(BLACKJACK))
    assert proved.expected(BLACKJACK) < prove(GAME, strategy="published").tally.expected(BLACKJACK)


def test_a_blackjack_of_the_dealer_is_lost_all_the_same_without_doubles_and_splits() -> None:
    """A player who never puts a second unit down loses one unit to a blackjack either way."""
    for strategy in ("mimic-dealer", "never-bust"):
        proved, other = prove(GAME, strategy=strategy).tally, Tally(GAME, law("no-peek", strategy).counts)
        assert other.expected(BLACKJACK) == proved.expected(BLACKJACK)
        assert other.deals == proved.deals


def jacks(six: list[int]) -> bool:
    return slow_hands.poker(six) >= (slow_hands.POKER.index("Pair"), 11)


@pytest.mark.parametrize("name", ["ace-low", "tens-tie", "push-loses-hat-trick"])
def test_the_hat_trick_of_rounds_played_out(name: str, played: list[Played]) -> None:
    """Aside from a dealer's blackjack against a double or a split, which is lost under both readings."""

    def rank(card: int) -> int:
        found = slow_hands.rank(card)
        if name == "tens-tie":
            return 15 if found == 14 else min(found, 10)
        return 1 if name == "ace-low" and found == 14 else found

    def wins(mine: list[int], his: list[int], won: Fraction) -> bool:
        kept = won >= 0 if name != "push-loses-hat-trick" or draw(mine, his[0])[0] == "split" else won > 0
        return rank(mine[0]) >= rank(his[0]) and kept and jacks(mine)

    proved = Tally(GAME, law(name, "published").counts)
    hits = [Fraction(wins(mine, his, won)) for mine, his, won in played]
    assert_mean(hits, proved.hit_frequency(HAT_TRICK))


# -- Identities -------------------------------------------------------------------------------------


def test_war_alone_does_not_depend_on_the_place_of_the_ace() -> None:
    proved, other = prove(GAME, strategy="published").tally, Tally(GAME, law("ace-low", "published").counts)
    assert other.outcomes(WAR) == proved.outcomes(WAR)
    assert other.outcomes(BLACKJACK) == proved.outcomes(BLACKJACK)
    assert other.expected(HAT_TRICK) != proved.expected(HAT_TRICK)


def test_a_push_that_loses_the_hat_trick() -> None:
    """The joint law with those rounds moved."""
    moved: Counter[tuple[int, ...]] = Counter()
    for outcomes, n in prove(GAME, strategy="published").law.counts.items():
        war, insurance, hand, six, kept = outcomes
        pushed = BLACKJACK.split_number(hand)[0] == rules.PUSHED and war != rules.WAR_LOST
        moved[war, insurance, hand, six, rules.BLACKJACK_TOOK_IT if pushed else kept] += n
    assert dict(moved) == dict(law("push-loses-hat-trick", "published").counts)


def test_a_bust_that_loses_poker_loses_it_always() -> None:
    for (_, _, hand, six, _), n in law("bust-loses-poker", "published").counts.items():
        assert BLACKJACK.split_number(hand)[0] != rules.BUSTED or six == rules.NO_JACKS or n == 0


def test_a_rule_that_never_hits_21_does_not_care_whether_it_may() -> None:
    assert law("no-hit-on-21", "published").counts == prove(GAME, strategy="published").law.counts
    closed = Tally(GAME, law("no-hit-on-21", "blackjack-optimal").counts)
    assert closed.expected(BLACKJACK) < prove(GAME, strategy="blackjack-optimal").tally.expected(BLACKJACK)


def test_a_ten_on_a_split_ace_as_a_blackjack() -> None:
    """The gain again, from the dealer's law after four of the player's cards instead of six."""
    gained = Fraction(0)
    for up in range(dealer.VALUES):
        ups = int(dealer.IN_DECK[up])
        aces = 4 - (up == 0)
        deck = dealer.IN_DECK - np.bincount([0, 0, up], minlength=dealer.VALUES)
        for third, fourth in np.ndindex(dealer.VALUES, dealer.VALUES):
            left = deck - np.bincount([third, fourth], minlength=dealer.VALUES)
            if (left < 0).any():
                continue
            ways = int(deck[third]) * int(deck[fourth] - (third == fourth))
            ends = dealer.count_ways(dealer.dealer_endings(True, up), left[None])[0].tolist()
            chance = Fraction(ups * aces * (aces - 1) * ways, 52 * 51 * 50 * 49 * 48)
            tens = (third == dealer.TEN_VALUE) + (fourth == dealer.TEN_VALUE)
            # Half a unit more for each ten that wins, one and a half where it tied with a 21.
            per_ten = Fraction(sum(ends[:4]) + ends[dealer.DEALER_BUST], 2) + Fraction(3 * ends[4], 2)
            gained += chance * tens * per_ten / sum(ends)
    found = other_laws.pay_split_blackjacks(GAME, default_stake(GAME), "blackjack-optimal")
    assert found == {"blackjack": gained}
