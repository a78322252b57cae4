"""The average round of a shoe, in the sheet and in its JSON."""

from fractions import Fraction

import pytest

from feltlab.analysis.par_sheet import ParSheet, par_sheet
from feltlab.games import GAMES
from feltlab.report.document import Paragraph, Section, TableBlock
from feltlab.report.documents.par_sheet import document

WAR = GAMES["casino-war"]


def section_of(sheet: ParSheet) -> Section:
    (found,) = (part for part in document(sheet).sections if part.title == "Rounds from one shoe")
    return found


def test_the_tie_of_an_average_round_costs_more_and_the_primary_less() -> None:
    """A shoe with more ties ends sooner, so the average round has fewer; Primary loses on ties."""
    sheet = par_sheet(WAR)
    shoe = sheet.shoe
    assert shoe
    assert shoe.full_shoe == {bet: sheet.proof.house_edge(bet) for bet in ("primary", "tie")}
    assert 0 < shoe.change("tie") < Fraction(1, 10**4)
    assert -Fraction(1, 10**6) < shoe.change("primary") < 0
    for bet in ("primary", "tie"):  # five seats end a shoe in much the same way
        assert shoe.changes[bet].value == pytest.approx(float(shoe.change(bet)), rel=0.3)
        assert 0 < shoe.changes[bet].error < 0.1 * abs(shoe.changes[bet].value)


def test_the_edge_of_the_tie_follows_from_its_ties() -> None:
    """10 to 1: the edge is 1 less 11 times the share of ties, in a full shoe 23 of 311."""
    shoe = par_sheet(WAR).shoe
    assert shoe
    assert shoe.full_shoe["tie"] == 1 - 11 * Fraction(23, 311)


def test_the_sheet_shows_what_its_json_has() -> None:
    sheet = par_sheet(WAR)
    data = sheet.as_json()["average_round_of_a_shoe"]
    (table,) = (block for block in section_of(sheet).blocks if isinstance(block, TableBlock))
    for row, bet in zip(table.rows, ("primary", "tie"), strict=True):
        full, average = (
            Fraction(data[f"house_edge_of_{kind}"][bet]["exact"])
            for kind in ("a_full_shoe", "the_average_round_with_one_seat")
        )
        sampled = data["change_with_these_seats"][bet]
        values = [float(full), float(average), float(average - full), sampled["value"], sampled["error"]]
        cells = [*row[1:4], *row[4].split(" ± ")]
        for cell, value in zip(cells, values, strict=True):
            assert float(cell.removesuffix(" %")) == pytest.approx(100 * value, abs=5.1e-7)


def test_a_game_that_is_shuffled_every_round_says_so_or_nothing() -> None:
    once = section_of(par_sheet(WAR.with_options({"decks": "1", "war": "each"})))
    assert once.blocks == (Paragraph("Under these options all cards are shuffled before every round."),)
    assert par_sheet("triple-shot-rummy").as_json()["average_round_of_a_shoe"] is None
