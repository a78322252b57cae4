"""A slow referee for the tests: what each wager comes to, told again from the rules of play.

Nothing here is shared with the kernels: cards are read one by one, hands are valued by `slow_hands`.
A game's referee has three functions of (options, player's cards, dealer's cards, names of the choices):

- `open_choices`: what the player may do now;
- `needs`: how many more cards the player and the dealer must still receive;
- `settle`: for each spot the outcome's name, and the net in units of the first wager. Every first
  wager is taken to be placed; a raise is settled only if a choice put it down.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from tests.support import slow_hands
from tests.support.slow_hands import rank

Options = Mapping[str, str]
Hand = Sequence[int]
Made = Sequence[str]  # the choices
Results = dict[str, tuple[str, Fraction]]

SIX, TEN, JACK, ACE = 6, 10, 11, 14  # ranks
HALF = Fraction(1, 2)


class Referee(NamedTuple):
    open_choices: Callable[[Options, Hand, Hand, Made], tuple[str, ...]]
    needs: Callable[[Options, Hand, Hand, Made], tuple[int, int]]
    settle: Callable[[Options, Hand, Hand, Made], Results]


def exact(results: Mapping[str, tuple[str, int | Fraction]]) -> Results:
    return {spot: (outcome, Fraction(net)) for spot, (outcome, net) in results.items()}


def nothing_more(options: Options, player: Hand, dealer: Hand, made: Made) -> tuple[int, int]:
    """All cards are dealt before the first choice."""
    return 0, 0


def once(*names: str) -> Callable[[Options, Hand, Hand, Made], tuple[str, ...]]:
    """One choice, the same for every hand."""
    return lambda options, player, dealer, made: () if made else names


# -- Casino War -------------------------------------------------------------------------------------


def war_choices(options: Options, player: Hand, dealer: Hand, made: Made) -> tuple[str, ...]:
    tied = rank(player[0]) == rank(dealer[0])
    return ("war", "surrender") if tied and not made else ()


def war_needs(options: Options, player: Hand, dealer: Hand, made: Made) -> tuple[int, int]:
    return (2 - len(player), 2 - len(dealer)) if "war" in made else (0, 0)


def casino_war(options: Options, player: Hand, dealer: Hand, made: Made) -> Results:
    ahead = rank(player[0]) - rank(dealer[0])
    if ahead:
        primary = ("higher card", 1) if ahead > 0 else ("lower card", -1)
        return exact({"primary": primary, "tie": ("no tie", -1)})
    if "surrender" in made:
        return exact({"primary": ("surrender", -HALF), "tie": ("tie", 10)})
    second = rank(player[1]) - rank(dealer[1])
    primary = ("war won", 1) if second > 0 else ("war tied", 2) if second == 0 else ("war lost", -2)
    return exact({"primary": primary, "tie": ("tie", 10)})


# -- High Five Poker --------------------------------------------------------------------------------

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


def high_five_poker(options: Options, player: Hand, dealer: Hand, made: Made) -> Results:
    mine = poker(player)
    trips = trips_bet(options, mine)
    if "fold" in made:
        return exact({"ante": ("fold", -1), "trips": trips})
    his = poker(dealer)
    if not pair_or_better(his, SIX):
        name = "dealer does not qualify"
        straight = mine.category in AT_LEAST_A_STRAIGHT
        play = (name + ", straight or better", 1) if straight else (name, 0)
        return exact({"play": play, "ante": (name, 1), "trips": trips})
    both = compared(mine, his)
    return exact({"play": both, "ante": both, "trips": trips})


def trips_bet(options: Options, mine: "Poker") -> tuple[str, int]:
    name = mine.category
    if name == "Full House":
        if mine.lead == ACE:
            return "Full House (Aces Up)", FULL_HOUSE_OF_ACES_PAYS[options["trips"]]
        name = "Full House (Other)"
    if name in TRIPS_PAYS:
        return name, TRIPS_PAYS[name]
    return "less than Three of a Kind", -1


# -- Rabbit Hunter Stud Poker -----------------------------------------------------------------------

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


def rabbit_hunter(options: Options, player: Hand, dealer: Hand, made: Made) -> Results:
    if "fold" in made:
        return exact({"ante": ("fold", -1), "tens-up": ("fold", -1), "bad-beat": ("fold", -1)})
    mine, his = poker(player if "buy" in made else player[:5]), poker(dealer)
    play = compared(mine, his)
    qualified = his.category != "High Card" or his.lead == ACE
    loser = min(mine, his)
    beaten = mine != his and pair_or_better(loser, TEN)
    results: dict[str, tuple[str, int]] = {
        "ante": play if qualified else ("dealer does not qualify", 0),
        "play": play,
        "tens-up": tens_up_bet(mine),
        "bad-beat": ("bad beat", 10) if beaten else ("no bad beat", -1),
    }
    if "buy" in made:
        results["sixth-card"] = ("bought", -1)
    return exact(results)


def tens_up_bet(mine: "Poker") -> tuple[str, int]:
    if not pair_or_better(mine, TEN):
        return "less than a pair of Tens", -1
    name = "Tens Up" if mine.category == "Pair" else mine.category
    return name, TENS_UP_PAYS[mine.category]


# -- Triple Shot Rummy ------------------------------------------------------------------------------

# Straight and flush by table; a royal flush has a line of its own in tables 4 to 6.
PAIR_PLUS_PAYS = {
    "1": {"Straight": 6, "Flush": 4, "Royal Flush": 40},
    "2": {"Straight": 5, "Flush": 4, "Royal Flush": 40},
    "3": {"Straight": 6, "Flush": 3, "Royal Flush": 40},
    "4": {"Straight": 6, "Flush": 4, "Royal Flush": 50},
    "5": {"Straight": 5, "Flush": 4, "Royal Flush": 50},
    "6": {"Straight": 6, "Flush": 3, "Royal Flush": 50},
}
PAIR_PLUS_ALWAYS = {"Straight Flush": 40, "Three of a Kind": 30, "Pair": 1}
SIX_CARD_PAYS = {
    "1": (1000, 200, 50, 25, 20, 10, 5),
    "2": (1000, 200, 50, 25, 15, 10, 5),
    "3": (1000, 200, 100, 20, 15, 9, 8),
    "4": (1000, 200, 100, 20, 15, 10, 7),
}
SIX_CARD_HANDS = (
    "Royal Flush", "Straight Flush", "Four of a Kind", "Full House", "Flush", "Straight", "Three of a Kind",
)  # fmt: skip


def triple_shot_rummy(options: Options, player: Hand, dealer: Hand, made: Made) -> Results:
    results: dict[str, tuple[str, int]] = {
        "pair-plus": pair_plus_bet(options, player),
        "six-card-bonus": six_card_bet(options, [*player, *dealer]),
    }
    if "fold" in made:
        return exact({**results, "ante": ("fold", -1)})
    mine, his = fewest_points(player), fewest_points(dealer)
    if his > 20:
        play, ante = ("dealer does not play", 0), ("dealer does not play", 1)
    elif mine == his:
        play = ante = ("tie", 0)
    elif mine > his:
        play = ante = ("more points", -1)
    else:
        ante = ("fewer points", 1)
        if mine == 0:
            play = ("fewer points with 0", 4)
        else:
            play = ("fewer points with 1 to 5", 2) if mine <= 5 else ("fewer points with 6 to 19", 1)
    return exact({**results, "play": play, "ante": ante})


def pair_plus_bet(options: Options, player: Hand) -> tuple[str, int]:
    name = three_card(player)
    pays = PAIR_PLUS_ALWAYS | PAIR_PLUS_PAYS[options["pair-plus"]]
    return (name, pays[name]) if name in pays else ("less than a Pair", -1)


def six_card_bet(options: Options, six: Hand) -> tuple[str, int]:
    name = poker(six).category
    pays = dict(zip(SIX_CARD_HANDS, SIX_CARD_PAYS[options["six-card-bonus"]], strict=True))
    return (name, pays[name]) if name in pays else ("less than Three of a Kind", -1)


# -- Triple Shot Bonus ------------------------------------------------------------------------------

POKER_PAYS = {
    "TSB-01": {"Royal Flush": 500, "Straight Flush": 50},
    "TSB-02": {"Royal Flush": 200, "Straight Flush": 60},
}
POKER_ALWAYS = {
    "Four of a Kind": 20,
    "Full House": 6,
    "Flush": 5,
    "Straight": 4,
    "Three of a Kind": 2,
    "Two Pair": Fraction(3, 2),
    "Pair": 1,
}
# The nine rows for split aces, first hand and second: does the Hat Trick stay up?
SPLIT_KEEPS_HAT_TRICK = {
    ("lose", "lose"): False,
    ("lose", "tie"): False,
    ("lose", "win"): True,
    ("tie", "lose"): False,
    ("tie", "tie"): True,
    ("tie", "win"): True,
    ("win", "lose"): True,
    ("win", "tie"): True,
    ("win", "win"): True,
}
UNITS = {"lose": -1, "tie": 0, "win": 1}


@cache
def count(hand: Hand) -> tuple[int, bool]:
    """The best blackjack total, and whether an ace in it counts eleven."""
    return slow_hands.blackjack(hand)


def natural(hand: Hand) -> bool:
    return len(hand) >= 2 and count(hand[:2])[0] == 21


def after_insurance(made: Made) -> list[str]:
    return [name for name in made if name not in ("insure", "decline")]


def player_hands(player: Hand, made: Made) -> list[Hand]:
    """The Blackjack hands: the first two cards and those drawn, or one card on each split ace."""
    if "split" in made:
        return [(player[0], player[2]), (player[1], player[3])]
    return [player[: 2 + made.count("hit") + made.count("double")]]


def bonus_choices(options: Options, player: Hand, dealer: Hand, made: Made) -> tuple[str, ...]:
    if rank(dealer[0]) == ACE and not made:
        return ("insure", "decline")
    if natural(dealer) or natural(player):
        return ()
    acted = after_insurance(made)
    if not acted:
        both_aces = rank(player[0]) == rank(player[1]) == ACE
        return ("hit", "stand", "double", "split") if both_aces else ("hit", "stand", "double")
    [hand, *_] = player_hands(player, made)
    done = acted[-1] != "hit" or len(hand) == 6 or count(hand)[0] > 21
    return () if done else ("hit", "stand")


def dealer_must_play(options: Options, player: Hand, dealer: Hand, made: Made) -> bool:
    """Does any hand wait to be compared with the dealer's?"""
    if natural(dealer) or natural(player):
        return False
    waiting = [hand for hand in player_hands(player, made) if count(hand)[0] <= 21]
    if options["six-card-rule"] == "on":
        waiting = [hand for hand in waiting if len(hand) < 6]
    return bool(waiting)


