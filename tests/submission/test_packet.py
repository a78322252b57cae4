"""Submission packets: every part for every game and venue, and a record that tells what changed."""

import json
import os
import re
from dataclasses import replace
from datetime import date
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from pypdfium2 import PdfDocument

from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.core.paytable import PayTable, lose, push, win
from feltlab.digests import sha256_hex
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.games.data import cards_at_once, example, printed_lines
from feltlab.report.document import Document, Paragraph, Picture, TableBlock
from feltlab.report.documents.packet.parts import documents, join_parts, printed_cards
from feltlab.report.documents.sign_off import SignOff
from feltlab.report.renderers import pdf
from feltlab.signing.manifest import find_damage
from feltlab.submission.packet import Packet, PacketChange, Record, packet, read_record
from feltlab.submission.packet_figures import PacketFigures, prove_packet
from feltlab.submission.pay_text import describe_pay
from feltlab.submission.rule_sheet import (
    DEALING,
    SETTLING,
    parse_rule_sheet,
    read_rule_sheet,
    render_rule_sheet,
)
from feltlab.submission.submitter import NOBODY, Submitter
from feltlab.submission.venues import venue, venues
from feltlab.text import percent
from tests.support.command_line import refusal, run
from tests.support.features import EVERY_KIND, representatives
from tests.support.game_data import data_of

PARTS = (
    "Cover letter",
    "Rules of play",
    "Dealing procedure",
    "Training manual",
    "Irregularities",
    "Pay tables",
    "Equipment and layout",
    "Rack card and signs",
    "Mathematical report",
    "Change log",
    "Internal controls",
    "Section 18 dossier",
    "Approval checklist",
)
COMMERCIAL = venue("commercial")


def titles(where: str) -> tuple[str, ...]:
    """Only a tribal venue has a dossier."""
    return tuple(title for title in PARTS if where == "tribal" or title != "Section 18 dossier")


every_game = pytest.mark.parametrize("name", EVERY_KIND)


def submitted(
    name: str,
    *,
    at: str = "commercial",
    before: Record | None = None,
    by: Submitter = NOBODY,
    **options: str,
) -> Packet:
    chosen = {option.replace("_", "-"): value for option, value in options.items()}
    return packet(GAMES[name].with_options(chosen), venue(at), before, by)


@cache
def figures_of(game: Game, where: str) -> PacketFigures:
    return prove_packet(packet(game, venue(where)))


def parts(made: Packet) -> tuple[Document, ...]:
    if made == packet(made.game, made.venue):
        return first_parts(made.game, made.venue.name)
    return documents(made, figures_of(made.game, made.venue.name))


@cache
def first_parts(game: Game, where: str) -> tuple[Document, ...]:
    """The parts of a first packet without a submitter, which most tests read."""
    return documents(packet(game, venue(where)), figures_of(game, where))


def part(made: Packet, title: str) -> Document:
    (found,) = [each for each in parts(made) if each.kind == title]
    return found


def printed(made: Packet, sheet: str) -> Document:
    """The rack card or the placard."""
    (found,) = [card for card in printed_cards(parts(made)) if card.sections[0].sheet == sheet]
    return found


def whole(made: Packet) -> Document:
    return join_parts(made, parts(made))


def tables(document: Document) -> list[TableBlock]:
    return [
        block for section in document.sections for block in section.blocks if isinstance(block, TableBlock)
    ]


def words(document: Document) -> str:
    blocks = [block for section in document.sections for block in section.blocks]
    told = [block.text for block in blocks if isinstance(block, Paragraph)]
    return "\n".join([*told, *(cell for table in tables(document) for row in table.rows for cell in row)])


def clauses_in(document: Document) -> list[str]:
    found = [table for table in tables(document) if table.columns[0].title == "clause"]
    return [row[0] for table in found for row in table.rows]


# -- Rule sheets ------------------------------------------------------------------------------------


