"""High Five Poker, proved: every deal counted, and the best choice for every single hand.

**The law of a rule by strength** needs no hand at all: `showdown.meet` counts, for each strength of the
player's hand, the deals in which the dealer does not qualify, is weaker, is equal.

**The best choice** for a hand P compares playing with folding. Playing instead of folding gains so much
against each kind of dealer's hand, least against a stronger one. Taking that least gain from all of
them leaves *weights* that are not negative: 3 where the dealer does not qualify, 4 where he is weaker,
2 where equal. P is played if the weights of all dealer's hands that avoid P sum to C(46, 7) or more. Other
pays have other weights; as a win stays a win, none is negative, and a straight never has smaller ones.

The sum is found by inclusion and exclusion over the subsets of P. As weights are not negative, the
partial sum up to three cards lies below the whole, that up to four above it (Bonferroni). Most hands
are decided by these, the others by the exact sum.

Three groups of hands need different columns of weights. Below a pair of sixes all dealers that qualify
are stronger: one column. From a pair of sixes up to the zone's end, a column for each strength. From there
on, one column that counts only dealers below the zone's end as weaker: a lower bound for every such hand,
and it is enough for all of them to be played. So the choice of every hand is proved, and none assumed;
pays for which the bound is not enough are refused.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, permutations
from math import comb, lcm
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltlab.core.cards import JOKER, RANKS, Cards, plural
from feltlab.core.game import Game
from feltlab.core.hands import poker
from feltlab.core.layout import NOT_PLACED
from feltlab.core.round import Round
from feltlab.core.solver import Decisions, Law, Player, Solver, StrategyCard, nets_on
from feltlab.core.stake import Stake
from feltlab.core.tally import Outcomes, Tally
from feltlab.counting import showdown, subsets
from feltlab.counting.showdown import EQUAL, LESS, UNQUALIFIED, Degrees, Meetings, Zone, avoiding, places
from feltlab.counting.subsets import HAND, Ints, Numbers, Subsets
from feltlab.counting.suits import Hands, sort, strengths_of
from feltlab.errors import Refused
from feltlab.games.high_five_poker import rules
from feltlab.kernel import Array, int64, kernel, lean
from feltlab.parallel.progress import Progress, nobody_listens, part_of
from feltlab.parallel.threads import map_in_threads, slices
from feltlab.text import listing

METHOD = (
    "All deals counted by inclusion and exclusion over the cards that player and dealer would share, "
    "up to renaming suits; the choice of every hand proved by exact or bounding sums of that kind."
)
FOLDED = (NOT_PLACED, rules.ANTE_FOLDED)
STRONGEST = (1 << 16) - 1
RULE = poker.pair_of(RANKS.index("7"))  # optimal play is told as this rule and its exceptions
# From a pair of tens on a bound shows that every hand is played; from nines on it would leave some open.
ZONE_END = poker.pair_of(RANKS.index("T"))
UNPROVED = 2  # beside PLAY and FOLD
LOW_CARDS = 4 * RANKS.index("6")  # cards below this number are deuces to fives


class Holding(NamedTuple):
    """What tells hands of about one strength apart for the choice."""

    lead: int  # category and leading rank of a pair, 0 of a high card
    joker: bool
    low: int  # cards below a six, which the dealer would need in order not to qualify


# -- What a choice is worth -------------------------------------------------------------------------


class Nets(NamedTuple):
    """What the outcomes of Play and Ante net, in the largest parts of an Ante that make all of it whole."""

    play: tuple[int, ...]
    ante: tuple[int, ...]
    parts: int  # of one Ante

    @classmethod
    def of(cls, game: Game) -> "Nets":
        tables = (game.pay_table(game.spot(spot)).lines for spot in ("play", "ante"))
        play, ante = ([line.net for line in lines] for lines in tables)
        parts = lcm(*(net.denominator for net in (*play, *ante)))
        nets = cls(tuple(int(n * parts) for n in play), tuple(int(n * parts) for n in ante), parts)
        if max(nets.play) + max(nets.ante) > MOST_NET:
            raise Refused("Play and Ante pay too much, or in too small parts, to be solved.")
        return nets

    def together(self, play_and_ante: tuple[int, int]) -> int:
        play, ante = play_and_ante
        return self.ante[ante] + (self.play[play] if play != NOT_PLACED else 0)


MOST_NET = 10**7  # times the hands that contain a subset, in the shares of a triple, it fits 64 bits
LISTED = Nets.of(Game(rules))  # Play and Ante have one pay table each, whatever the options


def _kinds(player: int) -> Iterator[tuple[int, int]]:
    """The outcomes of Play and Ante against a dealer not qualified, weaker, equal and stronger.

    Where no dealer is of a kind, an outcome is given all the same; it will be counted no times.
    """
    yield rules.judge(player, 0)
    yield rules.judge(player, max(player - 1, rules.QUALIFIES))
    yield rules.judge(player, max(player, rules.QUALIFIES))
    yield rules.judge(player, STRONGEST)


def _weights(player: int, nets: Nets = LISTED) -> list[int]:
    """What three kinds of dealer are better for a player who plays than a stronger one."""
    *others, stronger = map(nets.together, _kinds(player))
    return [net - stronger for net in others]


def _need(dealers: int, nets: Nets = LISTED) -> int:
    """The sum of weights from which on playing is as good as folding."""
    return dealers * (nets.together(FOLDED) - nets.together(rules.judge(0, STRONGEST)))


# -- Columns of weights -----------------------------------------------------------------------------


class Columns(NamedTuple):
    """The sum of weights over all hands that contain a subset, by the player's strength.

    Column 0 is for hands below the zone, the last for those above it, where the sum is a lower bound.
    """

    whole: Ints  # by column: over all hands
    triple: Ints  # by column and class: a triple's share of the partial sum up to three cards
    four: NDArray[Any]  # by column and class; of 32 bits where that is enough
    most_four: Ints  # by column: no hand's subsets of four have more together
    weights: Ints  # by column, of the three kinds of dealer
    triples: Numbers  # by place among subsets of three: the class
    fours: Numbers  # the same of four


# A hand has 35 triples; a card of it is in 15 of them, a pair of its cards in 5.
CARD_SHARES, PAIR_SHARES = comb(HAND - 1, 2), comb(HAND - 2, 1)


def _columns(found: Subsets, degrees: Degrees, zone: Zone, nets: Nets = LISTED) -> Columns:
    end = zone.few.shape[1] - 1
    # Above the zone the weakest hand has the least weights: they rise with a straight, never fall.
    players = [0, *degrees.strengths[zone.lowest :].tolist(), STRONGEST][: end + 2]
    weights = np.array([_weights(player, nets) for player in players])
    fits = int(weights.max()) * int(zone.few.max()) < 1 << 31
    few = zone.few if fits else zone.few.astype(np.int64)
    sums = np.array([_weigh(few, column, *weights[column]) for column in range(end + 2)], few.dtype)
    four = sums[:, found.first[4] :]
    most = comb(HAND, 4) * four.max(axis=1).astype(np.int64)
    whole, triple = sums[:, 0].astype(np.int64), _triples(found, sums)
    return Columns(whole, triple, four, most, weights, _numbering(found, 3), _numbering(found, 4))


def _weigh(below: NDArray[Any], column: int, unqualified: int, less: int, equal: int) -> NDArray[Any]:
    """The sum of weights for a column, from the numbers of hands below each degree."""
    low, high = _edges(column, below.shape[1] - 1)
    weaker, same = below[:, low] - below[:, 0], below[:, high] - below[:, low]
    out: NDArray[Any] = unqualified * below[:, 0] + less * weaker + equal * same
    return out


@kernel
def _edges(column: int, end: int) -> tuple[int, int]:
    """Of the zone's degrees: dealers below the first are weaker, those from the second on stronger."""
    return min(max(column - 1, 0), end), min(column, end)


