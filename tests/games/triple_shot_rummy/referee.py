"""The slow referee of Triple Shot Rummy."""

from functools import cache

from tests.support import slow_hands
from tests.support.referee import (
    Hand,
    Made,
    Options,
    Referee,
    Results,
    exact,
    no_more_cards,
    one_choice,
    poker,
    three_card,
)

# Straight and flush by table; a royal flush has a line of its own in tables 4 to 6.
PAIR_PLUS_PAYS = {
    "1": {"Straight": 6, "Flush": 4, "Royal Flush": 40},
    "2": {"Straight": 5, "Flush": 4, "Royal Flush": 40},
    "3": {"Straight": 6, "Flush": 3, "Royal Flush": 40},
    "4": {"Straight": 6, "Flush": 4, "Royal Flush": 50},
    "5": {"Straight": 5, "Flush": 4, "Royal Flush": 50},
    "6": {"Straight": 6, "Flush": 3, "Royal Flush": 50},
}
PAIR_PLUS_ALWAYS = {"Straight Flush": 40, "Three of a Kind": 30, "Pair": 1}
SIX_CARD_PAYS = {
    "1": (1000, 200, 50, 25, 20, 10, 5),
    "2": (1000, 200, 50, 25, 15, 10, 5),
    "3": (1000, 200, 100, 20, 15, 9, 8),
    "4": (1000, 200, 100, 20, 15, 10, 7),
}
SIX_CARD_HANDS = (
    "Royal Flush", "Straight Flush", "Four of a Kind", "Full House", "Flush", "Straight", "Three of a Kind",
)  # fmt: skip


def settle(options: Options, player: Hand, dealer: Hand, made: Made) -> Results:
    results: dict[str, tuple[str, int]] = {
        "pair-plus": pair_plus_bet(options, player),
        "six-card-bonus": six_card_bet(options, [*player, *dealer]),
    }
    if "fold" in made:
        return exact({**results, "ante": ("fold", -1)})
    mine, his = fewest_points(player), fewest_points(dealer)
    if his > 20:
        play, ante = ("dealer does not play", 0), ("dealer does not play", 1)
    elif mine == his:
        play = ante = ("tie", 0)
    elif mine > his:
        play = ante = ("more points", -1)
    else:
        ante = ("fewer points", 1)
        if mine == 0:
            play = ("fewer points with 0", 4)
        else:
            play = ("fewer points with 1 to 5", 2) if mine <= 5 else ("fewer points with 6 to 19", 1)
    return exact({**results, "play": play, "ante": ante})


@cache
def fewest_points(hand: Hand) -> int:
    return slow_hands.rummy(hand)[0][0]


def pair_plus_bet(options: Options, player: Hand) -> tuple[str, int]:
    name = three_card(player)
    pays = PAIR_PLUS_ALWAYS | PAIR_PLUS_PAYS[options["pair-plus"]]
    return (name, pays[name]) if name in pays else ("less than a Pair", -1)


def six_card_bet(options: Options, six: Hand) -> tuple[str, int]:
    name = poker(six).category
    pays = dict(zip(SIX_CARD_HANDS, SIX_CARD_PAYS[options["six-card-bonus"]], strict=True))
    return (name, pays[name]) if name in pays else ("less than Three of a Kind", -1)


REFEREE = Referee(one_choice("play", "fold"), no_more_cards, settle)