@every_game
def test_the_reader_of_rule_sheets_loses_nothing(name: str) -> None:
    """What is read, written out again as the sheet has it, is the rendered sheet without its backticks."""
    read = parse_rule_sheet(GAMES[name])
    again = [f"# {read.title}", read.summary]
    for chapter in read.chapters:
        again.append(f"## {chapter.number} {chapter.title}")
        for clause in chapter.clauses:
            reading = f" Reading: {clause.reading}" if clause.reading else ""
            again.append(f"**{clause.number}** {clause.text}\n> Source: {clause.source}{reading}")
            if clause.table:
                head, *rows = (f"| {' | '.join(row)} |".replace("|  |", "| |") for row in clause.table)
                again.append("\n".join([head, "|" + "---|" * len(clause.table[0]), *rows]))
    again.append(read.closing)
    flat = "\n\n".join(again).replace("|  |", "| |")
    assert flat == render_rule_sheet(GAMES[name]).strip().replace("`", "")


# -- Parts ------------------------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("where", venues())
def test_every_part_is_there_and_the_whole_holds_them_all(name: str, where: str) -> None:
    made = submitted(name, at=where)
    assert tuple(part.kind for part in parts(made)) == titles(where)
    assert all(part.sections and part.digest == made.game.digest for part in parts(made))
    heads = [s for s in whole(made).sections if s.title.startswith("Part ")]
    assert [s.title for s in heads] == [f"Part {n}: {kind}" for n, kind in enumerate(titles(where), 1)]
    # The change log says only that there is nothing to compare with, and needs no page of its own.
    assert [s.title for s in heads if not s.new_page] == ["Part 10: Change log"]
    assert sum(len(part.sections) for part in parts(made)) + len(heads) + 1 == len(whole(made).sections)


@every_game
def test_tables_are_whole(name: str) -> None:
    for table in tables(whole(submitted(name))):
        assert table.rows
        assert {len(row) for row in table.rows} == {len(table.columns)}


@every_game
def test_every_clause_is_in_the_parts_exactly_once(name: str) -> None:
    made = {each.kind: clauses_in(each) for each in parts(submitted(name))}
    rules, dealing, irregularities = (
        made.pop(title) for title in ("Rules of play", "Dealing procedure", "Irregularities")
    )
    sheet = parse_rule_sheet(GAMES[name])
    chapters = [chapter for chapter in sheet.chapters if chapter.title in (*DEALING, SETTLING)]
    to_deal = [clause.number for chapter in chapters for clause in chapter.clauses]
    # the manual repeats what a dealer has to know: dealing, settling and irregularities, each clause once
    assert made.pop("Training manual") == to_deal + irregularities
    assert set(to_deal) < set(dealing)
    found = rules + dealing + irregularities
    assert len(set(found)) == len(found)
    assert set(found) == {clause.number for clause in sheet.clauses}
    assert rules
    assert dealing
    assert irregularities
    assert not any(made.values())


@every_game
def test_every_pay_table_is_there_by_its_id_and_those_applied_for_are_marked(name: str) -> None:
    game = GAMES[name]
    shown = tables(part(submitted(name), "Pay tables"))
    for table, spot in zip(shown, game.spots, strict=True):
        ids = [known.name for known in spot.tables]
        assert [c.title.removesuffix(" *") for c in table.columns[1:]] == ids
        marked = [c.title.removesuffix(" *") for c in table.columns[1:] if c.title.endswith(" *")]
        assert marked == ([game.pay_table(spot).name] if len(ids) > 1 else [])
        assert [c.strong for c in table.columns] == [c.title.endswith(" *") for c in table.columns]
        at = 1 + ids.index(game.pay_table(spot).name)
        pays = {row[0]: row[at] for row in table.rows[: len(table.rows) - table.totals] if row[at] != "–"}
        listed = printed_lines(game, spot)  # tests/pit/test_view.py holds them to the pay tables
        assert pays == {line.outcome: describe_pay(spot, line) for line in listed}


def test_an_option_marks_another_pay_table() -> None:
    *_, bonus = tables(part(submitted("triple-shot-rummy", six_card_bonus="2"), "Pay tables"))
    marked = [c.title for c in bonus.columns[1:]]
    assert len(marked) > 2
    assert [title for title in marked if title.endswith(" *")] == [marked[1]]


