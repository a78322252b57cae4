"""One deal of each game, step by step; `tests/games/<game>/playthrough.txt` holds the text. Written by

python -m tests.contract.test_playthroughs --write
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from feltlab.core.cards import Cards
from feltlab.core.deal import Deal
from feltlab.core.game import Game
from feltlab.core.round import Round
from feltlab.core.seating import Seat
from feltlab.core.settlement import Settled
from feltlab.games import GAMES
from feltlab.text import dollars, listing
from tests.support.game_data import data_of, file_of, folder_of

SEATS = 4


def path(name: str) -> Path:
    return folder_of(name) / "playthrough.txt"


def tell(game: Game, seed: int) -> Iterator[str]:
    """Seats bet more from left to right, and every second one leaves out what it may."""
    rng = np.random.default_rng(seed)
    shoe = Cards(rng.permutation(np.array(game.deck.cards)).tolist())
    deal = Deal(game, shoe, tuple(Seat(wagers(game, seat)) for seat in range(SEATS)), settled=0)
    yield f"{game.title}, {SEATS} positions, the shoe of seed {seed}"
    yield "Written by: python -m tests.contract.test_playthroughs --write"
    yield ""
    yield from before(deal)
    while not deal.over:
        if deal.turn is None:
            yield from stage(deal)
            deal = deal.settle_due()
            continue
        seat, round = deal.turn, deal.rounds[deal.turn]
        choice = round.choices[rng.integers(len(round.choices))]
        yield from turn(seat, round, choice)
        deal = deal.choose(seat, choice)
    yield from after(deal)


def wagers(game: Game, seat: int) -> dict[str, int]:
    """The first wager in the list always stands, so that there is one."""
    needed = [spot for spot in game.wagers if game.is_required(spot)] or game.wagers[:1]
    placed = game.wagers if seat % 2 == 0 else [spot for spot in game.wagers if spot in needed]
    return {spot.name: 1000 + 500 * seat for spot in placed}


def before(deal: Deal) -> Iterator[str]:
    for seat, held in enumerate(deal.seats, 1):
        yield f"Position {seat} bets " + listing(
            f"{dollars(cents)} on {deal.game.spot(name).title}" for name, cents in held.wagers.items()
        )
    yield from (f'Dealer: "{call}"' for call in deal.calls)


def turn(seat: int, round: Round, choice: str) -> Iterator[str]:
    offers = (f"{name} ({dollars(cost)})" if (cost := round.cost(name)) else name for name in round.choices)
    yield ""
    shared = [f"the {name} shows {shown}" for name, shown in round.view.areas.items() if name != "player"]
    yield ", ".join([f"Position {seat + 1} has {round.view.player}", *shared])
    yield f"  may {listing(offers, 'or')}"
    yield f"  chooses {choice}"


def stage(deal: Deal) -> Iterator[str]:
    yield ""
    yield "The dealer takes and pays"
    yield from (f"  position {seat + 1}: {line(wager).strip()}" for seat, wager in deal.due)


def after(deal: Deal) -> Iterator[str]:
    yield ""
    for area in (area.name for area in deal.game.areas if area.shared):
        yield f"The {area} has {max((round.view.areas[area] for round in deal.rounds), key=len)}"
    for seat, settlement in deal.settling:
        yield ""
        yield f"Position {seat + 1} has {deal.rounds[seat].view.player}"
        yield f"  in all, {dollars(settlement.staked)} put down, {signed(settlement.net)}"


def line(settled: Settled) -> str:
    where = f"{settled.spot.title} {dollars(settled.staked)}"
    return f"  {where:<24} {settled.result:<6} {signed(settled.net):>8}  {settled.outcome}: {settled.why}"


def signed(cents: int) -> str:
    return f"+{dollars(cents)}" if cents > 0 else dollars(cents)


def text(name: str) -> str:
    return "\n".join(tell(GAMES[name], data_of(name).playthrough_seed)) + "\n"


@pytest.mark.parametrize("name", GAMES)
def test_a_playthrough_reads_as_its_file_does(name: str) -> None:
    expected = text(name)
    assert path(name).exists(), (
        f"Run python -m tests.contract.test_playthroughs --write; read {file_of(name, 'playthrough.txt')}."
    )
    assert expected == path(name).read_text()


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("Usage: python -m tests.contract.test_playthroughs --write")
    for each in GAMES:
        path(each).write_text(text(each))
