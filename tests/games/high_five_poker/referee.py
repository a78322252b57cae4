"""The slow referee of High Five Poker."""

from tests.support.referee import (
    ACE,
    SIX,
    Hand,
    Made,
    Options,
    Poker,
    Referee,
    Results,
    compare,
    exact,
    has_pair_of,
    no_more_cards,
    one_choice,
    poker,
)

AT_LEAST_A_STRAIGHT = (
    "Straight", "Flush", "Full House", "Four of a Kind", "Straight Flush", "Royal Flush", "Five Aces",
)  # fmt: skip
TRIPS_PAYS = {
    "Five Aces": 200,
    "Royal Flush": 100,
    "Straight Flush": 50,
    "Four of a Kind": 40,
    "Full House (Other)": 7,
    "Flush": 4,
    "Straight": 2,
    "Three of a Kind": 1,
}
FULL_HOUSE_OF_ACES_PAYS = {"APP-01": 20, "APP-02": 25, "APP-03": 15}


def settle(options: Options, player: Hand, dealer: Hand, made: Made) -> Results:
    mine = poker(player)
    trips = trips_bet(options, mine)
    if "fold" in made:
        return exact({"ante": ("fold", -1), "trips": trips})
    his = poker(dealer)
    if not has_pair_of(his, SIX):
        name = "dealer does not qualify"
        straight = mine.category in AT_LEAST_A_STRAIGHT
        play = (name + ", straight or better", 1) if straight else (name, 0)
        return exact({"play": play, "ante": (name, 1), "trips": trips})
    both = compare(mine, his)
    return exact({"play": both, "ante": both, "trips": trips})


def trips_bet(options: Options, mine: Poker) -> tuple[str, int]:
    name = mine.category
    if name == "Full House":
        if mine.lead == ACE:
            return "Full House (Aces Up)", FULL_HOUSE_OF_ACES_PAYS[options["trips"]]
        name = "Full House (Other)"
    if name in TRIPS_PAYS:
        return name, TRIPS_PAYS[name]
    return "less than Three of a Kind", -1


REFEREE = Referee(one_choice("play", "fold"), no_more_cards, settle)
