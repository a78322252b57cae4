"""The page of a game and of an evening there: its numbers are those of the proofs, and it never waits."""

import asyncio
import re
from contextlib import asynccontextmanager
from fractions import Fraction
from html import unescape

import httpx
import pytest

from feltlab.analysis.mistakes import find_mistakes
from feltlab.analysis.session import RoundLaw, SessionPlan, foresee, wagers_in_cents
from feltlab.analysis.wager_costs import wager_costs
from feltlab.core.stake import default_stake
from feltlab.games import GAMES
from feltlab.proving.proof import prove
from feltlab.submission.how_to_play import how_to_play
from feltlab.text import money, percent, signed_dollars, small_percent
from feltlab.web.app import app
from feltlab.web.pages.lab.waiting import work_of
from feltlab.workers.pool import Pool, Task, Working
from tests.support.own_games import new_game, nothing_named
from tests.support.running import running

WAR = GAMES["casino-war"]
TAG = re.compile(r"<[^>]+>")


class StillWorking(Pool):
    """A lab that never answers."""

    def __init__(self) -> None:
        super().__init__("nothing")

    async def answer(self, kind, seconds=0, most_waiting=0, **details):
        raise Working(Task({"kind": kind}), 0)


@asynccontextmanager
async def visiting(folder, works=True):
    """A visitor of a house; without `works` no part of a page is ever ready."""
    async with running(folder) as house:
        made = app(house.pit)
        if not works:
            made.state.work = StillWorking()
        transport, page = httpx.ASGITransport(made), {"accept": "text/html"}
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", headers=page) as http:
            yield http
        await work_of(made).close()


async def ready(visitor, path):
    """The page once every part is there."""
    async with asyncio.timeout(600):
        while "data-working" in (found := await visitor.get(path)).text:
            await asyncio.sleep(0.2)
    return found


def figures(page):
    """The text of each figure of a page, by its name."""
    found = re.findall(r'data-figure="([^"]+)"[^>]*>(.*?)</(?:td|dd|span)>', page, re.DOTALL)
    return {unescape(name): unescape(TAG.sub("", text)).strip() for name, text in found}


def lines_of(page):
    (listed,) = re.findall(r'<ol class="seven">(.*?)</ol>', page, re.DOTALL)
    return tuple(unescape(line) for line in re.findall(r"<li>(.*?)</li>", listed))


async def test_every_game_has_a_page_before_anything_is_proved(tmp_path):
    async with visiting(tmp_path, works=False) as visitor:
        for game in GAMES.values():
            page = await visitor.get(f"/games/{game.name}")
            assert page.status_code == 200, game.name
            assert lines_of(page.text) == how_to_play(game)
            assert f'href="/play/{game.name}"' in page.text
            assert page.text.count("data-working") >= 3, game.name
            assert (await visitor.get(f"/games/{game.name}/evening")).status_code == 200


async def test_a_printed_page_names_the_options_under_which_it_holds(tmp_path):
    """The form in which they are chosen is not printed."""
    async with visiting(tmp_path, works=False) as visitor:
        for query, decks in (("", 6), ("?option-decks=8", 8)):
            page = (await visitor.get(f"/games/{WAR.name}{query}")).text
            (printed,) = re.findall('<p class="on-paper hint">(.*?)</p>', page)
            assert printed.startswith(
                f"House options: How many decks are in the shoe: {decks}; Is there one war"
            )
            assert "or a war for each? one; How the dealer settles each seat: pick-and-pay." in printed


async def test_a_table_leads_to_its_game_and_to_an_evening_at_its_lowest_wager(tmp_path):
    async with visiting(tmp_path, works=False) as visitor:
        page = (await visitor.get("/tables/casino-war-1")).text
        assert 'href="/games/casino-war"' in page
        assert 'href="/games/casino-war/evening?bet=5"' in page
        evening = await visitor.get("/games/casino-war/evening?bet=5")
    assert '<input name="bankroll" value="200"' in evening.text  # forty times the Primary


