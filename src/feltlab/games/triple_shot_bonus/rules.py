"""Triple Shot Bonus: War, Blackjack and Poker on the same cards, and a bet on all three.

A seat's shoe: the player's cards (first, second, then those drawn, then those that complete six; after
a split the third lies on the first ace and the fourth on the second) and the dealer's (up-card, hole
card, draws).
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from feltlab.core.cards import ACE, FACE_DOWN, NOT_DEALT, RANK_NAMES, RANKS, Deck
from feltlab.core.hands import blackjack, poker
from feltlab.core.layout import (
    ALIKE,
    CHOOSES,
    DEALER,
    NOT_PLACED,
    OPEN,
    SETTLES,
    Area,
    Choice,
    Option,
    Spot,
    are_known,
    dealer_area,
    player_area,
    show,
)
from feltlab.core.paytable import PayTable, lose, push, win
from feltlab.kernel import Array, lean

NAME = "triple-shot-bonus"
TITLE = "Triple Shot Bonus"
SUMMARY = "War, Blackjack and six-card Poker on the same cards, and a bet on all three."
DATE = "2023-06-14"
SUITS = ALIKE

HALF = Fraction(1, 2)

WAR_WON, WAR_TIED, WAR_LOST = range(3)
WAR = PayTable("war", (win("higher card"), lose("tie", -HALF), lose("lower card")))

INSURED, NOT_NEEDED = range(2)
INSURANCE = PayTable("insurance", (win("dealer blackjack", 2), lose("no dealer blackjack")))

NATURAL, SIX_CARDS, WON, PUSHED, LOST, BUSTED, DEALER_NATURAL, SPLIT = range(8)
HAND_LOST, HAND_TIED, HAND_WON = range(3)  # a split's outcome is SPLIT + 3 * first hand + second hand


def blackjack_table(name: str, natural: Fraction) -> PayTable:
    """Split aces are two wagers of one unit, judged together; the pay is for each of the two units."""
    hands = ("lose", "tie", "win")
    split = ((first, second, HALF * (first + second - 2)) for first in range(3) for second in range(3))
    return PayTable(
        name,
        (
            win("blackjack", natural, unraised=True),
            win("six cards", unraised=True),
            win("win"),
            push("push"),
            lose("lose"),
            lose("bust"),
            lose("dealer blackjack", unraised=True),
            *(win(f"split, {hands[first]} and {hands[second]}", pays) for first, second, pays in split),
        ),
    )


BLACKJACK = (blackjack_table("3:2", Fraction(3, 2)), blackjack_table("6:5", Fraction(6, 5)))

ROYAL, STRAIGHT_FLUSH, FOUR, FULL_HOUSE, FLUSH, STRAIGHT, THREE, TWO_PAIR, JACKS, NO_JACKS = range(10)


def poker_table(name: str, royal: int, straight_flush: int) -> PayTable:
    return PayTable(
        name,
        (
            win("Royal Flush", royal),
            win("Straight Flush", straight_flush),
            win("Four of a Kind", 20),
            win("Full House", 6),
            win("Flush", 5),
            win("Straight", 4),
            win("Three of a Kind", 2),
            win("Two Pair", Fraction(3, 2)),
            win("Jacks or Better", 1),
            lose("less than a pair of Jacks"),
        ),
    )


POKER = (poker_table("TSB-01", 500, 50), poker_table("TSB-02", 200, 60))

ALL_THREE, WAR_TOOK_IT, BLACKJACK_TOOK_IT, POKER_TOOK_IT = range(4)


def hat_trick_table(name: str) -> PayTable:
    """The Hat Trick table whose name is its pay to 1."""
    return PayTable(
        name,
        (
            win("none of the three lost", int(name)),
            lose("lost at War"),
            lose("lost at Blackjack"),
            lose("lost at Poker"),
        ),
    )


HAT_TRICK = (hat_trick_table("9"), hat_trick_table("6"))

OPTIONS: tuple[Option, ...] = (
    Option("soft-17", ("hit", "stand"), "what the dealer does on soft 17"),
    Option("blackjack-pays", tuple(t.name for t in BLACKJACK), "what a blackjack pays"),
    Option("six-card-rule", ("on", "off"), "do six cards without busting win at once?"),
    Option("poker", tuple(t.name for t in POKER), "the Poker pay table"),
    Option("hat-trick", tuple(t.name for t in HAT_TRICK), "what the Hat Trick pays, to 1"),
    Option("poker-cards", ("face-up", "face-down"), "how the cards for Poker are dealt", procedure=True),
)

SPOTS: tuple[Spot, ...] = (
    Spot("war", "War", (WAR,), required=True),
    Spot("insurance", "Insurance", (INSURANCE,), raises="blackjack", size=HALF),
    Spot("blackjack", "Blackjack", BLACKJACK, option="blackjack-pays", required=True, most_units=2),
    Spot("poker", "Poker", POKER, option="poker", required=True, reads_dealer=False),
    Spot("hat-trick", "Hat Trick", HAT_TRICK, option="hat-trick"),
)
AT_WAR, AT_INSURANCE, AT_BLACKJACK, AT_POKER, AT_HAT_TRICK = range(5)

HIT, STAND, DOUBLE, SPLIT_ACES, INSURE, DECLINE = range(6)
CHOICES: tuple[Choice, ...] = (
    Choice("hit", "h", "draw a card", "blackjack"),
    Choice("stand", "s", "draw no more", "blackjack", house_rule=True),
    Choice("double", "d", "double the Blackjack wager and draw one card", "blackjack", puts=("blackjack",)),
    Choice("split", "p", "make two hands of your aces, one card each", "blackjack", puts=("blackjack",)),
    Choice(
        "insure",
        "i",
        "put up to half the Blackjack wager on a dealer's blackjack",
        "blackjack",
        puts=("insurance",),
        any_amount=True,
    ),
    Choice("decline", "n", "no insurance", "blackjack", house_rule=True),
)

PLAYER_CARDS = 6
UP, HOLE, DRAWS = 6, 7, 8  # places in the shoe
DEALER_CARDS = 10  # the longest: 2 2 2 2 3 A A A A and one more
AREAS: tuple[Area, ...] = (
    player_area(
        PLAYER_CARDS,
        "first, second, draws, then what completes six; of split aces the third and fourth",
    ),
    dealer_area(DEALER_CARDS, "up-card, hole card, draws"),
)
GAMES_PER_HAND = 4
PAIR_OF_JACKS = poker.pair_of(RANKS.index("J"))


class BonusHouse(NamedTuple):
    hits_soft_17: bool
    six_card_rule: bool
    poker: poker.Tables


def kernel_data(options: Mapping[str, str]) -> BonusHouse:
    return BonusHouse(options["soft-17"] == "hit", options["six-card-rule"] == "on", poker.tables())


def deck(options: Mapping[str, str]) -> Deck:
    return Deck.standard()


def behind_cut(options: Mapping[str, str]) -> int:
    return len(deck(options))


def cards_needed(options: Mapping[str, str], seats: int) -> int:
    return PLAYER_CARDS * seats + DEALER_CARDS


def dealing(kernel_data: BonusHouse, seats: Sequence[tuple[Array, Array]]) -> Iterator[tuple[int, int]]:
    """Two cards each in rotation, the seats' draws in turn, the dealer's draws, then up to six each.

    War is settled before the second card. After the dealer has looked for a blackjack, insurance and
    blackjacks are settled; then each seat that busts or has six cards, as it happens; then Blackjack.
    """
    for place in range(2):
        for seat in range(len(seats)):
            yield seat, place
        yield DEALER, place
        if place == 0:
            yield DEALER, SETTLES
    for seat, (shoe, choices) in enumerate(seats):
        if insurance_is_open(shoe, choices):
            yield seat, CHOOSES
    yield DEALER, SETTLES
    for seat, (shoe, choices) in enumerate(seats):
        for place in range(2, hand_size(choices)):
            yield seat, place
        if legal(kernel_data, shoe, choices):
            yield seat, CHOOSES
        if not dealer_draws(kernel_data, shoe, choices):
            yield seat, SETTLES
    compared = [shoe for shoe, choices in seats if dealer_draws(kernel_data, shoe, choices)]
    if compared:
        for place in range(2, DEALER_CARDS):
            if dealer_stands(kernel_data, compared[0][UP : UP + place]):
                break
            yield DEALER, place
        yield DEALER, SETTLES
    for seat, (_, choices) in enumerate(seats):
        for place in range(hand_size(choices), PLAYER_CARDS):
            yield seat, place


# -- The course of a round --------------------------------------------------------------------------


@lean
def hand_size(choices: Array) -> int:
    """The number of the player's cards for Blackjack, both hands of a split together."""
    size = 2
    for choice in choices:
        if choice in (HIT, DOUBLE):
            size += 1
        elif choice == SPLIT_ACES:
            size += 2
    return size


