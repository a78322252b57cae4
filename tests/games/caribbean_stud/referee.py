"""The slow referee of Caribbean Stud Poker."""

from tests.support.referee import (
    ACE,
    KING,
    Hand,
    Made,
    Options,
    Poker,
    Referee,
    Results,
    compare,
    exact,
    no_more_cards,
    one_choice,
    poker,
)

PAYS = {
    "Straight Flush": 50,
    "Four of a Kind": 20,
    "Full House": 7,
    "Flush": 5,
    "Straight": 4,
    "Three of a Kind": 3,
    "Two Pair": 2,
}
ROYAL_PAYS = {"1": 100, "2": 250}


def settle(options: Options, player: Hand, dealer: Hand, made: Made) -> Results:
    if "fold" in made:
        return exact({"ante": ("fold", -1)})
    mine, his = poker(player), poker(dealer)
    if not qualifies(his):
        return exact({"ante": ("dealer does not qualify", 1), "raise": ("dealer does not qualify", 0)})
    result, sign = compare(mine, his)
    if result != "better hand":
        return exact({"ante": (result, sign), "raise": (result, 2 * sign)})
    name, pays = raise_line(options, mine)
    return exact({"ante": (result, 1), "raise": (name, 2 * pays)})


def qualifies(hand: Poker) -> bool:
    """Ace and king, or at least a pair."""
    return hand.category != "High Card" or hand.value[1:3] == (ACE, KING)


def raise_line(options: Options, mine: Poker) -> tuple[str, int]:
    if mine.category == "Royal Flush":
        return mine.category, ROYAL_PAYS[options["pays"]]
    return (mine.category, PAYS[mine.category]) if mine.category in PAYS else ("less than two pair", 1)


REFEREE = Referee(one_choice("raise", "fold"), no_more_cards, settle)
