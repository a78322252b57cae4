"""The rules of a game as a page: the sheet that `feltlab rules` prints, with an address for each clause."""

import re
from functools import cache
from itertools import pairwise

from fastapi import APIRouter
from markdown_it import MarkdownIt
from starlette.requests import Request

from feltlab.games import GAMES
from feltlab.submission.rule_sheet import parse_rule_sheet, read_rule_sheet
from feltlab.web.page import Data, add_page
from feltlab.web.pages.lab.proof import described

router = APIRouter()
CLAUSE = re.compile(r"\*\*(\d+\.\d+)\*\*")
TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
WIDE = '<div class="wide" tabindex="0" role="region" aria-label="Table">{}</div>'  # scrolls by itself


async def rules(request: Request) -> Data:
    game = GAMES[request.path_params["game"]]
    return {"title": f"{game.title}: rules", "game": described(game), **sheet(game.name)}


@cache
def sheet(name: str) -> Data:
    """The rules as HTML, and their sections; what is HTML in their text stays text."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse(read_rule_sheet(name))
    for opens, told in pairwise(tokens):
        clause = CLAUSE.match(told.content)
        if opens.type == "paragraph_open" and clause:
            opens.attrSet("id", clause[1])
    sections = [{"number": each.number, "title": each.title} for each in parse_rule_sheet(name).chapters]
    written = reader.renderer.render(tokens, reader.options, {})
    return {"sections": sections, "sheet": TABLE.sub(lambda found: WIDE.format(found[0]), written)}


add_page(router, "/rules/{game}", "rules.html", rules)
