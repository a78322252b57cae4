"""The pages that the README shows: their figures are those of the proofs."""

import re
from fractions import Fraction

import pytest

from feltlab.analysis.wager_costs import wager_costs
from feltlab.core.stake import default_stake
from feltlab.games import GAMES
from feltlab.games.catalogue import has_public_rules
from feltlab.pit.roles import Role
from feltlab.proving.proof import prove
from feltlab.text import money, percent
from tests.support import showcase
from tests.support.pages import serve_house, sign_in

pytestmark = pytest.mark.slow  # a real server proves the games of the packets

# The games with approval packets come first in the list; a server proves all others for minutes.
PACKETS = [name for name, game in GAMES.items() if not has_public_rules(game)]


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    """A house as it is photographed, with fewer rounds."""
    with serve_house(tmp_path_factory.mktemp("real"), proved=True) as place:
        yield place


@pytest.fixture(scope="module")
def proofs():
    """The JSON of each game's proof under its default stake."""
    return {game: prove(game).as_json() for game in PACKETS}


@pytest.fixture
def page(chromium, real):
    with showcase.page_of(real, chromium, "light", showcase.TALL) as page:
        yield page


def edges_of(game, proofs, digits):
    """The house edge of each wager, by its title, as a page writes it."""
    bets = proofs[game.name]["bets"]
    return {spot.title: percent(_fraction(bets[spot.name]["house_edge"]), digits) for spot in game.wagers}


def _fraction(value):
    return Fraction(value["exact"])


def test_the_lobby_shows_the_proved_costs(page, real):
    showcase.lobby(page, real, PACKETS)
    for game in map(GAMES.__getitem__, PACKETS):
        shown = page.locator(f"#edges-{game.name} .edge").all_inner_texts()
        costs = dict(re.findall(r"^(.+?) ([\d.]+ %.*)$", "\n".join(text.strip() for text in shown), re.M))
        assert costs == {
            f"{cost.bet.title}{' if added' * (cost.added is not None)}": (
                percent(cost.main, 2) if cost.main >= 0 else f"{percent(-cost.main, 2)} in your favour"
            )
            for cost in wager_costs(game, default_stake(game))
        }


def test_the_lab_shows_the_proof(page, real, proofs):
    showcase.lab(page, real)
    game = GAMES[showcase.BONUS]
    for spot in game.wagers:
        shown = page.locator(f"[data-figure='{spot.name} edge']").inner_text()
        assert shown == edges_of(game, proofs, 4)[spot.title]


def test_the_floor_expects_what_the_proofs_say(page, real, proofs):
    """A table is expected to win the house edge of each first wager."""
    real.do(showcase.play_everywhere(real.house, guests=1, games=PACKETS))
    sign_in(page, real, Role.ADMINISTRATOR)
    page.goto("/floor")
    for game in map(GAMES.__getitem__, PACKETS):
        first = real.house.pit.table(f"{game.name}-1").table.meters.first
        bets = proofs[game.name]["bets"]
        expected = sum(cents * _fraction(bets[spot]["house_edge"]) for spot, cents in first.items())
        shown = page.locator(f"#table-{game.name}-1 figcaption").inner_text()
        assert f"expected {money(float(expected))}" in shown
