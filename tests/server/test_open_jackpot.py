"""A supervisor opens a progressive by its rules: what is refused before anything is worked out or read."""

from dataclasses import replace

import pytest

from feltlab.errors import Refused
from feltlab.ledger.event import HOUSE_ACTOR
from feltlab.pit.roles import Role
from feltlab.progressives.progressive import Attachment
from feltlab.progressives.progressive_file import progressive_text
from feltlab.server.api import jackpots
from feltlab.server.rate_limits import proposal_limit
from tests.pit.test_jackpots import NEVER


@pytest.fixture
def unchecked(monkeypatch):
    """No proposal may be worked out."""

    async def check_proposal(rules):
        raise AssertionError(f"{rules.name} was to be refused before its checks")

    monkeypatch.setattr(jackpots, "check_proposal", check_proposal)


async def test_rules_name_games_of_the_pit_and_run_no_file_of_the_server(house, tmp_path, unchecked):
    trace = tmp_path / "trace"
    (tmp_path / "rules.py").write_text(f"open({str(trace)!r}, 'w').close()\n")
    staff = await house.as_(Role.SUPERVISOR)
    rules = replace(NEVER, attached=(Attachment(str(tmp_path), ("player",)),))
    answer = await staff.post("jackpots", rules=progressive_text(rules))
    assert answer.status_code == 409
    assert "names games of this pit" in answer.json()["error"]
    assert not trace.exists()
    assert not house.pit.jackpots.book.links


async def test_one_account_opens_few_progressives_in_a_minute(house, monkeypatch):
    """Each needs a worker process for its chances, so the seventh waits; another supervisor does not."""
    asked = []

    async def check_proposal(rules):
        asked.append(rules.name)
        raise Refused(f"{rules.title} does not pass.")

    monkeypatch.setattr(jackpots, "check_proposal", check_proposal)
    limited = replace(house.app.state.auth.allowance, proposals=proposal_limit())
    monkeypatch.setattr(house.app.state.auth, "allowance", limited)
    staff = await house.as_(Role.SUPERVISOR)
    rules = progressive_text(NEVER)
    assert [(await staff.post("jackpots", rules=rules)).status_code for _ in range(6)] == [409] * 6
    answer = await staff.post("jackpots", rules=rules)
    assert (answer.status_code, len(asked)) == (429, 6)
    assert answer.json()["error"] == "Too many new progressives; try again in 10 seconds."
    assert answer.headers["retry-after"] == "10"
    assert (await (await house.as_(Role.ADMINISTRATOR)).post("jackpots", rules=rules)).status_code == 409


async def test_a_name_that_was_opened_before_is_refused_at_once(house, unchecked):
    await house.pit.jackpots.open(NEVER, HOUSE_ACTOR, 2)
    staff = await house.as_(Role.SUPERVISOR)
    answer = await staff.post("jackpots", rules=progressive_text(NEVER))
    assert answer.status_code == 409
    assert "a jackpot is opened once" in answer.json()["error"]