def dealer_hits(options: Options, dealer: Hand) -> bool:
    total, soft = count(dealer)
    return total < 17 or (total == 17 and soft and options["soft-17"] == "hit")


def dealer_plays(options: Options, dealer: Hand) -> Hand:
    """The dealer's hand at its end, from the cards that would be dealt."""
    size = 2
    while dealer_hits(options, dealer[:size]):
        size += 1
    return dealer[:size]


def bonus_needs(options: Options, player: Hand, dealer: Hand, made: Made) -> tuple[int, int]:
    must = dealer_must_play(options, player, dealer, made) and dealer_hits(options, dealer)
    return 6 - len(player), int(must)


def triple_shot_bonus(options: Options, player: Hand, dealer: Hand, made: Made) -> Results:
    war = war_bet(player[0], dealer[0])
    hand, kept = blackjack_bet(options, player, dealer, made)
    six = six_card_poker_bet(options, player)
    results: dict[str, tuple[str, int | Fraction]] = {"war": war, "blackjack": hand, "poker": six}
    if "insure" in made:  # half a unit at 2 to 1
        lucky = natural(dealer)
        results["insurance"] = ("dealer blackjack", 2 * HALF) if lucky else ("no dealer blackjack", -HALF)
    if war[0] == "lower card":
        hat_trick = ("lost at War", -1)
    elif not kept:
        hat_trick = ("lost at Blackjack", -1)
    elif six[1] < 0:
        hat_trick = ("lost at Poker", -1)
    else:
        hat_trick = ("none of the three lost", int(options["hat-trick"]))
    return exact({**results, "hat-trick": hat_trick})


