"""The floor: what supervisors, auditors and administrators look at, and act from.

The pages show; acts go to the API, which asks for the role again.
"""

import asyncio
from dataclasses import asdict
from typing import Any

import orjson
from fastapi import APIRouter
from starlette.requests import Request

from feltlab.errors import Unknown
from feltlab.game import Game, money
from feltlab.games import GAMES
from feltlab.limits import STANDARD
from feltlab.pit import history
from feltlab.pit.accounts import Act, Role
from feltlab.pit.approvals import Act as Step
from feltlab.pit.approvals import Approval
from feltlab.pit.door import Door
from feltlab.pit.live import LiveTable
from feltlab.pit.meters import FEWEST_ROUNDS, SLIP_BAND, Meters, Slip
from feltlab.pit.pit import LIVELY, Pit, today
from feltlab.pit.requests import MOST
from feltlab.pit.sessions import Session
from feltlab.pit.shuffler import FAULTS
from feltlab.pit.table import Phase
from feltlab.pit.view import summary
from feltlab.web.page import Data, add_page
from feltlab.web.rounds import LISTED, listed

router = APIRouter()
EVENTS = 12  # on a page
SLIPS = 10
MOST_ASKED = 100  # tables whose slips the first page reads
BAR = 300  # units of a bar's width


def admitted(request: Request, *acts: Act) -> Session:
    """Who looks, if one of these acts is allowed to them."""
    door: Door = request.app.state.door
    session = door.reader(request)
    door.check(session, *acts)
    return session


def _pit(request: Request) -> Pit:
    pit: Pit = request.app.state.pit
    return pit


# -- All tables -------------------------------------------------------------------------------------


async def floor(request: Request) -> Data:
    session, pit = admitted(request, Act.SUPERVISE, Act.AUDIT), _pit(request)
    tables = list(pit.tables.values())
    return {
        "title": "Floor",
        "tables": [line(live) for live in tables],
        "alarms": sum(bool(live.table.alarm) for live in tables),
        "events": await _events(pit) if session.role.may(Act.AUDIT) else None,
        "slips": await asyncio.to_thread(_last_slips, pit, tables[:MOST_ASKED]),
    }


def line(live: LiveTable) -> Data:
    """A table with its meters, since it first opened under these rules."""
    table = live.table
    read = table.meters
    plain = {name: getattr(read, name) for name in ("rounds", "hands", "voids", "drop", "handle", "win")}
    return {
        **summary(table),
        "phase": table.phase.value,
        "meters": plain | {"hold": read.hold},
        "alarm": table.alarm,
        "chips": table.chips,
        "bar": bar(live, read),
    }


async def _events(pit: Pit, last: int = EVENTS) -> list[Data]:
    rows = await asyncio.to_thread(history.significant, pit.ledger, last, MOST)
    return [_event(row) for row in rows]


def _event(row: dict[str, Any]) -> Data:
    plain = {name: row[name] for name in ("sequence", "chain", "kind", "round", "at")}
    return plain | {"says": _says(orjson.loads(orjson.dumps(row["data"])))}


SAID = ("by", "account", "role", "why", "reason", "fault", "message", "alarm", "sentence", "approval", "act")


def _says(data: dict[str, Any]) -> str:
    """What an event tells besides its kind, shortly."""
    return ", ".join(f"{name}: {data[name]}" for name in SAID if data.get(name))


def _last_slips(pit: Pit, tables: list[LiveTable]) -> list[Data]:
    found = [slip for live in tables for slip in _slips(pit, live)]
    return sorted(found, key=lambda slip: str(slip["at"]), reverse=True)[:SLIPS]


def _slips(pit: Pit, live: LiveTable) -> list[Data]:
    told = history.slips(pit.ledger, live)
    return [slip | {"rows": Slip.from_json(slip).rows} for slip in told]


# -- A bar: the win within its band ------------------------------------------------------------------


def bar(live: LiveTable, read: Meters) -> Data:
    """The win against the theory, with where to draw it; without theory, why there is none."""
    known = live.expectation
    if not read.rounds:
        return {"said": "No round was settled so far."}
    if known is None or known.digest != live.table.game.digest:
        return {"said": "The theory is not proved yet."}
    low, high = known.band(read, SLIP_BAND)
    expected, inside = known.expected(read), low <= read.win <= high
    where = "within" if inside else "below" if read.win < low else "above"
    said = f"Won {money(read.win)}; expected {money(expected)}, and {where} the {SLIP_BAND:g} % band"
    said += f" of {money(low)} to {money(high)}."
    if read.rounds < FEWEST_ROUNDS:
        said += f" Alarms begin at {FEWEST_ROUNDS} rounds."
    place = _scale(min(low, read.win), max(high, read.win))
    drawn = {"low": place(low), "high": place(high), "expected": place(expected), "win": place(read.win)}
    return {"said": said, "inside": inside, "expected": expected, "band": [low, high], "drawn": drawn}


def _scale(low: float, high: float) -> Any:
    """Amounts to places on a bar, with some room at both ends."""
    wide = (high - low) or 1.0
    return lambda cents: round(BAR * (0.08 + 0.84 * (cents - low) / wide), 1)


# -- One table --------------------------------------------------------------------------------------


