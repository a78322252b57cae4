"""The lab: what is proved of each game, under options and stakes that a visitor sets, and the designer.

Nothing is proved here. A page asks `work`, and is either the answer or a page that says how far it is
and comes back by itself. What a visitor sets are parameters of the address, so every answer has one.
"""

import asyncio
from base64 import b64decode
from collections.abc import Awaitable, Callable, Mapping
from fractions import Fraction
from typing import Any
from urllib.parse import urlencode

import orjson
from fastapi import APIRouter, FastAPI
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from feltlab.analysis.design.pays import bet_of, read_edge, read_pays, spots_of, stake_for, with_pays
from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.core.stake import check_stake, default_stake, has_choices, read_stake
from feltlab.errors import Refused, TooOften, Unknown
from feltlab.games import GAMES
from feltlab.server.responses import answer
from feltlab.submission.venues import venue, venues
from feltlab.text import listing
from feltlab.web.filters import FILTERS
from feltlab.web.page import Data, environment, html, per_app, visitor
from feltlab.workers.pool import MOST_WAITING, Work, Working

OPTION, STAKE, PAY = "option-", "stake-", "pay-"
LONGEST = 60  # characters of what a visitor gives
AT_ONCE = 0.3  # seconds in which a part may come before its page is shown without it
MEDIA = {
    "pdf": "application/pdf",
    "html": "text/html; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "json": "application/json",
    "zip": "application/zip",
}
SHEETS = ("pdf", "html", "md", "json")
Show = Callable[[Request], Awaitable[Data]]
router = APIRouter()


def work_of(app: FastAPI) -> Work:
    """The process that proves for an app; it is begun by the first question."""
    return per_app(app, "work", Work)


# -- Pages ------------------------------------------------------------------------------------------


def add_lab_page(path: str, template: str, ask: Show) -> None:
    """A page that may have to be waited for; its JSON first, since a name in a path may hold a point."""

    async def show(request: Request) -> Data:
        request.app.state.door.anyone(request)  # who asks too often waits
        return await ask(request)

    async def as_json(request: Request) -> Response:
        try:
            data, status = await show(request), 200
        except Working as working:
            data, status = {"working": working.as_json()}, 202
        return answer(orjson.loads(orjson.dumps(data, default=str)), status)

    async def as_html(request: Request) -> Response:
        try:
            shown = await show(request)
        except Working as working:
            return being_made(request, working)
        return html(template, {"visitor": visitor(request)} | shown)

    router.add_api_route(f"{path}.json", as_json, include_in_schema=False)
    router.add_api_route(path, as_html, include_in_schema=False)


async def part(work: Work, kind: str, **asked: Any) -> Data:
    """An answer that is a part of a page, or how far it is; a part may wait where a whole page may not."""
    try:
        found: Data = await work.answer(kind, AT_ONCE, **asked)
    except Working as working:
        return {"working": working.as_json()}
    except TooOften:
        return {"working": {"progress": 0, "seconds": 0, "ahead": MOST_WAITING}}
    return found


def being_made(request: Request, working: Working, what: str = "") -> Response:
    """A page that says how far an answer is, and asks for it again."""
    path = request.url.path
    name = path.split("/")[2] if path.count("/") > 1 else ""
    known = GAMES.get(name)
    data = {
        "visitor": visitor(request),
        "title": known.title if known else "Findings",
        "what": what or ("Proving" if known else "Auditing"),
        "back": f"/lab/{name}" if known else "/lab",
        "download": bool(what),
        "working": working.as_json(),
    }
    return html("lab_working.html", data, 202)


# -- What a visitor sets ----------------------------------------------------------------------------


def game_of(request: Request) -> Game:
    return GAMES[request.path_params["game"]]


