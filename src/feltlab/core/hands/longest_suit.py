"""The longest suit of a hand, and the longest run in one suit.

A hand is first gathered into one word: sixteen bits for each suit, of which the lowest thirteen stand for the
ranks from the deuce up to the ace. A strength is the number of cards of the longest suit, then the ranks of
that suit as bits; of two sets with equally many ranks the one that wins from the top is the larger number.
"""

from collections.abc import Iterable

from feltlab.core.cards import RANKS, Cards
from feltlab.errors import Refused
from feltlab.kernel import Array, int64, lean

RANK_BITS = 13
ALL_RANKS = (1 << RANK_BITS) - 1
LANE_BITS = 16  # of a suit in a word
EACH_LANE = 0x0001_0001_0001_0001
NUMBERS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen",
)  # fmt: skip


@lean
def gather(hand: Array) -> int:
    """The cards of a hand as one word."""
    word = int64(0)
    for card in hand:
        word |= int64(1) << (LANE_BITS * (int64(card) & 3) + (int64(card) >> 2))
    return word


@lean
def count_ranks(word: int) -> int:
    """The number of cards of each suit of a word, in the lane of that suit."""
    pairs = word - (word >> 1 & 0x5555_5555_5555_5555)
    fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333)
    bytes_ = fours + (fours >> 4) & 0x0F0F_0F0F_0F0F_0F0F
    return bytes_ + (bytes_ >> 8) & 0x00FF_00FF_00FF_00FF


@lean
def strength_of_word(word: int) -> int:
    """The strength of a gathered hand: the size of its longest suit, then the ranks of that suit."""
    sizes, best = count_ranks(word), int64(0)
    for suit in range(4):
        size = sizes >> LANE_BITS * suit & 15
        best = max(best, size << RANK_BITS | word >> LANE_BITS * suit & ALL_RANKS)
    return best


@lean
def strength(hand: Array) -> int:
    """The strength of a hand by its longest suit."""
    return strength_of_word(gather(hand))


@lean
def run_of_word(word: int) -> int:
    """The length of the longest run in one suit of a gathered hand; an ace is high or low."""
    left = word << 1 | word >> RANK_BITS - 1 & EACH_LANE  # the ace once more, below the deuce
    length = 0
    while left:
        left &= left << 1
        length += 1
    return length


@lean
def longest_run(hand: Array) -> int:
    """The length of the longest run in one suit; an ace is high or low."""
    return run_of_word(gather(hand))


@lean
def size_of(strength: int) -> int:
    """The number of cards of the longest suit behind a strength."""
    return strength >> RANK_BITS


def strength_named(ranks: str) -> int:
    """The strength of a longest suit with these ranks.

    >>> strength_named("T86") < strength_named("T96") < strength_named("5432")
    True
    """
    bits = {RANKS.index(rank) for rank in ranks}
    return len(bits) << RANK_BITS | sum(1 << bit for bit in bits)


def name_ranks(strength: int) -> str:
    """'T-8-6': the ranks behind a strength, from the top."""
    return "-".join(RANKS[rank] for rank in reversed(range(RANK_BITS)) if strength >> rank & 1)


def read(hand: Iterable[int]) -> str:
    """The longest suit of a hand in words.

    >>> from feltlab import cards
    >>> read(cards("Th 8h 6h Js Ad Qd Jc"))
    'three of a suit, T-8-6'
    """
    value = _strength_in_python(hand)
    return f"{NUMBERS[value >> RANK_BITS]} of a suit, {name_ranks(value)}"


def read_run(hand: Iterable[int]) -> str:
    """The longest run in one suit in words.

    >>> from feltlab import cards
    >>> read_run(cards("Ah 2h 3h Js Ad Qd Jc")), read_run(cards("Ah 3d"))
    ('run of three', 'no run')
    """
    length = int(run_of_word(_word_in_python(hand)))
    return f"run of {NUMBERS[length]}" if length > 1 else "no run"


def cards_in(word: int) -> Cards:
    """The cards of a gathered hand, the longest suit first, each suit from the top.

    >>> cards_in(1 << 2 * LANE_BITS | 1 << 2 * LANE_BITS + 12 | 1 << 5)
    cards('Ah 2h 7c')
    """
    suits = [[4 * rank + suit for rank in reversed(range(RANK_BITS)) if word >> LANE_BITS * suit + rank & 1]
             for suit in range(4)]  # fmt: skip
    return Cards(card for suit in sorted(suits, key=len, reverse=True) for card in suit)


def _word_in_python(hand: Iterable[int]) -> int:
    held = Cards(hand)
    if not held or not all(0 <= card < 52 for card in held):
        raise Refused("A longest suit needs at least one card, and no joker.")
    return sum(1 << LANE_BITS * (card & 3) + (card >> 2) for card in held)


def _strength_in_python(hand: Iterable[int]) -> int:
    return int(strength_of_word(_word_in_python(hand)))
