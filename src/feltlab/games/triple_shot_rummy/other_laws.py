"""The laws of Triple Shot Rummy under other readings of its rules."""

from collections.abc import Callable, Mapping
from functools import partial

from feltlab.core.cards import ACE
from feltlab.core.hands import rummy, three_card
from feltlab.core.solver import SolveLaw
from feltlab.games.triple_shot_rummy.solver import ReadHand, RummyReading, solve
from feltlab.kernel import plain_python

Hand = tuple[int, ...]
IsRun = Callable[[Hand], bool]  # of two or three cards of one suit
TENS = range(10, 14)  # the places in a run of the cards that count ten

pips, value, points = plain_python(rummy.pips), plain_python(rummy.value), plain_python(rummy.points)
strength = plain_python(three_card.strength)


# -- Runs and points ----------------------------------------------------------------------------------


def is_run(places: list[int]) -> bool:
    """Are these places, in any order, consecutive?"""
    low = min(places)
    return sorted(places) == list(range(low, low + len(places)))


def is_low_run(hand: Hand) -> bool:
    return is_run([pips(card) for card in hand])


def is_high_run(hand: Hand) -> bool:
    """Is it a run with the ace above the king?"""
    return is_run([14 if card >> 2 == ACE else pips(card) for card in hand])


def is_run_both_ways(hand: Hand) -> bool:
    return is_low_run(hand) or is_high_run(hand)


def is_run_around(hand: Hand) -> bool:
    """Is it a run where the ace joins the king and the two?"""
    places = {pips(card) - 1 for card in hand}
    return any({(start + n) % 13 for n in range(len(hand))} == places for start in range(13))


def is_run_without_tens(hand: Hand) -> bool:
    """Is it a run of cards that differ in points?"""
    return is_low_run(hand) and sum(pips(card) in TENS for card in hand) <= 1


def is_suited(hand: Hand) -> bool:
    return len({card & 3 for card in hand}) == 1


def is_set(hand: Hand) -> bool:
    return len({card >> 2 for card in hand}) == 1


def score_with(is_run: IsRun) -> ReadHand:
    """The fewest points of three cards, with runs of another kind."""

    def is_meld(hand: Hand) -> bool:
        return is_set(hand) or (is_suited(hand) and len({*hand}) == len(hand) and is_run(hand))

    def score(*hand: int) -> int:
        if is_meld(hand):
            return 0
        left = (card for n, card in enumerate(hand) if is_meld(hand[:n] + hand[n + 1 :]))
        return min([sum(map(value, hand)), *map(value, left)])

    return score


def score_whole_hand(*hand: int) -> int:
    """No points for three cards with a pair or a run among them."""
    found = points(*hand)
    return 0 if found < sum(map(value, hand)) else found


def score_pairs_first(*hand: int) -> int:
    """The points beside a pair, even where a run would leave fewer."""
    ranks = [card >> 2 for card in hand]
    left = [card for card in hand if ranks.count(card >> 2) == 1]
    return value(left[0]) if len(left) == 1 else points(*hand)


# -- Pair Plus ----------------------------------------------------------------------------------------

A23, KA2 = {ACE, 0, 1}, {ACE - 1, ACE, 0}


def rank_without_a23(*hand: int) -> int:
    """The strength of three cards if A-2-3 is no straight."""
    if {card >> 2 for card in hand} != A23:
        return strength(*hand)
    return (three_card.FLUSH if is_suited(hand) else three_card.HIGH_CARD) << 12


def rank_with_ka2(*hand: int) -> int:
    """The strength of three cards if K-A-2 is a straight, too."""
    if {card >> 2 for card in hand} != KA2:
        return strength(*hand)
    return (three_card.STRAIGHT_FLUSH if is_suited(hand) else three_card.STRAIGHT) << 12


def solve_with(read: RummyReading) -> SolveLaw:
    return partial(solve, read=read)


OTHER_LAWS: Mapping[str, SolveLaw] = {
    "ace-both-ways": solve_with(RummyReading(points=score_with(is_run_both_ways))),
    "ace-high": solve_with(RummyReading(points=score_with(is_high_run))),
    "ace-around": solve_with(RummyReading(points=score_with(is_run_around))),
    "no-runs-of-tens": solve_with(RummyReading(points=score_with(is_run_without_tens))),
    "whole-hand-zero": solve_with(RummyReading(points=score_whole_hand)),
    "pairs-first": solve_with(RummyReading(points=score_pairs_first)),
    "unopposed-bonus": solve_with(RummyReading(unopposed_bonus=True)),
    "no-ace-two-three": solve_with(RummyReading(strength=rank_without_a23)),
    "king-ace-two": solve_with(RummyReading(strength=rank_with_ka2)),
}
