"""An evening at a table: the law of its result for a bankroll, a stake and some hours."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.requests import Request

from feltlab.analysis.session import DEFAULT_BANKROLL_STAKES, MAX_BANKROLL_CENTS, wagers_in_cents
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
HOURS = re.compile(r"\d{1,4}(\.\d{1,2})?", re.ASCII)
PACE = re.compile(r"\d{1,4}", re.ASCII)


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
    bankroll = _read_bankroll(found.get("bankroll"), first)
    hours, pace = _read_hours(found), _read_pace(found)
    return Evening(bet, bankroll, max(1, int(hours * pace)), pace)


def default_evening(game: Game) -> Evening:
    """The evening that the page of a game shows."""
    return read_evening(Setting(game, {}), {})


def _read_bankroll(text: str | None, first: int) -> int:
    """A bankroll in cents that can make the first wagers; the proof says later what a round can require."""
    bankroll = DEFAULT_BANKROLL_STAKES * first if text is None else parse_dollars(text)
    if not first <= bankroll <= MAX_BANKROLL_CENTS:
        raise Refused(
            f"The bankroll is an amount from {dollars(first)}, the first wagers, to "
            f"{dollars(MAX_BANKROLL_CENTS)}, not {dollars(bankroll)}."
        )
    return bankroll


def _read_hours(found: Mapping[str, str]) -> Fraction:
    text = found.get("hours")
    if text is None:
        return DEFAULT_HOURS
    if not HOURS.fullmatch(text) or not 0 < Fraction(text) <= MAX_HOURS:
        raise Refused(f"The hours are a number above 0 and at most {MAX_HOURS}, not {text!r}.")
    return Fraction(text)


def _read_pace(found: Mapping[str, str]) -> int:
    text = found.get("pace")
    if text is None:
        return DEFAULT_PACE
    if not PACE.fullmatch(text) or not 1 <= int(text) <= MAX_PACE:
        raise Refused(f"The rounds an hour are a whole number from 1 to {MAX_PACE}, not {text!r}.")
    return int(text)


def _fill_form(planned: Evening) -> EveningForm:
    hours = Fraction(planned.rounds, planned.pace)
    bet, bankroll = (dollars(cents).removeprefix("$") for cents in (planned.bet, planned.bankroll))
    return EveningForm(bet, bankroll, f"{float(hours):.2f}".rstrip("0").rstrip("."), str(planned.pace))


add_lab_page(router, "/games/{game}/evening", "games/evening.html", evening)