def test_figures_of_pay_tables_are_those_of_the_documents() -> None:
    """Triple Shot Rummy prints 2.32, 5.57, 7.28, 2.14, 5.39 and 7.09 % for Pair Plus 1 to 6.

    It prints a hit frequency of 25.61 %: three cards are a pair or better in 5,660 of 22,100 deals. Table 6
    keeps 1,568 units of 22,100: 7.0950 %, which the paper cut off instead of rounding.
    """
    _, _, pair_plus, bonus = tables(part(submitted("triple-shot-rummy"), "Pay tables"))
    hits, edges = pair_plus.rows[-2:]
    assert hits == ("hit frequency", *["25.6109 %"] * 6)
    assert percent(Fraction(5660, 22100)) == "25.6109 %"
    assert edges[1:6] == ("2.3167 %", "5.5747 %", "7.2760 %", "2.1357 %", "5.3937 %")
    assert (edges[0], edges[6]) == ("house edge", percent(Fraction(1568, 22100)))
    assert [row for row in pair_plus.rows if "–" in row] == [
        ("Royal Flush", "–", "–", "–", "50 to 1", "50 to 1", "50 to 1")
    ]
    # The same paper prints 10.23, 15.28, 6.74 and 8.56 % for the 6 Card Bonus.
    assert bonus.rows[-1] == ("house edge", "10.2248 %", "15.2790 %", "6.7413 %", "8.5614 %")


@pytest.mark.slow
def test_a_raise_has_no_edge_of_its_own() -> None:
    sixth, _, play, *_ = tables(part(submitted("rabbit-hunter"), "Pay tables"))
    assert sixth.totals == 0
    assert "A price, which is never returned" in sixth.caption
    assert [row[0] for row in play.rows[-play.totals :]] == ["hit frequency"]
    assert "its edge is part of the edge of the Ante" in play.caption
    insurance = tables(part(submitted("triple-shot-bonus"), "Pay tables"))[1]
    assert "The best play never makes this wager" in insurance.caption


@every_game
def test_the_example_is_dealt_to_its_end(name: str) -> None:
    *_, end = example(GAMES[name])
    assert end.over
    assert len(end.dealt) == len(end.shoe) - len(end.rest)


@every_game
def test_packets_of_cards_follow_from_the_dealing(name: str) -> None:
    assert cards_at_once(GAMES[name]) == data_of(name).shuffler.packet


def test_the_dealer_calls_the_positions_without_pair_plus() -> None:
    dealing = part(submitted("triple-shot-rummy"), "Dealing procedure")
    (calls,) = [section for section in dealing.sections if section.title == "The dealer's calls"]
    assert "No Pair Plus, position 2." in str(calls.blocks)


def test_caps_hold_from_their_days() -> None:
    """Card rooms: 300 dollars a wager until July 2023, 400 from August 2023; tribes set their own."""
    assert COMMERCIAL.cap(date(2023, 7, 31)) == 30000
    assert COMMERCIAL.cap(date(2023, 8, 1)) == 40000
    assert venue("tribal").cap(date(2023, 8, 1)) is None
    sign = str(part(submitted("casino-war"), "Rack card and signs"))
    assert "may exceed $400 a wager, the limit of WAC 230-15-140 since August 2023 (not confirmed)." in sign
    assert "$300" not in sign  # the cap before it has expired
    assert "$300" not in str(part(submitted("casino-war", at="tribal"), "Rack card and signs"))


def test_the_checklists_name_who_approves() -> None:
    assert "internal controls" in words(part(submitted("casino-war"), "Approval checklist")).lower()
    tribal = words(part(submitted("casino-war", at="tribal"), "Approval checklist"))
    assert "concurred" in tribal
    assert "to be confirmed against the tribe's compact" in tribal


@pytest.mark.slow
def test_the_rack_card_words_what_the_rules_abbreviate() -> None:
    (pays,) = tables(printed(submitted("triple-shot-bonus"), "rack card"))
    assert ("", "one split hand ties, one wins", "half of what you staked") in pays.rows
    assert len({row[1:] for row in pays.rows if not row[0]}) == sum(not row[0] for row in pays.rows)