def war_bet(player: int, dealer: int) -> tuple[str, int | Fraction]:
    if rank(player) == rank(dealer):
        return "tie", -HALF
    return ("higher card", 1) if rank(player) > rank(dealer) else ("lower card", -1)


def blackjack_bet(
    options: Options, player: Hand, dealer: Hand, made: Made
) -> tuple[tuple[str, int | Fraction], bool]:
    """The outcome, and whether it leaves the Hat Trick standing."""
    if natural(dealer):
        return (("push", 0), True) if natural(player) else (("dealer blackjack", -1), False)
    if natural(player):
        pays, per = options["blackjack-pays"].split(":")
        return ("blackjack", Fraction(int(pays), int(per))), True
    hands = player_hands(player, made)
    if "split" in made:
        kernel_data = dealer_plays(options, dealer)
        first, second = (against(hand, kernel_data) for hand in hands)
        outcome = f"split, {first} and {second}", UNITS[first] + UNITS[second]
        return outcome, SPLIT_KEEPS_HAT_TRICK[first, second]
    if count(hands[0])[0] > 21:
        return (("double, lose", -2) if "double" in made else ("bust", -1)), False
    if len(hands[0]) == 6 and options["six-card-rule"] == "on":
        return ("six cards", 1), True
    result = against(hands[0], dealer_plays(options, dealer))
    name = "push" if result == "tie" else result
    if "double" in made:
        return (f"double, {name}", 2 * UNITS[result]), result != "lose"
    return (name, UNITS[result]), result != "lose"