async def table(request: Request) -> Data:
    session, pit = admitted(request, Act.SUPERVISE, Act.AUDIT), _pit(request)
    live = pit.table(request.path_params["name"])
    rounds = await asyncio.to_thread(history.rounds, pit.ledger, live.table.name, LISTED)
    return {
        "title": live.table.name,
        "line": line(live),
        "game": str(live.table.game),
        "approval": live.table.approval,
        "closes": bool(live.table.closes),
        "closed": live.table.phase == Phase.CLOSED,
        "bets": bool(live.table.bettors),
        "first": dict(live.table.meters.first),
        "since": line_since(live),
        "shuffler": live.table.shuffler.name,
        "seats": [_seat(n, place) for n, place in enumerate(live.table.places, 1)],
        "timers": asdict(live.table.timers),
        "rounds": listed(rounds),
        "slips": (await asyncio.to_thread(_slips, pit, live))[::-1][:SLIPS],
        "faults": list(FAULTS),
        "supervises": session.role.may(Act.SUPERVISE),
    }


def line_since(live: LiveTable) -> Data:
    """What was added since the table was last opened."""
    since = live.table.meters - live.table.opening
    plain = {name: getattr(since, name) for name in ("rounds", "hands", "voids", "drop", "handle", "win")}
    return plain | {"hold": since.hold, "bar": bar(live, since)}


def _seat(number: int, place: Any) -> Data:
    if place is None:
        return {"seat": number, "player": ""}
    return {"seat": number, "player": place.player, "bankroll": place.bankroll, "staked": place.on_felt}


# -- Opening one ------------------------------------------------------------------------------------


async def opening(request: Request) -> Data:
    admitted(request, Act.SUPERVISE)
    pit = _pit(request)
    number = request.query_params.get("approval", "")
    under = pit.approvals[int(number)] if number.isdecimal() and len(number) < 10 else None
    game = _asked_game(request, under)
    return {
        "title": "Open a table",
        **game_form(game),
        "name": request.query_params.get("name", "")[:40] or _free_name(pit, game.name),
        "approval": under.number if under else None,
        "pays": _pays(under) if under else {},
        "limits": asdict(STANDARD),
        "timers": [(name, _plainly(seconds)) for name, seconds in asdict(LIVELY).items()],
        "in_force": [_told(found) for found in pit.approvals if _in_force(found)],
    }


def _asked_game(request: Request, under: Approval | None = None) -> Game:
    """The game of a form, under the options of an approval where one is named."""
    name = under.game if under else request.query_params.get("game") or next(iter(GAMES))
    if name not in GAMES:
        raise Unknown(f"{name[:40]!r} is not a game of this house.")
    return GAMES[name].with_options(dict(under.options)) if under else GAMES[name]


def game_form(game: Game) -> Data:
    """What a form asks about a game: which, and each option with its values."""
    options = [
        {"name": o.name, "values": list(o.values), "help": o.help, "value": game.options[o.name]}
        for o in game.rules.OPTIONS
    ]
    games = [{"name": found.name, "title": found.title} for found in GAMES.values()]
    return {"games": games, "game": game.name, "game_title": game.title, "options": options}


def _plainly(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds:g}"


def _free_name(pit: Pit, game: str) -> str:
    return next(name for n in range(1, len(pit.tables) + 2) if (name := f"{game}-{n}") not in pit.tables)


def _pays(approval: Approval) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for spot, outcome, pay in approval.pays:
        found.setdefault(spot, {})[outcome] = str(pay)
    return found


# -- Approvals --------------------------------------------------------------------------------------


async def approvals(request: Request) -> Data:
    session, pit = admitted(request, Act.SUPERVISE, Act.AUDIT), _pit(request)
    return {
        "title": "Approvals",
        "house": pit.house.name,
        "approvals": [_told(found) for found in reversed(pit.approvals.approvals)],
        "administers": session.role.may(Act.ADMINISTER),
        "supervises": session.role.may(Act.SUPERVISE),
        "today": today().isoformat(),
        **game_form(_asked_game(request)),
    }


def _told(found: Approval) -> Data:
    regime = found.regime
    return {
        "number": found.number,
        "game": found.game,
        "title": GAMES[found.game].title if found.game in GAMES else found.game,
        "options": dict(found.options),
        "pays": _pays(found),
        "digest": found.digest,
        "kind": found.kind,
        "state": found.state,
        "begins": found.begins.isoformat(),
        "ends": found.ends.isoformat() if found.ends else None,
        "in_force": _in_force(found),
        "path": [{"state": act.state, "reached": act.state in _states(found)} for act in regime.path],
        "done": [done.as_json() for done in found.done],
        "possible": [_possible(act) for act in regime.possible(found.state)],
    }


def _in_force(found: Approval) -> bool:
    return found.in_force(today(), found.digest)


def _states(found: Approval) -> set[str]:
    return {done.state for done in found.done}


def _possible(act: Step) -> Data:
    return {"act": act.name, "responsible": act.responsible, "does": act.does, "asks": act.asks}


# -- Accounts ---------------------------------------------------------------------------------------


async def accounts(request: Request) -> Data:
    session, pit = admitted(request, Act.ADMINISTER), _pit(request)
    found = await asyncio.to_thread(pit.accounts.all)
    return {
        "title": "Accounts",
        "accounts": [asdict(account) | {"role": account.role.value} for account in found],
        "roles": [role.value for role in Role if role is not Role.GUEST],
        "me": session.account,
    }


add_page(router, "/floor", "floor.html", floor)
add_page(router, "/floor/open", "floor-open.html", opening)
add_page(router, "/floor/tables/{name}", "floor-table.html", table)
add_page(router, "/floor/approvals", "floor-approvals.html", approvals)
add_page(router, "/floor/accounts", "floor-accounts.html", accounts)
