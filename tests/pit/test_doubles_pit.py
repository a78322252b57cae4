"""A pit from the time when doubled hands had outcomes of their own: its rounds replay under today's names.

`doubles_pit/pit.zip` is the folder of that pit, and `doubles_pit/make.txt` the script that made it.
"""

from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import pytest

from feltlab.ledger.ledger import Ledger
from feltlab.pit.pit import Pit
from feltlab.pit.recorded_round import RecordedRound, load_last_rounds, load_round
from feltlab.pit.replay import PAYMENTS, replay_round
from feltlab.pit.seats import Phase
from feltlab.pit.verify import verify

DOUBLED = {"double, win", "double, push", "double, lose"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with ZipFile(Path(__file__).parent / "doubles_pit" / "pit.zip") as archive:
        archive.extractall(tmp_path)
    (tmp_path / "vault.key").chmod(0o600)
    return tmp_path


def recorded(folder: Path) -> list[RecordedRound]:
    with Ledger.open(folder / "ledger.sqlite", writer=False) as ledger:
        return load_last_rounds(ledger, "bonus", 100)


def problems(folder: Path) -> list[str]:
    with Ledger.open(folder / "ledger.sqlite", writer=False) as ledger:
        return [str(problem) for problem in verify(ledger).problems]


def outcomes(rounds: list[RecordedRound]) -> set[str]:
    return {paid.outcome for round in rounds for paid in round.payments}


def test_recorded_doubles_are_todays_outcomes_with_two_units(folder: Path) -> None:
    rounds = recorded(folder)
    assert outcomes(rounds) >= DOUBLED
    assert all(round.digest != round.game.digest and not round.under_other_rules for round in rounds)
    assert [sentence for round in rounds for sentence in replay_round(round).sentences] == []
    due = {paid.outcome for round in rounds for _, paid in replay_round(round).deals[-1].payments}
    assert {"win", "push", "lose", "bust"} <= due
    assert problems(folder) == []


def test_a_double_with_another_end_differs(folder: Path) -> None:
    for round in recorded(folder):
        for at, paid in enumerate(round.payments):
            if paid.outcome in DOUBLED:
                for other in DOUBLED - {paid.outcome}:
                    payments = (*round.payments[:at], paid._replace(outcome=other), *round.payments[at + 1 :])
                    replay = replay_round(replace(round, payments=payments))
                    assert {difference.about for difference in replay.differences} == {PAYMENTS}


def test_the_earlier_names_are_none_of_today(folder: Path) -> None:
    for round in recorded(folder):
        if outcomes([round]) & DOUBLED:
            assert not replay_round(replace(round, digest=round.game.digest)).same


async def test_a_round_that_goes_on_keeps_the_names_of_the_payments_on_record(folder: Path) -> None:
    pit = Pit(folder)
    await pit.start()
    try:
        live = pit.table("bonus")
        number, paid = live.table.round, live.table.paid
        assert (live.table.phase, live.table.digest) == (Phase.CHOOSING, live.table.game.digest)
        assert (0, "blackjack", "double, lose") in [payment[:3] for payment in paid]
        while live.table.round == number:
            await live.act(lambda table: table.time_is_up())
        ended = load_round(pit.ledger, "bonus", number)
    finally:
        await pit.stop()
    assert tuple(map(tuple, ended.payments))[: len(paid)] == paid
    assert replay_round(ended).sentences == []
    assert problems(folder) == []