def given(request: Request, allowed: Callable[[str], bool]) -> dict[str, str]:
    """The parameters that say something; refuses those that the page does not have."""
    found: dict[str, str] = {}
    for name, value in request.query_params.multi_items():
        if not allowed(name):
            raise Refused(f"This page has no setting {name[:LONGEST]!r}.")
        if len(value) > LONGEST or not value.isprintable():
            raise Refused(f"What is given for {name[:LONGEST]} cannot be read.")
        if name in found:
            raise Refused(f"The setting {name[:LONGEST]} is given twice.")
        if value.strip():
            found[name] = value.strip()
    return found


def beginning(found: Mapping[str, str], start: str) -> dict[str, str]:
    return {name.removeprefix(start): value for name, value in found.items() if name.startswith(start)}


def has_beginning(*starts: str) -> Callable[[str], bool]:
    return lambda name: name.startswith(starts)


class Setting:
    """A game as a visitor sets it, with a stake and a strategy."""

    def __init__(self, game: Game, found: Mapping[str, str], bet: Spot | None = None) -> None:
        self.listed = game
        self.game = game.with_options(beginning(found, OPTION))
        units = beginning(found, STAKE)
        self.stake = stake_for(self.game, bet, units) if bet else read_stake(self.game, units)
        self.first_stake = stake_for(self.game, bet, {}) if bet else self._default()
        self.strategy = found.get("strategy", "optimal")

    def _default(self) -> dict[str, Fraction]:
        return check_stake(self.game, default_stake(self.game))

    @property
    def question(self) -> dict[str, Any]:
        """What a proof depends on; equal settings put equal questions, however they were written."""
        stake = {bet: str(units) for bet, units in self.stake.items()}
        return {"game": self.game.name, "options": dict(self.game.chosen), "stake": stake}

    @property
    def query(self) -> str:
        """What differs from the defaults, as the end of an address."""
        pairs = [(OPTION + name, value) for name, value in self.game.chosen]
        first = self.first_stake
        pairs += [(STAKE + bet, str(units)) for bet, units in self.stake.items() if units != first[bet]]
        pairs += [("strategy", self.strategy)] if self.strategy != "optimal" else []
        return f"?{urlencode(pairs)}" if pairs else ""

    @property
    def packet_query(self) -> str:
        """A packet knows options, and nothing else."""
        return "".join(f"&{urlencode({OPTION + name: value})}" for name, value in self.game.chosen)

    def controls(self, strategies: Mapping[str, str]) -> Data:
        """What a form needs to set all this."""
        options = [
            {"name": o.name, "help": o.help, "values": o.values, "value": self.game.options[o.name]}
            for o in self.game.rules.OPTIONS
        ]
        stakes = [
            {
                "name": spot.name,
                "title": spot.title,
                "units": str(self.stake[spot.name]),
                "required": self.game.requires(spot),
            }
            for spot in self.game.wagers
        ]
        listed = [{"name": name, "words": words} for name, words in strategies.items()]
        return {"options": options, "stakes": stakes, "strategies": listed, "strategy": self.strategy}


def described(game: Game) -> Data:
    bets = [{"name": spot.name, "title": spot.title} for spot in game.wagers]
    return {"name": game.name, "title": game.title, "summary": game.rules.SUMMARY, "bets": bets}


# -- Games ------------------------------------------------------------------------------------------


async def games(request: Request) -> Data:
    given(request, has_beginning())
    work = work_of(request.app)
    edges = await asyncio.gather(*(_edges(work, game) for game in GAMES.values()))
    listed = [
        described(game) | {"options": len(game.rules.OPTIONS), "edges": found}
        for game, found in zip(GAMES.values(), edges, strict=True)
    ]
    return {"title": "Lab", "games": listed}


async def _edges(work: Work, game: Game) -> Data:
    """The edge of each wager under the default stake, as soon as it is proved."""
    setting = Setting(game, {})
    proved = await part(work, "proof", **setting.question, strategy=setting.strategy)
    return proved if "working" in proved else {n: bet["house_edge"] for n, bet in proved["bets"].items()}


