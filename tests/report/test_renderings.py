"""Every rendering shows what the document says, and the document what the JSON says."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pypdfium2
import pytest
from markdown_it import MarkdownIt

from feltlab.analysis.par_sheet import par_sheet
from feltlab.report.document import (
    Document,
    Items,
    Paragraph,
    Picture,
    Section,
    TableBlock,
    TableColumn,
    columns,
)
from feltlab.report.documents.par_sheet import document
from feltlab.report.renderers import html, markdown, pdf
from feltlab.report.renderers import text as terminal
from tests.support.features import EVERY_KIND
from tests.support.par_sheets import document_of, pdf_of, sheet_of

every_game = pytest.mark.parametrize("name", EVERY_KIND)

NASTY = r"<b>&amp;</b> | *a* _b_ `c` [d](e) #f $g$ \h #import ~i~ @j \u{41} ]"
TABLE = TableBlock(
    (TableColumn("name"), TableColumn("amount", right=True)),
    (("a|b", "1.50"), ("sum", "-2")),
    "A caption",
    totals=1,
)
SQUARE = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9"/></svg>'
SMALL = Document(
    "A title",
    "kind",
    "0123456789abcdef" * 4,
    "2020-02-29",
    (
        Section("First", (Paragraph(NASTY), Items((NASTY, "two"), numbered=True), TABLE)),
        Section("Second", (Picture("square", SQUARE, "A square."), Paragraph("No.", "bad")), 2, True),
    ),
)


def tables(found: Document, drawn: bool) -> Iterator[TableBlock]:
    """The tables of a document; where nothing is drawn, also those in place of pictures."""
    for section in found.sections:
        for block in section.blocks:
            if isinstance(block, TableBlock):
                yield block
            elif isinstance(block, Picture) and block.instead and not drawn:
                yield block.instead


def cells(found: Document, drawn: bool) -> list[list[tuple[str, ...]]]:
    return [[tuple(c.title for c in t.columns), *t.rows] for t in tables(found, drawn)]


# -- The document and the JSON ----------------------------------------------------------------------


def shows(text: str, value: Fraction | float) -> bool:
    """Is the text this value, rounded to the digits shown?"""
    share = text.endswith(" %")
    number = Decimal(text.removesuffix(" %").replace(",", "").replace("$", ""))
    last = Fraction(10) ** int(number.as_tuple().exponent)
    return abs(Fraction(number) - Fraction(value) * (100 if share else 1)) <= last * Fraction(50001, 100000)


def exact(leaf: dict[str, str]) -> Fraction:
    return Fraction(leaf["exact"])


def rows_of(found: Document, title: str, at: int = 0) -> tuple[tuple[str, ...], ...]:
    (section,) = (section for section in found.sections if section.title == title)
    return [block for block in section.blocks if isinstance(block, TableBlock)][at].rows


@every_game
def test_outcomes_are_those_of_the_json(name: str) -> None:
    data = sheet_of(name).as_json()
    for bet in data["bets"].values():
        title = bet["title"] if bet["stake"] != "0" else f"{bet['title']} (no stake)"
        *rows, total = rows_of(document_of(name), title)
        for row, outcome in zip(rows, bet["outcomes"], strict=True):
            assert row[0] == outcome["outcome"]
            assert shows(row[1], exact(outcome["net"]))
            assert row[2].replace(",", "") == outcome["combinations"]
            assert shows(row[3], exact(outcome["probability"]))
            assert shows(row[4], exact(outcome["return"]))
        assert total[2].replace(",", "") == data["combinations"]
        assert shows(total[4], -exact(bet["house_edge"]))


EDGES = ("house_edge", "return_to_player", "element_of_risk", "average_wager")
FREQUENCIES = ("hit_frequency", "win_frequency", "push_frequency", "loss_frequency")


@every_game
def test_measures_are_those_of_the_json(name: str) -> None:
    data = sheet_of(name).as_json()
    measured = [*data["bets"].values(), data["total"]]
    for table, measures in ((1, EDGES), (2, FREQUENCIES)):
        for row, found in zip(rows_of(document_of(name), "Summary", table), measured, strict=True):
            shown = {measure: cell for measure, cell in zip(measures, row[1:], strict=True) if cell}
            assert shown.keys() == found.keys() & set(measures)  # a stake has no hit frequency
            assert all(shows(cell, exact(found[measure])) for measure, cell in shown.items())
    for row, found in zip(rows_of(document_of(name), "Summary", 4), measured, strict=True):
        values = [found["variance"]["value"], found["std_dev"]["value"], found["skewness"]]
        values += [found["volatility_index"][z]["value"] for z in ("1.65", "1.96")]
        values.append(found["largest_net"]["value"])
        assert all(map(shows, row[1:], values))


@every_game
def test_strategies_and_options_are_those_of_the_json(name: str) -> None:
    data = sheet_of(name).as_json()
    first_wagers = exact(data["total"]["first_wagers"])
    blocks = _section(document_of(name), "Strategy").blocks
    *_, strategies = (block for block in blocks if isinstance(block, TableBlock))
    for row, (strategy, found) in zip(strategies.rows, data["strategies"].items(), strict=True):
        assert row[0].removesuffix(" *") == strategy
        assert shows(row[2], -exact(found["expected"]))
        assert shows(row[3], 1 + exact(found["expected"]) / first_wagers)
        assert shows(row[4], -exact(found["expected"]) / exact(found["average_wager"]))
        assert shows(row[5], exact(found["cost"]))
    changed = [(o, v, e) for o, values in data["options_changed"].items() for v, e in values.items()]
    options = rows_of(document_of(name), "Sensitivity", 1) if changed else ()
    for row, (option, value, found) in zip(options, changed, strict=True):
        assert (row[0], row[1].removesuffix(" *")) == (option, value)
        edges = [exact(edge) for edge in found["house_edges"].values()]
        returned = 1 + exact(found["expected"]) / first_wagers
        assert all(map(shows, row[2:], [*edges, -exact(found["expected"]), returned]))


def _section(found: Document, title: str) -> Section:
    return next(section for section in found.sections if section.title == title)


@every_game
def test_the_house_is_that_of_the_json(name: str) -> None:
    spans = sheet_of(name).as_json()["house"]["spans"].values()
    shown = {row[0]: row[1:] for row in rows_of(document_of(name), "The house")}
    for at, span in enumerate(spans):
        assert shows(shown["theoretical win"][at], span["win"]["value"] / 100)
        assert shows(shown["handle"][at], span["handle"]["value"] / 100)
        assert shows(shown["standard deviation"][at], span["std_dev"]["value"] / 100)
        for share, (low, high) in span["bands"].items():
            ends = [shown[f"{share} % band, {end}"][at] for end in ("from", "to", "error about")]
            error = span["band_errors"][share]
            if 2 * error >= high - low:
                assert ends == ["not known", "not known", ""]
            else:
                assert all(map(shows, ends, (low / 100, high / 100, error / 100)))
        chance = span["loss_probability"]
        if chance["error"] > 0.2:
            assert shown["probability of no win"][at] == "not known"
            continue
        value, _, error = shown["probability of no win"][at].removesuffix(" %").partition(" ± ")
        assert value.startswith("<") or shows(f"{value} %", chance["value"])
        assert not error or shows(f"{error} %", chance["error"])


@pytest.mark.parametrize("stake", [{}, {"primary": 2, "tie": Fraction(1, 2)}])
def test_exposures_are_those_of_the_json(stake: dict[str, Fraction | int]) -> None:
    found = par_sheet("casino-war", stake or None)
    house = found.as_json()["house"]
    *rows, total = rows_of(document(found), "The house", 2)
    for row, (bet, cents) in zip(rows, house["largest_exposure_of_a_seat"].items(), strict=True):
        assert shows(row[1], Fraction(house["wagers"][bet], 100))
        assert shows(row[2], Fraction(cents, 100))
        assert shows(row[3], Fraction(cents * house["seats"], 100))
    assert shows(total[3], Fraction(house["largest_exposure"], 100))


# -- Markdown ---------------------------------------------------------------------------------------


def tables_in_html(text: str) -> list[list[tuple[str, ...]]]:
    reader = Reader()
    reader.feed(text)
    return reader.tables


class Reader(HTMLParser):
    """The cells of all tables of a page, and all of its text."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[list[tuple[str, ...]]] = []
        self.row: list[str] | None = None
        self.inside = False
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.row = []
        elif tag in ("td", "th") and self.row is not None:
            self.row.append("")
            self.inside = True

    def handle_endtag(self, tag: str) -> None:
        if tag == "tr" and self.row is not None:
            self.tables[-1].append(tuple(self.row))
        self.inside = self.inside and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        self.text.append(data)
        if self.inside and self.row is not None:
            self.row[-1] += data


