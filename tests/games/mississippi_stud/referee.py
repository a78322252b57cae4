"""The slow referee of Mississippi Stud."""

from tests.support.referee import (
    JACK,
    SIX,
    Hand,
    Made,
    Options,
    Referee,
    Results,
    exact,
    has_pair_of,
    no_more_cards,
    poker,
    three_card_bonus,
)

PAYS = {
    "Royal Flush": 500, "Straight Flush": 100, "Four of a Kind": 40, "Full House": 10, "Flush": 6,
    "Three of a Kind": 3, "Two Pair": 2,
}  # fmt: skip
STRAIGHT_PAYS = {"1": 4, "2": 5}
STREETS = ("third", "fourth", "fifth")
UNITS = {"bet-3x": 3, "bet-2x": 2, "bet-1x": 1}


def open_choices(options: Options, player: Hand, board: Hand, made: Made) -> tuple[str, ...]:
    return () if len(made) == 3 or "fold" in made else (*UNITS, "fold")


def settle(options: Options, player: Hand, board: Hand, made: Made) -> Results:
    folded = "fold" in made
    name, pay = ("fold", -1) if folded else five_cards(options, [*player, *board])
    results = {"ante": (name, pay)}
    for street, choice in zip(STREETS, made, strict=False):
        if choice != "fold":
            results[street] = name, pay * UNITS[choice]
    loses_bonus = folded and options["fold-loses-bonus"] == "yes"
    bonus = three_card_bonus(board, options["three-card-bonus"])
    return exact({**results, "three-card-bonus": ("fold", -1) if loses_bonus else bonus})


def five_cards(options: Options, five: Hand) -> tuple[str, int]:
    hand, pays = poker(five), PAYS | {"Straight": STRAIGHT_PAYS[options["pays"]]}
    if hand.category in pays:
        return hand.category, pays[hand.category]
    if has_pair_of(hand, JACK):
        return "pair of Jacks or better", 1
    return ("pair of Sixes to Tens", 0) if has_pair_of(hand, SIX) else ("less", -1)


REFEREE = Referee(open_choices, no_more_cards, settle)
