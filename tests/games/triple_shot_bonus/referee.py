"""The slow referee of Triple Shot Bonus."""

from fractions import Fraction
from functools import cache
from typing import Any

from tests.support import slow_hands
from tests.support.referee import (
    ACE,
    HALF,
    JACK,
    Hand,
    Made,
    Options,
    Referee,
    Results,
    exact,
    has_pair_of,
    poker,
)
from tests.support.slow_hands import rank

POKER_PAYS = {
    "TSB-01": {"Royal Flush": 500, "Straight Flush": 50},
    "TSB-02": {"Royal Flush": 200, "Straight Flush": 60},
}
POKER_ALWAYS = {
    "Four of a Kind": 20,
    "Full House": 6,
    "Flush": 5,
    "Straight": 4,
    "Three of a Kind": 2,
    "Two Pair": Fraction(3, 2),
    "Pair": 1,
}
# The nine rows for split aces, first hand and second: does the Hat Trick stay up?
SPLIT_KEEPS_HAT_TRICK = {
    ("lose", "lose"): False,
    ("lose", "tie"): False,
    ("lose", "win"): True,
    ("tie", "lose"): False,
    ("tie", "tie"): True,
    ("tie", "win"): True,
    ("win", "lose"): True,
    ("win", "tie"): True,
    ("win", "win"): True,
}
UNITS = {"lose": -1, "tie": 0, "win": 1}


@cache
def count(hand: Hand) -> tuple[int, bool]:
    """The best blackjack total, and whether an ace in it counts eleven."""
    return slow_hands.blackjack(hand)


def is_natural(hand: Hand) -> bool:
    return len(hand) >= 2 and count(hand[:2])[0] == 21


def after_insurance(made: Made) -> list[str]:
    return [name for name in made if name not in ("insure", "decline")]


def player_hands(player: Hand, made: Made) -> list[Hand]:
    """The Blackjack hands: the first two cards and those drawn, or one card on each split ace."""
    if "split" in made:
        return [(player[0], player[2]), (player[1], player[3])]
    return [player[: 2 + made.count("hit") + made.count("double")]]


def open_choices(options: Options, player: Hand, dealer: Hand, made: Made) -> tuple[str, ...]:
    if rank(dealer[0]) == ACE and not made:
        return ("insure", "decline")
    if is_natural(dealer) or is_natural(player):
        return ()
    acted = after_insurance(made)
    if not acted:
        both_aces = rank(player[0]) == rank(player[1]) == ACE
        return ("hit", "stand", "double", "split") if both_aces else ("hit", "stand", "double")
    [hand, *_] = player_hands(player, made)
    done = acted[-1] != "hit" or len(hand) == 6 or count(hand)[0] > 21
    return () if done else ("hit", "stand")


def dealer_must_play(options: Options, player: Hand, dealer: Hand, made: Made) -> bool:
    """Does any hand wait to be compared with the dealer's?"""
    if is_natural(dealer) or is_natural(player):
        return False
    waiting = [hand for hand in player_hands(player, made) if count(hand)[0] <= 21]
    if options["six-card-rule"] == "on":
        waiting = [hand for hand in waiting if len(hand) < 6]
    return bool(waiting)


def dealer_hits(options: Options, dealer: Hand) -> bool:
    total, soft = count(dealer)
    return total < 17 or (total == 17 and soft and options["soft-17"] == "hit")


def dealer_plays(options: Options, dealer: Hand) -> Hand:
    """The dealer's hand at its end, from the cards that would be dealt."""
    size = 2
    while dealer_hits(options, dealer[:size]):
        size += 1
    return dealer[:size]


def needs(options: Options, player: Hand, dealer: Hand, made: Made) -> tuple[int, int]:
    must = dealer_must_play(options, player, dealer, made) and dealer_hits(options, dealer)
    return 6 - len(player), int(must)


def settle(options: Options, player: Hand, dealer: Hand, made: Made) -> Results:
    war = war_bet(player[0], dealer[0])
    hand, kept = blackjack_bet(options, player, dealer, made)
    six = six_card_poker_bet(options, player)
    results: dict[str, tuple[str, int | Fraction]] = {"war": war, "blackjack": hand, "poker": six}
    if "insure" in made:  # half a unit at 2 to 1
        lucky = is_natural(dealer)
        results["insurance"] = ("dealer blackjack", 2 * HALF) if lucky else ("no dealer blackjack", -HALF)
    if war[0] == "lower card":
        hat_trick = ("lost at War", -1)
    elif not kept:
        hat_trick = ("lost at Blackjack", -1)
    elif six[1] < 0:
        hat_trick = ("lost at Poker", -1)
    else:
        hat_trick = ("none of the three lost", int(options["hat-trick"]))
    return exact({**results, "hat-trick": hat_trick})


def war_bet(player: int, dealer: int) -> tuple[str, int | Fraction]:
    if rank(player) == rank(dealer):
        return "tie", -HALF
    return ("higher card", 1) if rank(player) > rank(dealer) else ("lower card", -1)


def blackjack_bet(
    options: Options, player: Hand, dealer: Hand, made: Made
) -> tuple[tuple[str, int | Fraction], bool]:
    """The outcome, and whether it leaves the Hat Trick standing."""
    if is_natural(dealer):
        return (("push", 0), True) if is_natural(player) else (("dealer blackjack", -1), False)
    if is_natural(player):
        pays, per = options["blackjack-pays"].split(":")
        return ("blackjack", Fraction(int(pays), int(per))), True
    hands = player_hands(player, made)
    if "split" in made:
        dealers = dealer_plays(options, dealer)
        first, second = (against(hand, dealers) for hand in hands)
        outcome = f"split, {first} and {second}", UNITS[first] + UNITS[second]
        return outcome, SPLIT_KEEPS_HAT_TRICK[first, second]
    if count(hands[0])[0] > 21:
        return ("bust", -2 if "double" in made else -1), False
    if len(hands[0]) == 6 and options["six-card-rule"] == "on":
        return ("six cards", 1), True
    result = against(hands[0], dealer_plays(options, dealer))
    name, units = "push" if result == "tie" else result, 2 if "double" in made else 1
    return (name, units * UNITS[result]), result != "lose"


def against(hand: Hand, dealers: Hand) -> str:
    """A hand that has not busted, against the dealer's last hand."""
    mine, his = count(hand)[0], count(dealers)[0]
    if his > 21 or mine > his:
        return "win"
    return "tie" if mine == his else "lose"


def six_card_poker_bet(options: Options, player: Hand) -> tuple[str, Any]:
    mine = poker(player)
    if not has_pair_of(mine, JACK):
        return "less than a pair of Jacks", -1
    name = "Jacks or Better" if mine.category == "Pair" else mine.category
    return name, (POKER_ALWAYS | POKER_PAYS[options["poker"]])[mine.category]


REFEREE = Referee(open_choices, needs, settle, peek=is_natural)
