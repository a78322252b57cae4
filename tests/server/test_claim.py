"""One-time codes: the first account of a maker, of the state or of a tribe, and only the first."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from feltlab.ledger.ledger import Ledger
from feltlab.ledger.secret_files import replace_secret
from feltlab.pit.approvals.codes import CODE_KINDS, digest_code, make_code
from feltlab.pit.roles import OUTSIDE_ROLES, Role
from feltlab.pit.verify import verify
from tests.support.command_line import refusal, run
from tests.support.running import SECRET, Client, refused, running, wait_until


async def new_code(house, role=Role.REGULATOR, days=7, **more):
    code, draft = make_code(role, days, "root", **more)
    await house.pit.note(draft)
    return code


async def claim(house, code, name="rita"):
    return await Client(house).post("accounts/claim", code=code, name=name, password=SECRET)


@pytest.mark.parametrize("role", OUTSIDE_ROLES)
async def test_a_code_makes_one_account_of_its_role(house, role):
    code = await new_code(house, role)
    made = await claim(house, code.lower().replace("-", " "))
    assert (made.status_code, made.json()["role"]) == (201, role)
    refused(await claim(house, code, "ron"), 403, "This code was spent on")
    assert [account.name for account in house.pit.accounts.all() if account.role is role] == ["rita"]


async def test_of_two_claims_at_once_one_spends_the_code(house):
    code = await new_code(house)
    answers = await asyncio.gather(claim(house, code, "rita"), claim(house, code, "ron"))
    assert sorted(answer.status_code for answer in answers) == [201, 403]


async def test_a_wrong_or_expired_code_makes_nothing(house):
    expired = await new_code(house, days=-1)
    refused(await claim(house, "AAAAA-BBBBB-CCCCC-DDDDD-EEEEE"), 403, "This code is not valid here.")
    refused(await claim(house, expired), 403, "This code expired on")
    assert "rita" not in {account.name for account in house.pit.accounts.all()}


async def test_a_refused_name_spends_no_code(house):
    code = await new_code(house)
    refused(await claim(house, code, "x"), 409, "2 to 32 characters")
    assert (await claim(house, code)).status_code == 201


async def test_members_make_further_accounts_and_a_code_is_for_the_first(house):
    first, second = await new_code(house), await new_code(house)
    rita = Client(house).known((await claim(house, first)).json()["session"], "rita")
    refused(await claim(house, second, "ron"), 409, "The state has an account already (rita)")
    made = await rita.post("accounts", name="ron", password=SECRET, role="regulator")
    assert made.status_code == 201
    for role in ("dealer", "player", "maker", "agency", "administrator"):
        refused(await rita.post("accounts", name="eve", password=SECRET, role=role), 403, "Only members of")
    assert {one["name"] for one in (await rita.get("accounts")).json()} == {"rita", "ron"}
    assert (await claim(house, await new_code(house, lost=True), "rosa")).status_code == 201


async def test_the_house_keeps_no_account_of_another_side(house):
    boss = await house.as_(Role.ADMINISTRATOR)
    await claim(house, await new_code(house))
    refused(await boss.post("accounts", name="ron", password=SECRET, role="regulator"), 403, "one-time code")
    for change in ({"disabled": True}, {"reset_password": True}, {"role": "dealer"}):
        answer = await boss.http.patch("/api/accounts/rita", json=change)
        refused(answer, 403, "Only members of the state keep its accounts")
    refused(
        await boss.http.patch("/api/accounts/the-administrator", json={"role": "regulator"}),
        409,
        "no account has roles of two sides",
    )
    assert "rita" not in {one["name"] for one in (await boss.get("accounts")).json()}


async def test_the_ledger_shows_every_code_and_hides_its_text(tmp_path):
    async with running(tmp_path) as house:
        code = await new_code(house)
        await claim(house, code)
        made, *_, spent = house.pit.ledger.events("house", kinds=CODE_KINDS)
        assert made.data["code"] == spent.data["code"] == digest_code(code)
        assert (made.data["role"], made.data["login"]) == ("regulator", "root")
        assert all(code not in str(event.data) for event in house.pit.ledger.events("house"))
    with Ledger.open(tmp_path / "ledger.sqlite", writer=False) as ledger:
        assert [str(problem) for problem in verify(ledger, fast=True).problems] == []


@pytest.mark.parametrize(
    ("account", "says"),
    [
        ({"code": "0" * 64}, "ron was made with a code: This code is not valid here."),
        ({"role": "agency"}, "ron was made agency with a code for a regulator."),
        ({"code": None, "by": "the-administrator"}, "does not keep the accounts of that side."),
    ],
)
async def test_an_insider_who_makes_a_regulator_beside_the_codes_is_found(tmp_path, account, says):
    async with running(tmp_path) as house:
        await house.as_(Role.ADMINISTRATOR)
        _, draft = make_code(Role.REGULATOR, 7, "root")
        data = {"account": "ron", "role": "regulator", "by": "ron", "code": draft.data["code"]} | account
        made = type(draft)("house", "account-created", {k: v for k, v in data.items() if v})
        await house.pit.note(draft, made)
    with Ledger.open(tmp_path / "ledger.sqlite", writer=False) as ledger:
        problems = [str(problem) for problem in verify(ledger, fast=True).problems]
    assert any(problem.endswith(says) for problem in problems), problems


def test_a_code_is_made_at_the_machine(tmp_path):
    printed = run("accounts", "code", "agency", "--days", "3", "--data", str(tmp_path)).stdout
    assert printed.startswith("Code for an agency: ")
    code = printed.partition(": ")[2].split()[0]
    with Ledger.open(tmp_path / "ledger.sqlite", writer=False) as ledger:
        (event,) = ledger.events("house", kinds=("code-made",))
    assert event.data["code"] == digest_code(code)
    ends = datetime.fromisoformat(event.data["expires"]) - datetime.now(UTC)
    assert timedelta(days=2, hours=23) < ends <= timedelta(days=3)
    assert "A dealer needs no code" in refusal("accounts", "code", "dealer", "--data", str(tmp_path))


async def test_a_running_server_records_a_code_that_is_made_at_the_machine(house, tmp_path):
    make = ("accounts", "code", "agency", "--data", str(tmp_path))
    printed = (await asyncio.to_thread(run, *make)).stdout
    code = printed.partition(": ")[2].split()[0]
    assert (await claim(house, code)).json()["role"] == "agency"
    assert "has an account already" in await asyncio.to_thread(refusal, *make)
    assert list((tmp_path / "pending-codes").iterdir()) == []  # nothing is left behind
    forged = tmp_path / "pending-codes" / "x.asked"
    replace_secret(forged, b'{"role": "regulator", "code": "mine", "expires": "2999-01-01T00:00:00+00:00"}')
    await wait_until(lambda: forged.with_suffix(".answer").exists())
    assert b"does not ask for a code" in forged.with_suffix(".answer").read_bytes()