@lean
def insurance_is_open(shoe: Array, choices: Array) -> bool:
    return len(choices) == 0 and shoe[UP] >> 2 == ACE


@lean
def natural_ends_it(shoe: Array) -> bool:
    """Does a blackjack of the dealer or the player end the choices?"""
    return blackjack.is_blackjack(shoe[UP], shoe[HOLE]) or blackjack.is_blackjack(shoe[0], shoe[1])


@lean
def legal(kernel_data: BonusHouse, shoe: Array, choices: Array) -> int:
    if insurance_is_open(shoe, choices):
        return 1 << INSURE | 1 << DECLINE
    if natural_ends_it(shoe):
        return 0
    last = choices[-1] if len(choices) else DECLINE
    size = hand_size(choices)
    if last in (STAND, DOUBLE, SPLIT_ACES) or size == PLAYER_CARDS:
        return 0
    if blackjack.total(shoe[:size])[0] > 21:
        return 0
    if size > 2:
        return 1 << HIT | 1 << STAND
    split = shoe[0] >> 2 == ACE and shoe[1] >> 2 == ACE
    return 1 << HIT | 1 << STAND | 1 << DOUBLE | (1 << SPLIT_ACES if split else 0)


@lean
def dealer_draws(kernel_data: BonusHouse, shoe: Array, choices: Array) -> bool:
    """Does the dealer's hand have to be compared with the player's?"""
    size = hand_size(choices)
    if natural_ends_it(shoe):
        return False
    if SPLIT_ACES in choices:
        return True
    if blackjack.total(shoe[:size])[0] > 21:
        return False
    return not (kernel_data.six_card_rule and size == PLAYER_CARDS)


