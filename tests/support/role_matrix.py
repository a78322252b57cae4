"""The matrix of roles and operations: every operation is tried by every role, and by strangers.

`python -m tests.support.role_matrix` writes docs/pit/roles.md.
"""

import asyncio
import re
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from feltlab.core.limits import STANDARD_LIMITS
from feltlab.games import GAMES
from feltlab.pit.accounts import ADMIN
from feltlab.pit.approvals import Approvals, House
from feltlab.pit.approvals.codes import make_code
from feltlab.pit.pit import today
from feltlab.pit.regimes import Taker, game_regime, load_regimes
from feltlab.pit.roles import Role, Side
from feltlab.pit.seats import Timers
from feltlab.server.app import PARTS as API
from feltlab.server.sessions import Sessions
from feltlab.web.app import PARTS as PAGES
from tests.support import approving
from tests.support.pages import Pages, open_house
from tests.support.running import SECRET, WAR, Client

DOCUMENT = Path(__file__).parents[2] / "docs" / "pit" / "roles.md"
NOBODY = "nobody"
COLUMNS = (NOBODY, *Role)
ROOM, CASINO = House.of("The Long Table", "commercial"), House.of("The casino", "tribal")
OPERATORS = {"commercial": 1, "tribal": 2}  # the approvals of the two regimes, by number
TABLE, PRIVATE = f"{WAR}-1", f"{WAR}-solo-1"
HEADING = """# Roles and operations

Every operation of the API and every page for staff, tried by every role at a house with a regulator. `yes`:
the request is understood and done, or refused for another reason than the role. A session of another house
is worth as much as none. `tests/server/test_role_matrix.py` tries all of it again and compares it with this
page, which `python -m tests.support.role_matrix` writes.

Pages of the lobby, tables, rules, games, the lab, findings, training and one's own hands are open to
everyone, and so are the answers of the lab, the coach and the trainer.
"""
# Operations that prove or advise in worker processes, or lead to such pages. They need no role.
OPEN_TO_ALL = re.compile(
    r"/(api/(train|hands|tables/\{name\}/advice)|lab|findings|games|train|hands|play|rules|tables)\b.*|/school(/\{game\}.*)?|/|/index\.json"
)


@dataclass(frozen=True)
class Operation:
    """A request, and the words by which the page names it."""

    method: str
    path: str  # as its route has it
    body: dict[str, Any] | None = None
    about: str = ""  # where one route has several rows
    fill: dict[str, str] = field(default_factory=dict)  # the parts of the path

    @property
    def title(self) -> str:
        return f"`{self.method} {self.path}`{f' {self.about}' if self.about else ''}"

    @property
    def address(self) -> str:
        known = {
            "name": TABLE,
            "number": "1",
            "number:int": "1",
            "game": WAR,
            "fault": "jam",
            "suffix": "txt",
            "digest": "0",
        }
        return re.sub(r"\{([^}]+)\}", lambda part: (known | self.fill)[part[1]], self.path)


def at_table(act: str, **body: Any) -> Operation:
    return Operation("POST", f"/api/tables/{{name}}/{act}", body)


