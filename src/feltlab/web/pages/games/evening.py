"""What an evening at a table looks like: the law of its result for a bankroll, a stake and some hours."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.requests import Request

from feltlab.analysis.session import DEFAULT_BANKROLL_STAKES, wagers_in_cents
from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.report.felt_picture import draw_felt
from feltlab.text import dollars, parse_dollars
from feltlab.web.page import Data
from feltlab.web.pages.lab.setting import OPTION, STAKE, Setting, describe_game, game_of, read_parameters
from feltlab.web.pages.lab.variants import play_query
from feltlab.web.pages.lab.waiting import add_lab_page, show_part, work_of
from feltlab.workers.evening import Evening

router = APIRouter()
FIELDS = ("bet", "bankroll", "hours", "pace")  # parameters
DEFAULT_BET_CENTS = 1_000
DEFAULT_HOURS, DEFAULT_PACE = Fraction(3), 60  # rounds an hour
MAX_HOURS, MAX_PACE = 24, 600
NUMBER = re.compile(r"\d{1,4}(\.\d{1,2})?", re.ASCII)


@dataclass(frozen=True)
class EveningForm:
    """The player's numbers, as the form shows them."""

    bet: str
    bankroll: str
    hours: str
    pace: str


async def evening(request: Request) -> Data:
    game = game_of(request)
    found = read_parameters(request, *FIELDS, prefixes=(OPTION, STAKE))
    setting = Setting(game, found)
    planned = read_evening(setting, found)
    return {
        "title": f"{game.title}: an evening",
        "game": describe_game(game),
        "picture": draw_felt(setting.game),
        "controls": setting.controls({}),
        "query": setting.query,
        "options_query": play_query(setting),
        "address": f"?{request.url.query}" if request.url.query else "",
        "form": asdict(_fill_form(planned)),
        "limits": {"hours": MAX_HOURS, "pace": MAX_PACE},
        "evening": await ask_evening(request, setting, planned),
    }


async def ask_evening(request: Request, setting: Setting, planned: Evening) -> Data:
    """The evening's law, its progress, or the sentence of a refusal."""
    return await show_part(work_of(request.app), "evening", **setting.question, evening=asdict(planned))


def game_address(game: Game) -> str:
    """The address of the page of a game under its options."""
    chosen = urlencode([(OPTION + name, value) for name, value in game.chosen])
    return f"/games/{game.name}?{chosen}" if chosen else f"/games/{game.name}"


def evening_address(game: Game, bet: int) -> str:
    """The address of this page under the options of a table and the lowest wager there, in cents."""
    chosen = [(OPTION + name, value) for name, value in game.chosen]
    return f"/games/{game.name}/evening?{urlencode([*chosen, ('bet', dollars(bet).strip('$'))])}"


# -- The player's numbers ---------------------------------------------------------------------------


def read_evening(setting: Setting, found: Mapping[str, str]) -> Evening:
    """The evening of the parameters; the bankroll is by default forty times the first wagers."""
    bet = parse_dollars(found["bet"]) if "bet" in found else DEFAULT_BET_CENTS
    if bet <= 0:
        raise Refused("The unit of the stake is an amount above $0.")
    first = sum(wagers_in_cents(setting.game, setting.stake, bet).values())
    bankroll = parse_dollars(found["bankroll"]) if "bankroll" in found else DEFAULT_BANKROLL_STAKES * first
    hours = _read_number("hours", found, DEFAULT_HOURS, MAX_HOURS)
    pace = int(_read_number("pace", found, Fraction(DEFAULT_PACE), MAX_PACE))
    return Evening(bet, bankroll, max(1, int(hours * pace)), pace)


def default_evening(game: Game) -> Evening:
    """The evening that the page of a game shows."""
    return read_evening(Setting(game, {}), {})


def _read_number(name: str, found: Mapping[str, str], default: Fraction, most: int) -> Fraction:
    if name not in found:
        return default
    text = found[name]
    if not NUMBER.fullmatch(text) or not 0 < Fraction(text) <= most:
        what = "The hours" if name == "hours" else "The rounds an hour"
        raise Refused(f"{what} are a number above 0 and at most {most}, not {text!r}.")
    return Fraction(text)


def _fill_form(planned: Evening) -> EveningForm:
    hours = Fraction(planned.rounds, planned.pace)
    bet, bankroll = (dollars(cents).removeprefix("$") for cents in (planned.bet, planned.bankroll))
    return EveningForm(bet, bankroll, f"{float(hours):.2f}".rstrip("0").rstrip("."), str(planned.pace))


add_lab_page(router, "/games/{game}/evening", "games/evening.html", evening)