def _triples(found: Subsets, sums: NDArray[Any]) -> Ints:
    """Over the triples of a hand these add up to its terms of one to three cards, `CARD_SHARES` times."""
    triples = np.sort(found.hands[3], axis=1)
    ones = [_numbers(found, triples[:, [i]]) for i in range(3)]
    twos = [_numbers(found, triples[:, pair]) for pair in combinations(range(3), 2)]
    cards = np.add.reduce([sums[:, one].astype(np.int64) for one in ones])
    pairs = np.add.reduce([sums[:, two].astype(np.int64) for two in twos])
    whole = sums[:, found.first[3] : found.first[4]].astype(np.int64)
    out: Ints = CARD_SHARES // PAIR_SHARES * pairs - cards - CARD_SHARES * whole
    return out


def _numbers(found: Subsets, hands: Hands) -> Numbers:
    return found.number[[subsets.place(subsets.PARTS, hand) for hand in hands]]


def _numbering(found: Subsets, size: int) -> Numbers:
    start, end = subsets.PARTS.first[size : size + 2]
    return found.number[start:end] - np.int32(found.first[size])


# -- The choice of every hand -----------------------------------------------------------------------


@kernel
def _choose(
    zone: Zone,
    columns: Columns,
    hands: Hands,
    degrees: NDArray[np.uint16],
    need: int,
    choice: NDArray[np.uint8],
) -> None:
    """Write the best choice of every hand, playing where both are equally good."""
    whole, triple, most_four = columns.whole, columns.triple, columns.most_four
    triples, choose, lowest = columns.triples, zone.ways.choose, zone.lowest
    hand = np.empty(HAND, np.uint8)
    end = zone.few.shape[1] - 1
    for i in range(len(hands)):
        hand[:] = hands[i]
        sort(hand)
        column = min(max(int64(degrees[i]) - lowest + 1, 0), end + 1)
        least = whole[column] + _sum_triples(choose, triples, triple, column, hand) // CARD_SHARES
        if least >= need:
            choice[i] = rules.PLAY
        elif column > end:
            choice[i] = UNPROVED
        elif least + most_four[column] < need:
            choice[i] = rules.FOLD
        else:
            choice[i] = _choose_closely(zone, columns, hand, column, least, need)


