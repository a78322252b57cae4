"""PDFs on paper: US Letter or A4, contents with page numbers, and tables that break where they may."""

import re
from pathlib import Path

import click
import pytest
from pypdfium2 import PdfDocument

from feltlab.cli.main import COMMANDS, main
from feltlab.report.document import Document, Paragraph, Section, TableBlock, columns
from feltlab.report.renderers import pdf
from tests.support.command_line import refusal, run

SIZES = {"letter": (612, 792), "a4": (595.28, 841.89)}  # points: 8.5 x 11 in, 210 x 297 mm
WRITERS = (("par", "casino-war", "-o"), ("rules", "casino-war", "--manual"), ("audit", "casino-war", "-o"))


def pages(made: bytes) -> list[str]:
    return [page.get_textpage().get_text_bounded() for page in PdfDocument(made)]


# -- Paper ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", WRITERS, ids=" ".join)
def test_a_pdf_is_on_letter_unless_a4_is_asked_for(command: tuple[str, ...], tmp_path: Path) -> None:
    for words, paper in (((), "letter"), (("--paper", "a4"), "a4")):
        path = tmp_path / f"{paper}.pdf"
        result = run(*command, str(path), *words)
        assert result.exit_code == 0, result.stderr
        assert PdfDocument(path)[0].get_size() == pytest.approx(SIZES[paper], abs=0.5)


def every_command() -> list[click.Command]:
    """Every command, and the commands of a group."""
    context = click.Context(main)
    found = [main.get_command(context, name) for name in COMMANDS]
    grouped = [list(c.commands.values()) if isinstance(c, click.Group) else [c] for c in found if c]
    return [command for group in grouped for command in group]


def test_every_command_that_writes_a_pdf_takes_a_paper() -> None:
    taking = {c.name for c in every_command() if any(p.name == "paper" for p in c.params)}
    writing = {
        c.name for c in every_command() if any(".pdf" in (getattr(p, "help", "") or "") for p in c.params)
    }
    assert writing >= {"par", "audit", "rules", "incident"}
    assert taking == writing | {"packet"}


def test_another_paper_is_refused() -> None:
    assert "'a5' is not one of 'letter', 'a4'" in refusal("par", "casino-war", "-o", "x.pdf", "--paper", "a5")


# -- Contents ---------------------------------------------------------------------------------------


def long_document(sections: int, lines: int) -> Document:
    text = tuple(Paragraph(f"Line {n}.") for n in range(lines))
    return Document("T", "k", "d", "e", tuple(Section(f"Title {n}", text) for n in range(1, sections + 1)))


def test_a_long_document_begins_with_its_contents() -> None:
    found = pages(pdf.render(long_document(9, 20)))
    assert len(found) > 2
    for n in range(1, 10):
        listed = re.search(rf"Title {n}\s+(\d+)", found[0])
        assert listed, n
        assert f"Title {n}" in found[int(listed[1]) - 1]


def test_a_short_document_has_none() -> None:
    assert "Contents" not in pages(pdf.render(long_document(7, 3)))[0]


# -- Tables -----------------------------------------------------------------------------------------


def test_no_page_has_one_or_two_rows_of_a_table() -> None:
    """Wherever the table begins, each page that shows it shows three rows of it or more."""
    cells = tuple((f"row {n}", "text") for n in range(32))
    for before in range(25):
        text = tuple(Paragraph(f"Text {n}.") for n in range(before))
        blocks = (*text, TableBlock(columns("name", "text"), cells))
        found = pages(pdf.render(Document("T", "k", "d", "e", (Section("S", blocks),))))
        counts = [len(re.findall(r"row \d+", page)) for page in found]
        assert sum(counts) == len(cells)
        assert all(count == 0 or count >= 3 for count in counts), before


@pytest.mark.parametrize("rows", range(1, 9))
def test_every_row_of_a_table_stays_in_its_place(rows: int) -> None:
    """An invisible cell keeps rows together; it moves no other cell."""
    table = TableBlock(columns("a", "b", "c"), tuple((f"a{n}", f"b{n}", f"c{n}") for n in range(rows)))
    (page,) = pages(pdf.render(Document("T", "k", "d", "e", (Section("S", (table,)),))))
    lines = [line.split() for line in page.splitlines()]
    assert [line for line in lines if line and re.fullmatch(r"a\d", line[0])] == [
        [f"a{n}", f"b{n}", f"c{n}"] for n in range(rows)
    ]
