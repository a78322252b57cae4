"""SIGKILL around every write of a hit on a progressive: nothing is lost, nothing is paid twice."""

import signal
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import httpx
import pytest

from feltlab.core.limits import STANDARD_LIMITS
from feltlab.ledger.event import CAGE_CHAIN, HOUSE_ACTOR, JACKPOT_CHAIN
from feltlab.ledger.ledger import Ledger
from feltlab.pit.accounts import Account, Accounts, create_guest
from feltlab.pit.approvals import approve_all
from feltlab.pit.cage import Cage
from feltlab.pit.jackpots.book import JackpotBook
from feltlab.pit.jackpots.link import Link
from feltlab.pit.pit import LEDGER_FILE, Pit, today
from feltlab.pit.roles import Role
from feltlab.pit.seats import Timers
from feltlab.pit.verify import verify
from feltlab.progressives.progressive import Level
from feltlab.server.sessions import Sessions
from tests.pit.test_jackpots import ALWAYS, GAME
from tests.support.killable import Server
from tests.support.witnessed_pit import QUICK, SECRET

pytestmark = pytest.mark.slow

# A server that kills itself around the transaction that writes an event of some kind, which the third word
# names: before it is committed, or after that and before anybody is answered.
SERVE_UNTIL_KILLED = """
import os, signal, sys
from pathlib import Path
from feltlab.ledger import ledger
from feltlab.ledger.writing import writer
from feltlab.server.clients.allowance import Allowance
from feltlab.server.rate_limits import RateLimit
from feltlab.server.network import Network
from feltlab.web.serve import serve
from feltlab.web.server_options import ServerOptions

kind, _, moment = sys.argv[3].partition(" ")
write, save = writer.Writer._write, writer.Transaction.save

def die(): os.kill(os.getpid(), signal.SIGKILL)

def write_or_die(self, batch):
    is_due = any(draft.kind == kind for pending in batch for draft in pending.entry.drafts)
    write(self, batch)
    if is_due and moment == "after": die()

def save_or_die(self, *places):
    save(self, *places)
    if moment == "before" and any(row[3] == kind for row in self.rows): die()

# The thread of the server writes, so that its kill is the kill of whoever writes.
ledger.WriterProcess = lambda database, address, signer: writer.Writer(database, address, signer=signer)
if kind:
    writer.Writer._write, writer.Transaction.save = write_or_die, save_or_die
plenty = Allowance(guests=RateLimit(1e6, 1e6), requests=RateLimit(1e6, 1e6))
serve(ServerOptions(Network(port=int(sys.argv[1])), Path(sys.argv[2]), allowance=plenty), print, print)
"""
EVERY_HAND = ("High Card", *ALWAYS.levels[0].hands)
RULES = replace(ALWAYS, name="any-hand", levels=(Level("any hand", EVERY_HAND, Fraction(1)),))
PRIZE = 100_030  # cents: the seed and 30 % of a dollar
KILLS = (
    ("fed before", "won after", "claim-verified before", "claim-paid after"),
    ("fed after", "won before", "claim-verified after", "claim-paid before"),
)


async def prepare(folder: Path) -> dict[str, str]:
    """Two tables with a player each on one link that every hand wins; all sessions by name."""
    pit = Pit(folder)
    pit.accounts = Accounts(pit.ledger, QUICK)
    await pit.start()
    await pit.decide(lambda register: approve_all(register, pit.house, [GAME], today()))
    pit.accounts.ensure_administrator()
    people: list[Account] = [
        pit.accounts.create(name, SECRET, Role.SUPERVISOR, by="admin").account for name in ("sue", "tom")
    ]
    await pit.jackpots.open(RULES, HOUSE_ACTOR, 2)
    for number in (1, 2):
        player = create_guest()
        live = await pit.open_table(f"t-{number}", GAME, HOUSE_ACTOR, STANDARD_LIMITS, Timers())
        await pit.give(lambda cage, player=player: cage.plan_welcome(player.name))  # type: ignore[misc]
        await live.act(lambda table, player=player: table.sit(player.name, 0, 50_000))  # type: ignore[misc]
        await pit.jackpots.join(RULES.name, live.table.name, HOUSE_ACTOR)
        people.append(player)
    await pit.stop()
    sessions = Sessions.load(folder / "sessions.key", pit.accounts.sessions_from)
    return {person.name: sessions.sign(sessions.issue(person)) for person in people}