@lean
def dealer_stands(kernel_data: BonusHouse, hand: Array) -> bool:
    total, soft = blackjack.total(hand)
    return total > 17 or (total == 17 and not (soft and kernel_data.hits_soft_17))


@lean
def dealer_size(kernel_data: BonusHouse, shoe: Array, choices: Array) -> int:
    """The number of cards with which the dealer ends; an unknown card ends the draw."""
    size = 2
    if dealer_draws(kernel_data, shoe, choices):
        while not dealer_stands(kernel_data, shoe[UP : UP + size]):
            size += 1
            if size == DEALER_CARDS or shoe[UP + size - 1] < 0:
                break
    return size


@lean
def visible(kernel_data: BonusHouse, shoe: Array, choices: Array, seen: Array) -> None:
    if legal(kernel_data, shoe, choices):
        show(seen, shoe, hand_size(choices), NOT_DEALT)
        seen[UP], seen[HOLE] = shoe[UP], FACE_DOWN
    else:
        show(seen, shoe, UP + dealer_size(kernel_data, shoe, choices), NOT_DEALT)


# -- Judging ----------------------------------------------------------------------------------------


@lean
def judge_war(player: int, dealer: int) -> int:
    """The outcome of War from the first cards; the ace is high."""
    if player >> 2 == dealer >> 2:
        return WAR_TIED
    return WAR_WON if player >> 2 > dealer >> 2 else WAR_LOST


