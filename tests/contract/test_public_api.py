"""The public names: light to import, documented with examples that run, and with a repr that pastes back."""

import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
from fractions import Fraction
from importlib import resources
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given

import feltlab
import feltlab.core
from feltlab.core.cards import UNKNOWN
from feltlab.core.deal import Deal
from feltlab.core.game import Game
from feltlab.core.round import Round
from feltlab.games import GAMES
from tests.support import python_docs
from tests.support.game_strategies import deals

PUBLIC = {name: getattr(feltlab, name) for name in feltlab.__all__}
DOCUMENTED = ("feltlab", "feltlab.errors", "feltlab.games", "feltlab.proving.proof", "feltlab.proving.advice")
OTHERS = ("feltlab.simulation.run", "feltlab.simulation.result", "feltlab.analysis.audit")
ANALYSIS = ("feltlab.analysis.par_sheet", "feltlab.analysis.design.pays")


def core_modules() -> list[str]:
    return [module.name for module in pkgutil.walk_packages(feltlab.core.__path__, "feltlab.core.")]


# -- Names ------------------------------------------------------------------------------------------


def test_the_package_offers_about_a_dozen_names() -> None:
    assert 12 <= len(feltlab.__all__) <= 15
    assert len({*feltlab.__all__}) == len(feltlab.__all__)
    assert set(feltlab.__all__) <= set(dir(feltlab))
    assert feltlab.__version__


def test_a_name_that_does_not_exist_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'no_such_name'"):
        _ = feltlab.no_such_name


def test_importing_the_package_loads_nothing_else() -> None:
    code = "import sys, feltlab; print([m for m in sys.modules if m.startswith('feltlab.') or m == 'numpy'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_package_says_that_it_is_typed() -> None:
    assert (resources.files("feltlab") / "py.typed").is_file()


def test_games_are_given_by_name_or_as_they_are() -> None:
    assert feltlab.prove("casino-war").law == feltlab.prove(GAMES["casino-war"]).law
    one = feltlab.simulate("casino-war", {"primary": 1}, "war", 1000, 3)
    assert one.tally == feltlab.simulate(GAMES["casino-war"], {"primary": Fraction(1)}, "war", 1000, 3).tally
    with pytest.raises(feltlab.Refused, match="is not a game"):
        feltlab.prove("solitaire")


def test_a_simulation_without_a_seed_records_the_one_that_it_took() -> None:
    one = feltlab.simulate("casino-war", rounds=1000)
    assert feltlab.simulate("casino-war", rounds=1000, seed=one.plan.seed).tally == one.tally


# -- Documents --------------------------------------------------------------------------------------


def test_the_page_is_up_to_date() -> None:
    assert python_docs.PAGE.read_text(encoding="utf-8") == python_docs.page(), python_docs.__doc__


def test_the_page_names_every_public_name() -> None:
    headings = re.findall(r"^### (\w+)$", python_docs.page(), re.M)
    assert sorted(headings) == sorted(feltlab.__all__)


def examples(text: str) -> list[str]:
    return re.findall(r"```pycon\n(.*?)```", text, re.S)


def test_the_examples_of_the_page_run() -> None:
    found = examples(python_docs.PAGE.read_text(encoding="utf-8"))
    assert len(found) >= len(feltlab.__all__)
    for number, text in enumerate(found):
        example = doctest.DocTestParser().get_doctest(text, {}, f"example {number}", "docs/python.md", 0)
        assert doctest.DocTestRunner().run(example).failed == 0


@pytest.mark.parametrize("name", [*DOCUMENTED, *OTHERS, *ANALYSIS, *core_modules()])
def test_the_examples_in_docstrings_run(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_core_has_about_twenty_examples() -> None:
    modules: list[ModuleType] = [importlib.import_module(name) for name in core_modules()]
    found = [test for module in modules for test in doctest.DocTestFinder().find(module) if test.examples]
    assert len(found) >= 18


# -- Values that paste back -------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_repr_of_a_game_pastes_back(game: Game) -> None:
    options = {option.name: option.values[-1] for option in game.rules.OPTIONS}
    for offered in (game, game.with_options(options)):
        assert eval(repr(offered), dict(PUBLIC)) == offered


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_repr_of_a_game_with_other_pays_pastes_back(game: Game) -> None:
    for spot in game.spots:
        for line in game.pay_table(spot).lines:
            if line.result == "win":
                offered = game.with_pays(spot.name, {line.outcome: Fraction(7, 2)})
                assert eval(repr(offered), dict(PUBLIC)) == offered


@given(deals())
def test_the_repr_of_a_round_pastes_back_or_hides_what_the_player_does_not_see(deal: Deal) -> None:
    for round in deal.rounds:
        hidden = [c for c, seen in zip(round.shoe, round.seen, strict=True) if c not in (seen, UNKNOWN)]
        if hidden or round.waits:
            assert repr(round) == hidden_repr(round)
        else:
            assert eval(repr(round), dict(PUBLIC)) == round


def hidden_repr(round: Round) -> str:
    void = f", void={round.void!r}" if round.void else ""
    made = f"wagers={dict(round.wagers)}, chosen={round.chosen}{void}"
    areas = " | ".join(str(round.view.areas[area.name]) for area in round.game.areas)
    return f"<Round {round.game}: {areas}, {made}>"


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_round_of_which_all_is_seen_pastes_back(game: Game) -> None:
    """Known cards are dealt until a round shows all of them; voided rounds paste back too."""
    random, pasted = np.random.default_rng(1), 0
    wagers = {spot.name: 10_000 for spot in game.wagers[: game.rules.GAMES_PER_HAND]}
    for _ in range(30):
        shoe = feltlab.cards(random.permutation(game.deck.cards).tolist())
        deal = Deal.start(game, shoe, [wagers])
        while not deal.over:
            deal = deal.choose(0, deal.rounds[0].choices[-1])
        over = deal.rounds[0]
        if not repr(over).startswith("<"):
            assert eval(repr(over), dict(PUBLIC)) == over
            void = over.declare_void("a card fell")
            assert eval(repr(void), dict(PUBLIC)) == void
            pasted += 1
    assert pasted
