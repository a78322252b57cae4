"""The registry of event kinds, and that the fold of each chain knows exactly its kinds."""

import re

import pytest

from feltlab.ledger.event import CAGE_CHAIN, HOUSE_CHAIN, Draft
from feltlab.pit import cage, table_events
from feltlab.pit.event_kinds import (
    CAGE_KINDS,
    HOUSE_KINDS,
    MONEY_MOVES,
    ROUND_ENDS,
    SIGNIFICANT_KINDS,
    SUBJECTS,
    TABLE_KINDS,
    kind_of,
    kinds_about,
)
from feltlab.pit.verify import table_checks, table_follower


def test_each_fold_has_a_handler_for_each_kind() -> None:
    assert table_events.HANDLERS.keys() == TABLE_KINDS.keys()
    assert cage.HANDLERS.keys() == CAGE_KINDS.keys()


def test_only_known_kinds_are_checked() -> None:
    assert table_checks.CHECKS.keys() | table_follower._HANDLERS.keys() <= TABLE_KINDS.keys()


@pytest.mark.parametrize("kind", SIGNIFICANT_KINDS.values(), ids=lambda kind: kind.name)
def test_a_significant_kind_has_a_sentence_and_is_found_under_one_subject(kind) -> None:
    assert kind.sentence
    assert [subject for subject in SUBJECTS if kind.name in kinds_about(subject)] == [kind.subject]


def test_subjects_together_are_all_significant_kinds() -> None:
    assert {name for subject in SUBJECTS for name in kinds_about(subject)} == SIGNIFICANT_KINDS.keys()
    assert kinds_about("") == kinds_about("weather") == tuple(SIGNIFICANT_KINDS)


def test_no_kind_of_the_house_has_the_name_of_a_kind_of_tables() -> None:
    assert not HOUSE_KINDS.keys() & TABLE_KINDS.keys()  # the page of events finds the sentence by the name


def test_only_kinds_of_tables_have_phases_end_rounds_and_move_money() -> None:
    assert all(kind.phases for kind in TABLE_KINDS.values())
    for kind in (*HOUSE_KINDS.values(), *CAGE_KINDS.values()):
        assert (kind.phases, kind.ends_round, kind.cage_kind) == ((), False, "")
    assert ROUND_ENDS == ("settled", "void")
    assert {TABLE_KINDS[name].cage_kind for name in MONEY_MOVES} == {"to-table", "from-table"}


def test_money_moves_by_events_that_the_cage_knows() -> None:
    assert {TABLE_KINDS[name].cage_kind for name in MONEY_MOVES} < CAGE_KINDS.keys()


def test_an_event_is_described_from_its_data() -> None:
    void = TABLE_KINDS["void"]
    assert void.describe({"by": "sue", "reason": "A card fell."}) == "By sue: A card fell."
    assert void.describe({"by": "sue"}) == "By sue"
    assert all(re.search(r"{\w+}", kind.sentence) for kind in SIGNIFICANT_KINDS.values())


@pytest.mark.parametrize(
    ("chain", "name", "found"),
    [
        ("casino-war-1", "standing", TABLE_KINDS["standing"]),
        (CAGE_CHAIN, "standing", CAGE_KINDS["standing"]),
        (HOUSE_CHAIN, "started", HOUSE_KINDS["started"]),
        (HOUSE_CHAIN, "settled", None),
        ("casino-war-1", "rained", None),
    ],
)
def test_the_kind_of_an_event_depends_on_its_chain(chain, name, found) -> None:
    assert kind_of(Draft(chain, name, {})) is found
