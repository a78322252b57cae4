"""The methods of all games: every equation in the texts holds, and every number is computed here.

A number in `methods.md` is checked in one of two ways: it is part of an equation, which is evaluated, or
one of the numbers that this file computes from the rules, the solvers and the proofs.
"""

import re
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from math import comb, perm

import numpy as np
import pytest

from feltlab import GAMES, Round, advise, prove
from feltlab.core.cards import RANKS, UNKNOWN, cards
from feltlab.core.hands import longest_suit, poker
from feltlab.core.hands.rummy import points
from feltlab.core.stake import default_stake
from feltlab.counting import showdown
from feltlab.counting.showdown_solver import Showdown, count_hand, table_of
from feltlab.counting.suit_polynomials import binomials, count_dealers, group_hands
from feltlab.counting.suits import classes
from feltlab.errors import Refused
from feltlab.games import has_solver, solver_of
from feltlab.games.caribbean_stud.solver import SHOWDOWN as CARIBBEAN_SHOWDOWN
from feltlab.games.casino_war import rules as war_rules
from feltlab.games.crazy_4_poker.solver import SHOWDOWN as CRAZY_4_SHOWDOWN
from feltlab.games.dj_wild.solver import SHOWDOWN as DJ_WILD_SHOWDOWN
from feltlab.games.four_card_poker.solver import SHOWDOWN as FOUR_CARD_SHOWDOWN
from feltlab.games.high_card_flush import rules as high_card
from feltlab.games.high_five_poker import rules as high_five
from feltlab.games.high_five_poker.solver.choices import MAX_NET_PARTS, needed_weight, weigh_kinds
from feltlab.games.methods import load_methods, parse_methods
from feltlab.games.rabbit_hunter import rules as rabbit
from feltlab.games.rabbit_hunter.counts import joint_outcomes
from feltlab.games.rabbit_hunter.solver import count_deals_of
from feltlab.games.six_card_poker import rules as six_card
from feltlab.games.triple_shot_bonus.solver import dealer, hand_values
from feltlab.games.triple_shot_rummy import rules as rummy_rules
from feltlab.games.triple_shot_rummy import solver as rummy

HEADINGS = {
    "What is counted",
    "Classes and weights",
    "The choice",
    "From counts to figures",
    "A worked example",
    "How it was checked",
}
WHOLE = r"(?:\d{1,3}(?:,\d{3})+|\d+)"
NUMBER = re.compile(rf"−?{WHOLE}(?:/{WHOLE})?")
FORMULA = re.compile(r"[CP]\(\d+, \d+\)|2\^\d+|\(−1\)\^")
TERM = rf"(?:[CP]\(\d+, \d+\)|{WHOLE}|[()×+−/^ ])+"
EQUATION = re.compile(rf"({TERM}) (=|<) (−?{WHOLE}(?:[/^]{WHOLE}| [×+−] [\dCP(][^=;:.]*)?)")
CARDS = re.compile(r"\b(?:[2-9TJQKA][cdhs])\b")


def text_of(name: str) -> str:
    blocks = [block for section in load_methods(GAMES[name]) for block in section.blocks]
    return " ".join(block if isinstance(block, str) else " ".join(block) for block in blocks)


def evaluate(words: str) -> Fraction:
    """The value of '13 × C(4, 3) + 4^3'."""
    python = words.replace("−", "-").replace("×", "*").replace("^", "**")
    python = re.sub(r"(?<=\d),(?=\d{3})", "", python)
    python = re.sub(r"(?<![\w*])(\d+)(?!\w|\()", r"F(\1)", re.sub(r"\*\* ?(\d+)", r"**\1", python))
    names = {"F": Fraction, "C": lambda n, k: Fraction(comb(int(n), int(k)))}
    return Fraction(eval(python, {**names, "P": lambda n, k: Fraction(perm(int(n), int(k)))}))


def plain(numbers: list[object]) -> set[str]:
    """Numbers as the texts write them: '−1,006/3,193', '407,170,400'."""
    found = set()
    for number in numbers:
        value = Fraction(str(number))
        text = f"{abs(value.numerator):,}" + (f"/{value.denominator:,}" if value.denominator > 1 else "")
        found.add(("−" if value < 0 else "") + text)
    return found