@kernel
def _sum_triples(choose: Ints, triples: Numbers, triple: Ints, column: int, hand: NDArray[np.uint8]) -> int:
    total = 0
    for i in range(2, HAND):
        for j in range(1, i):
            at = choose[hand[i], 3] + choose[hand[j], 2]
            for k in range(j):
                total += triple[column, triples[at + hand[k]]]
    return total


@kernel
def _choose_closely(
    zone: Zone, columns: Columns, hand: NDArray[np.uint8], column: int, least: int, need: int
) -> int:
    """Where triples do not decide: with the fours an upper bound, then the exact sum."""
    place = np.empty(1 << HAND, np.int64)
    places(zone.ways, hand, place)
    most = least
    for i in range(zone.ways.start[4], zone.ways.start[5]):
        most += columns.four[column, columns.fours[place[zone.ways.mask[i]]]]
    if most < need:
        return rules.FOLD
    kinds = np.empty(3, np.int64)
    _count_kinds(zone, hand, column, place, kinds)
    exact = 0
    for kind in range(3):
        exact += columns.weights[column, kind] * kinds[kind]
    return rules.PLAY if exact >= need else rules.FOLD


@kernel
def _count_kinds(zone: Zone, hand: NDArray[np.uint8], column: int, place: Ints, kinds: Ints) -> None:
    """The dealers not qualified, weaker and equal that avoid a hand of the zone or below."""
    low, high = _edges(column, zone.few.shape[1] - 1)
    avoiding(zone, hand, low, high, place, kinds)
    kinds[EQUAL] -= kinds[LESS]
    kinds[LESS] -= kinds[UNQUALIFIED]


@kernel
def _count_all(zone: Zone, hands: Hands, degrees: NDArray[np.uint16], kinds: Ints) -> None:
    place, hand = np.empty(1 << HAND, np.int64), np.empty(HAND, np.uint8)
    for i in range(len(hands)):
        hand[:] = hands[i]
        sort(hand)
        _count_kinds(zone, hand, max(int64(degrees[i]) - zone.lowest + 1, 0), place, kinds[i])