@every_game
def test_markdown_shows_every_cell(name: str) -> None:
    """Read back by a reader of Markdown that is not ours."""
    page = MarkdownIt().enable("table").render(markdown.render(document_of(name)))
    assert tables_in_html(page) == cells(document_of(name), drawn=False)


def test_markdown_takes_text_for_text() -> None:
    page = MarkdownIt().enable("table").render(markdown.render(SMALL))
    reader = Reader()
    reader.feed(page)
    assert "".join(reader.text).count(NASTY) == 2


@pytest.mark.parametrize("start", ["# ", "- ", "+ ", "> ", "1. ", "12) ", "=== ", "---", "~~~ "])
def test_markdown_takes_no_beginning_for_a_list_or_a_heading(start: str) -> None:
    text = f"{start}text"
    blocks = (Paragraph(text), Items((text,)))
    page = MarkdownIt().render(markdown.render(Document("T", "k", "d", "e", (Section("S", blocks),))))
    reader = Reader()
    reader.feed(page)
    assert "".join(reader.text).count(text) == 2


# -- HTML -------------------------------------------------------------------------------------------


@every_game
def test_html_shows_every_cell_and_needs_nothing_else(name: str) -> None:
    page = html.render(document_of(name))
    assert tables_in_html(page) == cells(document_of(name), drawn=True)
    assert not re.search(r"src=|<link|<script|url\(|@import", page)
    assert set(re.findall(r"=\s*[\"'](https?://[^\"']+)", page)) <= {"http://www.w3.org/2000/svg"}


