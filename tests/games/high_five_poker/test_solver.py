"""The proof of High Five Poker, held to the rules by tiny decks and by looking at every dealer's hand."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations
from math import comb

import numpy as np
import pytest

from feltlab.core.cards import JOKER, Cards, cards
from feltlab.core.hands import poker
from feltlab.core.round import Round
from feltlab.core.solver import Law
from feltlab.core.tally import Outcomes, Tally
from feltlab.counting import showdown
from feltlab.counting.showdown import StrengthOrder, Zone
from feltlab.counting.subsets import HAND, Subsets, subsets_of_standard_deck
from feltlab.counting.suits import Hands, strengths_of
from feltlab.games import GAMES
from feltlab.games.high_five_poker import rules
from feltlab.games.high_five_poker.solver import SOLVER
from feltlab.games.high_five_poker.solver.choices import (
    LISTED_NETS,
    build_columns,
    choose_all,
    count_dealers,
    needed_weight,
    weigh_kinds,
)
from feltlab.games.high_five_poker.solver.deck_proof import (
    ZONE_END,
    DeckProof,
    count_deck,
    prove_choices,
    prove_standard_deck,
)
from feltlab.games.high_five_poker.solver.law import MIN_STRENGTH
from feltlab.games.high_five_poker.solver.law import law as law_of
from feltlab.games.high_five_poker.solver.strategy_card import group_exceptions
from feltlab.kernel import Array, kernel, plain_python
from feltlab.parallel.progress import nobody_listens
from tests.support.census import count_categories
from tests.support.tiny_subsets import subsets_of_deck

GAME = GAMES["high-five-poker"]
ANTE, TRIPS = GAME.spot("ante"), GAME.spot("trips")
DEALS = comb(53, 7) * comb(46, 7)
DEALERS = comb(46, 7)
NO_END = (1 << 16) - 1  # a zone without an end: every hand exactly, none by a bound

# Sixteen cards each, with hands of most kinds: no pair, low pairs, straights, flushes, ties.
TINY_DECKS = {
    "with joker": "2c 3d 6s 6c 7h 7d 8c 8s 9d 9c Tc Th Qc Kc Ac Jk",
    "without": "2c 2d 3c 3h 4d 4s 5h 5c 6h 6s 6c 7c 8d Kc Kd Qc",
}


def hand_of(text: str) -> Hands:
    return np.array(cards(text), np.uint8)


# -- Tiny decks -------------------------------------------------------------------------------------


@cache
def net(outcomes: Outcomes) -> Fraction:
    return Tally(GAME, {}).net(ANTE, outcomes)


@dataclass(frozen=True)
class Exhausted:
    """One hand of the player against every dealer, by the rules' own `settle`."""

    strength: int
    played: Counter[Outcomes]
    folded: Counter[Outcomes]

    @cached_property
    def best(self) -> Counter[Outcomes]:
        play, fold = (
            sum(n * net(outcomes) for outcomes, n in law.items()) for law in (self.played, self.folded)
        )
        return self.played if play >= fold else self.folded


@kernel
def settle_all(kernel_data: rules.HighFiveHouse, shoes: Array, choices: Array, outcomes: Array) -> None:
    for i in range(len(shoes)):
        rules.settle(kernel_data, shoes[i], choices, outcomes[i])


def settled(shoes: Array, choice: int) -> Counter[Outcomes]:
    outcomes = np.empty((len(shoes), len(rules.SPOTS)), np.int8)
    settle_all(GAME.kernel_data, shoes, np.array([choice], np.int8), outcomes)
    return Counter(map(tuple, outcomes.tolist()))


def exhaust(deck: Cards) -> Iterator[Exhausted]:
    for player in combinations(deck, HAND):
        rest = [card for card in deck if card not in player]
        shoes = np.array([player + dealer for dealer in combinations(rest, HAND)], np.int8)
        strength = int(poker.strength(poker.tables(), shoes[0, :HAND]))
        yield Exhausted(strength, settled(shoes, rules.PLAY), settled(shoes, rules.FOLD))


def together(laws: Iterable[Counter[Outcomes]]) -> Counter[Outcomes]:
    total: Counter[Outcomes] = Counter()
    for law in laws:
        total.update(law)
    return total


@pytest.fixture(scope="module", params=list(TINY_DECKS.values()), ids=list(TINY_DECKS))
def deck(request: pytest.FixtureRequest) -> Cards:
    return cards(request.param)


@pytest.fixture(scope="module")
def exhausted(deck: Cards) -> list[Exhausted]:
    return list(exhaust(deck))


