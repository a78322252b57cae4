"""The rules of a game as a page: the sheet that `feltlab rules` prints, with an anchor for each clause."""

import re
from dataclasses import asdict
from functools import lru_cache
from itertools import pairwise
from urllib.parse import urlencode

from fastapi import APIRouter
from markdown_it import MarkdownIt
from starlette.requests import Request

from feltlab.core.game import Game
from feltlab.submission.procedure import procedure
from feltlab.submission.rule_sheet import parse_rule_sheet, render_rule_sheet
from feltlab.web.page import Data, add_page
from feltlab.web.pages.lab.setting import OPTION, describe_game, game_of, read_parameters, with_prefix

router = APIRouter()
CLAUSE = re.compile(r"\*\*(\d+\.\d+)\*\*")
TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
SCROLLING_TABLE = '<div class="wide" tabindex="0" role="region" aria-label="Table">{}</div>'


async def rules(request: Request) -> Data:
    """The rules under the options of the address: /rules/casino-war?option-decks=8."""
    chosen = with_prefix(read_parameters(request, prefixes=(OPTION,)), OPTION)
    game = game_of(request).with_options(chosen)
    options = [
        {"name": o.name, "help": o.help, "values": o.values, "value": game.options[o.name]}
        for o in game.rules.OPTIONS
    ]
    return {
        "title": f"{game.title}: rules",
        "game": describe_game(game),
        "options": options,
        **render_sheet(game),
        "procedure": [asdict(step) for step in procedure(game)],
    }


def rules_address(game: Game) -> str:
    """The address of this page under the options of a game."""
    chosen = urlencode([(OPTION + name, value) for name, value in game.chosen])
    return f"/rules/{game.name}?{chosen}" if chosen else f"/rules/{game.name}"


@lru_cache(maxsize=256)
def render_sheet(game: Game) -> Data:
    """The rules as HTML, with the list of their sections; HTML in the text of the rules is escaped."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse(render_rule_sheet(game))
    for opening, inline in pairwise(tokens):
        clause = CLAUSE.match(inline.content)
        if opening.type == "paragraph_open" and clause:
            opening.attrSet("id", clause[1])
    sections = [
        {"number": each.number, "title": each.title, "first": each.clauses[0].number}
        for each in parse_rule_sheet(game).chapters
    ]
    html = reader.renderer.render(tokens, reader.options, {})
    return {"sections": sections, "sheet": TABLE.sub(lambda found: SCROLLING_TABLE.format(found[0]), html)}


add_page(router, "/rules/{game}", "rules.html", rules)