def _choices(
    zone: Zone, columns: Columns, players: Hands, degrees: NDArray[np.uint16], need: int, progress: Progress
) -> NDArray[np.uint8]:
    choice = np.empty(len(players), np.uint8)
    pieces = slices(len(players), showdown.PIECES)
    map_in_threads(
        lambda p: _choose(zone, columns, players[p], degrees[p], need, choice[p]), pieces, progress
    )
    if (choice == UNPROVED).any():
        raise Undecided("the zone ends too early: the bound leaves a hand above it undecided")
    return choice


class Undecided(ArithmeticError):
    """The bound on hands above the zone is not enough."""


# -- The proof --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Apart:
    """Hands whose best choice is not that of the rule by strength, one for each class."""

    hands: Hands
    weights: Ints  # hands in the class
    degrees: NDArray[np.uint16]
    choices: NDArray[np.uint8]
    kinds: Ints  # dealers not qualified, weaker and equal


@dataclass(frozen=True)
class Proof:
    """What the law of every strategy follows from."""

    dealers: int  # hands that the dealer can have once the player's is known
    strengths: list[int]  # by degree
    meetings: Meetings
    apart: Apart
    examined: dict[Holding, int]  # the player's hands below the zone's end
    nets: Nets = LISTED

    @cached_property
    def gains(self) -> Ints:
        """What the hands apart gain by playing instead of folding, summed over all dealers."""
        degrees, which = np.unique(self.apart.degrees, return_inverse=True)
        weights = np.array([_weights(self.strengths[degree], self.nets) for degree in degrees], np.int64)
        weighed: Ints = (weights[which] * self.apart.kinds).sum(axis=1)
        return weighed - _need(self.dealers, self.nets)


@dataclass(frozen=True)
class Met:
    """All deals of a deck counted, whatever is paid for them."""

    found: Subsets
    zone_end: int
    strengths: NDArray[np.uint16]  # of the player's hands
    degrees: Degrees
    meetings: Meetings
    zone: Zone


def meet(found: Subsets, zone_end: int, progress: Progress) -> Met:
    strengths = strengths_of(found.hands[HAND])
    degrees = showdown.degrees_of(strengths)
    qualified, end = degrees.at_least(rules.QUALIFIES), degrees.at_least(zone_end)
    meetings, zone = showdown.meet(found, degrees, qualified, end, progress)
    return Met(found, zone_end, strengths, degrees, meetings, zone)


def prove(
    found: Subsets, zone_end: int = ZONE_END, progress: Progress = nobody_listens, nets: Nets = LISTED
) -> Proof:
    """For any deck; from the strength `zone_end` on, a bound has to be enough."""
    return proved_for(meet(found, zone_end, part_of(progress, 0.2, 0.8)), nets, progress)


def proved_for(met: Met, nets: Nets, progress: Progress = nobody_listens) -> Proof:
    """What is best for these pays."""
    found, zone, strengths = met.found, met.zone, met.strengths
    players, of_players = found.hands[HAND], met.degrees.number[strengths]
    dealers = comb(len(found.deck) - HAND, HAND)
    columns, need = _columns(found, met.degrees, zone, nets), _need(dealers, nets)
    choices = _choices(zone, columns, players, of_players, need, part_of(progress, 0.8, 0.95))
    rule = np.where(strengths >= RULE, rules.PLAY, rules.FOLD)
    apart = _apart(zone, found, of_players, choices, np.flatnonzero(choices != rule))
    examined = _tabulate(strengths, players, found.weights[HAND], np.flatnonzero(strengths < met.zone_end))
    progress(1)
    return Proof(dealers, met.degrees.strengths.tolist(), met.meetings, apart, examined, nets)


def _apart(
    zone: Zone, found: Subsets, degrees: NDArray[np.uint16], choices: NDArray[np.uint8], at: Ints
) -> Apart:
    hands, kinds = found.hands[HAND][at], np.empty((len(at), 3), np.int64)
    pieces = slices(len(at), showdown.PIECES)
    map_in_threads(lambda p: _count_all(zone, hands[p], degrees[at[p]], kinds[p]), pieces)
    return Apart(hands, found.weights[HAND][at], degrees[at], choices[at], kinds)