NEW = "(another maker's, not yet approved)"
SEAT = "the seat of the role"  # filled in for each
AT_TABLE = (
    at_table("sit", seat=SEAT, cents=20_000),
    at_table("buy", seat=SEAT, cents=1000),
    at_table("say", phrase="Good luck"),
    at_table("seal-seed", seat=SEAT, round=1, digest="ab" * 32),
    at_table("reveal-seed", seat=SEAT, round=1, seed="a seed of my own"),
    at_table("wager", seat=SEAT, round=1, wagers={"primary": 1000}),
    at_table("ready", seat=SEAT, round=1),
    at_table("choose", seat=SEAT, round=1, choice="war"),
    at_table("leave", seat=SEAT),
    at_table("jackpot", seat=SEAT, on=True),
    at_table("no-more-bets"),
    at_table("count-bets", bets=0),
    at_table("advance"),
    at_table("consult-guide", fault="jam"),
    at_table("replacement-step", step=1),
    at_table("select-mode", mode="shoe"),
    at_table("test-shuffler", shuffler="main"),
    at_table("deal-by-hand", why="x"),
    at_table("drill", fault="jam"),
    at_table("end-drill"),
    at_table("irregularity", round=1, kind="exposed-card", hand="dealer", decision="void"),
    at_table("corrections", round=1, seat=1, spot="primary", paid=0, due=1, reason="x"),
    at_table("void", reason="x"),
    Operation("POST", "/api/tables/{name}/invite", None, "(another's private table)", {"name": PRIVATE}),
)
STEPS = (
    *(
        Operation(
            "POST", "/api/submissions/{number}/steps", {"act": step.name, "note": "x"}, f"*{step.name}*"
        )
        for step in game_regime().steps[1:]
    ),
    *(
        Operation(
            "POST",
            "/api/approvals/{number}/steps",
            {"act": step.name, "note": "x"},
            f"*{step.name}* ({kind})",
            {"number": str(OPERATORS[kind])},
        )
        for kind, regime in load_regimes().items()
        for step in regime.steps[1:]
    ),
)
DECISIONS = (
    Operation("POST", "/api/submissions", {"game": WAR, "maker": "A maker", "reference": "2"}),
    Operation("POST", "/api/approvals", {"game": WAR}),
    *STEPS,
    Operation(
        "POST",
        "/api/approvals/{number}/filings",
        {"condition": "makers", "items": {"layouts": "a", "cards": "b"}},
    ),
    Operation("POST", "/api/approvals/{number}/filings/withdraw", {"condition": "notices", "note": "x"}),
    Operation("POST", "/api/jackpots", {"rules": "x"}),
    Operation("POST", "/api/jackpots/{name}/join", {"table": "x"}),
    Operation("POST", "/api/jackpots/{name}/leave", {"table": "x"}),
    Operation("POST", "/api/jackpots/{name}/verify", {"claim": 1}),
    Operation("POST", "/api/jackpots/{name}/refuse", {"claim": 1, "why": "x"}),
    Operation("POST", "/api/jackpots/{name}/fund", {"cents": 1}),
    Operation("POST", "/api/jackpots/{name}/deposit", {"cents": 1, "reference": "x"}),
    Operation(
        "POST", "/api/jackpots/{name}/decrease", {"meter": "x", "cents": 1, "reason": "x", "note": "x"}
    ),
    Operation("POST", "/api/jackpots/{name}/close", None),
    Operation("POST", "/api/licences", {"number": "9", "maker": "x", "covers": ["cards"]}),
    Operation("POST", "/api/licences/end", {"number": "9", "note": "x"}),
    Operation("POST", "/api/shuffler-models", {"model": "ACE", "maker": "x"}),
    Operation("POST", "/api/shuffler-models/end", {"model": "ACE", "note": "x"}),
)


def new_account(role: str, about: str) -> Operation:
    return Operation(
        "POST", "/api/accounts", {"name": f"new-{role}", "password": SECRET, "role": role}, about
    )


def change_account(role: str, about: str) -> Operation:
    return Operation("PATCH", "/api/accounts/{name}", {"disabled": False}, about, {"name": f"a-{role}"})


