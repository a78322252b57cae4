"""The lab's pages: answers, settings, refusals, downloads, and the worker that proves."""

import asyncio
import io
import json
import re
import zipfile
from contextlib import asynccontextmanager
from fractions import Fraction

import httpx
import pytest
from fastapi import FastAPI
from pypdfium2 import PdfDocument

from feltlab.analysis.design.pays import design
from feltlab.analysis.multiplied_chances import products
from feltlab.core.tally import Tally
from feltlab.games import GAMES
from feltlab.pit.roles import Role
from feltlab.proving.exact_numbers import exact
from feltlab.proving.proof import prove
from feltlab.submission.packet import DEMONSTRATION_MARK
from feltlab.submission.rule_sheet import parse_rule_sheet
from feltlab.text import percent
from feltlab.web.app import app
from feltlab.web.filters import cards
from feltlab.web.pages.lab import waiting
from feltlab.web.pages.lab.waiting import work_of
from feltlab.workers import pool
from tests.support.command_line import run
from tests.support.pages import open_house
from tests.support.running import running

HERE = "http://127.0.0.1"
PAGE = {"accept": "text/html"}
WAR = GAMES["casino-war"]


class Visitor:
    """A visitor who waits until an answer is ready."""

    def __init__(self, made: FastAPI) -> None:
        self.app = made
        self.http = httpx.AsyncClient(transport=httpx.ASGITransport(made), base_url=HERE, headers=PAGE)

    async def once(self, path: str) -> httpx.Response:
        return await self.http.get(path)

    async def get(self, path: str) -> httpx.Response:
        async with asyncio.timeout(600):
            while (found := await self.once(path)).status_code == 202:
                await asyncio.sleep(0.2)
        return found

    async def part(self, path: str, name: str) -> dict:
        """A part of a page's data, when it is ready."""
        async with asyncio.timeout(600):
            while "working" in (found := (await self.get(path)).json()[name]):
                await asyncio.sleep(0.2)
        return found


@asynccontextmanager
async def visiting(folder):
    async with running(folder) as house:
        made = app(house.pit)
        try:
            yield Visitor(made)
        finally:
            await work_of(made).close()


@pytest.fixture
async def visitor(tmp_path):
    async with visiting(tmp_path) as found:
        yield found


# -- Pages ------------------------------------------------------------------------------------------


async def test_the_lab_lists_every_game(visitor):
    page, data = await visitor.get("/lab"), await visitor.get("/lab.json")
    for game in GAMES.values():
        assert f'href="/lab/{game.name}"' in page.text
    assert [game["name"] for game in data.json()["games"]] == list(GAMES)


async def test_the_lab_shows_the_proved_costs(visitor):
    async with asyncio.timeout(600):
        while "working" in (data := (await visitor.get("/lab.json")).json())["games"][0]["costs"]:
            await asyncio.sleep(0.2)
    shown = {bet: cost["main"] for bet, cost in data["games"][0]["costs"].items()}
    assert shown == {bet.name: exact(-prove(WAR).tally.expected(bet)) for bet in WAR.wagers}
    assert "18.65 %" in (await visitor.get("/lab")).text  # the Tie, as published: no choice affects it


async def test_the_lab_is_a_page_even_if_its_queue_is_full(visitor, monkeypatch):
    monkeypatch.setattr(waiting, "MAX_PARTS_WAITING", 0)
    page = await visitor.get("/lab")
    assert page.status_code == 200
    assert page.text.count("Waiting in the queue.") == len(GAMES)


async def test_the_list_of_all_games_leaves_room_for_another_question(visitor):
    assert min(pool.MAX_WAITING, len(GAMES)) > waiting.MAX_PARTS_WAITING
    await visitor.once("/lab")
    assert (await visitor.once("/lab/casino-war")).status_code in (200, 202)


async def test_a_proof_is_that_of_the_library(visitor):
    data = (await visitor.get("/lab/casino-war.json?option-decks=8&stake-tie=1/2")).json()
    proof = prove(WAR.with_options({"decks": "8"}), {"primary": Fraction(1), "tie": Fraction(1, 2)})
    told = proof.as_json()
    for name in ("options", "stake", "bets", "total", "choices", "deals"):
        assert data["proof"][name] == json.loads(json.dumps(told[name]))
    page = (await visitor.get("/lab/casino-war?option-decks=8&stake-tie=1/2")).text
    assert f"{float(-100 * proof.tally.expected(WAR.spot('tie'))):.4f} %" in page
    assert '<option value="8" selected>' in page
    assert 'href="/lab/casino-war/par.pdf?option-decks=8&amp;stake-tie=1%2F2"' in page


