"""PAR sheets and their documents, made once in a process for all tests that read them."""

from functools import cache

from feltlab.analysis.par_sheet import ParSheet, par_sheet
from feltlab.games import GAMES
from feltlab.report.document import Document
from feltlab.report.documents.par_sheet import document
from feltlab.report.renderers import pdf
from feltlab.submission.venues import DEFAULT_VENUE, venue


@cache
def sheet_of(name: str) -> ParSheet:
    """The sheet of a game as a house has it, with the highest wager of the venue."""
    return par_sheet(GAMES[name], highest=venue(DEFAULT_VENUE).highest_wager)


@cache
def document_of(name: str) -> Document:
    return document(sheet_of(name))


@cache
def pdf_of(name: str) -> bytes:
    """The sheet as a PDF, which takes about a second to set."""
    return pdf.render(document_of(name))