ACCOUNTS = (
    Operation("POST", "/api/session/guest", {}),
    Operation("POST", "/api/session", {"name": "a-player", "password": SECRET}),
    Operation("POST", "/api/session/name", {"name": "Quiet Heron"}),
    Operation("POST", "/api/session/password", {"old": SECRET, "new": SECRET}),
    Operation("POST", "/api/session/second-factor/secret", None),
    Operation("POST", "/api/session/second-factor", {"password": SECRET, "code": "000000"}),
    Operation("POST", "/api/session/passkeys/options", None),
    Operation(
        "POST",
        "/api/session/passkeys",
        {"password": SECRET, "name": "x", "credential": {"client_data": "", "attestation": ""}},
    ),
    Operation("POST", "/api/session/passkeys/remove", {"password": SECRET, "id": "00"}),
    Operation("POST", "/api/refill", None),
    Operation("POST", "/api/limits", {"minutes": 600}),
    Operation("POST", "/api/accounts/claim", {"code": "", "name": "claimed", "password": SECRET}),
    *(
        make(role, f"({words})")
        for make in (new_account, change_account)
        for role, words in (
            ("player", "a player"),
            ("dealer", "staff of the house"),
            ("maker", "a maker of the same firm"),
            ("regulator", "a regulator"),
            ("agency", "an agency"),
        )
    ),
    Operation(
        "PATCH", "/api/accounts/{name}", {"disabled": False}, "(a maker of another firm)", {"name": "a-rival"}
    ),
)
READING = (
    Operation("GET", "/api/tables/{name}", None, "(another's private table)", {"name": PRIVATE}),
    Operation("GET", "/tables/{name}", None, "(another's private table)", {"name": PRIVATE}),
    Operation("GET", "/api/submissions/{number}/changes", None, "(approved)"),
    Operation("GET", "/api/submissions/{number}/changes", None, NEW, {"number": "2"}),
    Operation("GET", "/approvals/games/{number}", None, "(approved)"),
    Operation("GET", "/approvals/games/{number}", None, NEW, {"number": "2"}),
)
CUSTODY = (
    Operation("POST", "/api/requests/{number}/confirm", None),
    Operation("POST", "/api/requests/{number}/deny", {"why": "x"}),
    Operation("POST", "/api/keys/{name}/rotate", None, "", {"name": "vault"}),
)
DRILLED = {"seed": 1, "level": 1}
SCHOOL = (
    Operation("POST", "/api/school/{game}/question", {}),
    Operation("POST", "/api/school/{game}/answer", {"drill": "x", "answer": [], **DRILLED}),
    Operation("POST", "/api/school/{game}/table", {"seats": 1, "acts": [], **DRILLED}),
    Operation(
        "POST",
        "/api/school/exams",
        {"games": [WAR], "hands": 1, "pass_percent": 90, "minutes": 5, "level": 1},
    ),
    Operation("POST", "/api/school/exams/{number}/attempts", None),
    Operation("POST", "/api/school/attempts/{number}/answers", {"question": 1, "answer": []}),
)
LAST = (
    Operation("POST", "/api/solo", {"game": WAR}),
    Operation("POST", "/api/tables", {"name": "east", "game": WAR}),
    at_table("close", why="x"),
    Operation("POST", "/floor/ledger/verify", None),
    Operation("DELETE", "/api/session", None),
)
WRITTEN = (*READING, *AT_TABLE, *ACCOUNTS, *DECISIONS, *CUSTODY, *SCHOOL, *LAST)


def list_routes() -> list[tuple[str, str]]:
    """Every method and path of the API and of the pages, but for the JSON of a page, and redirections."""
    found = [
        (method, route.path)
        for part in (*API, *PAGES)
        for route in part.router.routes
        for method in sorted(getattr(route, "methods", ()))
    ]
    return [(method, path) for method, path in found if not path.startswith("/floor/approvals")]


def list_operations() -> list[Operation]:
    """What is tried: reading first, then what changes something, and at last what ends it."""
    written = {(one.method, one.path) for one in WRITTEN}
    plain = [
        Operation(method, path)
        for method, path in list_routes()
        if method == "GET"
        and not (path.endswith(".json") or OPEN_TO_ALL.fullmatch(path))
        and (method, path) not in written
    ]
    return [*plain, Operation("GET", "/api/tables/{name}"), *WRITTEN]


# -- Trying -----------------------------------------------------------------------------------------


