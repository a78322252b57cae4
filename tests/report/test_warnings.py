"""A wager that favours the player is the first thing that a reader sees."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest

from feltlab.analysis.par_sheet import ParSheet, par_sheet
from feltlab.games import GAMES
from feltlab.report.document import Document
from feltlab.report.documents.packet.parts import documents, join_parts
from feltlab.report.documents.par_sheet import document
from feltlab.report.documents.warnings import cover_warnings
from feltlab.report.renderers import html, markdown, pdf, text
from feltlab.submission.packet import packet
from feltlab.submission.packet_figures import prove_packet
from feltlab.submission.venues import venue

GENEROUS = GAMES["casino-war"].with_pays("tie", {"tie": "13"})
# A tie has the probability 23/311: 13 to 1 pays back 14 * 23/311 - 1 = 11/311 more than it takes in.
TIE_EDGE = Fraction(-11, 311)


def sheet_of(**stake: int) -> ParSheet:
    return par_sheet(GENEROUS, {"primary": 1, **stake})


def test_a_wager_that_is_not_staked_warns_with_the_stake_that_it_is_added_to() -> None:
    (found,) = sheet_of().player_edges
    assert found.bet is not None
    assert (found.bet.name, found.edge, found.added) == ("tie", TIE_EDGE, TIE_EDGE)
    (warning,) = cover_warnings(sheet_of())
    for words in ("Tie favours the player", "1 on Primary, 1 on Tie", "best play", "-3.5370 %", "103.5370 %"):
        assert words in warning
    assert "On all wagers together the player wins" in warning  # 11/311 is more than 23138/993023


def test_a_stake_that_favours_the_player_warns_too() -> None:
    tie, whole = sheet_of(tie=1).player_edges
    assert tie.bet is not None
    assert (tie.bet.name, whole.bet) == ("tie", None)
    # The Primary wager loses 23138/993023 of a unit a round; two units are staked.
    assert whole.edge == (Fraction(23138, 993023) + TIE_EDGE) / 2
    assert cover_warnings(sheet_of(tie=1))[1].startswith("Warning: The whole stake favours the player.")


def test_another_strategy_is_named() -> None:
    sheet = par_sheet(GENEROUS, {"primary": 1, "tie": 1}, "surrender")
    assert any("the surrender strategy" in warning for warning in cover_warnings(sheet))


def test_fair_wagers_do_not_warn() -> None:
    assert cover_warnings(par_sheet("casino-war")) == ()
    assert par_sheet("casino-war").as_json()["favours_player"] == []


RENDERERS = {"html": html.render, "markdown": markdown.render, "text": text.render}


@pytest.mark.parametrize("render", RENDERERS.values(), ids=RENDERERS)
def test_the_warning_is_directly_below_the_title(render: Callable[[Document], str]) -> None:
    made = " ".join(render(document(sheet_of())).replace("> **", "").split())
    title, warning = made.rindex("Casino War", 0, made.index("Warning")), made.index("Warning: Tie favours")
    assert title < warning < made.index("Summary")
    assert warning - title < 80


def test_the_pdf_has_the_warning_in_red_on_its_first_page() -> None:
    pdfium = pytest.importorskip("pypdfium2")
    first = pdfium.PdfDocument(pdf.render(document(sheet_of())))[0].get_textpage().get_text_range()
    lines = first.split()
    assert lines.index("Warning:") < lines.index("Summary")
    plain = replace(document(sheet_of()), warnings=())
    assert "Warning" not in pdfium.PdfDocument(pdf.render(plain))[0].get_textpage().get_text_range()


def test_the_packet_warns_on_its_cover_and_in_its_mathematics() -> None:
    asked = packet(GENEROUS, venue("commercial"))
    parts = documents(asked, prove_packet(asked))
    (mathematics,) = (part for part in parts if part.kind == "Mathematical report")
    assert mathematics.warnings == join_parts(asked, parts).warnings == cover_warnings(sheet_of()) != ()


@pytest.mark.slow
def test_the_hat_trick_at_nine_to_one_favours_the_player() -> None:
    """The published edge multiplies chances that are not independent; 9 to 1 is the pay of the option."""
    (found,) = par_sheet("triple-shot-bonus").player_edges
    assert found.bet is not None
    assert found.bet.name == "hat-trick"
    assert -Fraction(26, 100) < found.edge < -Fraction(25, 100)
