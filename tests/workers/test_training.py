"""The trainer's worker: decisions with their reasons, drills of one row, the hand of a day."""

import asyncio
import json
from contextlib import suppress
from fractions import Fraction

import pytest

from feltlab.core.cards import name
from feltlab.core.position import read_position, usual_wagers
from feltlab.core.round import Round
from feltlab.errors import Refused, TooOften, Unknown
from feltlab.games import GAMES
from feltlab.parallel.progress import nobody_listens
from feltlab.proving.proof import strategy_card
from feltlab.workers.pool import Task, Working
from feltlab.workers.training.charts import (
    MAX_VARIANTS_WAITING,
    Charts,
    describe_work,
    draw_card,
    has_row,
)
from feltlab.workers.training.decisions import describe_decision, in_cents
from feltlab.workers.training.desk import MAX_OPEN, Desk
from feltlab.workers.training.hands import deal_by_digest, deal_hands, pick_daily, training_wagers
from feltlab.workers.training.row_counts import count_rows
from feltlab.workers.training.sealed import SealedVerdicts
from feltlab.workers.training.trainer import Trainer

RUMMY = GAMES["triple-shot-rummy"]
WAGERS = usual_wagers(RUMMY)
WAR = GAMES["casino-war"]


@pytest.fixture(scope="module")
def rummy_card():
    return strategy_card(RUMMY, {spot.name: Fraction(spot.name in WAGERS) for spot in RUMMY.wagers})


def test_a_decision_gives_its_reason_in_exact_numbers():
    """The figures are those of `advise`, in the example of its docstring: -157.53 and -250 of 500."""
    tied = Round.of(WAR, "9s 5c", "9d 4h", primary=1000)
    made = describe_decision(tied, None)
    assert made["areas"] == {"player": ["9s"], "dealer": ["9d"]}
    assert made["reason"] == (
        "On average, for each dollar on the Primary, War loses 31.5 ¢ and Surrender loses 50.0 ¢."
    )
    assert "5c" not in json.dumps(made)
    assert "4h" not in json.dumps(made)
    assert read_position(WAR, made["position"]).choices == ("war", "surrender")


@pytest.mark.parametrize(
    ("units", "text"),
    [("1/8", "12.5 ¢"), ("3/2", "$1.50"), ("1/10000", "less than 0.1 ¢"), ("1", "$1.00")],
)
def test_parts_of_a_dollar_as_people_say_them(units, text):
    assert in_cents(Fraction(units)) == text


def test_a_drill_deals_only_hands_of_its_row(rummy_card):
    for row, choice in (("line/0", "play"), ("line/1", "fold")):
        hands = deal_hands(RUMMY, WAGERS, rummy_card, 3, row, seconds=20)
        assert [hand[0]["row"]["name"] for hand in hands] == [row] * 3
        assert all(len(hand) == 1 and hand[0]["row"]["choice"] == choice for hand in hands)
        assert all(f": {choice.capitalize()}" in hand[0]["reason"] for hand in hands)


def test_rows_come_in_the_order_of_what_not_knowing_them_costs(rummy_card):
    rows = count_rows(RUMMY, WAGERS, rummy_card, nobody_listens)
    assert {row["name"] for row in rows} == {"line/0", "line/1"}
    assert sum(row["share"] for row in rows) == pytest.approx(1)
    assert [row["weight"] for row in rows] == sorted((row["weight"] for row in rows), reverse=True)


def test_the_hand_of_a_day_is_the_same_everywhere_and_another_the_next_day():
    deal = deal_by_digest(RUMMY, "2026-11-17 triple-shot-rummy")
    again = deal_by_digest(RUMMY, "2026-11-17 triple-shot-rummy")
    first = [deal(), deal()]
    assert first == [again(), again()]
    assert first[0] != first[1]
    days = [pick_daily(RUMMY, WAGERS, None, date)["query"] for date in ("2026-11-17", "2026-11-18")]
    assert days[0] == pick_daily(RUMMY, WAGERS, None, "2026-11-17")["query"] != days[1]


