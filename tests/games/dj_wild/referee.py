"""The slow referee of DJ Wild Stud Poker."""

from tests.support import slow_hands
from tests.support.referee import Hand, Made, Options, Referee, Results, exact, no_more_cards, one_choice

BLIND_PAYS = {
    "Five Wilds": 1000,
    "Royal Flush": 50,
    "Five of a Kind": 10,
    "Straight Flush": 9,
    "Four of a Kind": 4,
    "Full House": 3,
    "Flush": 2,
    "Straight": 1,
}


def settle(options: Options, player: Hand, dealer: Hand, made: Made) -> Results:
    if "fold" in made:
        return exact({"ante": ("fold", -1), "blind": ("fold", -1)})
    mine, his = slow_hands.wild(player), slow_hands.wild(dealer)
    if mine == his:
        return exact({"play": ("tie", 0), "ante": ("tie", 0), "blind": ("tie", 0)})
    if mine < his:
        lost = "worse hand"
        return exact({"play": (lost, -2), "ante": (lost, -1), "blind": (lost, -1)})
    won, name = "better hand", slow_hands.WILD[mine[0]]
    blind = (name, BLIND_PAYS[name]) if name in BLIND_PAYS else ("less than a straight", 0)
    return exact({"play": (won, 2), "ante": (won, 1), "blind": blind})


REFEREE = Referee(one_choice("play", "fold"), no_more_cards, settle)
