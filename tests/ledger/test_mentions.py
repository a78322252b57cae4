"""The index of accounts: written with its events, built once for an old ledger, and never relied on."""

import pytest
from sqlalchemy import text

from feltlab.ledger.chains import verify_chains
from feltlab.ledger.event import Assessment, Draft, Entry, IndexPart, Key, Mention
from feltlab.ledger.ledger import Ledger, Repeated
from feltlab.ledger.mentions import (
    MentionFilter,
    find_mentions,
    find_neighbours,
    last_unmentioned,
    list_mentions,
    total_mentions,
)
from tests.support.databases import raw

ANN, BOB = "ann", "bob"


def round_end(round, *mentions, chain="war-1"):
    return Draft(chain, "settled", {}, round, tuple(mentions))


def write_rounds(ledger):
    """Three rounds of ann, the second also of bob and at two places of ann's."""
    ledger.append_blocking(Entry((round_end(1, Mention(ANN, 1, "war", 500)),)))
    two = (Mention(ANN, 1, "war", -500), Mention(ANN, 2, "war", -300), Mention(BOB, 3, "war", 0))
    ledger.append_blocking(Entry((Draft("war-1", "chose", {}, 2), round_end(2, *two))))
    ledger.append_blocking(Entry((round_end(7, Mention(ANN, 4, "rummy", 100), chain="rummy-1"),)))


def test_an_accounts_events_are_found_newest_first(database):
    with Ledger.open(database) as ledger:
        write_rounds(ledger)
        found = list_mentions(ledger, MentionFilter(ANN), 10)
        assert [(one.chain, one.round, one.place, one.cents) for one in found] == [
            ("rummy-1", 7, 4, 100),
            ("war-1", 2, 1, -500),
            ("war-1", 2, 2, -300),
            ("war-1", 1, 1, 500),
        ]
        ended = {(event.chain, event.round): event.at for event in ledger.events(kinds=("settled",))}
        assert all(one.at == ended[one.chain, one.round] for one in found)
        assert [one.round for one in list_mentions(ledger, MentionFilter(ANN), 2, 1)] == [2, 2]
        assert list_mentions(ledger, MentionFilter("carl"), 10) == []
        before, after = find_neighbours(ledger, [ANN], found[1].sequence, "correction")
        assert (before.round, after.round) == (1, 7)


def test_filters_and_sums(database):
    with Ledger.open(database) as ledger:
        write_rounds(ledger)
        asked = MentionFilter(ANN)

        def rounds(**more):
            return [one.cents for one in list_mentions(ledger, MentionFilter(ANN, **more), 10)]

        assert rounds(sign=1) == [100, 500]
        assert rounds(sign=-1) == [-500, -300]
        assert rounds(label="war", chain="war-1", sign=1) == [500]
        latest = list_mentions(ledger, asked, 1)[0].at
        assert rounds(since=latest) == [100]
        assert rounds(until=latest) == [-500, -300, 500]
        sums = {
            (found.label, found.state): (found.rows, found.cents) for found in total_mentions(ledger, asked)
        }
        assert sums == {("rummy", ""): (1, 100), ("war", ""): (3, -300)}


def test_an_assessment_is_stored_beside_its_mention_alone(database):
    with Ledger.open(database) as ledger:
        write_rounds(ledger)
        key = list_mentions(ledger, MentionFilter(ANN, label="war"), 1)[0].key
        ledger.append_blocking(Entry((), assessments=(Assessment(key, "judged", -11.5, 92.25, 2, 1, "{}"),)))
        (found,) = find_mentions(ledger, [key])
        assert found[8:] == ("judged", -11.5, 92.25, 2, 1, "{}")
        assert [one.key for one in list_mentions(ledger, MentionFilter(ANN, has_mistakes=True), 9)] == [key]
        (sums,) = [one for one in total_mentions(ledger, MentionFilter(ANN)) if one.state == "judged"]
        assert sums == ("war", "judged", 1, -500, -11.5, 92.25, 2, 1, 1)


def test_a_repeated_entry_is_mentioned_once(database):
    with Ledger.open(database) as ledger:
        entry = Entry((round_end(1, Mention(ANN, 1)),), key=Key(ANN, "key", "a" * 64))
        ledger.append_blocking(entry)
        with pytest.raises(Repeated):
            ledger.append_blocking(entry)
        assert len(list_mentions(ledger, MentionFilter(ANN), 9)) == 1


def drop_index(database):
    """Make a ledger one from before the index."""
    with raw(database) as connection:
        connection.execute(text("DROP TABLE mentions"))


def test_an_old_ledger_is_indexed_once(database):
    with Ledger.open(database) as ledger:
        write_rounds(ledger)
        assert last_unmentioned(ledger) == 0
        rows = list_mentions(ledger, MentionFilter(ANN), 9)
    drop_index(database)
    with Ledger.open(database) as ledger:
        last = last_unmentioned(ledger)
        assert last == ledger.last_sequence()  # with the last anchor
        new = round_end(8, Mention(ANN, 4, "rummy", 1), chain="rummy-1")
        ledger.append_blocking(Entry((new,)))
        assert [one.round for one in list_mentions(ledger, MentionFilter(ANN), 9)] == [8]
        parts = [
            (
                Mention(one.account, one.place, one.label, one.cents),
                one.sequence,
                one.chain,
                one.round,
                one.at,
            )
            for one in rows
        ]
        for is_last in (False, True):  # a build that was interrupted begins again
            ledger.append_blocking(Entry((), indexed=IndexPart(tuple(parts), is_last)))
        assert list_mentions(ledger, MentionFilter(ANN), 9)[1:] == rows
        assert last_unmentioned(ledger) == 0


def test_a_forged_index_is_not_the_ledgers_problem(database):
    with Ledger.open(database) as ledger:
        write_rounds(ledger)
    with raw(database) as connection:
        connection.execute(text("UPDATE mentions SET cents = 1000000"))
    with Ledger.open(database, writer=False) as ledger:
        assert list(verify_chains(ledger)) == []
