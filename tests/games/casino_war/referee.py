"""The slow referee of Casino War."""

from tests.support.referee import HALF, Hand, Made, Options, Referee, Results, exact
from tests.support.slow_hands import rank


def open_choices(options: Options, player: Hand, dealer: Hand, made: Made) -> tuple[str, ...]:
    tied = rank(player[0]) == rank(dealer[0])
    return ("war", "surrender") if tied and not made else ()


def needs(options: Options, player: Hand, dealer: Hand, made: Made) -> tuple[int, int]:
    return (2 - len(player), 2 - len(dealer)) if "war" in made else (0, 0)


def settle(options: Options, player: Hand, dealer: Hand, made: Made) -> Results:
    ahead = rank(player[0]) - rank(dealer[0])
    if ahead:
        primary = ("higher card", 1) if ahead > 0 else ("lower card", -1)
        return exact({"primary": primary, "tie": ("no tie", -1)})
    if "surrender" in made:
        return exact({"primary": ("surrender", -HALF), "tie": ("tie", 10)})
    second = rank(player[1]) - rank(dealer[1])
    primary = ("war won", 1) if second > 0 else ("war tied", 2) if second == 0 else ("war lost", -2)
    return exact({"primary": primary, "tie": ("tie", 10)})


REFEREE = Referee(open_choices, needs, settle)
