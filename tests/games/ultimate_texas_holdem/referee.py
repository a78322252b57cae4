"""The slow referee of Ultimate Texas Hold'em."""

from fractions import Fraction

from tests.support.referee import (
    HALF,
    Hand,
    Made,
    Options,
    Poker,
    Referee,
    Results,
    compare,
    exact,
    no_more_cards,
    poker,
)

BLIND_PAYS = {
    "Royal Flush": Fraction(500),
    "Straight Flush": Fraction(50),
    "Four of a Kind": Fraction(10),
    "Full House": Fraction(3),
    "Flush": 3 * HALF,
    "Straight": Fraction(1),
}
TRIPS_HANDS = (
    "Royal Flush", "Straight Flush", "Four of a Kind", "Full House", "Flush", "Straight", "Three of a Kind",
)  # fmt: skip
TRIPS_PAYS = {
    "1": (50, 40, 30, 9, 7, 4, 3),
    "2": (50, 40, 30, 8, 6, 5, 3),
    "3": (50, 40, 30, 8, 7, 4, 3),
    "4": (50, 40, 20, 7, 6, 5, 3),
}
BAD_BEAT_PAYS = {
    "Straight Flush": 7500, "Four of a Kind": 500, "Full House": 50, "Flush": 30, "Straight": 20,
    "Three of a Kind": 9,
}  # fmt: skip
UNITS = {"raise-4x": 4, "raise-3x": 3, "raise-2x": 2, "raise-1x": 1}


def open_choices(options: Options, player: Hand, shared: Hand, made: Made) -> tuple[str, ...]:
    if any(choice != "check" for choice in made):
        return ()
    return (("raise-4x", "raise-3x", "check"), ("raise-2x", "check"), ("raise-1x", "fold"))[len(made)]


def settle(options: Options, player: Hand, shared: Hand, made: Made) -> Results:
    board, dealer = list(shared[:5]), list(shared[5:])
    mine, his = poker([*player, *board]), poker([*dealer, *board])
    trips, beat = trips_bet(options, mine), bad_beat_bet(mine, his)
    if "fold" in made:
        lost = ("fold", Fraction(-1))
        trips = lost if options["fold-loses-trips"] == "yes" else trips
        return exact({"ante": lost, "blind": lost, "trips": trips, "bad-beat": beat})
    result, sign = compare(mine, his)
    ante = (result, sign) if his.category != "High Card" else ("dealer does not open", 0)
    play = (result, sign * UNITS[made[-1]])
    blind = blind_bet(mine) if sign > 0 else (result, Fraction(sign))
    return exact({"play": play, "ante": ante, "blind": blind, "trips": trips, "bad-beat": beat})


def blind_bet(mine: Poker) -> tuple[str, Fraction]:
    name = mine.category
    return (name, BLIND_PAYS[name]) if name in BLIND_PAYS else ("less than a straight", Fraction(0))


def trips_bet(options: Options, mine: Poker) -> tuple[str, Fraction]:
    pays = dict(zip(TRIPS_HANDS, TRIPS_PAYS[options["trips"]], strict=True))
    name = mine.category
    return (name, Fraction(pays[name])) if name in pays else ("less than Three of a Kind", Fraction(-1))


def bad_beat_bet(mine: Poker, his: Poker) -> tuple[str, int]:
    name = min(mine, his).category
    return (name, BAD_BEAT_PAYS[name]) if mine != his and name in BAD_BEAT_PAYS else ("no bad beat", -1)


REFEREE = Referee(open_choices, no_more_cards, settle)
