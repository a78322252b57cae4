"""Aggregate payout limits that a house posts: checked first, shown on the sign, and bound by the record."""

from pathlib import Path

import pytest

from feltlab.analysis.measures import DEFINITIONS
from feltlab.analysis.par_sheet import par_sheet
from feltlab.games import GAMES
from feltlab.report.document import Paragraph, Section, TableBlock
from feltlab.report.documents.packet.signs import table_signs
from feltlab.report.documents.payouts import payout_sections
from feltlab.submission.aggregate_limits import AGGREGATE_LIMIT, read_aggregate_limits
from feltlab.submission.controls import Control, draft_controls
from feltlab.submission.packet import PacketChange, changes, packet
from feltlab.submission.venues import venue
from tests.support.command_line import refusal

RUMMY, CARD_ROOM = GAMES["triple-shot-rummy"], venue("commercial")


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (
            "six-card-bonus=19,999",
            "The aggregate payout limit of 6 Card Bonus must be at least $20,000, not $19,999 "
            "(WAC 230-15-490).",
        ),
        (
            "pair-plus=20000",
            "Pair Plus may have no aggregate payout limit: its top odds are below 50 to 1 (WAC 230-15-490).",
        ),
        ("six-card-bonus", "--aggregate-limit takes NAME=VALUE, not 'six-card-bonus'."),
        ("six-card-bonus=lots", "'lots' is not an amount of dollars and whole cents."),
        (
            "tie=20000",
            "'tie' is not a spot of Triple Shot Rummy; "
            "its spots are play, ante, pair-plus and six-card-bonus.",
        ),
    ],
)
def test_a_limit_that_is_not_allowed_is_refused_before_anything_is_written(
    tmp_path: Path, given: str, sentence: str
) -> None:
    folder = tmp_path / "packet"
    words = ("--venue", "commercial", "-o", str(folder), "--aggregate-limit", given)
    assert refusal("packet", "triple-shot-rummy", *words) == sentence
    assert not folder.exists()


def test_a_venue_without_the_rule_refuses_a_limit(tmp_path: Path) -> None:
    words = ("--venue", "tribal", "-o", str(tmp_path / "packet"), "--aggregate-limit", "six-card-bonus=20000")
    assert refusal("packet", "triple-shot-rummy", *words) == (
        "No rule about aggregate payout limits is known for a tribal casino."
    )


def test_the_least_limit_is_allowed() -> None:
    """The highest wager, $400, times 50."""
    assert read_aggregate_limits(RUMMY, CARD_ROOM, ["six-card-bonus=$20,000"]) == {
        "six-card-bonus": 2_000_000
    }
    assert read_aggregate_limits(RUMMY, CARD_ROOM, []) == {}


def sign(limits: dict[str, int], at: str = "commercial") -> Section | None:
    made = packet(RUMMY, venue(at), aggregate_limits=limits)
    found = table_signs(made, par_sheet(RUMMY))
    return next((section for section in found if section.title == "Payout limits"), None)


def test_the_sign_posts_the_limit_that_the_house_has_chosen() -> None:
    posted = sign({"six-card-bonus": 2_500_000})
    assert posted
    table, told = posted.blocks
    assert isinstance(table, TableBlock)
    assert table.rows == (("6 Card Bonus", "$25,000"),)
    assert isinstance(told, Paragraph)
    assert "WAC 230-15-490" in told.text
    assert f"This is {AGGREGATE_LIMIT} (" in told.text


def test_a_limit_has_one_wording() -> None:
    """On the sign, in the mathematical report, in its definitions and in the drafted controls."""
    sheet = par_sheet(RUMMY, highest=CARD_ROOM.highest_wager)
    sections = payout_sections(sheet)
    told = [b.text for section in sections for b in section.blocks if isinstance(b, Paragraph)]
    assert any(AGGREGATE_LIMIT in text for text in told)
    assert DEFINITIONS["aggregate payout limit"].startswith(AGGREGATE_LIMIT)
    assert AGGREGATE_LIMIT in drafted({"six-card-bonus": 2_500_000}).does


def drafted(limits: dict[str, int]) -> Control:
    sheet = par_sheet(RUMMY, highest=CARD_ROOM.highest_wager)
    topics = {topic.title: topic for topic in draft_controls(sheet, CARD_ROOM, limits)}
    (found,) = [c for c in topics["Limits and payouts"].control if "aggregate payout limit" in c.does]
    return found


def test_the_drafted_controls_state_the_limit_that_was_given_and_ask_for_no_other() -> None:
    """The 6 Card Bonus is the only wager that may have one."""
    given, none = drafted({"six-card-bonus": 2_500_000}), drafted({})
    assert "$25,000 for 6 Card Bonus" in given.does
    assert given.house == ""
    assert "is possible for 6 Card Bonus" in none.does
    assert none.house == "the aggregate limit, if there is one"


def test_the_sign_of_a_house_without_a_limit_says_so_and_another_venue_has_none() -> None:
    none = sign({})
    assert none
    assert none.blocks == (Paragraph("No aggregate payout limit applies: every winner is paid in full."),)
    assert sign({}, "tribal") is None


def test_the_record_binds_the_limit_and_the_change_log_names_it() -> None:
    plain, limited = (
        packet(RUMMY, CARD_ROOM, aggregate_limits=limits) for limits in ({}, {"six-card-bonus": 2_000_000})
    )
    assert "aggregate_limits" not in plain.record  # as in records that were submitted before
    assert plain.digest != limited.digest
    assert list(changes(plain.record, limited.record)) == [
        PacketChange("aggregate payout limit six-card-bonus", "", "$20,000")
    ]