async def proof(request: Request) -> Data:
    """The proof of a game, and its card as soon as that is made."""
    game = game_of(request)
    found = given(request, lambda name: name == "strategy" or name.startswith((OPTION, STAKE)))
    setting = Setting(game, found)
    work = work_of(request.app)
    proved = await work.answer("proof", **setting.question, strategy=setting.strategy)
    chosen = has_choices(setting.game, setting.stake)
    return {
        "title": game.title,
        "game": described(game),
        "controls": setting.controls(proved["strategies"]),
        "query": setting.query,
        "packet_query": setting.packet_query,
        "proof": proved,
        "card": await part(work, "card", **setting.question) if chosen else {"nothing": True},
        "sheets": SHEETS,
        "venues": [{"name": known.name, "title": known.title} for known in venues().values()],
    }


# -- The designer -----------------------------------------------------------------------------------


async def designer(request: Request) -> Data:
    """A bet under other pays, at once with the play as it was; with a target also the nearest tables."""
    game = game_of(request)
    bet = bet_of(game, request.path_params["spot"])
    names = ("target", "half")
    found = given(request, lambda name: name in names or name.startswith((OPTION, STAKE, PAY)))
    setting = Setting(game, found, bet)
    pays = _pays(setting.game, bet, beginning(found, PAY))
    target = read_edge(found.get("target"))
    question = setting.question | {"bet": bet.name, "pays": {name: str(pay) for name, pay in pays.items()}}
    work = work_of(request.app)
    repriced = await work.answer("repriced", **question)
    return {
        "title": f"{game.title}: {bet.title}",
        "game": described(game),
        "bet": {"name": bet.name, "title": bet.title},
        "controls": setting.controls({}),
        "query": setting.query,
        "address": f"?{request.url.query}" if request.url.query else "",
        "lines": _inputs(setting.game, bet, pays),
        "target": found.get("target", ""),
        "half": "half" in found,
        "repriced": repriced,
        "design": await part(work, "design", **question) if repriced["re-solved"] else repriced,
        "even": {} if pays else await _even(work, setting, bet),
        "found": await _tables(work, setting, bet, question, target, "half" in found),
    }


async def _even(work: Work, setting: Setting, bet: Spot) -> Data:
    """Where a bet with one pay breaks even under the play that is best for each."""
    if len(_inputs(setting.game, bet, {})) != 1:
        return {}
    return await part(work, "even", **setting.question, bet=bet.name)


def _pays(game: Game, bet: Spot, given: Mapping[str, str]) -> dict[str, Fraction]:
    """Pays that are not the listed ones; refuses what the game would."""
    present = {line["name"]: Fraction(line["pays"]) for line in _inputs(game, bet, {})}
    pays: dict[str, Fraction] = {}
    for name, text in given.items():
        if name not in present:
            raise Unknown(f"{name!r} is no line of {bet.title} that pays.")
        read = read_pays(f"{name}={text}")
        if list(read) != [name]:
            raise Refused(f"{text!r} is not a pay, such as 5, 3/2 or 2.5.")
        if read[name] != present[name]:
            pays[name] = read[name]
    with_pays(game, bet, pays)
    return pays


def _inputs(game: Game, bet: Spot, pays: Mapping[str, Fraction]) -> list[Data]:
    """The lines whose pays may be set, each with its name and what it pays."""
    found = []
    for spot in spots_of(game, bet):
        for line in game.pay_table(spot).lines:
            if line.result == "win" and line.listed:
                name = line.outcome if spot == bet else f"{spot.name}: {line.outcome}"
                pay = pays.get(name, line.pays)
                told = {"name": name, "outcome": line.outcome, "spot": spot.title, "listed": str(line.pays)}
                found.append(told | {"pays": str(pay), "raise": bool(spot.raises)})
    return found


async def _tables(
    work: Work, setting: Setting, bet: Spot, question: Data, target: Fraction | None, half: bool
) -> Data:
    if target is None:
        return {}
    try:
        found = await part(work, "tables", **question, target=str(target), half=half)
    except Refused as refused:
        return {"refused": str(refused)}
    if "working" in found:
        return found
    tables = [table | {"query": _query(setting, table["pays"])} for table in found["tables"]]
    return found | {"tables": tables}