def prove_deck(deck: Cards, zone_end: int) -> DeckProof:
    return prove_choices(count_deck(subsets_of_deck(deck), zone_end, nobody_listens), LISTED_NETS)


@pytest.fixture(scope="module")
def tiny(deck: Cards) -> DeckProof:
    return prove_deck(deck, zone_end=NO_END)


def test_a_tiny_deck_has_hands_of_most_kinds(exhausted: list[Exhausted]) -> None:
    assert len({hand.strength >> 12 for hand in exhausted}) >= 7
    assert {outcomes[0] for hand in exhausted for outcomes in hand.played} == set(range(5))
    assert {hand.best is hand.played for hand in exhausted} == {True, False}


def test_optimal_play_of_a_tiny_deck(exhausted: list[Exhausted], tiny: DeckProof) -> None:
    expected = together(hand.best for hand in exhausted)
    assert law_of(tiny, "optimal").counts == expected
    assert len(tiny.exceptions.hands) > 0


@pytest.mark.parametrize("strategy", MIN_STRENGTH)
def test_rules_by_strength_on_a_tiny_deck(strategy: str, exhausted: list[Exhausted], tiny: DeckProof) -> None:
    least = MIN_STRENGTH[strategy]
    laws = [hand.played if hand.strength >= least else hand.folded for hand in exhausted]
    assert law_of(tiny, strategy).counts == together(laws)


def test_a_bound_that_is_not_enough_is_noticed(deck: Cards) -> None:
    with pytest.raises(ArithmeticError, match="undecided"):
        prove_deck(deck, zone_end=rules.QUALIFIES)


def test_every_dealer_is_met_once(deck: Cards) -> None:
    """`count_against` counts what the rules' judge says of each dealer."""
    dealt = np.array(deck, np.uint8)
    for player in list(combinations(deck, HAND))[::571]:
        hand = np.array(player, np.uint8)
        strength = int(poker.strength(poker.tables(), hand))
        rest = [card for card in deck if card not in player]
        dealers = [
            int(poker.strength(poker.tables(), np.array(d, np.uint8))) for d in combinations(rest, HAND)
        ]
        judged = Counter(rules.judge(strength, dealer)[1] for dealer in dealers)
        outcomes = (rules.ANTE_UNOPPOSED, rules.ANTE_WON, rules.ANTE_TIED, rules.ANTE_LOST)
        expected = tuple(judged[outcome] for outcome in outcomes)
        assert showdown.count_against(dealt, hand, rules.QUALIFIES) == expected


@pytest.mark.parametrize("kernel", [showdown._sixes, showdown._fives])
def test_compiled_equals_interpreted(kernel: Callable[..., None], deck: Cards) -> None:
    found = subsets_of_deck(deck)
    order = showdown.order_strengths(strengths_of(found.hands[HAND]))
    size = 6 if kernel is showdown._sixes else 5
    hands, weights = found.hands[size][:300:3], found.weights[size][:300:3]
    qualified, laws = order.at_least(rules.QUALIFIES), []
    for function in (kernel, plain_python(kernel)):
        laws.append(np.zeros((3, len(order.strengths)), np.int64))
        below = [np.empty((len(hands), 9), np.uint16)] if size == 5 else []
        function(order.tables, found.deck, hands, weights, qualified, laws[-1], *below)
    assert (laws[0] == laws[1]).all()


# -- What a choice is worth -------------------------------------------------------------------------


def test_weights_by_the_pay_tables() -> None:
    """Against folding (-1): not qualified +1, weaker +2, equal 0, stronger -2, each less the last."""
    assert weigh_kinds(poker.pair_of(6)) == [3, 4, 2]
    assert weigh_kinds(poker.STRAIGHT << 12) == [4, 4, 2]
    assert needed_weight(DEALERS) == DEALERS


def test_weights_above_the_zone_are_never_less_than_at_its_end() -> None:
    least = weigh_kinds(ZONE_END)
    for strength in range(ZONE_END, (poker.FIVE_ACES << 12) + 1, 16):
        assert all(w >= u for w, u in zip(weigh_kinds(strength), least, strict=True))


def values(hand: str, ante: int = 1, trips: int = 0, table: str = "APP-01") -> dict[str, Fraction]:
    round_ = Round.of(GAME.with_options({"trips": table}), hand, "", ante=100, trips=100)
    return SOLVER.values(round_, {"ante": Fraction(ante), "trips": Fraction(trips)})