async def test_the_nets_of_a_round_add_up_to_all_of_them(visitor):
    proof = (await visitor.get("/lab/casino-war.json")).json()["proof"]
    nets = [(Fraction(net["net"]["exact"]), Fraction(net["probability"]["exact"])) for net in proof["nets"]]
    assert sum(chance for _, chance in nets) == 1
    assert sum(net * chance for net, chance in nets) == Fraction(proof["total"]["expected"]["exact"])


@pytest.mark.parametrize(
    ("short", "page"),
    [
        ("/lab/casino-war/design", "/lab/casino-war/design/primary"),
        ("/lab/casino-war/design.json", "/lab/casino-war/design/primary.json"),
        ("/lab/casino-war/findings", "/findings?game=casino-war"),
        ("/lab/casino-war/findings.json", "/findings.json?game=casino-war"),
    ],
)
async def test_short_addresses_lead_to_pages(visitor, short, page):
    assert (await visitor.once(short)).headers["location"] == page


async def test_a_page_shows_its_visitor(visitor, tmp_path):
    async with open_house(tmp_path / "house") as house:
        for path in ("/lab", "/lab/casino-war"):
            page = await (await house.visitor(Role.AUDITOR)).get(path)
            assert '<a href="/account">the-auditor</a>' in page.text
            assert "Sign in" not in page.text
        await work_of(house.app).close()


@pytest.mark.parametrize("game", GAMES)
async def test_every_clause_of_the_rules_has_an_address(visitor, game):
    page, data = await visitor.get(f"/rules/{game}"), (await visitor.get(f"/rules/{game}.json")).json()
    numbers = [
        clause.number for chapter in parse_rule_sheet(GAMES[game]).chapters for clause in chapter.clauses
    ]
    assert all(f'<p id="{number}">' in page.text for number in numbers)
    links = re.findall(r'<a href="#([0-9.]+)">', page.text)
    assert len(links) == len(data["sections"]) > 5
    assert set(links) <= set(numbers)


async def test_rules_are_shown_under_the_options_of_the_address(visitor):
    page = (await visitor.get("/rules/casino-war?option-decks=8&option-war=each")).text
    assert "holds eight decks" in page
    assert "six decks of" not in page
    assert "a war of its own" in page
    data = (await visitor.get("/rules/casino-war.json?option-decks=8")).json()
    assert {option["name"]: option["value"] for option in data["options"]}["decks"] == "8"
    assert data["procedure"][0]["moment"] == "Before the deal"


@pytest.mark.parametrize(
    "query", ["option-decks=9", "option-jokers=1", "decks=8", "option-decks=8&option-decks=7"]
)
async def test_options_of_the_rules_that_do_not_exist_are_refused(visitor, query):
    refused = await visitor.get(f"/rules/casino-war.json?{query}")
    assert 400 <= refused.status_code < 500


async def test_pages_keep_the_policy(visitor):
    """No page contains inline scripts or styles."""
    for path in (
        "/lab",
        "/lab/casino-war",
        "/lab/casino-war/design/tie?target=10",
        "/lab/casino-war/design/primary?pay-war+won=2",
        "/findings?game=casino-war",
    ):
        page = await visitor.get(path)
        assert page.status_code == 200, path
        assert " style=" not in page.text
        assert "<style" not in page.text
        assert page.text.count("<script") == page.text.count('<script type="module" src="/static/')
        assert "default-src 'self'" in page.headers["content-security-policy"]