async def test_the_numbers_of_a_page_are_those_of_the_proofs(tmp_path):
    game = WAR.with_options({"decks": "1"})
    stake = default_stake(game)
    async with visiting(tmp_path) as visitor:
        shown = figures((await ready(visitor, "/games/casino-war?option-decks=1")).text)
        data = (await visitor.get("/games/casino-war.json?option-decks=1")).json()
    for cost in wager_costs(game, stake):
        assert shown[f"{cost.bet.name} costs"] == percent(cost.main, 2)
        assert shown[f"{cost.bet.name} hits"] == percent(cost.hit_frequency, 2)
    tie = next(cost for cost in wager_costs(game, stake) if cost.bet.name == "tie")
    assert shown["tie price"] == money(float(100_000 * tie.main))  # of a wager that may be left out
    (surrender,) = find_mistakes(game, stake)["strategies"]
    assert shown["surrender extra"] == money(1000 * surrender["extra"]["value"])  # of $10
    proof = prove(game)
    counts = proof.tally.outcomes(game.spot("tie"))
    told = {line["outcome"]: Fraction(line["probability"]["exact"]) for line in data["proof"]["odds"]["tie"]}
    assert told == {outcome: Fraction(count, proof.tally.deals) for outcome, count in counts.items()}


async def test_an_evening_is_that_of_the_session(tmp_path):
    """What `feltlab session` forecasts: two hours of forty rounds at $25 with $500."""
    proof = prove(WAR)
    law = RoundLaw.of(proof, wagers_in_cents(WAR, proof.stake, 2_500))
    expected = foresee(SessionPlan(law, 80, 50_000))
    async with visiting(tmp_path) as visitor:
        path = "/games/casino-war/evening?bet=25&bankroll=500&hours=2&pace=40"
        page = (await ready(visitor, path)).text
    shown = figures(page)
    assert shown["ahead"] == small_percent(expected.ahead.value)
    assert shown["ruin"] == small_percent(expected.ruin.value)
    assert shown["median"] == signed_dollars(expected.percentiles[50])
    assert shown["hour"] == money(float(-40 * law.mean))
    results = expected.spread.results
    assert shown["doubled"] == small_percent(expected.spread.chance(results >= 50_000))
    assert page.count("<rect") > 10


@pytest.mark.parametrize(
    ("path", "status", "sentence"),
    [
        ("/games/nothing", 404, "is not a game"),
        ("/games/casino-war?option-decks=9", 409, "decks=9 is not possible"),
        ("/games/casino-war?stake-tie=1", 409, "This page has no setting &#39;stake-tie&#39;."),
        ("/games/casino-war/evening?hours=0", 409, "The hours are a number above 0 and at most 24"),
        ("/games/casino-war/evening?pace=1e3", 409, "The rounds an hour are a whole number from 1"),
        ("/games/casino-war/evening?pace=0.5", 409, "a whole number from 1 to 600, not '0.5'"),
        ("/games/casino-war/evening?pace=0", 409, "a whole number from 1 to 600, not '0'"),
        ("/games/casino-war/evening?bet=-5", 409, "above $0"),
        ("/games/casino-war/evening?bankroll=lots", 409, "is not an amount of dollars"),
        ("/games/casino-war/evening?bankroll=-5", 409, "from $10, the first wagers, to $"),
        ("/games/casino-war/evening?bankroll=0", 409, "from $10, the first wagers, to $"),
        ("/games/casino-war/evening?bankroll=0.01", 409, "from $10, the first wagers, to $"),
        ("/games/casino-war/evening?bankroll=99999999999999", 409, "from $10, the first wagers, to $"),
        ("/games/casino-war/evening?stake-primary=1/3", 409, "is not a whole number of cents"),
    ],
)
async def test_a_bad_parameter_is_one_sentence(tmp_path, path, status, sentence):
    async with visiting(tmp_path, works=False) as visitor:
        found = await visitor.get(path)
    assert found.status_code == status
    assert sentence in unescape(found.text) or sentence in found.text


async def test_a_bankroll_below_one_round_is_refused_in_its_place(tmp_path):
    async with visiting(tmp_path) as visitor:
        found = await ready(visitor, "/games/casino-war/evening?bankroll=15")
    assert found.status_code == 200
    assert "A bankroll of $15 is less than the $20 that a round can require." in unescape(found.text)


async def test_a_game_of_ones_own_has_a_page(tmp_path):
    with nothing_named():
        folder = new_game(tmp_path / "mine")
        (folder / "packet.toml").unlink()
        (folder / "rules.md").unlink()
        game = GAMES[f"{folder}/"]
        async with visiting(tmp_path / "house", works=False) as visitor:
            page = await visitor.get(f"/games/{game.name}")
        assert page.status_code == 200
        assert lines_of(page.text) == how_to_play(game)
        assert "/rules/" not in page.text.partition('id="answer"')[2]
