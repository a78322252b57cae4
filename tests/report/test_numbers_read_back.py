"""Every number of every rendering is a value of the JSON, rounded to the digits that are printed.

First the numbers of a document are held to its JSON, and then those of each rendering to the document: none
is lost, and none is added but page numbers and the marks on the axes of drawings.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pypdfium2
import pytest
from markdown_it import MarkdownIt

from feltlab.analysis.audit_report import audit_report
from feltlab.analysis.par_sheet import ParSheet, par_sheet
from feltlab.core.stake import read_stake
from feltlab.games import GAMES
from feltlab.report.document import Block, Document, Items, Paragraph, TableBlock
from feltlab.report.documents import findings
from feltlab.report.documents import par_sheet as par
from feltlab.report.renderers import html, markdown, pdf
from feltlab.report.renderers import text as terminal
from tests.report.test_renderings import Reader
from tests.support.features import EVERY_KIND
from tests.support.par_sheets import document_of as sheet_document
from tests.support.par_sheets import pdf_of, sheet_of
from tests.support.printed_numbers import Explained, PrintedNumber, read_numbers

every_game = pytest.mark.parametrize("name", EVERY_KIND)
STAKES = {"casino-war": {"primary": "2", "tie": "1/2"}, "triple-shot-rummy": {"ante": "1", "pair-plus": "3"}}
FIGURE_DIGITS = 5  # a whole number with fewer may be part of a rule: a seat, a step, a number of cards
LONG_DECIMALS = 4  # digits behind the point that no rule and no law has
MARK_DIGITS = 2  # of a number beside an axis
DETECTED_SHARE = 0.9  # of numbers with a wrong last digit


def explained_by(*found: ParSheet) -> Explained:
    """The values of sheets, and the texts on method, whose numbers are tested beside the games."""
    known = Explained.by(*(one.as_json() for one in found))
    for one in found:
        text = Path(str(one.game.rules.__file__)).with_name("methods.md")
        known.add(text.read_text(encoding="utf-8") if text.exists() else "")
    return known


# -- The numbers of a document ------------------------------------------------------------------------


def texts_of(block: Block, is_drawn: bool) -> Iterator[str]:
    """Every text of a block; where nothing is drawn, a picture is its table, if it has one."""
    if isinstance(block, Paragraph):
        yield block.text
    elif isinstance(block, Items):
        yield from block.entries
    elif isinstance(block, TableBlock):
        yield from (block.caption, *(column.title for column in block.columns))
        yield from (cell for row in block.rows for cell in row)
    elif is_drawn:
        yield block.words
    elif block.instead:
        yield from texts_of(block.instead, is_drawn)


def numbers_of(document: Document) -> Iterator[tuple[str, PrintedNumber]]:
    """Every number, with where it is printed."""
    for warning in document.warnings:
        yield from ((f"{document.kind}, warning: {warning}", n) for n in read_numbers(warning))
    for section in document.sections:
        texts = (
            text for block in section.blocks for drawn in (True, False) for text in texts_of(block, drawn)
        )
        for text in dict.fromkeys((section.title, *texts)):
            yield from ((f"{document.kind}, {section.title}: {text}", n) for n in read_numbers(text))


def find_unexplained(document: Document, known: Explained) -> list[str]:
    return [f"{number.text} in {where}" for where, number in numbers_of(document) if number not in known]


@every_game
def test_every_number_of_a_sheet_is_in_its_json(name: str) -> None:
    assert find_unexplained(sheet_document(name), explained_by(sheet_of(name))) == []


@pytest.mark.parametrize("name", STAKES)
def test_every_number_of_a_sheet_with_another_stake_is_in_its_json(name: str) -> None:
    found = par_sheet(GAMES[name], read_stake(GAMES[name], STAKES[name]))
    assert find_unexplained(par.document(found), explained_by(found)) == []


@pytest.mark.parametrize("names", [("casino-war", "triple-shot-rummy"), tuple(GAMES)], ids=["two", "all"])
def test_every_number_of_the_findings_is_in_their_json(names: tuple[str, ...]) -> None:
    report = audit_report(list(names))
    assert find_unexplained(findings.document(report), Explained.by(report.as_json())) == []


def pdf_lines(content: bytes) -> list[str]:
    """The text of each page, in one line."""
    pages = pypdfium2.PdfDocument(content)
    return [" ".join(page.get_textpage().get_text_bounded().split()) for page in pages]


@every_game
def test_a_wrong_last_digit_is_noticed(name: str) -> None:
    """A JSON has hundreds of values: this says that they do not explain just any number."""
    known = explained_by(sheet_of(name))
    exact = {n for _, n in numbers_of(sheet_document(name)) if n.last >= 10 ** (FIGURE_DIGITS - 1)}
    noticed = [number for number in exact if number.change_last_digit() not in known]
    assert len(exact) > 100
    assert len(noticed) > DETECTED_SHARE * len(exact)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("27.0975 %", ["27.0975 %"]),
        ("-$738.65 or 39,799,369", ["-$738.65", "39,799,369"]),
        ("1.5064e-04", ["1.5064e-04"]),
        ("of 2023-06-14, WAC 230-15-140, APP-02, clause 4.2, page 3 of 9, A-6-5", []),
        ("23.42 ± 0.06 %", ["23.42 ± 0.06 %"]),
    ],
)
def test_numbers_are_read_as_they_are_printed(text: str, numbers: list[str]) -> None:
    assert [number.text for number in read_numbers(text)] == numbers


@pytest.mark.parametrize(
    ("text", "is_known"),
    [
        ("2.3301 %", True),  # 0.0233005...
        ("2.3300 %", False),
        ("0.023301", True),
        ("$12.35", True),  # 1,235 cents
        ("$12.36", False),
        ("18.65%", True),  # as published
        ("7", True),
        ("8", False),
    ],
)
def test_a_value_explains_its_roundings_and_no_other_number(text: str, is_known: bool) -> None:
    known = Explained.by({"edge": {"exact": "23138/993023"}, "cents": 1235, "7": ["published 18.65%"]})
    (number,) = read_numbers(text)
    assert (number in known) == is_known


# -- The numbers of each rendering --------------------------------------------------------------------


def figures_in(texts: Iterator[str] | list[str]) -> set[str]:
    return {number.figure for text in texts for number in read_numbers(text)}


def figures_of(document: Document, is_drawn: bool) -> set[str]:
    blocks = [block for section in document.sections for block in section.blocks]
    texts = [text for block in blocks for text in texts_of(block, is_drawn)]
    titles = [document.title, *(section.title for section in document.sections)]
    return figures_in([*titles, *document.warnings, *texts])


def figures_in_drawings(document: Document) -> set[str]:
    trees = (ElementTree.fromstring(picture.svg) for picture in document.pictures)
    return figures_in(["".join(part.itertext()) for tree in trees for part in tree.iter() if part.text])


@cache
def document_of(name: str) -> Document:
    if name == "findings":
        return findings.document(audit_report(["casino-war", "triple-shot-rummy"]))
    return sheet_document(name)


def rendered_pdf(name: str) -> bytes:
    return pdf.render(document_of(name)) if name == "findings" else pdf_of(name)


every_document = pytest.mark.parametrize("name", [*EVERY_KIND, "findings"])


def page_text(page: str) -> list[str]:
    """The texts of a page without its drawings."""
    reader = Reader()
    reader.feed(re.sub(r"<(svg|style|title).*?</\1>", "", page, flags=re.DOTALL))
    return reader.text


@every_document
def test_html_has_the_numbers_of_the_document(name: str) -> None:
    assert figures_in(page_text(html.render(document_of(name)))) == figures_of(document_of(name), True)


@every_document
def test_markdown_has_the_numbers_of_the_document(name: str) -> None:
    page = MarkdownIt().enable("table").render(markdown.render(document_of(name)))
    assert figures_in(page_text(page)) == figures_of(document_of(name), False)


@every_document
def test_a_terminal_has_the_numbers_of_the_document(name: str) -> None:
    lines = " ".join(terminal.render(document_of(name), 140).split())
    assert figures_in([lines]) == figures_of(document_of(name), False)


@every_document
def test_pdf_has_the_numbers_of_the_document(name: str) -> None:
    pages = pdf_lines(rendered_pdf(name))
    found, drawn = figures_in(pages), figures_in_drawings(document_of(name))
    printed = figures_of(document_of(name), True)
    assert printed - found == set()
    assert found - printed - drawn <= {str(page) for page in range(1, len(pages) + 1)}  # of the contents


@every_game
def test_numbers_in_drawings_are_values_or_marks_on_an_axis(name: str) -> None:
    known = explained_by(sheet_of(name))
    for picture in sheet_document(name).pictures:
        parts = [part for part in ElementTree.fromstring(picture.svg).iter() if part.text]
        wrong = [n.text for part in parts for n in read_numbers(part.text or "") if n not in known]
        assert [text for text in wrong if len(re.sub(r"\D", "", text).strip("0")) > MARK_DIGITS] == []
