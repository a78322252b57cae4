"""The slow referee of Six Card Poker."""

from tests.support.referee import (
    ACE,
    KING,
    Hand,
    Made,
    Options,
    Referee,
    Results,
    exact,
    no_more_cards,
    one_choice,
    poker,
)


def settle(options: Options, player: Hand, dealer: Hand, made: Made) -> Results:
    if "fold" in made:
        return exact({"ante": ("fold", -1)})
    mine, other = poker(player), poker(dealer)
    if mine.value > other.value:
        result = ("better hand", 1)
    else:
        result = ("tie", 0) if mine.value == other.value else ("worse hand", -1)
    return exact({"ante": result if qualifies(dealer) else ("dealer does not qualify", 0), "raise": result})


def qualifies(dealer: Hand) -> bool:
    best = poker(dealer)
    return best.category != "High Card" or best.value[1:3] == (ACE, KING)


REFEREE = Referee(one_choice("raise", "fold"), no_more_cards, settle)