def test_html_takes_text_for_text() -> None:
    reader = Reader()
    reader.feed(html.render(SMALL))
    assert "".join(reader.text).count(NASTY) == 2


def test_html_marks_what_a_reader_looks_for() -> None:
    page = html.render(SMALL)
    assert '<p class="bad">No.</p>' in page
    assert "<tr class=total>" in page
    assert 'aria-label="A square."' in page
    assert SMALL.digest in page


# -- PDF --------------------------------------------------------------------------------------------


def pages(made: bytes) -> list[str]:
    return [page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(made)]


def squeezed(text: str) -> str:
    """Without spaces, line ends and the hyphens at them."""
    return re.sub(r"[\s\x02\ufffe-]", "", text)


@every_game
def test_pdf_shows_every_cell_and_counts_its_pages(name: str) -> None:
    found = pages(pdf_of(name))
    text = squeezed(" ".join(found))
    shown = [cell for table in cells(document_of(name), drawn=True) for row in table for cell in row]
    assert [cell for cell in shown if squeezed(cell) not in text] == []
    for number, page in enumerate(found, 1):
        assert f"page {number} of {len(found)}" in page
        assert f"Rules of {document_of(name).date}, digest {document_of(name).digest[:16]}" in page


@pytest.mark.parametrize("lines", range(24, 40, 3))
def test_a_short_table_is_on_the_page_of_its_drawing(lines: int) -> None:
    """Wherever the table begins on its page."""
    table = TableBlock(columns("outcome", ">net"), tuple((f"outcome {n}", str(n)) for n in range(8)))
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="300" height="150"></svg>'
    blocks = (*[Paragraph("A line.")] * lines, table, Picture("drawing", svg, "The drawing of the table."))
    made = pages(pdf.render(Document("Title", "Kind", "0" * 64, "2023", (Section("One", blocks),))))
    (page,) = [text for text in made if "The drawing of the table." in text]
    assert all(f"outcome {n}" in page for n in range(8))


def test_pdf_takes_text_for_text() -> None:
    first, second = pages(pdf.render(SMALL))  # the second section begins a page
    assert squeezed(first).count(squeezed(NASTY)) == 2
    assert "Second" in second


def test_pdf_reads_no_clock_and_brings_its_fonts() -> None:
    made = pdf.render(SMALL)
    assert b"CreationDate" not in made
    assert b"/FontFile" in made


# -- Terminal ---------------------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("width", [80, 100, 140])
def test_a_terminal_shows_every_number_within_its_width(name: str, width: int) -> None:
    text = terminal.render(document_of(name), width)
    assert max(map(len, text.splitlines())) <= width
    for table in tables(document_of(name), drawn=False):
        numbers = [at for at, column in enumerate(table.columns) if column.right]
        assert [row[at] for row in table.rows for at in numbers if row[at] not in text] == []


def test_a_table_too_wide_for_a_terminal_is_printed_row_by_row() -> None:
    wide = TableBlock((TableColumn("name"), TableColumn("amount", right=True)), (("a", "9" * 50),))
    shown = terminal.render(Document("T", "k", "d", "e", (Section("S", (wide,)),)), 54)
    assert f"name   a\namount {'9' * 44}" in shown


def test_a_terminal_breaks_an_address_behind_its_signs_only() -> None:
    address = "https://example.org/a-page/that-has-1234567-in-it.html"
    table = TableBlock((TableColumn("source"), TableColumn("note")), ((address, "n"),))
    shown = terminal.render(Document("T", "k", "d", "e", (Section("S", (table,)),)), 44)
    assert "source https://example.org/a-page/that-has-\n       1234567-in-it.html\n" in shown


# -- All of them ------------------------------------------------------------------------------------


@every_game
def test_drawings_are_well_formed_and_described(name: str) -> None:
    for picture in document_of(name).pictures:
        assert ElementTree.fromstring(picture.svg).tag.endswith("svg")
        assert picture.words


@pytest.mark.parametrize("suffix", ["pdf", "html", "md", "txt", "json"])
def test_another_process_writes_the_same_bytes(tmp_path: Path, suffix: str) -> None:
    made = []
    for seed in "12":
        path = tmp_path / f"{seed}.{suffix}"
        words = [sys.executable, "-m", "feltlab", "par", "casino-war", "-o", str(path)]
        subprocess.run(words, env={**os.environ, "PYTHONHASHSEED": seed}, check=True, capture_output=True)
        made.append(path.read_bytes())
    assert made[0] == made[1]