# -- The numbers that are not parts of equations ----------------------------------------------------


def values(name: str, hand: str, up: str = "") -> dict[str, Fraction]:
    """The value of each choice with one unit on each required wager."""
    game = GAMES[name]
    stake = default_stake(game)
    wagers = {bet: 100 for bet, units in stake.items() if units}
    return {advice.choice: advice.expected for advice in advise(Round.of(game, hand, up, **wagers), stake)}


def war() -> list[object]:
    game = GAMES["casino-war"]
    lines = game.pay_table(game.spot("primary")).lines
    war = solver_of(game).values(Round.of(game, "8s", "8d", primary=100), default_stake(game))
    pays = [2 * lines[outcome].pays for outcome in (war_rules.WAR_WON, war_rules.WAR_TIED)]  # on two units
    per_rank = len(game.deck) // 13
    lost = 2 * lines[war_rules.WAR_LOST].pays
    return [*war.values(), *pays, lost, per_rank, prove(game).tally.deals, prove(game).house_edge("primary")]


def three_cards() -> list[object]:
    hands, weights = classes(3)
    assert all(24 % weight == 0 for weight in weights.tolist())
    found: list[object] = [len(hands), int(weights.sum()), rummy.DEALERS, 24, 64, -1]  # 64 bits
    tables = rummy.count_outcomes(np.array([cards("9c 6d 5h"), cards("Tc 6d 5h")], np.uint8))
    for table in tables:
        found += [int(table[outcome].sum()) for outcome in range(len(rummy_rules.PLAYED.lines))]
    assert [points(*hand) for hand in (cards("9c 6d 5h"), cards("Tc 6d 5h"))] == [20, 21]
    worth = values("triple-shot-rummy", "9c 6d 5h")
    return [*found, 20, (worth["play"] - worth["fold"])]


def five_cards() -> list[object]:
    hands, weights = classes(5)
    assert all(24 % weight == 0 for weight in weights.tolist())
    played = count_deals_of(list(cards("7h 7d Kc 5s 2h")))[rabbit.PLAY]
    by_ante = [0] * 5
    for outcomes, count in zip(joint_outcomes(rabbit.PLAY), played.tolist(), strict=True):
        by_ante[outcomes[1]] += count
    royal_flushes = 4  # one for each suit
    deals = prove("rabbit-hunter").tally.deals
    worth = values("rabbit-hunter", "7h 7d Kc 5s 2h").values()
    bits = [32, 64]  # of integers
    return [
        *bits,
        len(hands),
        int(weights.sum()),
        24,
        47,
        royal_flushes,
        deals,
        *by_ante,
        *worth,
        sum(by_ante),
    ]


def seven_cards() -> list[object]:
    game, hand = GAMES["high-five-poker"], "7h 7d Kc Js 9h 4c 2d"
    deck, held = np.array(game.deck.cards, np.uint8), np.array(list(cards(hand)), np.uint8)
    kinds = [int(n) for n in showdown.count_against(deck, held, high_five.QUALIFIES)]
    weights = weigh_kinds(poker.pair_of(RANKS.index("7")))
    dealers = comb(len(game.deck) - 7, 7)
    assert needed_weight(dealers) == dealers
    assert sum(kinds) == dealers
    total = sum(weight * count for weight, count in zip(weights, kinds[:3], strict=True))
    worth = values("high-five-poker", hand)
    assert worth["play"] == Fraction(total - 2 * dealers, dealers) > worth["fold"] == -1
    return [*kinds, *weights, total, dealers, *worth.values(), len(game.deck), -2, 24, 64, MAX_NET_PARTS]


def six_cards() -> list[object]:
    worth = values("triple-shot-bonus", "Th 6d", "Ts")
    assert prove("triple-shot-bonus").tally.deals == 52 * perm(51, 6) * perm(45, 9)
    assert prove("triple-shot-bonus").house_edge("war") == Fraction(1, 34)
    assert (hand_values.MAX_PAY, hand_values.BITS) == (2**36, 52)
    assert dealer.DRAWS == 9
    unseen = 52 - 3  # the player sees two cards and the up-card
    tens = 4 * 4  # ten, jack, queen and king
    cost = worth["hit"] - worth["stand"]
    aces = 4
    ties = 3  # cards of the up-card's rank
    left = 52 - 6 - 1
    return [*worth.values(), cost, unseen, tens, hand_values.BITS, 51, ties, left, aces]