def test_pays_on_several_units_say_so() -> None:
    half = Fraction(1, 2)
    lines = (win("a"), win("b", half), lose("c", -half), lose("d"), push("e"), win("f", 2, unraised=True))
    once, twice = (Spot("a", "A", (PayTable("a", lines),), most_units=units) for units in (1, 2))
    words = ("1 to 1", "1 to 2", "lose half", "lose", "push", "2 to 1")
    assert tuple(describe_pay(once, line) for line in lines) == words
    several = ("1 to 1 on every unit", "1 to 2 on every unit", "lose half of every unit", "lose every unit")
    assert tuple(describe_pay(twice, line) for line in lines) == (*several, "push", "2 to 1")


def test_the_rack_card_has_a_helpline_and_a_revision_that_changes_with_the_options() -> None:
    cards = [str(printed(submitted("casino-war", decks=decks), "rack card")) for decks in ("6", "8")]
    assert all("1-800-547-6133" in card for card in cards)
    revisions = {re.search(r"revision ([0-9a-f]{12})", card)[1] for card in cards}  # type: ignore[index]
    assert len(revisions) == 2


def test_the_rack_card_of_rummy_has_the_points() -> None:
    points, _ = tables(printed(submitted("triple-shot-rummy"), "rack card"))
    assert ("10, jack, queen, king", "10") in points.rows


@pytest.mark.slow
def test_only_rummy_states_a_number_of_games_on_one_hand() -> None:
    """Its letter does; no other paper states a number."""
    for name in representatives():
        made = {each.kind: each for each in parts(submitted(name))}
        told = str([made[t] for t in ("Equipment and layout", "Rack card and signs", "Approval checklist")])
        assert ("four games" in told) == (name == "triple-shot-rummy"), name


def test_a_shuffler_is_an_approved_model_at_every_kind_of_venue() -> None:
    for where in venues():
        assert "its model is approved by the Commission" in words(
            part(submitted("casino-war", at=where), "Approval checklist")
        )


@pytest.mark.slow
def test_the_layout_is_drawn_with_its_notices() -> None:
    (layout,) = [
        s
        for s in part(submitted("triple-shot-bonus"), "Equipment and layout").sections
        if s.title == "Layout"
    ]
    (picture,) = [block for block in layout.blocks if isinstance(block, Picture)]
    for notice in ("Dealer must hit soft 17", "Ties forfeit half", "9 to 1, ties win"):
        assert notice in picture.svg.decode()
        assert notice in picture.words


@pytest.mark.slow
def test_the_example_takes_and_pays_in_stages() -> None:
    """War is settled before the second card is dealt."""
    (table,) = [
        t
        for t in tables(part(submitted("triple-shot-bonus"), "Dealing procedure"))
        if t.columns[0].title == "step" and len(t.columns) == 4
    ]
    actions = [row[1] for row in table.rows]
    assert actions.index("Position 1, War") < actions.index("To position 1", 1)
    assert actions.index("Position 1, Blackjack") < actions.index("Position 1, Poker")


def test_a_packet_for_a_table_dealt_by_hand_has_no_shuffler() -> None:
    made = {each.kind: each for each in parts(submitted("triple-shot-rummy", dealt_by="hand"))}
    assert "The shuffler" not in [section.title for section in made["Equipment and layout"].sections]
    assert not re.search("guide for faults|seven steps", str(made["Irregularities"]))
    assert "shuffler" not in words(made["Internal controls"])


@pytest.mark.slow
def test_the_sign_says_whose_the_advantage_is() -> None:
    assert "-25.15 %" in words(part(submitted("triple-shot-bonus"), "Rack card and signs"))


# -- The record and the change log ------------------------------------------------------------------


@every_game
def test_the_record_is_the_same_bytes_each_time(name: str) -> None:
    assert json.dumps(submitted(name).as_json()) == json.dumps(submitted(name).as_json())
    assert first_parts.__wrapped__(GAMES[name], "commercial") == first_parts(GAMES[name], "commercial")


def test_without_a_packet_before_nothing_is_said_of_a_first_submission() -> None:
    made = submitted("casino-war")
    assert made.changes is None
    assert "No previous packet was given to compare with." in words(part(made, "Change log"))


def test_nothing_changed() -> None:
    made = submitted("casino-war", before=submitted("casino-war").as_json())
    assert made.changes == ()
    assert "Nothing changed" in words(part(made, "Change log"))


