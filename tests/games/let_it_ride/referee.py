"""The slow referee of Let It Ride."""

from tests.support.referee import (
    TEN,
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

HANDS = (
    "Royal Flush", "Straight Flush", "Four of a Kind", "Full House", "Flush", "Straight", "Three of a Kind",
    "Two Pair",
)  # fmt: skip
PAYS = {
    "1": (1000, 200, 50, 11, 8, 5, 3, 2),
    "2": (500, 100, 50, 11, 8, 5, 3, 2),
    "3": (500, 100, 25, 15, 10, 5, 3, 2),
}


def open_choices(options: Options, player: Hand, board: Hand, made: Made) -> tuple[str, ...]:
    return ("ride", "pull") if len(made) < 2 else ()


def settle(options: Options, player: Hand, board: Hand, made: Made) -> Results:
    results = {"three-card-bonus": three_card_bonus(player, options["three-card-bonus"])}
    for bet, choice in (("bet-3", "ride"), ("bet-2", made[1]), ("bet-1", made[0])):
        results[bet] = ("pulled back", 0) if choice == "pull" else riding_bet(options, [*player, *board])
    return exact(results)


def riding_bet(options: Options, five: Hand) -> tuple[str, int]:
    hand, pays = poker(five), dict(zip(HANDS, PAYS[options["pays"]], strict=True))
    if hand.category in pays:
        return hand.category, pays[hand.category]
    return ("pair of Tens or better", 1) if has_pair_of(hand, TEN) else ("less", -1)


REFEREE = Referee(open_choices, no_more_cards, settle)
