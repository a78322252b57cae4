"""Seeds of seats: they mix the committed order by a method that anyone can repeat."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from itertools import permutations
from pathlib import Path

import pytest

from feltlab.core.cards import Cards, cards
from feltlab.core.limits import STANDARD_LIMITS
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.ledger.ledger import Ledger
from feltlab.pit import history
from feltlab.pit.approvals import approve_all
from feltlab.pit.pit import Pit, today
from feltlab.pit.recorded_round import load_round
from feltlab.pit.replay import replay_round
from feltlab.pit.replay_steps import describe_steps
from feltlab.pit.seats import Phase, Timers
from feltlab.pit.shufflers.seeding import reveal_seed, seal_seed
from feltlab.pit.shufflers.seeds import SEED_SECONDS
from feltlab.pit.table import Table
from feltlab.pit.verify import verify
from feltlab.shuffling.seeds import MAX_SEED_CHARS, mix_cards
from tests.pit.test_pit_witnesses import check_in_browser
from tests.support.databases import raw
from tests.support.felt import BY_HAND, Felt

DECK, SHOE = GAMES["rabbit-hunter"], GAMES["casino-war"]


def sealing(player: str, seat: int, seed: str) -> Callable[[Table], Table]:
    return lambda table: seal_seed(table, player, seat, sha256(seed.encode()).hexdigest())


def revealing(player: str, seat: int, seed: str) -> Callable[[Table], Table]:
    return lambda table: reveal_seed(table, player, seat, seed)


def mixed_by_the_document(order: Cards, salt: str, seeds: list[str]) -> Cards:
    """The method as docs/pit/shuffler.md states it, with nothing but SHA-256."""

    def sha(text: str) -> str:
        return sha256(text.encode()).hexdigest()

    key, drawn = sha(":".join([salt, *map(sha, seeds)])), list(order)
    blocks = "".join(sha(f"{key}:{n}") for n in range(len(drawn)))
    words = iter([int(blocks[at : at + 8], 16) for at in range(0, len(blocks), 8)])
    for last in range(len(drawn) - 1, 0, -1):
        word = next(words)
        while word >= 2**32 // (last + 1) * (last + 1):
            word = next(words)
        drawn[last], drawn[word % (last + 1)] = drawn[word % (last + 1)], drawn[last]
    return Cards(drawn)


# -- The method -------------------------------------------------------------------------------------


def test_cards_are_mixed_as_the_document_says() -> None:
    for game in (DECK, SHOE):
        for seeds in (["a"], ["b", "a"], ["ünïcode ♠", "x" * 64, ":"]):
            expected = mixed_by_the_document(game.deck.cards, "5a" * 32, seeds)
            assert mix_cards(game.deck.cards, "5a" * 32, seeds) == expected
    assert mix_cards(DECK.deck.cards, "5a" * 32, []) == DECK.deck.cards


def test_every_order_is_equally_likely_over_seeds() -> None:
    """6,000 seeds and 6 orders: 1,000 each with a deviation of 29; five of them are allowed."""
    few, counts = cards("As Kd 2c"), Counter[str]()
    for number in range(6_000):
        counts[str(mix_cards(few, "00" * 32, [str(number)]))] += 1
    assert set(counts) == {str(Cards(order)) for order in permutations(few)}
    assert all(abs(count - 1_000) < 5 * 29 for count in counts.values())


# -- At a table -------------------------------------------------------------------------------------


def test_the_cards_dealt_are_the_committed_ones_mixed_in_the_order_of_seats() -> None:
    felt = Felt(DECK, timers=BY_HAND).wagered((0, 2))
    felt.act(sealing("player 2", 2, "two"))
    felt.act(sealing("player 0", 0, "a first thought"))
    felt.act(sealing("player 0", 0, "zero"))  # takes the place of the first
    secret, committed = felt.shuffle, felt.commitment
    felt.no_more_bets()
    assert not felt.waits_for_dealer
    felt.act(revealing("player 2", 2, "two"))
    felt.act(revealing("player 0", 0, " zero "))
    assert felt.waits_for_dealer
    dealt = [card for _, card in felt.deal.dealt]
    due = mixed_by_the_document(secret.order, secret.salt, ["zero", "two"])
    assert dealt == list(due)[: len(dealt)]
    assert (secret.commitment, sorted(due)) == (committed, sorted(secret.order))
    felt.over()
    assert felt.seeds == ()  # the next cards have none


def test_until_the_bets_are_closed_the_record_has_only_digests() -> None:
    """So nobody, the house included, can choose a seed in view of another one."""
    felt = Felt(DECK, timers=Timers(betting=30)).wagered()
    drafts = felt.act(sealing("player 0", 0, "mine"))
    assert [draft.kind for draft in drafts] == ["seed-sealed"]
    assert "mine" not in str(drafts)
    with pytest.raises(Refused, match="after the bets have closed"):
        felt.act(revealing("player 0", 0, "mine"))
    felt.no_more_bets()
    assert (felt.phase, felt.phase_seconds) == (Phase.NO_MORE_BETS, SEED_SECONDS)
    with pytest.raises(Refused, match="while bets are open"):
        felt.act(sealing("player 0", 0, "another"))
    drafts = felt.act(revealing("player 0", 0, "mine"))
    assert [draft.kind for draft in drafts][:2] == ["seeded", "dealt"]


def test_a_sealed_seed_that_is_kept_back_makes_the_round_void_and_its_seat_leaves() -> None:
    """To leave it out would let whoever keeps it back choose between two orders."""
    felt = Felt(DECK, timers=BY_HAND).wagered((0, 1, 2))
    for seat in (0, 1):
        felt.act(sealing(f"player {seat}", seat, str(seat)))
    order = str(felt.shuffle.order)
    felt.no_more_bets()
    felt.act(revealing("player 0", 0, "0"))
    drafts = felt.act(Table.time_is_up)
    kinds = [draft.kind for draft in drafts]
    assert kinds == ["leaving", "void", "order", "left", "shuffled", "standing"]
    assert drafts[1].data["reason"].startswith("The sealed seed of seat 2 came too late")
    assert drafts[2].data["order"] == order  # what would have been dealt can be worked out by anybody
    assert [bool(place) for place in felt.places[:3]] == [True, False, True]


def test_a_player_alone_keeps_the_seat_after_a_lost_seed() -> None:
    table = Table("private", DECK, timers=BY_HAND).open("house", 1, "ann").sit("ann", 0, 20_000)
    wagers = {spot.name: 500 for spot in DECK.wagers if DECK.is_required(spot)}
    table = sealing("ann", 0, "lost")(table.wager("ann", 0, wagers)).no_more_bets().time_is_up()
    assert table.phase == Phase.BETTING
    assert table.place(0).bankroll == 20_000


def test_only_seats_that_are_dealt_in_reveal_their_seeds() -> None:
    felt = Felt(DECK, timers=BY_HAND).wagered((0, 1))
    felt.act(sealing("player 1", 1, "watches"))
    felt.act(lambda table: table.wager("player 1", 1, {}))
    felt.no_more_bets()
    assert felt.awaited_seeds == ()
    assert felt.waits_for_dealer


def test_a_seed_that_is_late_long_empty_another_or_not_from_a_seat_is_refused() -> None:
    felt = Felt(DECK, timers=BY_HAND).wagered((0, 1))
    for player, seat, why in (("watcher", 1, "not yours"), ("watcher", 2, "is empty")):
        with pytest.raises(Refused, match=why):
            felt.act(sealing(player, seat, "mine"))
    for digest in ("", "mine", "AB" * 32, "ab" * 33):
        with pytest.raises(Refused, match="64 small hexadecimal digits"):
            felt.act(lambda table, digest=digest: seal_seed(table, "player 0", 0, digest))
    felt.act(sealing("player 1", 1, "mine"))
    felt.no_more_bets()
    for player, seat, seed, why in (
        ("player 0", 0, "mine", "does not wait for a seed of seat 1"),
        ("player 1", 1, "yours", "not the seed that seat 2 has sealed"),
        ("player 1", 1, "x" * (MAX_SEED_CHARS + 1), "1 to 64"),
        ("player 1", 1, "  ", "1 to 64"),
        ("player 1", 1, "a\x1b[2J", "printed"),
        ("watcher", 1, "mine", "not yours"),
    ):
        with pytest.raises(Refused, match=why):
            felt.act(revealing(player, seat, seed))


def test_a_shoe_takes_seeds_until_its_first_card_and_keeps_them_until_its_last() -> None:
    felt = Felt(SHOE, timers=BY_HAND).wagered()
    felt.act(sealing("player 0", 0, "shoe"))
    due = mixed_by_the_document(felt.shuffle.order, felt.shuffle.salt, ["shoe"])
    for number in range(2):
        felt.wagered().no_more_bets()
        if not number:
            felt.act(revealing("player 0", 0, "shoe"))
        dealt = [card for _, card in felt.deal.dealt]
        assert dealt == list(due)[felt.start : felt.start + len(dealt)]
        felt.over()
    with pytest.raises(Refused, match="after its next shuffle"):
        felt.act(sealing("player 0", 0, "more"))


def test_cards_that_are_shuffled_again_take_no_seed_from_before() -> None:
    felt = Felt(DECK, timers=BY_HAND).wagered()
    felt.act(sealing("player 0", 0, "for other cards"))
    felt.drill("boss", "short deck")
    assert felt.sealed_seeds == ()
    felt.act(sealing("player 0", 0, "new"))


def test_seeds_of_old_ledgers_that_were_given_in_the_open_still_mix() -> None:
    felt = Felt(DECK, timers=BY_HAND).wagered()
    felt.act(lambda table: table._record("seeded", {"seat": 0, "player": "player 0", "seed": "open"}))
    due = mixed_by_the_document(felt.shuffle.order, felt.shuffle.salt, ["open"])
    felt.no_more_bets()
    dealt = [card for _, card in felt.deal.dealt]
    assert dealt == list(due)[: len(dealt)]


# -- On record --------------------------------------------------------------------------------------


async def play_seeded(folder: Path) -> Pit:
    """A pit with a round of each kind of shuffle, each with a seed; nothing is stopped."""
    pit = Pit(folder)
    await pit.start()
    await pit.decide(lambda register: approve_all(register, pit.house, GAMES.values(), today()))
    await pit.give(lambda cage: cage.plan_welcome("ann"))
    for game in (DECK, SHOE):
        live = await pit.open_table(f"{game.name}-1", game, "house", STANDARD_LIMITS, BY_HAND)
        wagers = {spot.name: 500 for spot in game.wagers if game.is_required(spot)}
        await live.act(lambda table: table.sit("ann", 0, 20_000))
        for _ in range(2):
            if not live.table.used:
                await live.act(sealing("ann", 0, "Ann's own"))
            await live.act(lambda table, wagers=wagers: table.wager("ann", 0, wagers))  # type: ignore[misc]
            await live.act(lambda table: table.no_more_bets("house"))
            if live.table.awaited_seeds:
                assert live.seconds  # the clock runs, though the table waits for its dealer
                await live.act(revealing("ann", 0, "Ann's own"))
            while live.table.phase != Phase.BETTING:
                await live.act(Table.time_is_up)
    await pit.table(f"{SHOE.name}-1").act(lambda table: table.close("house"))  # which reveals its order
    return pit


async def test_replay_and_verify_check_seeds_and_find_a_changed_one(tmp_path: Path) -> None:
    pit = await play_seeded(tmp_path)
    await pit.stop()
    path = tmp_path / "ledger.sqlite"
    with Ledger.open(path, writer=False) as ledger:
        assert verify(ledger).problems == []
        for table in (f"{DECK.name}-1", f"{SHOE.name}-1"):
            for number in (1, 2):
                replay = replay_round(load_round(ledger, table, number))
                assert replay.recorded.order is not None
                assert replay.same
                how = "reveals its sealed" if replay.recorded.sealed_seeds else "adds the"
                assert next(describe_steps(replay)).text == f"Seat 1 (ann) {how} seed Ann's own"
    with raw(str(path)) as connection:
        connection.exec_driver_sql(
            "UPDATE events SET data = replace(data, 'Ann''s own', 'the house''s') WHERE kind = 'seeded'"
        )
    with Ledger.open(path, writer=False) as ledger:
        problems = " ".join(map(str, verify(ledger).problems))
    assert "the seed of seat 1 is not one that it had sealed before the bets closed" in problems
    assert "the order lacks the cards that event" in problems
    assert "the standing has other seeds" in problems


async def test_a_receipt_checks_seeds_without_the_house(tmp_path: Path) -> None:
    pit = await play_seeded(tmp_path)
    receipt = json.loads(json.dumps(history.write_receipt(pit.heads, f"{DECK.name}-1", 2)))
    await pit.stop()
    forged = json.loads(json.dumps(receipt).replace("Ann's own", "Bob's own"))
    found = await asyncio.to_thread(check_in_browser, [receipt, forged], receipt["head"]["key"])
    assert [verdict for verdict, _ in found] == ["This receipt holds.", "This receipt does not hold."]
    assert "at their places in that order, mixed by the seeds of seats 1." in found[0][1]
    assert "The seeds of seats 1 are the ones that they had sealed before the bets closed." in found[0][1]
    assert "This is not true: “The seeds of seats 1" in found[1][1]