def _tabulate(strengths: NDArray[np.uint16], hands: Hands, weights: Ints, at: Ints) -> dict[Holding, int]:
    """How many hands there are of each holding."""
    leads = _leads(strengths[at])
    low, joker = (hands[at] < LOW_CARDS).sum(axis=1), (hands[at] == JOKER).any(axis=1)
    count = np.bincount(leads << 4 | joker << 3 | low, weights[at]).astype(np.int64)
    return {Holding(n >> 4, bool(n >> 3 & 1), n & 7): int(count[n]) for n in np.flatnonzero(count).tolist()}


def _leads(strengths: NDArray[np.uint16]) -> Ints:
    return np.where(strengths >> 12, strengths >> 8, 0).astype(np.int64)


_met: list[Met] = []  # the one that all pays share
_kept: dict[Nets, Proof] = {}  # those that all strategies share
MOST_KEPT = 2  # some fifty megabytes each


def _proved(progress: Progress, nets: Nets = LISTED) -> Proof:
    if nets not in _kept:
        progress(0)
        if not _met:
            _met.append(meet(subsets.of_standard(), ZONE_END, part_of(progress, 0.2, 0.8)))
        while len(_kept) >= MOST_KEPT:
            del _kept[next(iter(_kept))]
        try:
            _kept[nets] = proved_for(_met[0], nets, progress)
        except Undecided:
            raise Refused("Play and Ante pay too little to be solved: hands above nines may fold.") from None
    return _kept[nets]


# -- Strategies -------------------------------------------------------------------------------------

PAIRS = {f"pair-of-{number}s": poker.pair_of(number - 2) for number in range(6, 11)}
LEAST = {"never-fold": 0, **PAIRS}  # the strength from which on a rule plays
STRATEGIES = {
    "optimal": "fold or play, whichever is better for the very cards held",
    "never-fold": "always play",
    **{name: f"play a {name.replace('-', ' ')} or better" for name in PAIRS},
}


def _by_strength(proof: Proof, least: int) -> Meetings:
    """What the hands from a strength on meet."""
    met, plays = proof.meetings, np.array(proof.strengths) >= least
    return Meetings(met.players * plays, met.unqualified * plays, met.less * plays, met.equal * plays)


def _optimal(proof: Proof) -> Meetings:
    """The rule, with the hands apart from it put in or taken out."""
    apart, played = proof.apart, _by_strength(proof, RULE)
    hands = np.where(apart.choices == rules.PLAY, apart.weights, -apart.weights)
    np.add.at(played.players, apart.degrees, hands)
    for kind, met in enumerate((played.unqualified, played.less, played.equal)):
        np.add.at(met, apart.degrees, hands * apart.kinds[:, kind])
    return played


def law(proof: Proof, strategy: str) -> Law:
    """The law of a strategy on the deck of the proof."""
    played = _optimal(proof) if strategy == "optimal" else _by_strength(proof, LEAST[strategy])
    counts: Counter[Outcomes] = Counter()
    for degree, strength in enumerate(proof.strengths):
        for outcomes, deals in _outcomes(proof, played, degree, strength):
            counts[outcomes] += deals
    plays = int(played.players.sum())
    folds = int(proof.meetings.players.sum()) - plays
    choices = {"play": plays * proof.dealers, "fold": folds * proof.dealers}
    return Law({outcomes: n for outcomes, n in counts.items() if n}, choices, METHOD)


def _outcomes(proof: Proof, played: Meetings, degree: int, strength: int) -> Iterator[tuple[Outcomes, int]]:
    trips = rules.judge_trips(strength)
    plays, hands = int(played.players[degree]), int(proof.meetings.players[degree])
    met = [int(kind[degree]) for kind in (played.unqualified, played.less, played.equal)]
    for outcomes, deals in zip(_kinds(strength), (*met, plays * proof.dealers - sum(met)), strict=True):
        yield (*outcomes, trips), deals
    yield (*FOLDED, trips), (hands - plays) * proof.dealers