async def test_later_decisions_of_a_hand_wait_in_the_server(monkeypatch):
    """The browser has a token only; another game's or a used token leads to a new hand."""
    hands = [[{"query": f"{hand} {n}"} for n in range(2)] for hand in range(20)]
    trainer = Trainer()

    async def ask(worker, question):
        return [hands.pop(0)]

    monkeypatch.setattr(Desk, "_ask_worker", lambda desk, *asked: ask(*asked))
    first = await trainer.deal(RUMMY)
    assert (first["query"], bool(first["after"])) == ("0 0", True)
    assert (await trainer.deal(WAR, after=first["after"]))["query"].endswith(" 0")
    first = await trainer.deal(RUMMY)
    second = await trainer.deal(RUMMY, after=first["after"])
    assert second["query"] == first["query"].replace(" 0", " 1")
    assert second["after"] == ""
    assert (await trainer.deal(RUMMY, after=first["after"]))["query"].endswith(" 0")
    await trainer.close()


@pytest.mark.parametrize(
    "game", [game for game in GAMES.values() if game.choices], ids=lambda game: game.name
)
def test_the_wagers_of_training_open_a_choice(game):
    wagers = training_wagers(game)
    game.check_wagers(wagers)
    assert not game.chosen_for.isdisjoint(wagers)


def test_a_dealt_decision_holds_only_cards_that_its_player_sees():
    for decision in (one for hand in deal_hands(RUMMY, WAGERS, None, 3) for one in hand):
        seen = read_position(RUMMY, decision["position"]).seen
        shown = {card for area in decision["areas"].values() for card in area} - {"##"}
        assert shown == {name(card) for card in seen if card >= 0}


# -- What one visitor may ask ------------------------------------------------------------------------


@pytest.fixture
def slow_workers(monkeypatch):
    """No worker answers; what they are asked is listed."""
    asked = []

    async def ask(worker, question, progress=nobody_listens):
        asked.append(question)
        await asyncio.Event().wait()

    monkeypatch.setattr("feltlab.workers.protocol.Worker.ask", ask)
    return asked


@pytest.fixture
async def trainer():
    made = Trainer()
    yield made
    await made.close()


async def give_up(*answers):
    """Wait a moment for answers, as visitors do who go away."""
    for answer in answers:
        with suppress(TimeoutError):
            await asyncio.wait_for(answer, 0.01)


def variant(number):
    """A game under pays that nobody has asked for."""
    return WAR.with_pays("tie", {"tie": Fraction(100 + number)})


@pytest.mark.parametrize("row", ["line/0", "line/1"])
def test_a_card_has_its_rows(rummy_card, row):
    assert has_row(draw_card(rummy_card), row)


@pytest.mark.parametrize("row", ["zz1", "line/2", "line/-1", "line/0/0", "chart/0", "chart", "line/²"])
def test_a_card_has_no_other_rows(rummy_card, row):
    assert not has_row(draw_card(rummy_card), row)


async def test_a_row_that_is_none_is_refused_before_a_worker_is_asked(trainer, slow_workers):
    with pytest.raises(Unknown, match="has no row 'zz1'"):
        await trainer.deal(RUMMY, "zz1", visitor="guest")
    assert not slow_workers


async def test_a_visitor_asks_one_question_at_a_time_though_the_page_is_closed(trainer, slow_workers):
    first, second = RUMMY, WAR
    await give_up(trainer.deal(first, visitor="guest"), trainer.deal(first, visitor="guest"))
    with pytest.raises(TooOften):
        await trainer.deal(second, visitor="guest")
    await give_up(trainer.deal(second, visitor="another"))
    assert [question["game"] for question in slow_workers] == [first.name, second.name]


async def test_a_bounded_number_of_questions_waits_and_listed_games_go_on(trainer, slow_workers):
    await give_up(*(trainer.deal(variant(n), visitor=f"guest {n}") for n in range(2, 2 + MAX_OPEN)))
    with pytest.raises(TooOften):
        await trainer.deal(variant(50), visitor="late")
    await give_up(trainer.deal(WAR, visitor="late"))
    assert slow_workers[-1]["pays"] == []


