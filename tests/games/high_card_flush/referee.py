"""The slow referee of High Card Flush."""

from tests.support.referee import Hand, Made, Options, Referee, Results, exact, no_more_cards
from tests.support.slow_hands import longest_run, longest_suit

FLUSH_PAYS = {"1": (300, 100, 10, 1), "2": (100, 20, 10, 2), "3": (150, 20, 10, 2), "4": (200, 75, 5, 2)}
RUN_PAYS = {"1": (8000, 1000, 100, 60, 7), "2": (500, 200, 100, 50, 9), "3": (1000, 200, 100, 60, 8)}
FLUSHES = {7: "seven cards", 6: "six cards", 5: "five cards", 4: "four cards"}
RUNS = {7: "run of seven", 6: "run of six", 5: "run of five", 4: "run of four", 3: "run of three"}
NINE_HIGH = (3, 9)  # and any two cards below


def open_choices(options: Options, player: Hand, dealer: Hand, made: Made) -> tuple[str, ...]:
    size, *_ = longest_suit(player)
    if made:
        return ()
    if size == 5:
        return "raise-2x", "raise-1x", "fold"
    return ("raise-3x", "raise-2x", "raise-1x", "fold") if size > 5 else ("raise-1x", "fold")


def settle(options: Options, player: Hand, dealer: Hand, made: Made) -> Results:
    results: dict[str, tuple[str, int]] = {
        "flush-bonus": flush_bonus(options, player),
        "straight-flush-bonus": straight_flush_bonus(options, player),
    }
    (choice,) = made
    if choice == "fold":
        return exact({**results, "ante": ("fold", -1)})
    units = int(choice.removeprefix("raise-").removesuffix("x"))
    mine, his = longest_suit(player), longest_suit(dealer)
    if his < NINE_HIGH:
        return exact(
            {**results, "ante": ("dealer does not qualify", 1), "raise": ("dealer does not qualify", 0)}
        )
    sign = (mine > his) - (mine < his)
    outcome = {1: "better hand", -1: "worse hand", 0: "tie"}[sign]
    return exact({**results, "ante": (outcome, sign), "raise": (outcome, sign * units)})


def flush_bonus(options: Options, player: Hand) -> tuple[str, int]:
    pays = dict(zip(FLUSHES, FLUSH_PAYS[options["flush-bonus"]], strict=True))
    size, *_ = longest_suit(player)
    return (FLUSHES[size], pays[size]) if size in pays else ("less than four cards", -1)


def straight_flush_bonus(options: Options, player: Hand) -> tuple[str, int]:
    pays = dict(zip(RUNS, RUN_PAYS[options["straight-flush-bonus"]], strict=True))
    length = longest_run(player)
    return (RUNS[length], pays[length]) if length in pays else ("no run of three", -1)


REFEREE = Referee(open_choices, no_more_cards, settle)
