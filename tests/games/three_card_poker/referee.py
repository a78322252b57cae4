"""The slow referee of Three Card Poker."""

from tests.support import slow_hands
from tests.support.referee import (
    QUEEN,
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
    three_card_bonus,
)

ANTE_BONUS_PAYS = {"1": (5, 4, 1), "2": (4, 3, 1), "3": (3, 2, 1), "4": (5, 3, 1)}
SIX_CARD_PAYS = {
    "1": (1000, 200, 50, 25, 20, 10, 5),
    "2": (1000, 200, 50, 25, 15, 10, 5),
    "3": (1000, 200, 100, 20, 15, 9, 8),
    "4": (1000, 200, 100, 20, 15, 10, 7),
    "5": (1000, 200, 100, 20, 15, 10, 5),
    "6": (1000, 200, 50, 20, 15, 10, 7),
}
SIX_CARD_HANDS = (
    "Royal Flush", "Straight Flush", "Four of a Kind", "Full House", "Flush", "Straight", "Three of a Kind",
)  # fmt: skip


def settle(options: Options, player: Hand, dealer: Hand, made: Made) -> Results:
    six = {"six-card-bonus": six_card_bet(options, [*player, *dealer])}
    pair_plus = three_card_bonus(player, options["pair-plus"])
    if "fold" in made:
        if options["fold-loses-pair-plus"] == "yes":
            pair_plus = "fold", -1
        return exact({"ante": ("fold", -1), "ante-bonus": ("no bonus", 0), "pair-plus": pair_plus, **six})
    play, ante = showdown(slow_hands.three_card(player), slow_hands.three_card(dealer))
    bonus = ante_bonus(options, player)
    return exact({"play": play, "ante": ante, "ante-bonus": bonus, "pair-plus": pair_plus, **six})


def showdown(mine: tuple[int, ...], his: tuple[int, ...]) -> tuple[tuple[str, int], tuple[str, int]]:
    """Play and Ante; the dealer needs a queen."""
    if slow_hands.THREE_CARD[his[0]] == "High Card" and his[1] < QUEEN:
        return ("dealer does not qualify", 0), ("dealer does not qualify", 1)
    if mine == his:
        return ("tie", 0), ("tie", 0)
    found = ("better hand", 1) if mine > his else ("worse hand", -1)
    return found, found


def ante_bonus(options: Options, player: Hand) -> tuple[str, int]:
    straight_flush, three, straight = ANTE_BONUS_PAYS[options["ante-bonus"]]
    match three_card(player):
        case "Royal Flush" | "Straight Flush":
            return "Straight Flush", straight_flush
        case "Three of a Kind":
            return "Three of a Kind", three
        case "Straight":
            return "Straight", straight
    return "no bonus", 0


def six_card_bet(options: Options, six: Hand) -> tuple[str, int]:
    name = poker(six).category
    pays = dict(zip(SIX_CARD_HANDS, SIX_CARD_PAYS[options["six-card-bonus"]], strict=True))
    return (name, pays[name]) if name in pays else ("less than Three of a Kind", -1)


REFEREE = Referee(one_choice("play", "fold"), no_more_cards, settle)
