"""The choices of each strategy: the best ones, the published table and rules of thumb.

A strategy knows whether War was lost, because then the Hat Trick is lost too: from there on Blackjack is
played for its own sake.

How the published table of 2002 is read:

- It was computed for a dealer who hits soft 17; it is played as printed against either dealer.
- Rows by total hold for hands of any number of cards; "17 to 21" are hard totals.
- Rows A-2 to A-T hold for soft totals 13 to 21 of any number of cards. A soft 12 of more than two cards
  cannot be: a third card makes two aces a soft 13 or more, or a hard hand. Two aces are split always.
- D means double with two cards. With more, where doubling is not open, it means hit, except on soft 18
  and 19 (A-7, A-8), where it means stand.
- H8: with two cards, 2-6 doubles against a 5; 5-3 and 4-4 double against a 5 or 6. It hits otherwise.
- "Hit a 5-card 12 to 14 except a 14 vs. a 6 up" overrides the rows 12 and 13 to 16 with hard totals.
- Nothing is said of hitting 21 or a soft hand of five cards: the rows hold there, too.
"""

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources

import numpy as np

from feltlab.core.cards import RANKS as NAMES
from feltlab.core.game import Game
from feltlab.core.hands import blackjack
from feltlab.core.stake import Stake
from feltlab.games.triple_shot_bonus import rules
from feltlab.games.triple_shot_bonus.solver.dealer import value_number
from feltlab.games.triple_shot_bonus.solver.hand_values import NO_CHOICE, Bytes, Choices, best_choices
from feltlab.games.triple_shot_bonus.solver.objective import Objective, blackjack_alone, solve_up_card
from feltlab.games.triple_shot_bonus.solver.reading import AS_RULED, BonusReading
from feltlab.games.triple_shot_bonus.solver.states import RANKS, SIX, states, totals

STRATEGIES = {
    "optimal": "best for the whole stake together, by ranks and suits, with the Hat Trick alive or dead",
    "optimal-suit-blind": "best for the whole stake among strategies that look at ranks only",
    "blackjack-optimal": "best for the Blackjack wager alone, by the composition of the hand",
    "hat-trick": "wins the Hat Trick as often as can be, and else is best for Blackjack",
    "published": "the table of the analysis of 2002 with its two footnotes",
    "never-bust": "hits only what no card can bust; never doubles or splits",
    "mimic-dealer": "hits 16 or less and soft 17; never doubles or splits",
}


def choices(
    game: Game, stake: Stake, strategy: str, up: int, read: BonusReading = AS_RULED
) -> tuple[Choices, Choices]:
    """The choices of a strategy against an up-card, with the Hat Trick alive and lost."""
    if strategy in BY_RULE:
        same = rule_choices(strategy, up)
        return same, same
    objective = Objective.named(game, stake, strategy)
    rules_of = game.kernel_data.hits_soft_17, game.kernel_data.six_card_rule
    dead = best_choices(solve_up_card(*rules_of, blackjack_alone(game), up, suits_seen=False, read=read))
    if not objective.hat_trick:
        return dead, dead
    suits_seen = strategy != "optimal-suit-blind"
    return best_choices(solve_up_card(*rules_of, objective, up, suits_seen, read)), dead


# -- By rule ----------------------------------------------------------------------------------------

FIGURES = resources.files("feltlab.games.triple_shot_bonus") / "figures.toml"
PUBLISHED = tomllib.loads(FIGURES.read_text(encoding="utf-8"))["chart"]
UPS: str = PUBLISHED["up_cards"]
ROWS: Mapping[str, str] = PUBLISHED["rows"]  # a letter for each up-card; 8 is the row with the footnote
DOUBLED_EIGHTS = {"26": "5", "35": "56", "44": "56"}
DOUBLING_STANDS = (18, 19)  # soft totals that stand where they may not double


def row_of(total: int, soft: bool) -> str:
    """The row of the published table that holds a total: '13 to 16', 'A-7'."""
    if soft:
        return f"A-{'T' if total == 21 else total - 11}"
    return next(row for row in ROWS if row[0] != "A" and total in _totals(row))


def _totals(row: str) -> range:
    low, _, high = row.partition(" to ")
    return range(int(low), int(high or low) + 1)


def follow_published_table(ranks: str, total: int, soft: bool, up: str) -> int:
    """Choose as the published table says."""
    if ranks == "AA":
        return rules.SPLIT_ACES
    if len(ranks) == 5 and not soft and 12 <= total <= 14 and (total, up) != (14, "6"):
        return rules.HIT
    letter = ROWS[row_of(total, soft)][UPS.index(up)]
    if letter == "8":
        letter = "D" if up in DOUBLED_EIGHTS.get(ranks, "") else "H"
    if letter == "D" and len(ranks) > 2:
        letter = "S" if soft and total in DOUBLING_STANDS else "H"
    return {"H": rules.HIT, "S": rules.STAND, "D": rules.DOUBLE}[letter]


def never_bust(ranks: str, total: int, soft: bool, up: str) -> int:
    """Hit while no card can bust: a hard 11 or less, or a soft 17 or less."""
    return rules.HIT if total <= (17 if soft else 11) else rules.STAND


def mimic_dealer(ranks: str, total: int, soft: bool, up: str) -> int:
    """Hit 16 or less and soft 17."""
    return rules.HIT if total <= (17 if soft else 16) else rules.STAND


Rule = Callable[[str, int, bool, str], int]
BY_RULE: Mapping[str, Rule] = {
    "published": follow_published_table,
    "never-bust": never_bust,
    "mimic-dealer": mimic_dealer,
}


@cache
def rule_choices(name: str, up: int) -> Choices:
    """The choices of a strategy that is a rule, against an up-card."""
    return tabulate_rule(BY_RULE[name], up)


def tabulate_rule(rule: Rule, up: int) -> Choices:
    """The choices of a rule that looks at ranks only."""
    table = states()
    later = np.full(len(table.size), rules.STAND, np.uint8)
    for state, ranks, total, soft in playable_hands():
        later[state] = rule(ranks, total, soft, UPS[value_number(4 * up)])
    later = later[table.plain_of]
    return Choices(_by_cards(later), later)


@cache
def playable_hands() -> list[tuple[int, str, int, bool]]:
    """The plain hands that may draw: state, ranks from the lowest up, total, whether it is soft."""
    table = states()
    total, soft = totals()
    open_now = (total <= 21) & (table.size < SIX)
    open_now[: table.first_plain] = False
    found = []
    for state in np.flatnonzero(open_now).tolist():
        held = table.held[state - table.first_plain].tolist()
        ranks = "".join(NAMES[rank] * held[rank] for rank in range(RANKS))
        found.append((state, ranks, int(total[state]), bool(soft[state])))
    return found


def _by_cards(by_state: Bytes) -> Bytes:
    """First choices by two cards from those by two ranks; a blackjack has none."""
    ranks = np.arange(52) >> 2
    first: Bytes = by_state[states().pair[ranks[:, None], ranks]]
    for one, two in np.ndindex(first.shape):
        if blackjack.is_blackjack(one, two):
            first[one, two] = NO_CHOICE
    return first