@dataclass
class Tried:
    """A house with a regulator, at which every role tries every operation."""

    house: Pages
    code: str
    clients: dict[str, Client] = field(default_factory=dict)

    async def client(self, role: str) -> Client:
        if role not in self.clients:
            if role == NOBODY:
                self.clients[role] = Client(self.house)
            elif role == Role.GUEST:
                self.clients[role] = await self.house.guest()
            else:
                self.clients[role] = await self.house.as_(Role(role))
        return self.clients[role]

    async def may(self, role: str, operation: Operation) -> bool:
        """Whether an operation is refused to a role, or to somebody without a session."""
        client = await self.client(role)
        allowed = await self.send(client, operation, role)
        if operation.path.startswith("/api/session"):
            self.clients.pop(role)  # its session may have ended
        return allowed

    async def send(self, client: Client, operation: Operation, role: str) -> bool:
        body = operation.body
        if body and body.get("seat") == SEAT:
            body = body | {
                "seat": {Role.GUEST: 1, Role.PLAYER: 2}.get(Role(role), 3) if role != NOBODY else 3
            }
        if body and "code" in body:
            body = body | {"code": self.code}
        if body and operation.path == "/api/accounts":
            body = body | {"name": f"{body['name']}-{role}"}
        answer = await client.http.request(
            operation.method, operation.address, json=body, headers={"Accept": "application/json"}
        )
        assert answer.status_code < 500, (operation, role, answer.text)
        assert answer.status_code not in (405, 415, 422), (operation, role, answer.text)
        if role == NOBODY:
            client.http.cookies.clear()
        return answer.status_code not in (401, 403)


@asynccontextmanager
async def trying(folder: Path) -> AsyncIterator[Tried]:
    async with open_house(folder, named=ROOM) as house:
        pit = house.pit
        for role in (Role.PLAYER, Role.DEALER, Role.REGULATOR, Role.AGENCY):
            pit.accounts.create(f"a-{role}", SECRET, role, by=ADMIN)
        await house.as_(Role.MAKER)
        pit.accounts.create("a-maker", SECRET, Role.MAKER, by="the-maker")
        pit.accounts.create("a-rival", SECRET, Role.MAKER, by=ADMIN)
        await pit.decide(_prepare)
        await pit.open_table(TABLE, GAMES[WAR], "house", STANDARD_LIMITS, Timers())
        await pit.give(lambda cage: cage.plan_welcome("a-player"))
        await pit.open_solo("a-player", GAMES[WAR])
        code, draft = make_code(Role.REGULATOR, 7, "root")
        await pit.note(draft)
        yield Tried(house, code)


def _prepare(register: Approvals) -> Approvals:
    """A maker's approval, and an operator's approval of each regime."""
    game = GAMES[WAR]
    register = approving.license_all(approving.submit(register, game, taker=Taker("the-maker", Side.MAKER)))
    for house in (ROOM, CASINO):
        register = approving.approved(house, game, today(), register)
    secret = approving.submission_terms(GAMES["rabbit-hunter"], maker="Another maker")
    return register.record(register.submissions.plan_submission(secret, approving.MAY, today()))


async def try_all(tried: Tried) -> dict[str, list[str]]:
    """For each operation the columns that may do it."""
    return {
        operation.title: [role for role in COLUMNS if await tried.may(role, operation)]
        for operation in list_operations()
    }


async def sessions_of_another_house(tried: Tried, folder: Path) -> AsyncIterator[Client]:
    """Clients with sessions of the same accounts that another house has signed."""
    keys = Sessions.load(folder / "another.key", tried.house.pit.accounts.sessions_from)
    for role in Role:
        if role is not Role.GUEST:
            await tried.client(role)
            account = tried.house.pit.accounts[f"the-{role}"]
            yield Client(tried.house).known(keys.sign(keys.issue(account)), account.name)


# -- The page ---------------------------------------------------------------------------------------


def render(matrix: dict[str, list[str]]) -> str:
    head = f"| operation | {' | '.join(COLUMNS)} |\n|---|{'---|' * len(COLUMNS)}\n"
    rows = (
        f"| {title} | {' | '.join('yes' if role in may else '' for role in COLUMNS)} |\n".replace(
            "|  |", "| |"
        )
        for title, may in matrix.items()
    )
    return HEADING + "\n" + re.sub(r"\|  (?=\|)", "| ", head + "".join(rows))


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with trying(Path(folder)) as tried:
            DOCUMENT.write_text(render(await try_all(tried)), encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())