def _query(setting: Setting, pays: Mapping[str, str]) -> str:
    """The end of the designer's address for these pays."""
    told = urlencode([(PAY + name, pay) for name, pay in pays.items()])
    return "?" + "&".join(filter(None, (setting.query.removeprefix("?"), told)))


# -- Findings ---------------------------------------------------------------------------------------


async def findings(request: Request) -> Data:
    """The audit's report; of one game where that is asked for."""
    found = given(request, lambda name: name == "game")
    chosen = found.get("game", "")
    names = [GAMES[chosen].name] if chosen else list(GAMES)
    report = await work_of(request.app).answer("findings", games=names)
    listed = [{"name": game.name, "title": game.title} for game in GAMES.values()]
    return {"title": "Findings", "chosen": chosen, "games": listed, "report": report}


# -- Short addresses --------------------------------------------------------------------------------


async def findings_of(request: Request) -> Response:
    """The findings of a game are a part of those of all."""
    return RedirectResponse(f"/findings{_suffix(request)}?game={game_of(request).name}")


async def first_design(request: Request) -> Response:
    """A designer of a game begins at its first wager."""
    game = game_of(request)
    return RedirectResponse(f"/lab/{game.name}/design/{game.wagers[0].name}{_suffix(request)}")


def _suffix(request: Request) -> str:
    return ".json" if request.url.path.endswith(".json") else ""


# -- Downloads --------------------------------------------------------------------------------------


async def sheet(request: Request) -> Response:
    """A PAR sheet as a file."""
    game, suffix = game_of(request), request.path_params["suffix"]
    if suffix not in SHEETS:
        raise Unknown(f"A PAR sheet is made as {listing(SHEETS, 'or')}.")
    found = given(request, lambda name: name == "strategy" or name.startswith((OPTION, STAKE)))
    setting = Setting(game, found)
    asked = setting.question | {"strategy": setting.strategy, "suffix": suffix}
    return await _download(request, "par", asked, f"{game.name}-par.{suffix}", "Making the PAR sheet")


async def packet(request: Request) -> Response:
    """A submission packet as an archive."""
    found = given(request, lambda name: name == "venue" or name.startswith(OPTION))
    setting = Setting(game_of(request), found)
    where = venue(found.get("venue", "commercial")).name
    asked = {"game": setting.game.name, "options": dict(setting.game.chosen), "venue": where}
    name = f"{setting.game.name}-{where}-packet.zip"
    return await _download(request, "packet", asked, name, "Making the packet")


async def _download(request: Request, kind: str, asked: Data, name: str, what: str) -> Response:
    wants_page = "text/html" in request.headers.get("accept", "")
    try:
        made = await work_of(request.app).answer(kind, **asked)
    except Working as working:
        if wants_page:
            return being_made(request, working, what)
        return answer({"working": working.as_json()}, 202)
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(b64decode(made["file"]), 200, headers, MEDIA[name.rpartition(".")[2]])


environment().filters.update(FILTERS)
for name in environment().list_templates(filter_func=lambda name: name.startswith("lab")):
    environment().get_template(name)  # compiled now: it takes a tenth of a second, and no table waits yet

add_lab_page("/lab", "lab.html", games)
add_lab_page("/findings", "lab_findings.html", findings)
router.add_api_route("/lab/{game}/par.{suffix}", sheet, include_in_schema=False)
router.add_api_route("/lab/{game}/packet.zip", packet, include_in_schema=False)
for suffix in ("", ".json"):
    router.add_api_route("/lab/{game}/findings" + suffix, findings_of, include_in_schema=False)
    router.add_api_route("/lab/{game}/design" + suffix, first_design, include_in_schema=False)
add_lab_page("/lab/{game}/design/{spot}", "lab_design.html", designer)
add_lab_page("/lab/{game}", "lab_game.html", proof)
