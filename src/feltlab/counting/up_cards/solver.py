"""The solver of a game of one wager against a dealer who shows three of six cards: wager more, or give up."""

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from math import comb, lcm
from typing import NamedTuple

import numpy as np

from feltlab.core.game import Game
from feltlab.core.hands import poker
from feltlab.core.round import Round
from feltlab.core.solver import Decisions, Law, Player, Solver, StrategyCard, nets_on
from feltlab.core.stake import Stake
from feltlab.core.tally import Outcomes, Tally
from feltlab.counting.up_cards.card import level_strengths, make_card, read_for_card
from feltlab.counting.up_cards.dealers import HAND, LAST, UP, Ints, all_shapes, count_dealers
from feltlab.counting.up_cards.player import decide, new_player
from feltlab.counting.up_cards.sweep import BETTER, CLASSES, SAME, WORSE, UpCardSweep, sweep_up_cards
from feltlab.counting.up_cards.zones import pack_zone, unpack_zone, whole_zone
from feltlab.errors import Refused
from feltlab.parallel.progress import Progress, nobody_listens

METHOD = (
    "Every hand beside every three up cards, by inclusion and exclusion over the cards that it takes from "
    "the dealer's last three; hands that meet the same dealers are counted together."
)
CAUTIOUS, NEVER_FOLD = "cautious", "never-fold"
STRATEGIES = {
    "optimal": "the best choice; of equal ones, that with the larger wager",
    CAUTIOUS: "the best choice; of equal ones, that with the smaller wager",
    NEVER_FOLD: "always wager",
}
STRONGEST = (1 << 16) - 1
MAX_SWEEPS = 2  # that a process keeps


class UpCardRules(NamedTuple):
    """A game's rules of the showdown."""

    judge: Callable[
        [int, int], tuple[int, ...]
    ]  # by strengths of player and dealer: the outcomes of all spots
    folded: Outcomes
    qualified: int  # the lowest strength with which the dealer qualifies
    wager: int  # the numbers of the two choices
    give_up: int


def up_card_solver(rules: UpCardRules) -> Solver:
    """The solver of a game with these rules."""
    return Solver(
        STRATEGIES,
        partial(_solve, rules),
        partial(_values, rules),
        partial(_card, rules),
        partial(_decisions, rules),
        partial(_player, rules),
        law_key,
        read_hand=read_for_card,
    )


def law_key(game: Game, stake: Stake, strategy: str) -> object:
    """The best choice depends on all pays; there is one first wager, so not on its size."""
    if strategy == NEVER_FOLD:
        return [strategy]
    return [strategy, nets_on(game, *(spot.name for spot in game.spots))]


# -- Gains ------------------------------------------------------------------------------------------------


def _judge_dealers(rules: UpCardRules, player: int) -> list[tuple[int, ...]]:
    """The outcomes against an unqualified dealer who is weaker, equal or stronger; then a qualified one.

    A dealer that cannot be has outcomes too; there is none to count.
    """
    qualified = rules.qualified
    below = (max(min(player, qualified) - 1, 0), min(player, qualified - 1), qualified - 1)
    above = (max(player - 1, qualified), max(player, qualified), STRONGEST)
    return [rules.judge(player, dealer) for dealer in (*below, *above)]


def _count_six(rules: UpCardRules, player: int, met: Mapping[str, int]) -> tuple[int, ...]:
    """The numbers of those six kinds of dealers, from those that are weaker, equal, unqualified, and all."""
    less, equal, unqualified, total = (met[name] for name in ("less", "equal", "unqualified", "all"))
    if player < rules.qualified:
        return less, equal, unqualified - less - equal, 0, 0, total - unqualified
    return unqualified, 0, 0, less - unqualified, equal, total - less - equal


COUNTED = ("all", "less", "equal", "unqualified")


def _net(game: Game, outcomes: Outcomes) -> Fraction:
    """The net of a round with one unit on the first wager."""
    return Tally(game, {outcomes: 1}).total_expected({game.wagers[0].name: 1})


def _gain_parts(rules: UpCardRules, game: Game) -> int:
    """The parts of a unit in which all gains are whole."""
    outcomes = {o for player in _strengths().tolist() for o in _judge_dealers(rules, player)}
    return lcm(*((_net(game, o) - _net(game, rules.folded)).denominator for o in outcomes))