async def test_a_page_shows_the_progress_until_the_answer_is_ready(visitor, monkeypatch):
    work = work_of(visitor.app)
    answer = work.answer

    async def hasty(kind, patience=0.0, **asked):
        return await answer(kind, 0.0, **asked)

    monkeypatch.setattr(work, "answer", hasty)
    page = await visitor.once("/lab/casino-war")
    assert page.status_code == 202
    assert '<noscript><meta http-equiv="refresh" content="2"></noscript>' in page.text
    assert "<progress" in page.text
    data = await visitor.once("/lab/casino-war.json")
    assert data.status_code == 202
    assert data.json()["working"].keys() == {"progress", "seconds", "ahead"}


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/lab/whist", 404),
        ("/lab/casino-war?option-decks=9", 409),
        ("/lab/casino-war?option-hats=9", 404),
        ("/lab/casino-war?stake-primary=0", 409),
        ("/lab/casino-war?stake-primary=many", 409),
        ("/lab/casino-war?stake-primary=" + "1" * 100, 409),
        ("/lab/casino-war?strategy=hope", 409),
        ("/lab/casino-war?colour=red", 409),
        ("/lab/casino-war?strategy=war&strategy=surrender", 409),
        ("/lab/casino-war/design/whist", 404),
        ("/lab/casino-war/design/tie?pay-tie=0", 409),
        ("/lab/casino-war/design/tie?pay-tie=-1", 409),
        ("/lab/casino-war/design/tie?pay-tie=1/0", 409),
        ("/lab/casino-war/design/tie?pay-tie=1e99", 409),
        ("/lab/whist/design", 404),
        ("/lab/whist/findings", 404),
        ("/lab/whist/readings", 404),
        ("/lab/casino-war/readings?option-decks=8", 409),
        ("/lab/casino-war/design/tie?pay-tie=1,tie=2", 409),
        ("/lab/casino-war/design/tie?pay-cow=1", 404),
        ("/lab/casino-war/design/tie?target=low", 409),
        ("/lab/casino-war/par.exe", 404),
        ("/lab/casino-war/packet.zip?venue=moon", 404),
        ("/lab/casino-war/packet.zip?paper=moon", 404),
        ("/findings?game=whist", 404),
    ],
)
async def test_a_refusal_is_a_friendly_page(visitor, path, status):
    page = await visitor.get(path)
    assert page.status_code == status
    assert "Go to the tables" in page.text
    if not path.endswith((".exe", "moon")):
        before, _, query = path.partition("?")
        data = await visitor.get(f"{before}.json?{query}")
        assert data.status_code == status
        assert data.json().keys() == {"error"}


# -- The designer -----------------------------------------------------------------------------------


async def test_the_designer_agrees_with_the_library(visitor):
    data = (await visitor.get("/lab/casino-war/design/tie.json?pay-tie=11")).json()
    tie = WAR.spot("tie")
    line = next(line for line in WAR.pay_table(tie).lines if line.result == "win")
    made = design(WAR, "tie", {line.outcome: Fraction(11)})
    assert data["design"]["after"] == json.loads(json.dumps(made.as_json()["after"]))
    assert data["design"]["pays"] == {line.outcome: "11"}
    (even,) = (each for each in data["design"]["lines"] if each["break_even"])
    chance = Fraction(even["probability"]["exact"])
    assert chance * Fraction(even["break_even"]["exact"]) == 1 - chance
    page = (await visitor.get("/lab/casino-war/design/tie?pay-tie=11")).text
    assert even["break_even"]["exact"].replace("/", "/\u200b") in page
    assert "The optimal strategy does not depend on these pays" in page


@pytest.mark.slow
async def test_the_break_even_pay_agrees_with_the_command(visitor):
    told = json.loads(run("design", "triple-shot-bonus", "hat-trick", "--json").output)
    solved = told["break_even_re-solved"]
    even = await visitor.part("/lab/triple-shot-bonus/design/hat-trick.json", "even")
    assert even["cost"] == solved["after"]["cost"]
    assert even["pays"] == next(iter(solved["pays"].values()))
    page = (await visitor.get("/lab/triple-shot-bonus/design/hat-trick")).text
    assert "With the optimal strategy for each pay, the bet breaks even at about" in page


async def test_listed_pays_have_the_proved_edges(visitor):
    told = json.loads(run("prove", "casino-war", "--stake", "tie=1", "--json").output)
    for bet in WAR.wagers:
        data = (await visitor.get(f"/lab/casino-war/design/{bet.name}.json?stake-tie=1")).json()
        assert data["design"]["after"]["own_edge"] == told["bets"][bet.name]["house_edge"]
        assert data["design"]["re-solved"] is False


async def test_a_pay_that_changes_the_strategy_is_shown_under_both_strategies(visitor):
    """With so small a pay it is better to surrender: a player who goes to war loses more."""
    path = "/lab/casino-war/design/primary{}?pay-war+won=1/100"
    data = (await visitor.get(path.format(".json"))).json()
    while "working" in data["design"]:
        data = (await visitor.get(path.format(".json"))).json()
    primary = WAR.spot("primary")
    made = design(WAR, "primary", {"war won": Fraction(1, 100)})
    as_before = Tally(made.after.game, made.before.law.counts)
    assert data["repriced"]["after"]["cost"] == exact(-as_before.expected(primary))
    assert data["design"]["after"]["cost"] == exact(made.cost)
    assert data["design"]["other_play"] is True
    assert made.cost < -as_before.expected(primary)
    page = (await visitor.get(path.format(""))).text
    assert "new pays, strategy unchanged" in page
    assert "it has changed" in page


async def test_the_edge_of_the_present_strategy_is_shown_while_the_best_is_solved(visitor, monkeypatch):
    work = work_of(visitor.app)
    answer = work.answer

    async def slow_to_solve(kind, patience=60.0, most_waiting=12, **asked):
        return await answer(kind, 0.0 if kind == "design" else 60.0, **asked)

    monkeypatch.setattr(work, "answer", slow_to_solve)
    page = await visitor.once("/lab/casino-war/design/primary?pay-war+won=1/97")
    assert page.status_code == 200
    assert "Solving the optimal strategy for these pays" in page.text
    assert page.text.count(" data-follows") == 2