def longest_suits() -> list[object]:
    game, hand = GAMES["high-card-flush"], "Th 8h 6h 7d 4d 2d 9c"
    word = int(longest_suit.gather(np.array(cards(hand), np.int8)))
    dealers = comb(45, 7)
    results = count_dealers(binomials(), longest_suit.ALL_RANKS, high_card.QUALIFIES, word, dealers)
    hands = group_hands(bar=high_card.QUALIFIES)
    worth = values("high-card-flush", hand)
    assert worth["raise-1x"] < worth["fold"] == -1
    higher_cards = values("high-card-flush", "Th 8h 6h Js Ad Qd Jc")
    assert higher_cards["raise-1x"] > higher_cards["fold"]
    assert prove(game).law.equal_positions == 0
    bits = [62, 64]  # of integers
    return [*results, *worth.values(), len(hands.tops), int(hands.weights.sum()), dealers, 24, *bits]


def kinds_of_dealers(name: str, player: Showdown, *seen: str) -> list[object]:
    """The numbers of lower, equal and higher dealers of some hands."""
    game = GAMES[name]
    hands = (np.array([*cards(hand), *[UNKNOWN] * game.places][: game.places], np.int8) for hand in seen)
    return [int(n) for hand in hands for n in count_hand(player, game, hand).counts[0] if n]


def up_card() -> list[object]:
    seen, hand = table_of(GAMES["caribbean-stud"]).seen, "Ac Kd Qh 7s 2c"
    assert all(24 % weight == 0 for weight in seen.weights.tolist()[:1000])
    kinds = kinds_of_dealers("caribbean-stud", CARIBBEAN_SHOWDOWN, f"{hand} 4h", f"{hand} 9h")
    worth = [value for up in ("4h", "9h") for value in values("caribbean-stud", hand, up).values()]
    assert prove("caribbean-stud").law.equal_positions == 0
    return [*kinds, *worth, len(seen.weights), len(seen.hands), comb(46, 4), 47, 24, 32, 64]


def best_fours() -> list[object]:
    weights, hands = table_of(GAMES["crazy-4-poker"]).seen.weights, ("Kc Qd 8h 4s 2c", "Kc Qd 8h 3s 2c")
    assert all(24 % weight == 0 for weight in weights.tolist())
    kinds = kinds_of_dealers("crazy-4-poker", CRAZY_4_SHOWDOWN, *hands)
    worth = [value for hand in hands for value in values("crazy-4-poker", hand).values()]
    assert prove("crazy-4-poker").law.equal_positions == 0
    return [*kinds, *worth, len(weights), int(weights.sum()), comb(47, 5), 24, 32, 64]


def up_card_against_six() -> list[object]:
    seen, hand = table_of(GAMES["four-card-poker"]).seen, "Tc Td Ah 9s 4c"
    kinds = kinds_of_dealers("four-card-poker", FOUR_CARD_SHOWDOWN, f"{hand} 2s", f"{hand} As")
    worth = [value for up in ("2s", "As") for value in values("four-card-poker", hand, up).values()]
    return [*kinds, *worth, len(seen.weights), len(seen.hands), comb(46, 5), 47, 24, 32, 64]


def wild_cards() -> list[object]:
    weights, hands = table_of(GAMES["dj-wild"]).seen.weights, ("4c 4d Qh 9s 5c", "4c 4d Qh 9s 3c")
    assert all(24 % weight == 0 for weight in weights.tolist())
    kinds = kinds_of_dealers("dj-wild", DJ_WILD_SHOWDOWN, *hands)
    worth = [value for hand in hands for value in values("dj-wild", hand).values()]
    assert prove("dj-wild").law.equal_positions == 0
    return [*kinds, *worth, len(weights), int(weights.sum()), comb(48, 5), 24, 32, 64]


