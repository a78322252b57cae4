"""The decisions of a finished round: each with the cards that its player saw then, and no others."""

from collections.abc import Iterator
from dataclasses import dataclass

from feltlab.core.choices import name_choice
from feltlab.core.limits import why_unaffordable
from feltlab.core.position import hide_unseen
from feltlab.core.round import Round
from feltlab.pit.replay import Replay


@dataclass(frozen=True)
class Decision:
    """A choice in its round as the player saw it."""

    number: int  # of the choice, in the order of the round, from 0
    seat: int  # from 0
    round: Round  # cards that the player did not see are unknown
    choice: str  # with the cents where it put down less than it could: 'insure=250'
    by_house: bool  # the house rule chose for an absent player
    barred: tuple[str, ...]  # choices that the bankroll or the table's maximum did not allow


def list_decisions(replay: Replay) -> Iterator[Decision]:
    """The decisions of all seats, in order, as far as the round could be dealt again."""
    recorded = replay.recorded
    turns = {seat.position - 1: turn for turn, seat in enumerate(recorded.seats)}
    for number, (made, deal) in enumerate(zip(recorded.choices, replay.deals, strict=False)):
        if made.seat not in turns or deal.turn != turns[made.seat]:
            continue  # the record differs from the rules
        round = deal.rounds[turns[made.seat]]
        choice = name_choice(recorded.game, round.wagers, made.choice, made.cents)
        barred = (name for name in round.choices if _is_barred(replay, round, name, made.bankroll))
        yield Decision(number, made.seat, hide_unseen(round), choice, made.by_house, tuple(barred))


def _is_barred(replay: Replay, round: Round, choice: str, bankroll: int) -> bool:
    return bool(why_unaffordable(round, choice, bankroll, replay.recorded.limits))