def _gains(rules: UpCardRules, game: Game) -> Ints:
    """By order index: the gain of the wager over all dealers, and for each weaker, equal, unqualified one."""
    parts, folded = _gain_parts(rules, game), _net(game, rules.folded)
    known: dict[tuple[int, ...], int] = {}
    rows = []
    for player in _strengths().tolist():
        against = _judge_dealers(rules, player)
        for outcomes in against:
            if outcomes not in known:
                known[outcomes] = int((_net(game, outcomes) - folded) * parts)
        six = [known[outcomes] for outcomes in against]
        only = [_count_six(rules, player, dict.fromkeys(COUNTED, 0) | {name: 1}) for name in COUNTED]
        rows.append([sum(n * gain for n, gain in zip(counts, six, strict=True)) for counts in only])
    return np.array(rows)


def _strengths() -> Ints:
    """The strength of each order index."""
    return np.unique(all_shapes().strength)


# -- The law ----------------------------------------------------------------------------------------------

_proved: dict[object, UpCardSweep] = {}


def _prove(rules: UpCardRules, game: Game, progress: Progress = nobody_listens) -> UpCardSweep:
    """The sweep of a game's deck and pays, made once."""
    deck = tuple(game.deck.cards)
    key = (rules, deck, str(law_key(game, {}, "")))
    if key not in _proved:
        while len(_proved) >= MAX_SWEEPS:
            del _proved[next(iter(_proved))]
        level = np.searchsorted(level_strengths(), _strengths(), side="right") - 1
        _proved[key] = sweep_up_cards(deck, rules.qualified, _gains(rules, game), level, progress)
    return _proved[key]


def _solve(rules: UpCardRules, game: Game, stake: Stake, strategy: str, progress: Progress) -> Law:
    found = _prove(rules, game, progress)
    made = {CAUTIOUS: [BETTER], NEVER_FOLD: [BETTER, SAME, WORSE]}.get(strategy, [BETTER, SAME])
    played = found.met[made].sum(axis=0)
    deck = len(game.deck)
    states, dealers = comb(deck, HAND) * comb(deck - HAND, UP), comb(deck - HAND - UP, LAST)
    counts: Counter[Outcomes] = Counter()
    for player, (hands, *met) in zip(_strengths().tolist(), played.tolist(), strict=True):
        six = _count_six(rules, player, dict(zip(COUNTED, (hands * dealers, *met), strict=True)))
        for outcomes, deals in zip(_judge_dealers(rules, player), six, strict=True):
            counts[outcomes] += deals
    wagers = int(played[:, 0].sum())
    counts[rules.folded] += (states - wagers) * dealers
    names = [choice.name for choice in game.choices]
    choices = {names[rules.wager]: wagers * dealers, names[rules.give_up]: (states - wagers) * dealers}
    law = {outcomes: deals for outcomes, deals in counts.items() if deals}
    equal = None if strategy == NEVER_FOLD else int(found.levels[..., CLASSES + SAME].sum())
    return Law(law, choices, METHOD, equal_positions=equal)


def _values(rules: UpCardRules, round: Round, stake: Stake) -> dict[str, Fraction]:
    """The expected net of the stake for each open choice, over every last three of the dealer."""
    seen = np.array(round.seen[: HAND + UP])
    hand, up = seen[:HAND], seen[HAND:]
    player = int(poker.strength(poker.tables(), hand))
    dealers = count_dealers(poker.tables(), np.array(round.game.deck.cards), hand, up, rules.qualified)
    wagered: Counter[Outcomes] = Counter()
    for outcomes, count in zip(_judge_dealers(rules, player), dealers.tolist(), strict=True):
        wagered[outcomes] += count
    names = [choice.name for choice in round.game.choices]
    laws: dict[str, Mapping[Outcomes, int]] = {
        names[rules.wager]: wagered,
        names[rules.give_up]: {rules.folded: 1},
    }
    return {choice: Tally(round.game, laws[choice]).total_expected(stake) for choice in round.choices}


def _card(rules: UpCardRules, game: Game, stake: Stake) -> StrategyCard:
    names = [game.choices[choice].name for choice in (rules.wager, rules.give_up)]
    return make_card(game, stake, _prove(rules, game), _gain_parts(rules, game), *names)


# -- For simulation ---------------------------------------------------------------------------------------


def _decisions(rules: UpCardRules, game: Game, stake: Stake, strategy: str) -> Decisions:
    if strategy == NEVER_FOLD:
        return pack_zone(whole_zone())
    found = _prove(rules, game)
    if found.worse_flushes:
        raise Refused("With these pays some flushes fold, and the player of a simulation never folds one.")
    return pack_zone(found.zones[strategy == CAUTIOUS])


def _player(rules: UpCardRules, game: Game, strategy: str, made: Decisions) -> Player:
    return Player(decide, new_player(unpack_zone(made), rules.wager, rules.give_up))
