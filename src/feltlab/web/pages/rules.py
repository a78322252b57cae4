"""The rules of a game as a page: the sheet that `feltlab rules` prints, with an anchor for each clause."""

import re
from functools import cache
from itertools import pairwise

from fastapi import APIRouter
from markdown_it import MarkdownIt
from starlette.requests import Request

from feltlab.games import GAMES
from feltlab.submission.rule_sheet import parse_rule_sheet, read_rule_sheet
from feltlab.web.page import Data, add_page
from feltlab.web.pages.lab.setting import describe_game

router = APIRouter()
CLAUSE = re.compile(r"\*\*(\d+\.\d+)\*\*")
TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
SCROLLING_TABLE = '<div class="wide" tabindex="0" role="region" aria-label="Table">{}</div>'


async def rules(request: Request) -> Data:
    game = GAMES[request.path_params["game"]]
    return {"title": f"{game.title}: rules", "game": describe_game(game), **render_sheet(game.name)}


@cache
def render_sheet(name: str) -> Data:
    """The rules as HTML, with the list of their sections; HTML in the text of the rules is escaped."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse(read_rule_sheet(name))
    for opening, inline in pairwise(tokens):
        clause = CLAUSE.match(inline.content)
        if opening.type == "paragraph_open" and clause:
            opening.attrSet("id", clause[1])
    sections = [{"number": each.number, "title": each.title} for each in parse_rule_sheet(name).chapters]
    html = reader.renderer.render(tokens, reader.options, {})
    return {"sections": sections, "sheet": TABLE.sub(lambda found: SCROLLING_TABLE.format(found[0]), html)}


add_page(router, "/rules/{game}", "rules.html", rules)