def against(hand: Hand, kernel_data: Hand) -> str:
    """A hand that has not busted, against the dealer's last hand."""
    mine, his = count(hand)[0], count(kernel_data)[0]
    if his > 21 or mine > his:
        return "win"
    return "tie" if mine == his else "lose"


def six_card_poker_bet(options: Options, player: Hand) -> tuple[str, int | Fraction]:
    mine = poker(player)
    if not pair_or_better(mine, JACK):
        return "less than a pair of Jacks", -1
    name = "Jacks or Better" if mine.category == "Pair" else mine.category
    return name, (POKER_ALWAYS | POKER_PAYS[options["poker"]])[mine.category]


# -- Hands ------------------------------------------------------------------------------------------

AT_LEAST_A_STRAIGHT = (
    "Straight", "Flush", "Full House", "Four of a Kind", "Straight Flush", "Royal Flush", "Five Aces",
)  # fmt: skip


class Poker(NamedTuple):
    """The best five of some cards; better hands compare greater."""

    value: tuple[int, ...]

    @property
    def category(self) -> str:
        return slow_hands.POKER[self.value[0]]

    @property
    def lead(self) -> int:
        """The rank of the pair, of the three, or of the highest card."""
        return self.value[1]


def poker(hand: Hand) -> Poker:
    return _poker(tuple(sorted(hand)))


@cache
def _poker(hand: tuple[int, ...]) -> Poker:
    return Poker(slow_hands.poker(hand))


def three_card(hand: Hand) -> str:
    return slow_hands.THREE_CARD[slow_hands.three_card(hand)[0]]


@cache
def fewest_points(hand: Hand) -> int:
    return slow_hands.rummy(hand)[0][0]


def pair_or_better(hand: Poker, lowest: int) -> bool:
    """A pair of this rank or higher, or more than a pair."""
    if hand.category == "Pair":
        return hand.lead >= lowest
    return hand.category != "High Card"


def compared(mine: Poker, his: Poker) -> tuple[str, int]:
    if mine == his:
        return "tie", 0
    return ("better hand", 1) if mine > his else ("worse hand", -1)


# -- The games --------------------------------------------------------------------------------------

REFEREES = {
    "casino-war": Referee(war_choices, war_needs, casino_war),
    "high-five-poker": Referee(once("play", "fold"), nothing_more, high_five_poker),
    "rabbit-hunter": Referee(once("fold", "play", "buy"), nothing_more, rabbit_hunter),
    "triple-shot-rummy": Referee(once("play", "fold"), nothing_more, triple_shot_rummy),
    "triple-shot-bonus": Referee(bonus_choices, bonus_needs, triple_shot_bonus),
}