def test_a_changed_option_and_its_pay_table_are_found() -> None:
    made = submitted("high-five-poker", trips="APP-02", before=submitted("high-five-poker").as_json())
    assert made.changes == (
        PacketChange("option trips", "APP-01", "APP-02"),
        PacketChange("pay table trips", "APP-01", "APP-02"),
        PacketChange("pay table trips: Full House (Aces Up)", "20 to 1", "25 to 1"),
        PacketChange(
            "clause 7.6",
            "Trips pays by the table APP-01; the papers have three.",
            "Trips pays by the table APP-02; the papers have three.",
        ),
    )
    assert "20 to 1" in words(part(made, "Change log"))
    assert made.as_json()["previous"] == submitted("high-five-poker").record["digest"]


def test_changed_new_and_dropped_clauses_are_found() -> None:
    now = submitted("casino-war").as_json()
    clauses = {
        **now["clauses"],
        "1.1": {"text": "One deck.", "digest": ""},
        "9.9": {"text": "Old.", "digest": ""},
    }
    del clauses["1.2"]
    found = submitted("casino-war", before={**now, "clauses": clauses}).changes
    assert found is not None
    assert [change.what for change in found] == ["clause 1.1", "clause 9.9", "clause 1.2"]
    assert (found[1].before, found[1].now) == ("Old.", "")
    assert (found[2].before, found[2].now) == ("", now["clauses"]["1.2"]["text"])


def test_outcomes_that_have_another_name_today_are_no_change() -> None:
    """Doubled hands had lines of their own, and lines on two units said so."""
    now = submitted("triple-shot-bonus").as_json()
    pays = now["pay_tables"]["blackjack"]["pays"]
    before = pays | {"double, win": "1 to 1 on 2 units", "split, win and win": "1 to 1 on 2 units"}
    tables = now["pay_tables"] | {"blackjack": {"id": "3:2", "pays": before}}
    assert list(submitted("triple-shot-bonus", before={**now, "pay_tables": tables}).changes or ()) == []
    tables["blackjack"]["pays"] = before | {"double, win": "2 to 1 on 2 units"}
    (change,) = submitted("triple-shot-bonus", before={**now, "pay_tables": tables}).changes or ()
    assert (change.what, change.before) == ("pay table blackjack: double, win", "2 to 1")


def test_a_record_from_before_rules_depended_on_options_can_still_be_read() -> None:
    """Written by an earlier feltlab; its clauses hold the rules under all options."""
    old = read_record(Path(__file__).parent / "old_packet.json")
    found = {change.what: change for change in submitted("casino-war", before=old).changes or ()}
    assert (found["option war"].before, found["option war"].now) == ("", "one")
    assert found["clause 1.5"].before.startswith("Several rounds are dealt from one shoe.")
    assert "clause 2.1" not in found


def test_other_sources_alone_are_a_change_too() -> None:
    before = {**submitted("casino-war").as_json(), "rules_digest": "another"}
    (change,) = submitted("casino-war", before=before).changes or ()
    assert change.what == "source of the rules"


def test_only_a_packet_of_a_demonstration_carries_its_mark(tmp_path: Path) -> None:
    plain = submitted("casino-war")
    marked = replace(plain, demonstration=True)
    assert "demonstration" not in plain.as_json()
    assert marked.digest == plain.digest  # the game is the same
    (tmp_path / "packet.json").write_text(json.dumps(marked.as_json()))
    assert read_record(tmp_path)["demonstration"].startswith("DEMONSTRATION")


# -- The command ------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _renderer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A renderer that leaves the title of a document, for rendering has its own tests."""
    monkeypatch.setattr(
        "feltlab.report.packet_files.render", lambda document, paper: f"{document.kind}, {paper}".encode()
    )


def written(folder: Path, *words: str) -> None:
    result = run("packet", "casino-war", "--venue", "commercial", "-o", str(folder), *words)
    assert result.exit_code == 0, result.stderr


