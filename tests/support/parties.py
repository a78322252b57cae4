"""A house with a regulator: one person of each side, who takes the steps of an approval by HTTP."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from feltlab.pit.accounts import Accounts
from feltlab.pit.approvals import House as PitHouse
from feltlab.pit.approvals.codes import make_code
from feltlab.pit.approvals.conditions import DOCUMENT
from feltlab.pit.pit import Pit
from feltlab.pit.roles import Role
from feltlab.shuffling.models import load_models
from tests.support.approving import ENCLOSED
from tests.support.running import QUICK, SECRET, Client, House

LICENSED = "Felt & Cards"


@dataclass
class Parties:
    """One person of each side."""

    house: House
    boss: Client
    supervisor: Client
    maker: Client
    regulator: Client
    agency: Client

    def of(self, side: str) -> Client:
        return {"house": self.boss, "maker": self.maker, "state": self.regulator, "tribe": self.agency}[side]


async def do(client: Client, path: str, **body: Any) -> Any:
    """What is answered to a request that has to succeed."""
    answer = await client.post(path, **body)
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


async def claim(house: House, role: Role) -> Client:
    code, draft = make_code(role, 7, "root")
    await house.pit.note(draft)
    name = f"first-{role}"
    found = await do(Client(house), "accounts/claim", code=code, name=name, password=SECRET)
    return Client(house).known(found["session"], name)


async def meet(house: House) -> Parties:
    """The people of a house: its own by its administrator, the others by their codes."""
    made = house.pit.accounts.ensure_administrator()
    assert made
    signed = await do(Client(house), "session", name="admin", password=made.password)
    boss = Client(house).known(signed["session"], "admin")
    await do(boss, "accounts", name="sue", password=SECRET, role="supervisor")
    signed = await do(Client(house), "session", name="sue", password=SECRET)
    others = [await claim(house, role) for role in (Role.MAKER, Role.REGULATOR, Role.AGENCY)]
    return Parties(house, boss, Client(house).known(signed["session"], "sue"), *others)


@asynccontextmanager
async def regulated(folder: Path, kind: str = "commercial") -> AsyncIterator[Parties]:
    """A house of a kind that is no demonstration, with its people."""
    pit = Pit(folder, house=PitHouse.of("The Long Table", kind))
    pit.accounts = Accounts(pit.ledger, QUICK)
    await pit.start()
    try:
        yield await meet(House(pit))
    finally:
        await pit.stop()


async def approve_game(people: Parties, game: str, **terms: Any) -> int:
    """The number of a maker's approval that the state has given."""
    asked = {"game": game, "maker": "A maker", "reference": "3119"} | terms
    found = await do(people.maker, "submissions", **asked)
    await do(people.regulator, f"submissions/{found['number']}/steps", act="approve")
    return int(found["number"])


async def license_makers(people: Parties) -> None:
    covers = ["layouts", "cards", "shufflers"]
    for client in (people.regulator, people.agency):
        await do(client, "licences", number="L-1", maker=LICENSED, covers=covers)
    for model in load_models():
        await do(people.regulator, "shuffler-models", model=model, maker=LICENSED)


async def file_all(people: Parties, number: int) -> Any:
    """File whatever the conditions of an approval ask for; the approval afterwards."""
    found = (await people.boss.get("approvals")).json()[number - 1]
    for one in found["conditions"]:
        if one["items"] and not any(filing["condition"] == one["name"] for filing in found["filings"]):
            items = {item: ENCLOSED if item == DOCUMENT else LICENSED for item in one["items"]}
            await do(people.boss, f"approvals/{number}/filings", condition=one["name"], items=items)
    return (await people.boss.get("approvals")).json()[number - 1]


async def approve(people: Parties, game: str, **terms: Any) -> Any:
    """An operator's approval that has come all the way, each step by its own side."""
    found = await do(people.boss, "approvals", game=game, **terms)
    number = found["number"]
    await file_all(people, number)
    while not (found := (await people.boss.get("approvals")).json()[number - 1])["in_force"]:
        step = found["possible"][0]
        await do(people.of(step["sides"][0]), f"approvals/{number}/steps", act=step["act"], note="enclosed")
    return found