@lean
def compare(player: int, dealer: int) -> int:
    """A hand that has not busted against the dealer's total."""
    if dealer > 21 or player > dealer:
        return HAND_WON
    return HAND_TIED if player == dealer else HAND_LOST


@lean
def judge_blackjack(kernel_data: BonusHouse, shoe: Array, choices: Array) -> int:
    """The outcome of Blackjack; a doubled hand ends like any other, with two units."""
    if blackjack.is_blackjack(shoe[UP], shoe[HOLE]):
        return PUSHED if blackjack.is_blackjack(shoe[0], shoe[1]) else DEALER_NATURAL
    if blackjack.is_blackjack(shoe[0], shoe[1]):
        return NATURAL
    dealer = blackjack.total(shoe[UP : UP + dealer_size(kernel_data, shoe, choices)])[0]
    if choices[-1] == SPLIT_ACES:
        first = compare(blackjack.total(shoe[0:4:2])[0], dealer)
        return SPLIT + 3 * first + compare(blackjack.total(shoe[1:4:2])[0], dealer)
    size = hand_size(choices)
    player = blackjack.total(shoe[:size])[0]
    if player > 21:
        return BUSTED
    if size == PLAYER_CARDS and kernel_data.six_card_rule:
        return SIX_CARDS
    result = compare(player, dealer)
    return WON if result == HAND_WON else PUSHED if result == HAND_TIED else LOST


@lean
def judge_poker(six: int) -> int:
    """The outcome of Poker from the strength of the player's six cards."""
    if six < PAIR_OF_JACKS:
        return NO_JACKS
    return JACKS - ((six >> 12) - poker.PAIR)


@lean
def blackjack_lost(outcome: int) -> bool:
    """Does this outcome of Blackjack lose the Hat Trick? Split aces must at least break even."""
    if outcome >= SPLIT:
        return (outcome - SPLIT) // 3 + (outcome - SPLIT) % 3 < HAND_LOST + HAND_WON
    return LOST <= outcome <= DEALER_NATURAL


@lean
def judge_hat_trick(war: int, hand: int, six: int) -> int:
    """The outcome of the Hat Trick from those of War, Blackjack and Poker; the first loss decides."""
    if war == WAR_LOST:
        return WAR_TOOK_IT
    if blackjack_lost(hand):
        return BLACKJACK_TOOK_IT
    return POKER_TOOK_IT if six == NO_JACKS else ALL_THREE


@lean
def blackjack_is_decided(kernel_data: BonusHouse, shoe: Array, choices: Array) -> bool:
    if not (are_known(shoe[:2]) and are_known(shoe[UP:DRAWS])):
        return False
    if natural_ends_it(shoe):
        return True
    if legal(kernel_data, shoe, choices) or not are_known(shoe[: hand_size(choices)]):
        return False
    return are_known(shoe[UP : UP + dealer_size(kernel_data, shoe, choices)])


@lean
def hat_trick_is_decided(war: int, hand: int, six: int) -> bool:
    """Have War, Blackjack and Poker, in this order, come to a loss or to their end?"""
    if war in (OPEN, WAR_LOST):
        return war == WAR_LOST
    if hand == OPEN or blackjack_lost(hand):
        return hand != OPEN
    return six != OPEN