class House:
    """Servers, each killed around a write, and the people who ask the next one again."""

    def __init__(self, folder: Path, sessions: dict[str, str], kills: tuple[str, ...]) -> None:
        self.folder, self.sessions, self.kills = folder, sessions, [*kills]
        self.server = Server(folder, SERVE_UNTIL_KILLED, self.kills[0])

    def ask(self, who: str, path: str, key: str = "", **body: object) -> httpx.Response:
        """Ask, and ask the next server the same if this one is killed meanwhile."""
        headers = {"Authorization": f"Bearer {self.sessions[who]}"}
        headers |= {"Idempotency-Key": key} if key else {}
        while True:
            with suppress(httpx.TransportError):
                return httpx.post(f"{self.server.address}/api/{path}", headers=headers, json=body, timeout=30)
            assert self.server.process.wait(30) == -signal.SIGKILL
            self.kills.pop(0)
            self.server.words = (self.kills[0] if self.kills else "",)
            self.server.start()

    def act(self, number: int, act: str, **body: object) -> None:
        """Act as the player of a table; an act that was written before a kill is not done twice."""
        who, table = list(self.sessions)[1 + number], f"t-{number}"
        answer = self.ask(who, f"tables/{table}/{act}", f"{table}-{act}", seat=1, **body)
        assert answer.status_code == 200, answer.text

    def bet(self, number: int) -> None:
        self.act(number, "wager", round=1, wagers={"ante": 500})
        self.act(number, "jackpot", on=True)
        self.act(number, "ready", round=1)

    def look(self) -> tuple[Link, Cage]:
        """The link and the cage as the ledger has them, which accounts for every thousandth."""
        with Ledger.open(self.folder / LEDGER_FILE, writer=False) as ledger:
            assert [str(problem) for problem in verify(ledger).problems] == []
            link = JackpotBook.from_events(ledger.events(JACKPOT_CHAIN)).find(RULES.name)
            cage = Cage.from_events(ledger.events(CAGE_CHAIN))
        link.check_conservation()
        assert 1000 * cage.balance(link.account) == link.held
        return link, cage


@pytest.fixture(params=KILLS)
async def house(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[House]:
    made = House(tmp_path, await prepare(tmp_path), request.param)
    yield made
    made.server.kill()


def test_a_kill_around_every_write_of_a_hit_loses_nothing_and_pays_once(house: House) -> None:
    """The bet that raises the meter; the hit that freezes it and begins the next one; the two persons."""
    stood = {kill.removesuffix(" after") for kill in house.kills if kill.endswith(" after")}
    for table in (1, 2):
        house.bet(table)
    for table in (1, 2):  # both hit the meter that was locked
        house.act(table, "choose", round=1, choice="fold")
    link, _ = house.look()
    assert (link.bets, link.hits, link.received) == (2, 2, 2 * 100_000)
    assert [claim.cents for claim in link.claims] == [PRIZE, PRIZE]
    assert link.displayed() == {"main": 100_000}  # it began again at once
    for kind, who, known in (("claim-verified", "sue", 409), ("claim-paid", "tom", 404)):
        answer = house.ask(who, f"jackpots/{RULES.name}/verify", claim=1)
        assert answer.status_code == (known if kind in stood else 200), answer.text
    again = house.ask("sue", f"jackpots/{RULES.name}/verify", claim=1)
    assert again.status_code == 404
    assert "paid or refused once" in again.json()["error"]
    assert house.kills == []
    link, cage = house.look()
    assert (link.paid, [claim.number for claim in link.claims]) == (1000 * PRIZE, [2])
    _, _, winner, _ = house.sessions
    assert cage.balance(winner) == 100_000 - 50_000 + PRIZE  # the welcome, less what is at the table