def test_the_command_writes_the_whole_its_parts_and_the_record(tmp_path: Path) -> None:
    written(tmp_path / "war")
    names = sorted(str(p.relative_to(tmp_path / "war")) for p in (tmp_path / "war").rglob("*.*"))
    assert names[:2] == ["annex/strategy.csv.gz", "figures.json"]
    assert names[2:5] == ["manifest.json", "packet.json", "packet.pdf"]
    assert names[5:7] == ["parts/01-cover-letter.pdf", "parts/02-rules-of-play.pdf"]
    assert len(names) == 5 + len(titles("commercial")) + 2
    assert names[-2:] == ["print/placard.pdf", "print/rack-card.pdf"]
    assert read_record(tmp_path / "war") == submitted("casino-war").as_json()
    assert [path.name for path in tmp_path.iterdir()] == ["war"]  # nothing is left beside


@pytest.mark.parametrize("name", ["casino-war"])
def test_the_contents_have_the_page_of_every_part(name: str) -> None:
    made = submitted(name, at="tribal")
    pages = [page.get_textpage().get_text_bounded() for page in PdfDocument(pdf.render(whole(made)))]
    for n, title in enumerate(titles("tribal"), 1):
        found = re.search(rf"Part {n}: {title}\s+(\d+)\s", pages[0])
        assert found, title
        assert f"Part {n}: {title}" in pages[int(found[1]) - 1]


def test_a_packet_is_replaced_and_may_be_its_own_previous(tmp_path: Path) -> None:
    written(tmp_path / "war")
    before = read_record(tmp_path / "war")["digest"]
    written(tmp_path / "war", "--previous", str(tmp_path / "war"), "--option", "decks=8")
    record = read_record(tmp_path / "war" / "packet.json")
    assert (record["options"]["decks"], record["previous"]) == ("8", before)


def test_what_is_not_a_packet_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "dear.txt").write_text("Dear")
    words = ("packet", "casino-war", "--venue", "commercial", "-o")
    assert "other things" in refusal(*words, str(tmp_path / "letters"))
    assert "is a file" in refusal(*words, str(tmp_path / "letters" / "dear.txt"))
    written(tmp_path / "war")
    (tmp_path / "war" / "parts" / "mine.txt").write_text("mine")
    assert "other things" in refusal(*words, str(tmp_path / "war"))


