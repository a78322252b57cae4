"""The slow referee of Big Raise Stud Poker."""

from tests.support.referee import (
    SIX,
    TEN,
    Hand,
    Made,
    Options,
    Referee,
    Results,
    exact,
    has_pair_of,
    no_more_cards,
    one_choice,
    poker,
    three_card_bonus,
)

PAYS = {
    "Royal Flush": 500, "Straight Flush": 100, "Four of a Kind": 40, "Full House": 8, "Flush": 6,
    "Straight": 4, "Three of a Kind": 3, "Two Pair": 2,
}  # fmt: skip


def settle(options: Options, player: Hand, board: Hand, made: Made) -> Results:
    bonus = three_card_bonus(player, options["three-card-bonus"])
    if made[0] == "fold":
        loses = options["fold-loses-bonus"] == "yes"
        return exact({"ante": ("fold", -1), "three-card-bonus": ("fold", -1) if loses else bonus})
    name, pay = five_cards([*player, *board])
    units = int(made[0].removeprefix("raise-").removesuffix("x"))
    return exact({"ante": (name, pay), "raise": (name, pay * units), "three-card-bonus": bonus})


def five_cards(five: Hand) -> tuple[str, int]:
    hand = poker(five)
    if hand.category in PAYS:
        return hand.category, PAYS[hand.category]
    if has_pair_of(hand, TEN):
        return "pair of Tens or better", 1
    return ("pair of Sixes to Nines", 0) if has_pair_of(hand, SIX) else ("less", -1)


REFEREE = Referee(one_choice("raise-4x", "raise-3x", "raise-2x", "raise-1x", "fold"), no_more_cards, settle)