def solve(game: Game, stake: Stake, strategy: str, progress: Progress) -> Law:
    """Neither options nor stake change how the cards fall or which choice is best; the pays do."""
    return law(_proved(progress, _nets_for(game, strategy)), strategy)


def _nets_for(game: Game, strategy: str) -> Nets:
    """Only the best play looks at pays."""
    return Nets.of(game) if strategy == "optimal" else LISTED


# -- Optimal play, told -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Example:
    hand: Cards
    gain: Fraction  # of the best choice over the other, in units of the Ante


@dataclass(frozen=True)
class Exceptions:
    """Hands of one name that are better chosen for otherwise than the rule does."""

    name: str  # "High Card", "Pair of Sevens"
    choice: str  # the best one
    apart: int  # hands with that best choice
    hands: int  # hands of that name
    examples: tuple[Example, ...]  # the clearest, the one in the middle, the closest
    holdings: dict[tuple[bool, int], tuple[int, int]]  # joker held, cards below a six: apart, hands


def exceptions(progress: Progress = nobody_listens, nets: Nets = LISTED) -> list[Exceptions]:
    """Optimal play as exceptions to "a pair of sevens or better plays", from the weakest hands up."""
    proof = _proved(progress, nets)
    strengths = np.array(proof.strengths, np.uint16)[proof.apart.degrees]
    leads = _leads(strengths)
    places = [(lead, np.flatnonzero(leads == lead)) for lead in np.unique(leads).tolist()]
    return [_told(proof, strengths, lead, at) for lead, at in places]