NEAREST = "/lab/casino-war/design/tie.json?target=4"


async def test_the_nearest_tables_can_be_used(visitor):
    while "tables" not in (found := (await visitor.get(NEAREST)).json()["found"]):
        await asyncio.sleep(0.2)  # the page comes without them while they are searched
    first = found["tables"][0]
    used = (await visitor.get(f"/lab/casino-war/design/tie.json{first['query']}")).json()
    assert used["design"]["after"]["cost"] == first["cost"]
    too_high = (await visitor.get("/lab/casino-war/design/tie?target=99999")).text
    assert "is the most" in too_high


# -- Findings and downloads -------------------------------------------------------------------------


async def test_the_readings_of_a_game(visitor):
    """A page for people and the same proofs as JSON; the proof's page links to it."""
    page = (await visitor.get("/lab/casino-war/readings")).text
    assert "Is the ace the highest card or the lowest?" in page
    assert "Contradicts the published 2.33% (primary wager, house edge): it gives 2.877134%." in page
    data = (await visitor.get("/lab/casino-war/readings.json")).json()["report"]["readings"]
    edges = {r["name"]: r["others"][0]["bets"][:1] for r in data}
    assert edges["decks"][0]["house_edge"]["exact"] == str(prove("casino-war").house_edge("primary"))
    assert edges["one war"] == []
    assert 'href="/lab/casino-war/readings"' in (await visitor.get("/lab/casino-war")).text


async def test_the_findings_of_a_game(visitor):
    data = (await visitor.get("/findings.json?game=casino-war")).json()["report"]
    assert {finding["game"] for finding in data["findings"]} == {"casino-war"}
    assert "Summary" in [section["title"] for section in data["sections"]]


@pytest.mark.slow
async def test_the_findings_explain_the_hat_trick_in_pictures(visitor):
    page = (await visitor.get("/findings")).text
    assert "The Hat Trick, in pictures" in page
    assert page.count('<dl class="bars">') == 3
    product = next(products(GAMES["triple-shot-bonus"]))
    for chance in (product.printed, product.hit, *(1 - product.hit * (pay + 1) for pay in (9, 6))):
        assert percent(chance) in page
    assert page.count('<figure class="field">') == page.count('<figure class="shared">') == 1


async def test_a_par_sheet_can_be_downloaded(visitor):
    begins = {"pdf": b"%PDF", "html": b"<!doctype html>", "md": b"# Casino War", "json": b"{"}
    for suffix, begin in begins.items():
        found = await visitor.get(f"/lab/casino-war/par.{suffix}")
        assert found.headers["content-disposition"] == f'attachment; filename="casino-war-par.{suffix}"'
        assert found.content.startswith(begin)


async def test_a_pdf_is_on_letter_unless_a4_is_asked_for(visitor):
    """Points: 8.5 x 11 in, and 210 x 297 mm."""
    for query, size in (("", (612, 792)), ("?paper=a4", (595.28, 841.89))):
        found = await visitor.get(f"/lab/casino-war/par.pdf{query}")
        assert PdfDocument(found.content)[0].get_size() == pytest.approx(size, abs=0.5)


async def test_a_packet_can_be_downloaded(visitor):
    found = await visitor.get("/lab/casino-war/packet.zip?venue=tribal")
    assert found.headers["content-type"] == "application/zip"
    packet = zipfile.ZipFile(io.BytesIO(found.content))
    files = {name: packet.read(name) for name in packet.namelist()}
    assert {"casino-war/packet.pdf", "casino-war/packet.json"} < set(files)
    for name, content in files.items():  # it comes from the demonstration house, and says so on every page
        if name.endswith(".pdf"):
            pages = [page.get_textpage().get_text_bounded() for page in PdfDocument(content)]
            assert all(DEMONSTRATION_MARK in " ".join(page.split()) for page in pages), name
        elif name.endswith(".json"):
            assert DEMONSTRATION_MARK in content.decode(), name


# -- Words ------------------------------------------------------------------------------------------


def test_hands_in_a_text_are_drawn():
    told = cards("most of all 2d Tc Jk <b>: As it is")
    assert 'aria-label="two of diamonds, ten of clubs, joker"' in told
    assert '<span class="pip diamonds"><b>2</b>♦</span><span class="pip clubs"><b>10</b>♣</span>' in told
    assert told.endswith("</span></span> &lt;b&gt;: As it is")