def three_up_cards() -> list[object]:
    own, up = "Ah Kd 9c 8s 4h 2d", "Ks 8h 5c"
    mine = poker.read(cards(own)).strength
    rest = [card for card in range(52) if card not in cards(f"{own} {up}")]
    dealers = np.array([[*cards(up), *drawn] for drawn in combinations(rest, 3)], np.uint8)
    strengths = np.empty(len(dealers), np.uint16)
    poker.strengths(poker.tables(), dealers, strengths)
    qualifies = strengths >= six_card.QUALIFIES
    assert not (strengths == mine).any()
    assert (strengths[~qualifies] < mine).all()
    kinds = [int(n) for n in (sum(~qualifies), sum(qualifies & (strengths < mine)), sum(strengths > mine))]
    gains = [2, 1, 0, 3, 1, -1]  # of the raise over the fold, against a dealer who does not qualify, and does
    hands, weights = classes(3)
    bits = [16, 64]  # of numbers
    return [*kinds, *gains, len(hands), int(weights.sum()), len(dealers), *bits]


def river(own: str, board: str) -> list[int]:
    """The dealers below, equal, and above without and with a pair or better."""
    mine = poker.read(cards(f"{own} {board}")).strength
    rest = [card for card in range(52) if card not in cards(f"{own} {board}")]
    dealers = np.array([[*cards(board), *pair] for pair in combinations(rest, 2)], np.uint8)
    found = np.empty(len(dealers), np.uint16)
    poker.strengths(poker.tables(), dealers, found)
    pair = found >= poker.PAIR << 12
    above = found > mine
    return [int(n) for n in (sum(found < mine), sum(found == mine), sum(above & ~pair), sum(above & pair))]


def boards() -> list[object]:
    sizes = [len(classes(size)[0]) for size in (2, 3, 4, 5)]
    nets = [-1, -2, -3]  # of a fold and of lost raises
    counts = [*river("Jd 4h", "As Qc 8d 7h 3s"), *river("Td 4h", "As Kc 8d 7h 3s")]
    left = [comb(47, 2), comb(45, 2), 46]
    return [*sizes, *nets, *counts, *left, counts[2] + counts[3], comb(52, 5), 64]


COMPUTED: dict[str, Callable[[], list[object]]] = {
    "casino-war": war,
    "high-five-poker": seven_cards,
    "rabbit-hunter": five_cards,
    "triple-shot-rummy": three_cards,
    "triple-shot-bonus": six_cards,
    "caribbean-stud": up_card,
    "crazy-4-poker": best_fours,
    "high-card-flush": longest_suits,
    "four-card-poker": up_card_against_six,
    "dj-wild": wild_cards,
    "six-card-poker": three_up_cards,
    "ultimate-texas-holdem": boards,
    "texas-holdem-bonus": boards,
}


# -- Tests ------------------------------------------------------------------------------------------


every_method = pytest.mark.parametrize("name", COMPUTED)


def test_every_game_with_a_solver_has_a_method_of_its_own() -> None:
    assert set(COMPUTED) == {name for name in GAMES if has_solver(GAMES[name])}


@every_method
def test_a_method_has_every_heading(name: str) -> None:
    titles = [section.title for section in load_methods(GAMES[name])]
    assert set(titles) >= HEADINGS
    assert not re.search(r"[`*]", text_of(name))


@every_method
def test_every_equation_of_a_method_holds(name: str) -> None:
    found = EQUATION.findall(text_of(name))
    assert len(found) >= 3
    for left, relation, right in found:
        values_of = evaluate(left), evaluate(right)
        assert values_of[0] == values_of[1] if relation == "=" else values_of[0] < values_of[1], (left, right)


@every_method
def test_every_number_of_a_method_is_computed(name: str) -> None:
    text = EQUATION.sub("", text_of(name))
    for spot in GAMES[name].spots:
        text = text.replace(spot.title, "")
    listed = set(NUMBER.findall(FORMULA.sub("", CARDS.sub("", text))))
    assert len(listed) >= 5
    assert listed <= plain(COMPUTED[name]())


def test_a_false_equation_is_noticed() -> None:
    (left, _, right) = EQUATION.findall("C(52, 3) = 22,101 hands")[0]
    assert evaluate(left) != evaluate(right)


def test_text_before_a_heading_is_refused() -> None:
    with pytest.raises(Refused, match="begins with a heading"):
        parse_methods("Words.\n\n## Heading")
