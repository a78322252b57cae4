"""Packets by the real renderer: every part is set, prints have their size, every figure is in the record."""

import json
import re
from pathlib import Path

import pytest
from pypdfium2 import PdfDocument

from tests.report.test_numbers_read_back import LONG_DECIMALS, explained_by, pdf_lines
from tests.submission.test_packet import titles
from tests.support.command_line import run
from tests.support.features import EVERY_KIND, representatives
from tests.support.par_sheets import sheet_of
from tests.support.printed_numbers import read_numbers

PAPERS = {"letter": ((288, 648), (612, 792)), "a4": ((281, 595), (595, 842))}  # rack card and page, in points
# The parts, sizes and laws of the other venue and paper do not depend on the game.
FEW = representatives("several decks", "most lines of pay tables")


def print_packet(name: str, venue: str, paper: str, folder: Path) -> dict[str, PdfDocument]:
    """The PDFs of a packet by their names."""
    made = run("packet", name, "--venue", venue, "-o", str(folder), "--paper", paper)
    assert made.exit_code == 0, made.stderr
    return {path.name: PdfDocument(path) for path in sorted(folder.rglob("*.pdf"))}


def check_prints(made: dict[str, PdfDocument], venue: str, paper: str) -> None:
    """The rack card and the placard have one or two sides; parts and whole have the same pages."""
    card, page = PAPERS[paper]
    assert len(made["rack-card.pdf"]) <= 2
    assert len(made["placard.pdf"]) <= 2
    assert made["rack-card.pdf"][0].get_size() == pytest.approx(card, abs=1)
    assert made["packet.pdf"][0].get_size() == pytest.approx(page, abs=1)
    parts = [len(document) for file, document in made.items() if re.match(r"\d\d-", file)]
    assert len(parts) == len(titles(venue))
    # Parts have titles and contents of their own, which may take a page more.
    assert sum(parts) - len(parts) <= len(made["packet.pdf"]) <= sum(parts) + 1


def check_figures(name: str, folder: Path) -> None:
    """Every percentage and every long decimal is known; rules and laws have numbers of their own."""
    known = explained_by(sheet_of(name))
    for record in folder.glob("*.json"):
        known.add(json.loads(record.read_bytes()))
    for path in sorted(folder.rglob("*.pdf")):
        found = [n for line in pdf_lines(path.read_bytes()) for n in read_numbers(line)]
        figures = [n for n in found if n.unit == "%" or n.place <= -LONG_DECIMALS]
        assert [n.text for n in figures if n not in known] == [], path.name


@pytest.mark.parametrize("name", EVERY_KIND)
def test_a_packet_is_set_and_its_figures_are_in_its_record_or_its_sheet(name: str, tmp_path: Path) -> None:
    """For a tribal venue, whose packet has one part more."""
    made = print_packet(name, "tribal", "letter", tmp_path / "packet")
    check_prints(made, "tribal", "letter")
    check_figures(name, tmp_path / "packet")


@pytest.mark.slow
@pytest.mark.parametrize("name", FEW)
def test_another_venue_and_paper_are_set_too(name: str, tmp_path: Path) -> None:
    made = print_packet(name, "commercial", "a4", tmp_path / "packet")
    check_prints(made, "commercial", "a4")
    check_figures(name, tmp_path / "packet")