def test_a_failure_leaves_the_packet_that_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path / "war")
    before = read_record(tmp_path / "war")

    def fails(document: Document, paper: str) -> bytes:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("feltlab.report.packet_files.render", fails)
    words = ("packet", "casino-war", "--venue", "tribal", "-o", str(tmp_path / "war"))
    assert "No space left on device" in refusal(*words)
    assert read_record(tmp_path / "war") == before
    assert [path.name for path in tmp_path.iterdir()] == ["war"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("casino-war", "--venue", "moon"), "'moon' is not a venue; the venues are commercial and tribal."),
        (("casino-war", "--venue", "tribal", "--option", "decks=9"), "decks=9 is not possible"),
        (("casino-war", "--venue", "tribal", "--previous", "nowhere"), "nowhere does not exist"),
        (("faro", "--venue", "tribal"), "'faro' is not a game"),
    ],
)
def test_mistakes_are_refused_in_a_sentence(words: tuple[str, ...], sentence: str, tmp_path: Path) -> None:
    assert sentence in refusal("packet", *words, "-o", str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_a_packet_before_must_be_whole_and_of_the_same_game(tmp_path: Path) -> None:
    record = submitted("casino-war").as_json()
    words = ("--venue", "tribal", "-o", str(tmp_path / "out"), "--previous", str(tmp_path / "old.json"))
    told = {
        "{}": "is not the record of a packet",
        "[" * 9: "is not the record of a packet",
        json.dumps(record | {"options": {"decks": "1"}}): "was altered after it was written",
        json.dumps(record | {"options": {"decks": 1}}): "is not the record of a packet",
    }
    for text, sentence in told.items():
        (tmp_path / "old.json").write_text(text)
        assert sentence in refusal("packet", "casino-war", *words)
    (tmp_path / "old.json").write_text(json.dumps(record))
    assert "is of Casino War, not of" in refusal("packet", "triple-shot-rummy", *words)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("## 7 Settling", "## 7 The end", "must have a chapter 'Settling'"),
        ("## 3 The deal", "## 3 Cards", "must have a chapter 'The deal' or 'Calls and dealing'"),
        ("> Source: ruling.", "> From: ruling.", "must consist of clauses"),
        ("## 1 Cards and deck\n\n", "", "must begin with a chapter"),
        ("## 9 Dealing procedure", "## 9 Steps", "must have a chapter 'Dealing procedure'"),
    ],
)
def test_a_rule_sheet_says_what_it_lacks(
    old: str, new: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = read_rule_sheet("casino-war").replace(old, new, 1)
    monkeypatch.setattr("feltlab.submission.rule_sheet.read_rule_sheet", lambda name: text)
    with pytest.raises(Refused, match="docs/rules/casino-war.md " + sentence):
        parse_rule_sheet(GAMES["casino-war"])


# -- What readers stumble over ----------------------------------------------------------------------

STUMBLES = re.compile(
    r"`|(?<![\d.,/])1 (cards|units|decks|wagers|rounds|seats|positions|hands)\b|\d/\d+ units?\b"
)


@every_game
@pytest.mark.parametrize("where", venues())
def test_no_backtick_no_wrong_plural_and_no_fraction_of_units(name: str, where: str) -> None:
    texts = [repr(block) for section in whole(submitted(name, at=where)).sections for block in section.blocks]
    assert [STUMBLES.search(text)[0] for text in texts if STUMBLES.search(text)] == []  # type: ignore[index]


def test_steps_that_are_not_sure_are_marked() -> None:
    """The letter of 2017 is one of Triple Shot Rummy; the text of Section 18 was not read."""
    for name, where, unsure in (
        ("casino-war", "commercial", 2),  # the shuffler, the limit in force
        ("triple-shot-rummy", "commercial", 1),
        ("casino-war", "tribal", 4),  # also Section 18 and controls
    ):
        table, _ = tables(part(submitted(name, at=where), "Approval checklist"))
        assert sum(row[4] == "not sure" for row in table.rows) == unsure
        assert [tone == "bad" for tone in table.tones] == [row[4] == "not sure" for row in table.rows]


def test_the_prints_have_pays_helpline_and_revision() -> None:
    made = submitted("triple-shot-rummy")
    for sheet in ("rack card", "placard"):
        text = str(printed(made, sheet))
        assert "1,000 to 1" in text
        assert "1-800-547-6133" in text
        assert f"revision {made.digest[:12]}" in text
    placard = printed(made, "placard")
    assert "At most four games on one hand" in str(placard)
    assert "confirmed" not in str(placard)  # what is not sure is no matter for players
    limits, aggregate, _ = tables(placard)
    assert [row[0] for row in limits.rows] == ["Ante", "Pair Plus", "6 Card Bonus"]
    assert [row[0] for row in aggregate.rows] == ["6 Card Bonus"]  # no other wager pays 50 to 1
    assert len(tables(printed(submitted("casino-war"), "placard"))) == 2


def test_the_manifest_binds_the_prints(tmp_path: Path) -> None:
    written(tmp_path / "war")
    assert not list(find_damage(tmp_path / "war"))
    (tmp_path / "war" / "print" / "placard.pdf").write_bytes(b"another")
    assert list(find_damage(tmp_path / "war")) == ["print/placard.pdf is not as the manifest has it."]


# -- The complete strategy and the sign-off ---------------------------------------------------------


def contents(folder: Path, monkeypatch: pytest.MonkeyPatch, *words: str) -> str:
    """What the first page of a new packet says of the complete strategy."""
    rendered: list[Document] = []

    def keep(document: Document, _: str) -> bytes:
        rendered.append(document)
        return b""

    monkeypatch.setattr("feltlab.report.packet_files.render", keep)
    written(folder, *words)
    (whole,) = [document for document in rendered if document.kind == "Submission packet"]
    (said,) = [row[1] for row in tables(whole)[0].rows if row[0] == "complete strategy"]
    return said


def test_the_complete_strategy_is_listed_in_contents_and_manifest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said, file = contents(tmp_path / "war", monkeypatch), tmp_path / "war" / "annex" / "strategy.csv.gz"
    digest = sha256_hex(file.read_bytes())
    assert said == f"annex/strategy.csv.gz, 13 rows, SHA-256 {digest}"  # a row for each rank that ties
    assert json.loads((tmp_path / "war" / "manifest.json").read_text())["files"]["annex/strategy.csv.gz"] == {
        "bytes": file.stat().st_size,
        "sha256": digest,
    }
    run("par", "casino-war", "--annex", str(tmp_path / "same.csv.gz"))
    assert file.read_bytes() == (tmp_path / "same.csv.gz").read_bytes()
    written(tmp_path / "war")  # a packet with an annex is replaced like any other


def test_a_large_strategy_is_left_out_unless_it_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("feltlab.report.packet_annex.MAX_ANNEX_BYTES", 100)
    said = contents(tmp_path / "war", monkeypatch, "--option", "decks=8")
    assert said == (
        "not in this packet: it is larger than 0 MB; "
        "feltlab par casino-war --option decks=8 --annex FILE.csv.gz writes it"
    )
    assert not (tmp_path / "war" / "annex").exists()
    assert contents(tmp_path / "war", monkeypatch, "--annex").startswith("annex/strategy.csv.gz, 13 rows")
    said = contents(tmp_path / "war", monkeypatch, "--no-annex")
    assert said == "not in this packet; feltlab par casino-war --annex FILE.csv.gz writes it"
    assert not (tmp_path / "war" / "annex").exists()


def test_author_and_reviewer_are_on_the_sign_off_page(tmp_path: Path) -> None:
    made, signed = submitted("casino-war"), SignOff(author="Ann Ode", reviewer="Ré Ader")
    found = documents(made, figures_of(made.game, "commercial"), signed)
    (report,) = [document for document in found if document.kind == "Mathematical report"]
    assert "Name: Ann Ode" in words(report)
    assert "Name: Ré Ader" in words(report)
    written(tmp_path / "war", "--author", "Ann Ode")
    data = json.loads((tmp_path / "war" / "figures.json").read_text())["sign_off"]
    assert (data["author"], data["reviewer"]) == ("Ann Ode", None)
    refused = refusal("packet", "casino-war", "--venue", "tribal", "-o", str(tmp_path / "x"), "--author", " ")
    assert refused == "The name of the author is blank."


def test_paper_reaches_every_file(tmp_path: Path) -> None:
    written(tmp_path / "war", "--paper", "a4")
    files = list((tmp_path / "war").rglob("*.pdf"))
    assert len(files) == 1 + len(titles("commercial")) + 2
    assert all(path.read_text().endswith(", a4") for path in files)


def test_a_place_that_cannot_be_written_is_refused_before_anything_is_proved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("feltlab.submission.packet_figures.prove_packet", None)
    (tmp_path / "file").write_text("")
    words = ("packet", "casino-war", "--venue", "tribal", "-o")
    assert "file is not a folder." in refusal(*words, str(tmp_path / "file" / "below"))
    monkeypatch.setattr("feltlab.files.os.access", lambda *_: False)
    assert "nothing may be written in" in refusal(*words, str(tmp_path / "new"))


def test_the_folder_in_which_the_user_is_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ("packet", "casino-war", "--venue", "commercial", "-o", ".")
    assert refusal(*words).endswith("is the folder in which you are, or above it; name another.")


def test_files_that_are_not_of_the_packet_are_kept(tmp_path: Path) -> None:
    written(tmp_path / "war")
    notes = tmp_path / "war" / "parts" / "99-my-notes.pdf"
    notes.write_text("notes")
    words = ("packet", "casino-war", "--venue", "commercial", "-o", str(tmp_path / "war"))
    assert "holds other things than a feltlab packet" in refusal(*words)
    assert notes.read_text() == "notes"


def test_a_previous_record_is_a_file_of_text(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    words = ("packet", "casino-war", "--venue", "commercial", "-o", str(tmp_path / "new"), "--previous")
    assert "pipe" in refusal(*words, str(tmp_path / "pipe"))
    record = submitted("casino-war").as_json()
    record["clauses"] = {**record["clauses"], "9.9": {"text": "x\ud800y", "digest": ""}}
    (tmp_path / "half.json").write_text(json.dumps(record))
    assert refusal(*words, str(tmp_path / "half.json")).endswith("half.json is not the record of a packet.")