def test_values_of_a_royal_flush() -> None:
    """A dealer ties with a royal flush of one of three suits; five aces are out of reach.

    All five cards and two of the other 41, or the joker, four of the five and two of the 40 that are
    neither the fifth nor any of these.
    """
    worth = values("As Ks Qs Js Ts 4d 2c", trips=1)
    ties = 3 * (comb(41, 2) + 5 * comb(40, 2))
    assert worth["fold"] == -1 + 100
    assert worth["play"] == 100 + 2 - Fraction(2 * ties, DEALERS)


def test_trips_is_a_constant() -> None:
    hand = "As Ad Ah Kc Kd 7s 2c"  # a full house of aces pays 20 or 25
    bare = values(hand)
    assert bare["fold"] == -1
    assert values(hand, ante=2, trips=3) == {choice: 2 * value + 60 for choice, value in bare.items()}
    assert values(hand, trips=1, table="APP-02") == {choice: value + 25 for choice, value in bare.items()}


def test_the_card_has_the_rule_its_exceptions_and_its_cost() -> None:
    card = SOLVER.card(GAME, {"ante": Fraction(1)})
    assert card.lines == (("pair of 7s or better", "play"), ("less", "fold"))
    assert [line.split(":")[0] for line in card.exceptions] == [
        "High Card", "Pair of Sixes", "Pair of Sevens", "Pair of Eights",
    ]  # fmt: skip
    laws = [law_of(prove_standard_deck(), name) for name in ("pair-of-7s", "optimal")]
    edges = [-Tally(GAME, found.counts).expected(ANTE) for found in laws]
    assert card.cost == edges[0] - edges[1]


# -- The whole deck ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def laws() -> dict[str, Law]:
    told: list[float] = []
    found = {name: SOLVER.solve(GAME, {}, name, told.append) for name in SOLVER.strategies}
    assert told == sorted(told)
    return found


@pytest.fixture(scope="module")
def proof(laws: dict[str, Law]) -> DeckProof:
    return prove_standard_deck()


@pytest.mark.slow
def test_every_deal_is_counted(laws: dict[str, Law]) -> None:
    for law in laws.values():
        assert sum(law.counts.values()) == DEALS
        assert sum(law.first_choices.values()) == DEALS
        assert all(count > 0 for count in law.counts.values())
        folds = sum(n for outcomes, n in law.counts.items() if outcomes[1] == rules.ANTE_FOLDED)
        assert folds == law.first_choices["fold"]


@pytest.mark.slow
def test_the_optimal_player_wins_two_units(laws: dict[str, Law]) -> None:
    """A figure known before this proof: the number of deals in which Ante and Play both win."""
    tally = Tally(GAME, laws["optimal"].counts)
    won = sum(n for outcomes, n in tally.counts.items() if tally.net(ANTE, outcomes) == 2)
    assert won == 2_431_176_040_778_304


@pytest.mark.slow
def test_optimal_is_the_best_strategy(laws: dict[str, Law]) -> None:
    expected = {name: Tally(GAME, law.counts).expected(ANTE) for name, law in laws.items()}
    assert max(expected, key=lambda name: expected[name]) == "optimal"
    assert expected["optimal"] == -Fraction(140364542777, 3928790014864)  # 3.5727 %


@pytest.mark.slow
@pytest.mark.parametrize(("table", "edge"), [("APP-01", "4.81"), ("APP-02", "2.61"), ("APP-03", "7.01")])
def test_trips_under_every_strategy(table: str, edge: str, laws: dict[str, Law]) -> None:
    """It is settled whatever is chosen, so every strategy has it alike.

    Published are 4.81, 2.62 and 7.01 %, and 19.19 % hits. The second does not agree with the other two:
    the tables differ only in what a full house of aces pays, 20, 25 and 15, so that the edge of APP-01
    lies midway. It is 2.6138 %.
    """
    game = GAME.with_options({"trips": table})
    for law in laws.values():
        tally = Tally(game, law.counts)
        assert f"{float(-100 * tally.expected(TRIPS)):.2f}" == edge
        assert f"{float(100 * tally.hit_frequency(TRIPS)):.2f}" == "19.19"


@pytest.mark.slow
def test_player_and_dealer_are_alike(proof: DeckProof) -> None:
    """What one side meets from above, the other meets from below."""
    met, qualified = proof.meetings, np.array(proof.strengths) >= rules.QUALIFIES
    stronger = met.players * DEALERS - met.unqualified - met.less - met.equal
    assert met.less.sum() == stronger[qualified].sum()
    assert stronger[~qualified].sum() == met.unqualified[qualified].sum()


