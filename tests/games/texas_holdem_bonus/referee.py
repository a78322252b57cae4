"""The slow referee of Texas Hold'em Bonus."""

from tests.support.referee import (
    ACE,
    JACK,
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
    poker,
)

ANTE_PAYS = ("Flush", "Full House", "Four of a Kind", "Straight Flush", "Royal Flush")
BONUS_PAYS = {
    "A-A": 30, "A-K suited": 25, "A-Q or A-J suited": 20, "A-K": 15, "K-K, Q-Q or J-J": 10, "A-Q or A-J": 5,
    "2-2 to T-T": 3,
}  # fmt: skip
TWICE = "A-A against the dealer's A-A"


def open_choices(options: Options, player: Hand, shared: Hand, made: Made) -> tuple[str, ...]:
    if not made:
        return "play", "fold"
    return () if "fold" in made or len(made) == 3 else ("bet", "check")


def settle(options: Options, player: Hand, shared: Hand, made: Made) -> Results:
    if "fold" in made:
        return exact({"ante": ("fold", -1), "bonus": ("fold", -1)})
    board, dealer = list(shared[:5]), list(shared[5:])
    mine, his = poker([*player, *board]), poker([*dealer, *board])
    result, sign = compare(mine, his)
    results: dict[str, tuple[str, int]] = {"flop": (result, 2 * sign)}
    for street, choice in zip(("turn", "river"), made[1:], strict=True):
        if choice == "bet":
            results[street] = (result, sign)
    results["ante"] = ante_bet(options, mine) if sign > 0 else (result, sign)
    results["bonus"] = bonus_bet(options, player, dealer)
    return exact(results)


def ante_bet(options: Options, mine: Poker) -> tuple[str, int]:
    pays = ANTE_PAYS if options["ante-pays-from"] == "flush" else ("Straight", *ANTE_PAYS)
    return ("better hand", 1) if mine.category in pays else ("better hand, too low to pay", 0)


def rank(card: int) -> int:
    return card // 4 + 2


def bonus_bet(options: Options, player: Hand, dealer: Hand) -> tuple[str, int]:
    name = bonus_name(player)
    if name == "A-A" and all(rank(card) == ACE for card in dealer):
        return TWICE, 1000 if options["bonus"] == "1" else 30
    return (name, BONUS_PAYS[name]) if name else ("no bonus hand", -1)


def bonus_name(player: Hand) -> str:
    high, low = sorted(map(rank, player), reverse=True)
    suited = player[0] % 4 == player[1] % 4
    if high == low:
        return "A-A" if high == ACE else "K-K, Q-Q or J-J" if high >= JACK else "2-2 to T-T"
    if high == ACE and low >= JACK:
        return ("A-K" if low == KING else "A-Q or A-J") + " suited" * suited
    return ""


REFEREE = Referee(open_choices, no_more_cards, settle)
