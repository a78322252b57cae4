"""Counts of every deal under a strategy against one up-card, in whole numbers.

The player's cards are dealt one by one. A hand on which the strategy stops gets a label, with the outcome of
War; then the cards that complete six are dealt. Hands of six cards meet the dealer's law, which depends on
their values only.
"""

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import ACE
from feltlab.games.triple_shot_bonus import rules
from feltlab.games.triple_shot_bonus.solver.hand_values import NO_CHOICE, Choices
from feltlab.games.triple_shot_bonus.solver.labels import (
    BUSTED,
    DOUBLED,
    LABELS,
    LEVEL_WITH_ACE,
    LEVELS,
    NATURAL,
    SPLIT_LABELS,
)
from feltlab.games.triple_shot_bonus.solver.states import (
    SIX,
    Links,
    States,
    find_state,
    links,
    states,
    unseen_cards,
)
from feltlab.kernel import kernel

Long = NDArray[np.int64]
Bytes = NDArray[np.uint8]


@kernel
def _start(
    table: States, label: Bytes, up: int, wars: Long, first: Bytes, reached: Long, ended: Long
) -> None:
    """Deal two cards, make the first choice, and deal a third card unless aces are split."""
    hand = np.zeros(3, np.int64)
    for one in range(52):
        war = wars[one >> 2]
        for two in range(52):
            choice = first[int(war == rules.WAR_LOST), one, two]
            if one == two or 4 * up in (one, two) or choice == rules.SPLIT_ACES:
                continue
            hand[0], hand[1] = one, two
            stood = NATURAL if choice == NO_CHOICE else label[find_state(table, False, hand[:2])]
            for three in unseen_cards(one, two, up):
                hand[2] = three
                state = find_state(table, True, hand)
                if choice == rules.HIT:
                    reached[state, war] += 1
                elif choice == rules.DOUBLE:
                    ended[state, war * LABELS + label[state] + DOUBLED] += 1
                else:
                    ended[state, war * LABELS + stood] += 1


@kernel
def _start_split(table: States, levels: Long, up: int, wars: Long, first: Bytes, ended: Long) -> None:
    """Deal two aces that are split, and a card on each."""
    hand = np.zeros(4, np.int64)
    dead = int(wars[ACE] == rules.WAR_LOST)
    for one in range(4 * ACE, 52):
        for two in range(4 * ACE, 52):
            if one == two or 4 * up in (one, two) or first[dead, one, two] != rules.SPLIT_ACES:
                continue
            hand[0], hand[1] = one, two
            for three in unseen_cards(one, two, up):
                for four in unseen_cards(one, two, up):
                    if three != four:
                        hand[2], hand[3] = three, four
                        label = LEVELS * levels[three >> 2] + levels[four >> 2]
                        ended[find_state(table, True, hand), label] += 1


@kernel
def _deal_next(links: Links, state: int, counts: Long) -> None:
    """Give a hand one more card, in all ways."""
    start, to, ways = links.start, links.to, links.ways
    here = counts[state]
    if here.any():
        for i in range(start[state], start[state + 1]):
            there = counts[to[i]]
            for j in range(len(here)):
                there[j] += int(ways[i]) * here[j]


@kernel
def _play(links: Links, size: Bytes, label: Bytes, later: Bytes, reached: Long, ended: Long) -> None:
    """Label every hand that stands, has busted or has six cards; the others receive the next card."""
    for state in range(len(size)):
        for war in range(reached.shape[1]):
            choice = later[int(war == rules.WAR_LOST), state]
            if size[state] == SIX or label[state] == BUSTED or choice != rules.HIT:
                ended[state, war * LABELS + label[state]] += reached[state, war]
                reached[state, war] = 0
        _deal_next(links, state, reached)


@kernel
def _complete(links: Links, table: States, ended: Long, out: Long) -> None:
    """Deal up to six cards; count the hands under each label by six values and Poker."""
    size, values, six = table.size, table.values, table.poker
    for state in range(len(size)):
        if size[state] < SIX:
            _deal_next(links, state, ended)
        else:
            for label in range(ended.shape[1]):
                out[values[state], six[state], label] += ended[state, label]


PART_BITS = 25  # the dealer's ways are split here: times the ways of the player's cards, each part fits


@kernel
def _meet(hands: Long, law: Long, out: Long) -> None:
    """Let hands of six cards meet the dealer; count the ways, in two parts, by Poker, label and end."""
    for values in range(hands.shape[0]):
        for six in range(hands.shape[1]):
            for label in range(hands.shape[2]):
                ways = hands[values, six, label]
                if ways:
                    for end in range(law.shape[1]):
                        out[six, label, end, 0] += ways * (law[values, end] >> PART_BITS)
                        out[six, label, end, 1] += ways * (law[values, end] & ((1 << PART_BITS) - 1))


def _finish(next_card: Links, law: Long, ended: Long) -> Long:
    """The ways by Poker, label and dealer's end, in two parts."""
    hands = np.zeros((len(law), rules.NO_JACKS + 1, ended.shape[1]), np.int64)
    _complete(next_card, states(), ended, hands)
    out = np.zeros((*hands.shape[1:], law.shape[1], 2), np.int64)
    _meet(hands, law, out)
    return out


def count_strategy(
    label: Bytes, up: int, wars: Long, law: Long, alive: Choices, dead: Choices
) -> tuple[Long, Long]:
    """The ways of a strategy by Poker, War and label, and those of split aces by Poker and label.

    `wars` holds the outcome of War by rank of the first card.
    """
    table, next_card = states(), links(up)
    first, later = np.stack((alive.first, dead.first)), np.stack((alive.later, dead.later))
    reached = np.zeros((len(table.size), 3), np.int64)
    ended = np.zeros((len(table.size), 3 * LABELS), np.int64)
    _start(table, label, up, wars, first, reached, ended)
    _play(next_card, table.size, label, later, reached, ended)
    split = np.zeros((len(table.size), SPLIT_LABELS), np.int64)
    _start_split(table, LEVEL_WITH_ACE, up, wars, first, split)
    return _finish(next_card, law, ended), _finish(next_card, law, split)


def join_parts(parts: Long) -> int:
    """A number of ways from its two parts."""
    return (int(parts[0]) << PART_BITS) + int(parts[1])
