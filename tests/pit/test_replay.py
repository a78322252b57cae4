"""Recorded rounds: loaded from the ledger, and replayed to the same end."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest

from feltlab.core.cards import Cards
from feltlab.errors import Refused, Unknown
from feltlab.games import GAMES
from feltlab.ledger.event import HOUSE_ACTOR, Event
from feltlab.ledger.ledger import Ledger
from feltlab.pit.event_kinds import ROUND_ENDS
from feltlab.pit.recorded_round import (
    RecordedPayment,
    RecordedRound,
    load_last_rounds,
    load_round,
    table_names,
)
from feltlab.pit.replay import CALLS, CARDS, CHOICES, PAYMENTS, RETURNED, replay_round
from feltlab.pit.replay_steps import describe_steps
from feltlab.pit.table_state import cards_shown
from feltlab.shuffling.machine import commitment_of
from tests.conftest import ROUNDS

TABLES = [f"{game}-1" for game in GAMES]


@pytest.fixture(scope="module")
def settled(played_ledger: Ledger) -> Callable[[str], RecordedRound]:
    """The last settled round of a table with a choice that cost money, or with any where none can."""

    def find(table: str) -> RecordedRound:
        found = load_last_rounds(played_ledger, table, 1_000)
        whole = [r for r in reversed(found) if r.choices and r.payments and r.order and not r.void]
        return next((r for r in whole if any(made.cents for made in r.choices)), whole[0])

    return find


@pytest.mark.parametrize("table", TABLES)
def test_every_round_replays_as_it_was_recorded(played_ledger: Ledger, table: str) -> None:
    found = load_last_rounds(played_ledger, table, 1_000)
    assert len(found) == ROUNDS[found[0].game.name]
    assert [sentence for round in found for sentence in replay_round(round).sentences] == []
    assert {bool(round.void) for round in found} == {True, False}


@pytest.mark.parametrize("table", TABLES)
def test_a_round_replays_from_the_cards_laid_open_alone(played_ledger: Ledger, table: str) -> None:
    for round in load_last_rounds(played_ledger, table, 1_000):
        if not round.void:
            replay = replay_round(replace(round, order=None, salt=""))
            assert replay.same, replay.sentences
            assert replay.deals[-1].shoe != round.order


def test_each_round_of_a_shoe_begins_where_the_last_one_ended(played_ledger: Ledger) -> None:
    found = load_last_rounds(played_ledger, "casino-war-1", 1_000)
    on_the_way = [(a, b) for a, b in pairwise(found) if a.shuffle == b.shuffle]
    assert on_the_way
    assert all(a.used == b.start for a, b in on_the_way if a.payments)


def test_a_revealed_order_matches_its_commitment(played_ledger: Ledger) -> None:
    for table in TABLES:
        for round in load_last_rounds(played_ledger, table, 1_000):
            if round.order:
                assert commitment_of(round.order, round.salt) == round.commitment
            assert round.began <= (round.closed or round.began) <= round.ended


def test_choices_name_the_player_or_the_house(played_ledger: Ledger) -> None:
    found = [r for table in TABLES for r in load_last_rounds(played_ledger, table, 1_000)]
    made = [(r, made) for r in found for made in r.choices]
    assert {"Time is up.", "The player left.", ""} == {choice.why for _, choice in made}
    assert all(choice.by_house == bool(choice.why) for _, choice in made)
    for round, choice in made:
        players = {seat.position - 1: seat.player for seat in round.seats}
        assert choice.by in (HOUSE_ACTOR, players[choice.seat])


def test_recall_has_the_last_rounds_of_a_table_and_of_all(played_ledger: Ledger) -> None:
    assert table_names(played_ledger) == sorted(TABLES)
    of_one = load_last_rounds(played_ledger, TABLES[0], 3)
    assert [r.name for r in of_one] == [
        r.name for r in load_last_rounds(played_ledger, TABLES[0], 1_000)[-3:]
    ]
    ends = [event for event in played_ledger.events(kinds=ROUND_ENDS) if event.chain in TABLES]
    assert [r.name for r in load_last_rounds(played_ledger, last=7)] == [
        f"{e.chain}:{e.round}" for e in ends[-7:]
    ]
    assert load_last_rounds(played_ledger, last=0) == []


def test_tables_and_rounds_not_on_record_are_refused(played_ledger: Ledger) -> None:
    with pytest.raises(
        Unknown, match=r"'moon-1' is not a table of this ledger; its tables are .*casino-war-1"
    ):
        load_last_rounds(played_ledger, "moon-1")
    with pytest.raises(Unknown, match="is not a table"):
        load_round(played_ledger, "cage", 0)
    with pytest.raises(Unknown, match="casino-war-1 has played no round 9999"):
        load_round(played_ledger, "casino-war-1", 9999)
    (standing,) = played_ledger.last_events("casino-war-1", ("standing",))
    with pytest.raises(Refused, match="nothing is settled or returned yet"):
        load_round(played_ledger, "casino-war-1", standing.round)


# -- Differences ------------------------------------------------------------------------------------


def about(round: RecordedRound) -> set[str]:
    replay = replay_round(round)
    told = list(describe_steps(replay))
    assert all(any(d.sentence in step.differs for step in told) for d in replay.differences)
    return {difference.about for difference in replay.differences}


@pytest.mark.parametrize("table", TABLES)
def test_a_changed_payment_differs(settled: Callable[[str], RecordedRound], table: str) -> None:
    round = settled(table)
    first, *rest = round.payments
    more = RecordedPayment(first.seat, first.spot, first.outcome, first.staked, first.net + 100)
    assert about(replace(round, payments=(more, *rest))) == {PAYMENTS}
    assert about(replace(round, payments=tuple(rest))) == {PAYMENTS}
    assert about(replace(round, returned={**round.returned, first.seat: 1})) == {RETURNED}


def test_a_stage_that_was_settled_late_differs(settled: Callable[[str], RecordedRound]) -> None:
    round = settled("triple-shot-bonus-1")
    assert round.settled
    assert about(replace(round, settled=round.settled - 1)) == {PAYMENTS}
    assert about(replace(round, settled=round.settled + 1)) == {PAYMENTS}


@pytest.mark.parametrize("table", TABLES)
def test_changed_calls_and_raises_differ(settled: Callable[[str], RecordedRound], table: str) -> None:
    round = settled(table)
    assert about(replace(round, calls=(*round.calls, "Good luck."))) == {CALLS}
    dear = next((made for made in round.choices if made.cents), round.choices[0])
    cheaper = tuple(made._replace(cents=made.cents - 100) if made is dear else made for made in round.choices)
    assert about(replace(round, choices=cheaper)) == {CHOICES}
    (sentence,) = replay_round(replace(round, choices=cheaper)).sentences
    assert sentence.startswith(f"Seat {dear.seat + 1} chose {dear.choice!r} for ")


@pytest.mark.parametrize("table", TABLES)
def test_a_choice_out_of_turn_or_left_out_differs(
    settled: Callable[[str], RecordedRound], table: str
) -> None:
    round = settled(table)
    stranger = round.choices[0]._replace(seat=9)
    assert about(replace(round, choices=(stranger, *round.choices[1:]))) == {CHOICES}
    assert CHOICES in about(replace(round, choices=round.choices[:-1]))
    assert about(replace(round, choices=(*round.choices, round.choices[0]))) == {CHOICES}


@pytest.mark.parametrize("table", TABLES)
def test_another_card_differs(settled: Callable[[str], RecordedRound], table: str) -> None:
    round = replace(settled(table), order=settled(table).dealt_order, seeds=())
    assert round.order
    a, b, *rest = round.order[round.start :]
    swapped = Cards((*round.order[: round.start], b, a, *rest))
    assert CARDS in about(replace(round, order=swapped))
    assert CARDS in about(replace(round, used=round.used + 1))
    twice = Cards(round.order[:1] * len(round.order))
    assert about(replace(round, order=twice)) == {CARDS}


def test_a_void_round_gives_every_cent_back(played_ledger: Ledger) -> None:
    found = [r for table in TABLES for r in load_last_rounds(played_ledger, table, 1_000) if r.void]
    assert any(round.choices for round in found)
    for round in found:
        put = sum(sum(seat.wagers.values()) for seat in round.seats)
        won = sum(paid.net for paid in round.payments)  # before the round became void
        assert sum(round.returned.values()) == put + sum(made.cents for made in round.choices) + won
        seat = round.seats[0].position - 1
        kept = replace(round, returned={**round.returned, seat: round.returned[seat] - 1})
        assert about(kept) == {RETURNED}


def test_a_round_under_other_rules_is_replayed_and_named(
    settled: Callable[[str], RecordedRound],
) -> None:
    round = replace(settled(TABLES[0]), digest="0" * 64)
    assert round.under_other_rules
    assert replay_round(round).same
    (told,) = replay_round(replace(round, calls=())).sentences or ("",)
    assert told == ""
    (told,) = replay_round(replace(round, used=0)).sentences
    assert told.endswith("It was recorded under other rules.")


def test_steps_describe_the_round_in_order(settled: Callable[[str], RecordedRound]) -> None:
    round = settled("high-five-poker-1")
    told = [step.text for step in describe_steps(replay_round(round))]
    assert told[len(round.seeds)] == "The dealer calls: No more bets."
    assert len([text for text in told if " chooses " in text]) == len(round.choices)
    returned = [cents for cents in round.returned.values() if cents]  # nobody takes back $0
    assert len([text for text in told if " takes back " in text]) == len(returned)
    titles = {spot.title for spot in round.game.spots}
    paid = [step.text for step in describe_steps(replay_round(round)) if step.about == PAYMENTS]
    assert {text.split(", ")[1].rpartition(" $")[0] for text in paid} <= titles
    assert any(text.startswith("Dealer: ") for text in told)
    shown = sorted(card for text in told if ": " in text[:40] for card in text.split(": ")[1].split())
    laid = [text.partition(":")[2] for text in cards_shown(replay_round(round).deals[-1]).split()]
    assert all(card in shown for card in laid)


def test_a_round_is_plain_data(settled: Callable[[str], RecordedRound]) -> None:
    round = settled("casino-war-1")
    data = round.as_json()
    assert data["seats"][0]["seat"] == round.seats[0].position
    assert data["win"] == round.win == -sum(paid["net"] for paid in data["payments"])


def test_unrelated_events_leave_a_round_unchanged(settled: Callable[[str], RecordedRound]) -> None:
    round = settled("casino-war-1")
    event = Event(round.table, 1, "ready", round.round, "", {})
    assert round.after(event, None) is round  # type: ignore[arg-type]