@pytest.mark.slow
def test_the_players_hands_add_up_to_the_census(proof: DeckProof) -> None:
    census = sum(count_categories(poker.tables(), HAND, JOKER + 1, first) for first in range(47))
    categories = np.bincount(np.array(proof.strengths) >> 12, proof.meetings.players)
    assert categories.astype(np.int64).tolist() == census.tolist()


@pytest.mark.slow
def test_exceptions_are_listed(proof: DeckProof) -> None:
    told = group_exceptions()
    assert [(group.name, group.choice) for group in told] == [
        ("High Card", "play"),
        ("Pair of Sixes", "play"),
        ("Pair of Sevens", "fold"),
        ("Pair of Eights", "fold"),
    ]
    assert sum(group.count for group in told) == proof.exceptions.weights.sum()
    for group in told:
        apart, hands = zip(*group.holdings.values(), strict=True)
        assert (sum(apart), sum(hands)) == (group.count, group.hands)
        gains = [example.gain for example in group.examples]
        assert gains == sorted(gains, reverse=True)


# -- Single hands of the whole deck, every dealer looked at -----------------------------------------


@dataclass(frozen=True)
class Whole:
    found: Subsets
    order: StrengthOrder
    zone: Zone


@pytest.fixture(scope="module")
def whole() -> Whole:
    found = subsets_of_standard_deck()
    order = showdown.order_strengths(strengths_of(found.hands[HAND]))
    qualified, end = (order.at_least(strength) for strength in (rules.QUALIFIES, ZONE_END))
    return Whole(found, order, showdown.meet(found, order, qualified, end, lambda done: None)[1])


def sample(below: int, size: int, seed: int = 5) -> Hands:
    """Random hands weaker than a strength."""
    order = np.random.default_rng(seed)
    hands = np.array([order.permutation(JOKER + 1)[:HAND] for _ in range(20 * size)], np.uint8)
    return hands[strengths_of(hands) < below][:size]


def every_dealer(hand: Hands) -> tuple[int, int, int, int]:
    return showdown.count_against(np.arange(JOKER + 1, dtype=np.uint8), hand, rules.QUALIFIES)


@pytest.mark.slow
def test_dealers_of_a_hand_by_inclusion_and_exclusion(whole: Whole) -> None:
    hands = sample(ZONE_END, 40)
    order_indices = whole.order.index_of[strengths_of(hands)]
    kinds = np.empty((len(hands), 3), np.int64)
    count_dealers(whole.zone, hands, order_indices, kinds)
    assert [tuple(row) for row in kinds.tolist()] == [every_dealer(hand)[:3] for hand in hands]


@pytest.mark.slow
def test_dealers_of_the_exceptions(proof: DeckProof) -> None:
    """The closest calls of either kind, and some others."""
    closest = np.argsort(abs(proof.gains))[:12]
    others = np.arange(0, len(proof.exceptions.hands), len(proof.exceptions.hands) // 20)
    for at in (*closest, *others):
        kinds = every_dealer(proof.exceptions.hands[at])
        assert kinds[:3] == tuple(proof.exceptions.kinds[at].tolist())
        played = sum(kind * net for kind, net in zip(kinds, (1, 2, 0, -2), strict=True))
        plays = proof.exceptions.choices[at] == rules.PLAY
        assert (played > -DEALERS) == plays == (proof.gains[at] > 0)


@pytest.mark.slow
def test_no_two_choices_are_equally_good_among_the_exceptions(proof: DeckProof) -> None:
    assert (proof.gains != 0).all()


@pytest.mark.slow
def test_the_choice_of_any_hand(whole: Whole) -> None:
    """Of any strength, decided by bounds or exactly, against the values by every dealer."""
    hands = np.concatenate((sample(NO_END, 30), sample(ZONE_END, 30, seed=6)))
    order_indices = whole.order.index_of[strengths_of(hands)]
    columns = build_columns(whole.found, whole.order, whole.zone)
    choices = choose_all(whole.zone, columns, hands, order_indices, needed_weight(DEALERS), lambda done: None)
    for hand, choice in zip(hands, choices, strict=True):
        worth = values(str(Cards(hand.tolist())))
        assert max(worth, key=lambda name: worth[name]) == rules.CHOICES[choice].name


@pytest.mark.slow
def test_counts_do_not_depend_on_the_names_of_suits(whole: Whole) -> None:
    hand = hand_of("7c 7d As Kd 9h 4s 2c")
    renamed = hand_of("7h 7s Ac Ks 9d 4c 2h")
    both = np.array([hand, renamed])
    kinds = np.empty((2, 3), np.int64)
    count_dealers(whole.zone, both, whole.order.index_of[strengths_of(both)], kinds)
    assert kinds[0].tolist() == kinds[1].tolist()
