"""The rounds of a player: indexed as they end, and from the events of an old ledger just the same."""

import asyncio
from pathlib import Path
from zipfile import ZipFile

from sqlalchemy import text

from feltlab.core.limits import STANDARD_LIMITS
from feltlab.games import GAMES
from feltlab.ledger.mentions import MentionFilter, last_unmentioned, list_mentions
from feltlab.pit.event_kinds import ROUND_ENDS
from feltlab.pit.hands.old_rounds import index_old_rounds
from feltlab.pit.hands.played import load_cards, sum_totals, total_hands
from feltlab.pit.pit import Pit
from feltlab.pit.recorded_round import load_round, table_names
from feltlab.pit.seats import Timers
from tests.support.databases import raw

ANN, BOB = "ann", "bob"


def every_mention(ledger, *accounts):
    return [one for account in accounts for one in list_mentions(ledger, MentionFilter(account), 1_000)]


def nets_on_record(ledger):
    """By player, table, round and seat: the net of every ended round, from the rounds on record."""
    ends = [end for name in table_names(ledger) for end in ledger.events(name, kinds=ROUND_ENDS)]
    rounds = [load_round(ledger, end.chain, end.round) for end in ends]
    return {
        (seat.player, round.table, round.round, seat.position): round.net_of(seat.position - 1)
        for round in rounds
        for seat in round.seats
    }


async def test_a_pit_from_before_the_index_is_indexed_at_its_first_start(tmp_path: Path) -> None:
    with ZipFile(Path(__file__).parent / "first_pit" / "pit.zip") as archive:
        archive.extractall(tmp_path)
    (tmp_path / "vault.key").chmod(0o600)
    pit = Pit(tmp_path)
    await pit.start()
    try:
        while last_unmentioned(pit.ledger):
            await asyncio.sleep(0.02)
        found = every_mention(pit.ledger, ANN, BOB)
        nets = {(one.account, one.chain, one.round, one.place): one.cents for one in found}
        assert len(nets) > 20
        assert nets == nets_on_record(pit.ledger)
        games = {name: live.table.game.name for name, live in pit.tables.items()}
        assert {(one.chain, one.label) for one in found} <= {*games.items()}
    finally:
        await pit.stop()


async def play_round(live, wagers) -> int:
    round = live.table.round
    await live.act(lambda table: table.wager(ANN, 0, wagers))
    await live.act(lambda table: table.wager(BOB, 2, wagers))
    await live.act(lambda table: table.no_more_bets())
    while live.table.round == round:
        await live.act(lambda table: table.time_is_up())
    return round


async def test_rounds_void_rounds_and_corrections_are_found_as_they_end(tmp_path: Path) -> None:
    pit = Pit(tmp_path)
    await pit.start()
    await pit.demo()
    for player in (ANN, BOB):
        await pit.give(lambda cage, player=player: cage.plan_welcome(player))
    game = GAMES["three-card-poker"]
    live = await pit.open_table("of-two", game, "house", STANDARD_LIMITS, Timers())
    await live.act(lambda table: table.sit(ANN, 0, 20_000).sit(BOB, 2, 20_000))
    wagers = {"ante": 1_000, "pair-plus": 500}
    first = await play_round(live, wagers)
    await live.act(lambda table: table.wager(ANN, 0, wagers).void("house", "A card was exposed."))
    second = await play_round(live, wagers)
    data = {
        "by": "house",
        "player": ANN,
        "seat": 0,
        "corrects": first,
        "spot": "ante",
        "paid": 0,
        "due": 700,
        "cents": 700,
        "house": -700,
        "at": "seat 1",
        "reason": "A slip.",
        "rules": None,
        "clause": "9.9",
        "drill": False,
    }
    await live.act(lambda table: table._record("corrected", data))
    found = every_mention(pit.ledger, ANN)
    told = [(one.round, one.state, one.place, one.label) for one in found]
    assert told == [
        (first, "correction", 1, game.name),
        (second, "", 1, game.name),
        (first + 1, "void", 1, game.name),
        (first, "", 1, game.name),
    ]
    nets = nets_on_record(pit.ledger)
    assert found[3].cents + found[0].cents == nets[ANN, "of-two", first, 1]
    assert (found[2].cents, found[1].cents) == (0, nets[ANN, "of-two", second, 1])
    totals = sum_totals(total_hands(pit.ledger, MentionFilter(ANN)).values())
    assert (totals.rounds, totals.void, totals.corrections, totals.waiting) == (2, 1, 1, 2)
    assert totals.result == sum(one.cents for one in found)
    cards = load_cards(pit.ledger, found[1])
    assert {area: len(held) for area, held in cards.items()} == {"player": 3, "dealer": 3}
    written = every_mention(pit.ledger, ANN, BOB)
    await pit.stop()

    with raw(str(tmp_path / "ledger.sqlite")) as connection:
        connection.execute(text("DROP TABLE mentions"))
    again = Pit(tmp_path)
    assert every_mention(again.ledger, ANN) == []
    assert index_old_rounds(again.ledger) == len(written)
    assert every_mention(again.ledger, ANN, BOB) == written
    again.ledger.close()
