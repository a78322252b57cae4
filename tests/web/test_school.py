"""The pages of the dealer school: the manual, the drills and their answers, a table to deal."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from feltlab.games import GAMES
from feltlab.pit.roles import Role
from feltlab.school import DrillQuestion, ask_question, drills_of
from feltlab.web.pages.school.office import office_of
from feltlab.workers.seat_players import STAY_IN
from tests.support.pages import Pages, open_house
from tests.support.school import open_table, perfect_acts

POKER = "three-card-poker"
GAME = GAMES[POKER]
BONUS = "1 ante-bonus"
ANSWER, TABLE = f"/api/school/{POKER}/answer", f"/api/school/{POKER}/table"
BAD_ANSWERS: list[dict[str, Any]] = [
    {"drill": "settle", "answer": ["9 ante pay"]},
    {"drill": "payment", "answer": ["7"]},
    {"drill": "call", "answer": ["no such call"]},
    {"drill": "nonsense", "answer": ["1"]},
    {"drill": "settle", "answer": ["1 ante pay"], "seed": -1},
    {"drill": "settle", "answer": ["1 ante pay"], "level": 99},
    {"drill": "settle", "answer": ["x"] * 500},
    {"drill": "settle", "answer": ["x" * 500]},
    {"drill": "call", "answer": ["x"], "practice": {"drills": 7}},
]
BAD_ACTS = [
    [{"kind": "dance"}],
    [{"kind": "pitch", "place": "seat 9"}],
    [{"kind": "pay", "place": "seat 1", "spot": "no-such-spot", "chips": [500]}],
    [{"kind": "pay", "place": "seat 1", "spot": "ante", "chips": [7]}],
    [{"kind": "call", "place": "table", "words": " "}],
    [{"kind": "end", "place": "table"}] * 600,
]


@pytest.fixture
async def house(tmp_path):
    async with open_house(tmp_path) as house:
        yield house


@pytest.fixture
async def visitor(house):
    return await house.visitor()


async def test_pages_drills_and_tables_answer_and_refuse_in_one_sentence(house, visitor):
    await check_pages(visitor)
    await check_records(house, visitor)
    for drill in drills_of(GAME):
        await check_drill(visitor, drill.name)
    await check_wrong_answer(visitor)
    await check_bonus(visitor)
    await check_table(house, visitor)
    for bad in BAD_ANSWERS:
        await refuses(visitor, ANSWER, {"seed": 1, "level": 1, **bad})
    for acts in BAD_ACTS:
        seated = {"seed": 1, "level": 1, "seats": 2, "players": [STAY_IN] * 2}
        await refuses(visitor, TABLE, {**seated, "acts": acts})


async def check_pages(visitor: httpx.AsyncClient) -> None:
    text = (await visitor.get("/school")).text
    assert all(f'href="/school/{name}"' in text for name in GAMES)
    text = (await visitor.get(f"/school/{POKER}")).text
    for drill in drills_of(GAME):
        assert f'href="/school/{POKER}/drills?drill={drill.name}"' in text
    for path, status in (
        ("no-such-game", 404),
        (f"{POKER}/drills?drill=no-such-drill", 404),
        (f"{POKER}/drills?draw=settle", 409),
        (f"{POKER}/manual.doc", 404),
    ):
        assert (await visitor.get(f"/school/{path}")).status_code == status, path


async def check_records(house: Pages, visitor: httpx.AsyncClient) -> None:
    """The answers of a dealer are on record for the trainer, those of others are not."""
    asked = ask_question(GAME, "settle", 3, 1)
    given = {"drill": "settle", "seed": 3, "level": 1, "answer": list(asked.truth), "seconds": 4.5}
    assert (await visitor.post(ANSWER, json=given)).status_code == 200
    dealer = await house.as_(Role.DEALER)
    assert (await dealer.post(ANSWER.removeprefix("/api/"), **given)).status_code == 200
    (progress,) = office_of(house.app).progress.all()
    assert (progress.dealer, progress.game, progress.right) == ("the-dealer", POKER, 1)


async def check_drill(visitor: httpx.AsyncClient, drill: str) -> None:
    """A question keeps its answer to itself, and the right answer is right."""
    shown = (await visitor.post(f"/api/school/{POKER}/question", json={"drill": drill})).json()
    assert not {"truth", "facts"} & shown.keys()
    asked = ask_question(GAME, drill, shown["seed"], shown["level"])
    assert shown["prompt"] == asked.prompt
    given = {"drill": drill, "seed": shown["seed"], "level": shown["level"], "answer": list(asked.truth)}
    verdict = (await visitor.post(ANSWER, json=given)).json()["verdict"]
    assert verdict | {"right": True, "slips": [], "cost": 0} == verdict


async def check_wrong_answer(visitor: httpx.AsyncClient) -> None:
    """It names its clause and its cost, and the question comes back."""
    asked = ask_question(GAME, "settle", 3, 1)
    wrong = [word.rpartition(" ")[0] + " push" for word in asked.truth]
    given = {"drill": "settle", "seed": 3, "level": 1, "answer": wrong}
    found = (await visitor.post(ANSWER, json=given)).json()
    assert not found["verdict"]["right"]
    assert found["verdict"]["cost"] > 0
    assert all(slip["clause"]["number"] and slip["clause"]["text"] for slip in found["verdict"]["slips"])
    assert [missed["seed"] for missed in found["practice"]["missed"]] == [3]


async def check_bonus(visitor: httpx.AsyncClient) -> None:
    """A bonus that is not won is left alone; paying it is a slip."""
    asked = next(found for seed in range(50) if not_won(found := ask_question(GAME, "settle", seed, 1)))
    given = {"drill": "settle", "seed": asked.seed, "level": 1, "answer": [*asked.truth, f"{BONUS} pay"]}
    found = (await visitor.post(ANSWER, json=given)).json()["verdict"]
    assert [slip["kind"] for slip in found["slips"]] == ["wrong-result"]


def not_won(asked: DrillQuestion) -> bool:
    return "ante" in asked.felt["seats"][0]["wagers"] and not any(
        word.startswith(BONUS) for word in asked.truth
    )


async def check_table(house: Pages, visitor: httpx.AsyncClient) -> None:
    """A perfect dealer makes no slip, and the table is on record; an act out of turn is named."""
    acts = perfect_acts(open_table(GAME, 5, 2, 3))
    dealt = {"seed": 5, "level": 2, "seats": 3, "players": [STAY_IN] * 3}
    view = (await visitor.post(TABLE, json=dealt | {"acts": acts})).json()
    assert view["over"]
    assert view["slips"] == []
    office = office_of(house.app)
    assert office.tables == {}  # nobody is signed in
    dealer = await house.as_(Role.DEALER)
    for _ in range(2):
        await dealer.post(TABLE.removeprefix("/api/"), **dealt, acts=acts, seconds=70.0)
    (table,) = office.tables.values()
    assert (table.dealer, table.record["right"], table.record["seconds"]) == ("the-dealer", True, 70.0)
    early = (await visitor.post(TABLE, json=dealt | {"acts": [{"kind": "ask", "place": "seat 1"}]})).json()
    assert {slip["kind"] for slip in early["slips"]} == {"missed-call", "wrong-turn-to-choose"}
    await refuses(visitor, TABLE, dealt | {"acts": [], "players": [STAY_IN]})
    await check_table_pages(house)


async def check_table_pages(house: Pages) -> None:
    """The dealer and the trainer see the table and its replay; a player does not."""
    for role in (Role.DEALER, Role.SUPERVISOR):
        client = await house.visitor(role)
        page = "/school/exams" if role == Role.DEALER else "/school/trainer"
        assert 'href="/school/tables/1"' in (await client.get(page)).text
        assert "Table 1 of the-dealer" in (await client.get("/school/tables/1")).text
        assert (await client.get("/school/tables/7")).status_code == 404
    assert (await (await house.visitor(Role.PLAYER)).get("/school/tables/1")).status_code == 403


async def refuses(visitor: httpx.AsyncClient, path: str, body: dict) -> None:
    refused = await visitor.post(path, json=body)
    assert 400 <= refused.status_code < 500, body
    assert refused.json()["error"].endswith(".")


# -- Exams over HTTP --------------------------------------------------------------------------------


async def test_an_exam_over_http_refuses_in_one_sentence_and_changes_nothing(house):
    supervisor, dealer, other = [
        await house.as_(role) for role in (Role.SUPERVISOR, Role.DEALER, Role.ADMINISTRATOR)
    ]
    terms = {"games": [POKER], "hands": 3, "pass_percent": 50, "minutes": 30, "level": 1}
    set_exam = await supervisor.post("school/exams", **terms)
    assert set_exam.status_code == 200
    assert (await dealer.post("school/exams", **terms)).status_code == 403
    number = (await dealer.post("school/exams/1/attempts")).json()["number"]
    answers = f"school/attempts/{number}/answers"
    office = office_of(house.app)
    truth = list(office.attempts[number].questions[0].ask().truth)
    assert (await dealer.post(answers, question=1, answer=truth)).status_code == 200
    before = office.ledger.last_sequence()
    for client, question, sentence in (
        (dealer, 1, "Question 1 is answered already."),
        (dealer, 3, "The next question is 2, not 3."),
        (other, 2, "This exam is another dealer's."),
        (supervisor, 2, "This exam is another dealer's."),
    ):
        refused = await client.post(answers, question=question, answer=truth)
        assert 400 <= refused.status_code < 500
        assert refused.json()["error"] == sentence
    seen = await supervisor.get(f"school/attempts/{number}")
    assert seen.json()["error"] == "This exam is under way; its replay can be seen when it is over."
    office._clock = lambda: datetime.now(UTC) + timedelta(minutes=31)
    late = await dealer.post(answers, question=2, answer=truth)
    assert late.json()["error"] == "The time of this exam is over."
    assert office.attempts[number].right == 1
    written = [event.kind for event in office.ledger.events(after=before) if event.chain == "school"]
    assert written == ["exam-ended"]
    replay = (await supervisor.get(f"school/attempts/{number}")).json()
    assert [asked["answer"] for asked in replay["questions"]] == [truth]
    assert replay["questions"][0]["verdict"]["right"]


async def test_a_certificate_that_nobody_issued_is_not_found(house):
    dealer = await house.visitor(Role.DEALER)
    forged = await dealer.get(f"/school/certificates/{'0' * 64}.pdf")
    assert forged.status_code == 404
    assert "no such certificate" in forged.text


async def test_the_manual_is_a_page_and_a_file(visitor):
    page = await wait_for(visitor, f"/school/{POKER}/manual")
    assert "A round in pictures" in page.text
    assert f'href="/school/{POKER}/manual.pdf"' in page.text
    assert (await wait_for(visitor, f"/school/{POKER}/manual.pdf")).content.startswith(b"%PDF")


async def wait_for(visitor: httpx.AsyncClient, path: str) -> httpx.Response:
    async with asyncio.timeout(300):
        while (found := await visitor.get(path)).status_code == 202:
            await asyncio.sleep(0.2)
    assert found.status_code == 200
    return found


async def test_an_exam_names_games_of_the_pit_and_runs_no_file_of_the_server(house, tmp_path):
    trace = tmp_path / "trace"
    (tmp_path / "rules.py").write_text(f"open({str(trace)!r}, 'w').close()\n")
    supervisor = await house.as_(Role.SUPERVISOR)
    terms = {"hands": 1, "pass_percent": 80, "minutes": 5, "level": 1}
    answer = await supervisor.post("school/exams", games=[str(tmp_path)], **terms)
    assert answer.status_code == 409
    assert "names games of this pit" in answer.json()["error"]
    assert not trace.exists()
