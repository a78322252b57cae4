"""The strategy of High Card Flush on a card.

A size of the longest suit that is always played alike is one line. Where the ranks matter, the card has a
threshold for each number of higher cards: those of other suits that rank above the longest suit's own
highest card, which the dealer then cannot have.
"""

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.game import Game
from feltlab.core.hands import longest_suit
from feltlab.core.hands.longest_suit import ALL_RANKS, LANE_BITS, NUMBERS, RANK_BITS, name_ranks
from feltlab.core.round import Round
from feltlab.core.solver import StrategyCard
from feltlab.core.stake import Stake
from feltlab.core.strategy.card_rows import CardRow, HandKey
from feltlab.games.high_card_flush import rules
from feltlab.games.high_card_flush.choices import Ints, choice_values, choose, prove_deck

Mask = NDArray[np.bool_]
NO_TOP = 1 << RANK_BITS + 3  # above every strength
MIXED = -1  # in place of one choice


class _Threshold(NamedTuple):
    """From which strength on the classes of a size with some higher cards are raised."""

    higher: int
    top: int
    raised: int  # the choice from there on; below it they fold


def make_card(game: Game, stake: Stake) -> StrategyCard:
    """The card that costs least."""
    classes, best = prove_deck(game).classes, choose(game, "optimal")
    made, lines, index = best.copy(), dict[str, str](), dict[str, tuple[CardRow, ...]]()
    for sizes, choice in _group_sizes(classes.tops >> RANK_BITS, best):
        if choice == MIXED:
            added, rows = _add_thresholds(game, sizes[0], best, made)
            index |= {
                key: tuple(row._replace(line=row.line + len(lines)) for row in found)
                for key, found in rows.items()
            }
            lines |= added
        else:
            words = " or ".join(NUMBERS[size] for size in reversed(sizes))
            row = CardRow(rules.CHOICES[choice].name, line=len(lines))
            index |= {_key_of(size, higher): (row,) for size in sizes for higher in range(rules.HAND)}
            lines[f"{words} of a suit"] = rules.CHOICES[choice].name
    missed, cost = int((made != best).sum()), _cost(game, made) * stake["ante"]
    return StrategyCard(tuple(lines.items()), (), cost, classes=len(best), missed=missed, index=index)


def read_hand(round: Round) -> HandKey:
    """The size of the longest suit and the number of higher cards in others, then the strength."""
    word = int(longest_suit.gather(np.array(round.seen[: rules.HAND], np.int8)))
    top = int(longest_suit.strength_of_word(word))
    ranks = top & ALL_RANKS
    lanes = [word >> LANE_BITS * suit & ALL_RANKS for suit in range(4)]
    lanes.remove(ranks)
    higher = sum((lane >> ranks.bit_length()).bit_count() for lane in lanes)
    return HandKey(_key_of(top >> RANK_BITS, higher), (top,))


def _key_of(size: int, higher: int) -> str:
    return f"{size} of a suit, {higher} higher"


def _group_sizes(sizes: Ints, best: NDArray[np.uint8]) -> list[tuple[list[int], int]]:
    """Sizes from the longest down, those that make one choice together; `MIXED` where ranks matter."""
    found: list[tuple[list[int], int]] = []
    for size in reversed(np.unique(sizes).tolist()):
        made = np.unique(best[sizes == size]).tolist()
        choice = made[0] if len(made) == 1 else MIXED
        if found and choice == found[-1][1] != MIXED:
            found[-1][0].append(size)
        else:
            found.append(([size], choice))
    return found


def _add_thresholds(
    game: Game, size: int, best: NDArray[np.uint8], made: NDArray[np.uint8]
) -> tuple[dict[str, str], dict[str, tuple[CardRow, ...]]]:
    """The lines of a size in which the ranks matter, and their index; writes the choices that they make."""
    classes = prove_deck(game).classes
    of_size, found = classes.tops >> RANK_BITS == size, []
    for higher in np.unique(classes.above[of_size]).tolist():
        at = of_size & (classes.above == higher)
        threshold = _find_threshold(game, at, best, higher)
        made[at] = np.where(classes.tops[at] >= threshold.top, threshold.raised, rules.FOLD)
        found.append(threshold)
    lines = {
        f"{NUMBERS[size]} of a suit, {name_ranks(one.top)} or better{_with_higher(found, one)}": (
            rules.CHOICES[one.raised].name
        )
        for one in found
        if one.top < NO_TOP
    }
    fold = rules.CHOICES[rules.FOLD].name
    rest, index = CardRow(fold, line=len(lines)), {}
    raising = [one for one in found if one.top < NO_TOP]
    for one in found:
        raised = rules.CHOICES[one.raised].name
        upper = [CardRow(raised, (one.top,), raising.index(one))] if one in raising else []
        index[_key_of(size, one.higher)] = (*upper, rest)
    return lines | {f"any other {NUMBERS[size]} of a suit": fold}, index


def _find_threshold(game: Game, at: Mask, best: NDArray[np.uint8], higher: int) -> _Threshold:
    """The threshold that costs least for some classes."""
    classes, (values, _) = prove_deck(game).classes, choice_values(game)
    raises = best[at][best[at] != rules.FOLD]
    if not len(raises):
        return _Threshold(higher, NO_TOP, rules.RAISE_1X)
    raised = int(np.bincount(raises).argmax())
    tops, places = np.unique(classes.tops[at], return_inverse=True)
    gain: Ints = (values[at, raised] - values[at, rules.FOLD]).astype(object) * classes.weights[at]
    by_top = np.zeros(len(tops) + 1, object)
    np.add.at(by_top, places, gain)
    from_top = np.cumsum(by_top[::-1])[::-1]  # the gain of raising from each strength on
    first = int(from_top.argmax())
    return _Threshold(higher, int(tops[first]) if first < len(tops) else NO_TOP, raised)


def _with_higher(found: list[_Threshold], one: _Threshold) -> str:
    """' with at least one higher card in another suit', for a threshold that more such cards only lower."""
    more = [other for other in found if other.higher > one.higher]
    least = all(other.top <= one.top for other in more)
    if least and one.higher == 0:
        return ""
    cards = "card in another suit" if one.higher == 1 else "cards in other suits"
    return f" with {'at least ' * (least and bool(more))}{NUMBERS[one.higher]} higher {cards}"


def _cost(game: Game, made: NDArray[np.uint8]) -> Fraction:
    """The loss of these choices against the best ones, in units a round for an Ante of one unit."""
    proof, (values, parts) = prove_deck(game), choice_values(game)
    lost = values.max(axis=1) - values[np.arange(len(made)), made]
    deals = int(proof.classes.weights.sum()) * proof.dealers
    return Fraction(int((lost.astype(object) * proof.classes.weights).sum()), deals * parts)