@lean
def settle(kernel_data: BonusHouse, shoe: Array, choices: Array, outcomes: Array) -> None:
    war = hand = six = insurance = OPEN
    if shoe[0] >= 0 and shoe[UP] >= 0:
        war = judge_war(shoe[0], shoe[UP])
    if blackjack_is_decided(kernel_data, shoe, choices):
        hand = judge_blackjack(kernel_data, shoe, choices)
    if are_known(shoe[:PLAYER_CARDS]):
        six = judge_poker(poker.strength(kernel_data.poker, shoe[:PLAYER_CARDS]))
    if shoe[HOLE] >= 0 and not insurance_is_open(shoe, choices):
        insurance = NOT_PLACED
        if INSURE in choices:
            insurance = INSURED if blackjack.is_blackjack(shoe[UP], shoe[HOLE]) else NOT_NEEDED
    outcomes[AT_WAR] = war
    outcomes[AT_INSURANCE] = insurance
    outcomes[AT_BLACKJACK] = hand
    outcomes[AT_POKER] = six
    outcomes[AT_HAT_TRICK] = OPEN
    if hat_trick_is_decided(war, hand, six):
        outcomes[AT_HAT_TRICK] = judge_hat_trick(war, hand, six)


def hold_back(outcomes: Array) -> None:
    """Poker waits until Blackjack is over at all seats, even where six cards lie there before."""
    outcomes[AT_POKER] = OPEN
    if not hat_trick_is_decided(outcomes[AT_WAR], outcomes[AT_BLACKJACK], OPEN):
        outcomes[AT_HAT_TRICK] = OPEN


# -- In words ---------------------------------------------------------------------------------------


def why(kernel_data: BonusHouse, shoe: Array, choices: Array, spot: str) -> str:
    """Nothing of the dealer's hand is said that a player does not see when the wager is settled."""
    match spot:
        case "war":
            return f"{RANK_NAMES[shoe[0] >> 2]} against {RANK_NAMES[shoe[UP] >> 2]}"
        case "insurance":
            natural = blackjack.is_blackjack(shoe[UP], shoe[HOLE])
            return f"the dealer has {'a' if natural else 'no'} blackjack"
        case "blackjack":
            return why_blackjack(kernel_data, shoe, choices)
        case "poker":
            return poker.read(shoe[:PLAYER_CARDS].tolist()).name
    return "; ".join(results_up_to_a_loss(kernel_data, shoe, choices))


def why_blackjack(kernel_data: BonusHouse, shoe: Array, choices: Array) -> str:
    hand = player_hands(shoe, choices)
    if blackjack.is_blackjack(shoe[UP], shoe[HOLE]):
        return f"{hand} against blackjack"
    if not dealer_draws(kernel_data, shoe, choices):
        return hand
    dealer = shoe[UP : UP + dealer_size(kernel_data, shoe, choices)]
    return f"{hand} against {blackjack.read(dealer.tolist())}"


def results_up_to_a_loss(kernel_data: BonusHouse, shoe: Array, choices: Array) -> Iterator[str]:
    """The outcomes of War, Blackjack and Poker, as far as they decide the Hat Trick."""
    war = judge_war(shoe[0], shoe[UP])
    yield WAR.outcomes[war]
    if war == WAR_LOST:
        return
    hand = judge_blackjack(kernel_data, shoe, choices)
    yield BLACKJACK[0].outcomes[hand]
    if not blackjack_lost(hand):
        yield POKER[0].outcomes[judge_poker(poker.strength(kernel_data.poker, shoe[:PLAYER_CARDS]))]


def player_hands(shoe: Array, choices: Array) -> str:
    """The player's Blackjack hand in words, or both hands of a split, where 21 is not a blackjack."""
    if SPLIT_ACES in choices:
        return f"{blackjack.total(shoe[0:4:2])[0]} and {blackjack.total(shoe[1:4:2])[0]}"
    return blackjack.read(shoe[: hand_size(choices)].tolist())


def readings(held: Sequence[int]) -> Iterator[tuple[str, str]]:
    if 1 <= len(held) <= PLAYER_CARDS:
        yield "War", RANK_NAMES[held[0] >> 2]
    if 2 <= len(held) <= PLAYER_CARDS:
        yield "Blackjack", blackjack.read(held)
    if len(held) == PLAYER_CARDS:
        yield "Poker", poker.read(held).name