async def test_few_designed_charts_wait_and_the_usual_one_goes_before_them(slow_workers):
    charts = Charts("no.module")
    for n in range(2, 2 + MAX_VARIANTS_WAITING):
        with pytest.raises(Working):
            await charts.answer(variant(n), f"guest {n}", 0.01)
    with pytest.raises(TooOften):
        await charts.answer(variant(50), "late", 0.01)
    with pytest.raises(Working) as working:
        await charts.answer(WAR, "late", 0.01)
    assert working.value.ahead == 0
    assert [question["pays"] == [] for question in slow_workers] == [False, True]
    await charts.close()


@pytest.mark.parametrize(
    ("done", "step", "share"), [(0.0, 1, 0.0), (0.25, 1, 0.0), (0.5, 2, 0.0), (0.75, 2, 0.5)]
)
def test_work_on_a_chart_is_told_in_steps(done, step, share):
    """Only the second step can say how far it is."""
    task = Task({})
    task.set_progress(done)
    said = describe_work(Working(task, 0))
    assert (said["step"], said["steps"], said["progress"]) == (step, 2, share)


async def test_a_listed_chart_is_finished_though_nobody_asks_again(slow_workers, monkeypatch):
    monkeypatch.setattr("feltlab.workers.pool.DROP_SECONDS", 0.0)
    charts = Charts("no.module")
    with pytest.raises(Working):
        await charts.answer(WAR, "guest", 0.01)
    (task,) = charts._listed._tasks.values()
    assert not charts._listed._may_drop(task)
    await charts.close()


async def test_a_visitor_waits_for_one_designed_chart(slow_workers):
    charts = Charts("no.module")
    for _ in range(2):
        with pytest.raises(Working):
            await charts.answer(variant(2), "guest", 0.01)
    with pytest.raises(TooOften):
        await charts.answer(variant(3), "guest", 0.01)
    await charts.close()


def test_a_sealed_verdict_opens_for_the_first_answer():
    made = describe_decision(Round.of(WAR, "9s 5c", "9d 4h", primary=1000), None) | {"after": "next"}
    sealed = SealedVerdicts()
    shown = sealed.seal(made)
    assert not shown.keys() & {"values", "row", "reason", "after"}
    with pytest.raises(Refused, match="The choices are war and surrender"):
        sealed.open(shown["token"], "fold")
    verdict = sealed.open(shown["token"], "war")
    assert shown | verdict == made | {"token": shown["token"]}
    assert sealed.open(shown["token"], "war") == verdict  # the first reply may have been lost
    with pytest.raises(Refused, match="answered war already"):
        sealed.open(shown["token"], "surrender")
    with pytest.raises(Unknown):
        sealed.open("another", "war")


def test_a_choice_among_several_wagers_is_told_for_all_of_them() -> None:
    game = GAMES["triple-shot-bonus"]
    wagers = {"war": 500, "blackjack": 500, "poker": 500}
    decision = describe_decision(Round.of(game, "8s 9d", "Jc", **wagers), None)
    best, *_, worst = decision["values"]
    assert decision["measure"] == {"cents": 100, "words": "with these wagers"}
    assert decision["reason"].startswith("On average, with these wagers, Stand loses $")
    assert worst["cost"] == pytest.approx(best["expected"] - worst["expected"])


async def test_after_preparing_the_card_and_the_first_hands_are_there_at_once(monkeypatch):
    """Of mixed hands and of the first row to learn, and that of the day; no visitor waits for a worker."""
    monkeypatch.setattr("feltlab.workers.training.trainer.GAMES", {WAR.name: WAR})
    trainer = Trainer()
    await trainer.prepare(WAR)
    await trainer.prepare_daily("2026-01-02")
    async with asyncio.timeout(0.5):
        assert (await trainer.daily("2026-01-02"))["choices"]
    card = await trainer.chart(WAR, "guest", 0.001)
    for row in ("", card["rows"][0]["name"]):
        async with asyncio.timeout(0.5):
            assert (await trainer.deal(WAR, row))["choices"]
    await trainer.close()
