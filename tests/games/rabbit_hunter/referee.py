"""The slow referee of Rabbit Hunter Stud Poker."""

from tests.support.referee import (
    ACE,
    TEN,
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

TENS_UP_PAYS = {
    "Royal Flush": 500,
    "Straight Flush": 100,
    "Four of a Kind": 50,
    "Full House": 30,
    "Flush": 10,
    "Straight": 7,
    "Three of a Kind": 5,
    "Two Pair": 2,
    "Pair": 1,
}


def settle(options: Options, player: Hand, dealer: Hand, made: Made) -> Results:
    if "fold" in made:
        return exact({"ante": ("fold", -1), "tens-up": ("fold", -1), "bad-beat": ("fold", -1)})
    mine, his = poker(player if "buy" in made else player[:5]), poker(dealer)
    play = compare(mine, his)
    qualified = his.category != "High Card" or his.lead == ACE
    loser = min(mine, his)
    beaten = mine != his and has_pair_of(loser, TEN)
    results: dict[str, tuple[str, int]] = {
        "ante": play if qualified else ("dealer does not qualify", 0),
        "play": play,
        "tens-up": tens_up_bet(mine),
        "bad-beat": ("bad beat", 10) if beaten else ("no bad beat", -1),
    }
    if "buy" in made:
        results["sixth-card"] = ("bought", -1)
    return exact(results)


def tens_up_bet(mine: Poker) -> tuple[str, int]:
    if not has_pair_of(mine, TEN):
        return "less than a pair of Tens", -1
    name = "Tens Up" if mine.category == "Pair" else mine.category
    return name, TENS_UP_PAYS[mine.category]


REFEREE = Referee(one_choice("fold", "play", "buy"), no_more_cards, settle)