def _told(proof: Proof, strengths: NDArray[np.uint16], lead: int, at: Ints) -> Exceptions:
    """The hands apart at these places, which have one lead and so one choice: the rule goes by lead."""
    apart = proof.apart
    found = _tabulate(strengths, apart.hands, apart.weights, at)
    examined = {key: n for key, n in proof.examined.items() if key.lead == lead}
    order = at[np.argsort(abs(proof.gains[at]), kind="stable")].tolist()
    examples = tuple(_example(proof, order[n]) for n in (-1, len(order) // 2, 0))
    holdings = {(key.joker, key.low): (found.get(key, 0), n) for key, n in examined.items()}
    name = f"Pair of {plural(lead & 15)}" if lead else poker.CATEGORIES[poker.HIGH_CARD]
    choice = rules.CHOICES[apart.choices[at[0]]].name
    return Exceptions(name, choice, sum(found.values()), sum(examined.values()), examples, holdings)


def _example(proof: Proof, at: int) -> Example:
    hand = sorted(proof.apart.hands[at].tolist(), reverse=True)
    return Example(Cards(hand), Fraction(abs(int(proof.gains[at])), proof.dealers * proof.nets.parts))


# -- One hand ---------------------------------------------------------------------------------------


def values(round: Round, stake: Stake) -> dict[str, Fraction]:
    """The expected net of the stake for each open choice, every dealer's hand looked at."""
    hand = np.array(round.shoe[:HAND], np.uint8)
    player = int(poker.strength(poker.tables(), hand))
    trips = rules.judge_trips(player)
    kinds = showdown.against(np.array(round.game.deck.cards, np.uint8), hand, rules.QUALIFIES)
    played: Counter[Outcomes] = Counter()
    for outcomes, dealers in zip(_kinds(player), kinds, strict=True):
        played[*outcomes, trips] += dealers
    laws: dict[str, Mapping[Outcomes, int]] = {"play": played, "fold": {(*FOLDED, trips): 1}}
    return {choice: Tally(round.game, laws[choice]).total_expected(stake) for choice in round.choices}


# -- The card ---------------------------------------------------------------------------------------


def card(game: Game, stake: Stake) -> StrategyCard:
    """The rule by strength, the hands that are better chosen for otherwise, and what the rule alone costs."""
    nets = Nets.of(game)
    proof = _proved(nobody_listens, nets)
    rule = next(name for name, least in LEAST.items() if least == RULE)
    ante = game.spot("ante")
    best, told = (Tally(game, law(proof, name).counts).expected(ante) for name in ("optimal", rule))
    lines = ((f"{rule.replace('-', ' ')} or better", "play"), ("less", "fold"))
    return StrategyCard(lines, tuple(map(_in_words, exceptions(nets=nets))), (best - told) * stake["ante"])


def _in_words(group: Exceptions) -> str:
    """'Pair of Sevens: fold 3 of 7 hands, all with ..., some with ..., such as ...'"""
    whole = [key for key, (apart, hands) in group.holdings.items() if apart == hands]
    some = [key for key, (apart, hands) in group.holdings.items() if 0 < apart < hands]
    parts = [f"{word} {_holdings(keys)}" for word, keys in (("all", whole), ("some", some)) if keys]
    count = f"{group.apart:,} of {group.hands:,} hands"
    return f"{group.name}: {group.choice} {count}, {', '.join(parts)}; clearest {group.examples[0].hand}"


def _holdings(keys: list[tuple[bool, int]]) -> str:
    """'with the joker and 0 or 1 cards from 2 to 5'."""
    told = []
    for joker in (True, False):
        low = sorted(n for held, n in keys if held == joker)
        if low:
            told.append(f"with{'' if joker else 'out'} the joker and {listing(low, 'or')} cards from 2 to 5")
    return " and ".join(told)


# -- To be simulated ----------------------------------------------------------------------------------


def decisions(game: Game, stake: Stake, strategy: str) -> Decisions:
    """The hands apart from the rule by strength, one for each class."""
    if strategy != "optimal":
        return np.empty((0, HAND), np.uint8)
    return _proved(nobody_listens, Nets.of(game)).apart.hands


class ByStrength(NamedTuple):
    """A rule by strength, and the hands whose choice is the other one."""

    poker: poker.Tables
    least: int  # the strength from which on the rule plays
    lowest: int  # no hand apart is weaker
    highest: int  # or stronger
    choose: Ints  # by card and size: the hands of that size below the card
    apart: NDArray[np.uint8]  # a bit for each hand


@lean
def _place(choose: Ints, hand: NDArray[Any]) -> int:
    """The number of a hand among all hands, whatever its order."""
    sort(hand)
    place = 0
    for i in range(len(hand)):
        place += choose[hand[i], i + 1]
    return place


@kernel
def _mark(choose: Ints, hands: Hands, orders: Hands, apart: NDArray[np.uint8]) -> None:
    """Mark all hands of each class, found by renaming the suits of one."""
    renamed = np.empty(HAND, np.uint8)
    for n in range(len(hands)):
        for order in range(len(orders)):
            for i in range(HAND):
                card = hands[n, i]
                renamed[i] = card if card == JOKER else card & 0xFC | orders[order, card & 3]
            place = _place(choose, renamed)
            apart[place >> 3] |= 1 << (place & 7)


@lean
def decide(data: ByStrength, seen: Array, legal: int) -> int:
    strength = poker.strength(data.poker, seen[:HAND])
    plays = strength >= data.least
    if data.lowest <= strength <= data.highest:
        place = _place(data.choose, seen[:HAND])
        plays ^= bool(data.apart[place >> 3] >> (place & 7) & 1)
    return rules.PLAY if plays else rules.FOLD


def player(game: Game, strategy: str, made: Decisions) -> Player:
    least, choose = LEAST.get(strategy, RULE), subsets.PARTS.choose
    if not len(made):
        return Player(decide, ByStrength(poker.tables(), least, 1, 0, choose, np.empty(0, np.uint8)))
    apart = np.zeros(comb(JOKER + 1, HAND) // 8 + 1, np.uint8)
    _mark(choose, made, np.array([*permutations(range(4))], np.uint8), apart)
    strengths = strengths_of(made)
    lowest, highest = int(strengths.min()), int(strengths.max())
    return Player(decide, ByStrength(poker.tables(), least, lowest, highest, choose, apart))


def law_key(game: Game, stake: Stake, strategy: str) -> object:
    """The best choice depends on what Play and Ante pay; no choice matters to Trips."""
    return [strategy, nets_on(game, "play", "ante") if strategy == "optimal" else None]


SOLVER = Solver(STRATEGIES, solve, values, card, decisions, player, law_key)
