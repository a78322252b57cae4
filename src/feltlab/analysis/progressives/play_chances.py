"""The chance of each level at a game: by the cards alone, or under the main game's best play."""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from feltlab.analysis.progressives.decision_scan import DecisionScan, OtherShape, scan_decisions, shape_of
from feltlab.analysis.progressives.level_chances import count_levels
from feltlab.analysis.progressives.level_prizes import NONE, MeterPrize
from feltlab.analysis.progressives.street_walk import StreetWalk
from feltlab.core.game import Game
from feltlab.core.stake import Stake, default_stake
from feltlab.progressives.claims import JackpotHand, attach
from feltlab.progressives.progressive import Progressive
from feltlab.proving.proof import player_of
from feltlab.proving.store import cached_json

UNIT_CENTS = 100  # which changes no chance where no prize counts


def depends_on_play(hand: JackpotHand) -> bool:
    """Can a choice change the level that a hand claims?"""
    return bool(hand.shown_only) or (
        hand.progressive.fold == "forfeits"
        and any(choice.wager in choice.gives_up for choice in hand.game.choices)
    )


def chances_at(progressive: Progressive, game: Game, stake: Stake | None = None) -> tuple[Fraction, ...]:
    """The chance of each level in one bet.

    Where a fold forfeits the jackpot, or cards count only if a choice shows them, it is the chance of a
    player who plays as is best for the other wagers, whatever the meter shows.
    """
    hand = attach(progressive, game)
    if not depends_on_play(hand):
        return count_levels(progressive, game).chances
    stake = default_stake(game) if stake is None else stake
    key = [str(game.as_proved), "levels in play", _rules_of(hand), {bet: str(n) for bet, n in stake.items()}]
    counts, whole = cached_json(key, lambda: _count_in_play(hand, stake))
    return tuple(Fraction(int(count), int(whole)) for count in counts)


def _rules_of(hand: JackpotHand) -> list[object]:
    progressive = hand.progressive
    levels = [[*level.hands] for level in progressive.levels]
    return [hand.reading.name, levels, [*hand.places], [*hand.shown_only], progressive.fold]


def _count_in_play(hand: JackpotHand, stake: Stake) -> list[object]:
    """The deals that claim each level, and all deals: by the scan of one choice, or through the tree."""
    free = (MeterPrize(NONE, NONE),) * len(hand.progressive.levels)
    try:
        scan = scan_play(hand, stake, free)
    except OtherShape:
        chances = StreetWalk(hand, stake, UNIT_CENTS).best_for([NONE] * len(free)).chances
        whole = lcm(*(p.denominator for p in chances))
        return [[str(int(p * whole)) for p in chances], str(whole)]
    return [[str(count) for count in scan.level_counts], str(scan.whole * scan.hands)]


def scan_play(hand: JackpotHand, stake: Stake, prizes: Sequence[MeterPrize]) -> DecisionScan:
    """Every hand at the game's choice, under the play that is best for a stake."""
    shape_of(hand)  # refuses other games before their best play is proved
    return scan_decisions(hand, player_of(hand.game, stake, "optimal"), prizes)
