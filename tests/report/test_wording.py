"""The words of a PAR sheet: grammar that figures break easily, and sections that every sheet has."""

import re

import pytest

from feltlab.games import GAMES
from feltlab.games.methods import load_methods
from feltlab.report.document import TableBlock
from feltlab.report.renderers.text import render
from tests.support.features import EVERY_KIND
from tests.support.par_sheets import document_of, sheet_of

every_game = pytest.mark.parametrize("name", EVERY_KIND)
MISTAKES = re.compile(r"`|(?<![\d,.] )(?<![\d,.])\b1 (cards|units|rounds|hands|classes|seats)\b|\d/\d+ units")


@every_game
def test_one_is_singular_and_nothing_is_marked_up(name: str) -> None:
    text = " ".join(render(document_of(name)).split())
    assert [found.group() for found in MISTAKES.finditer(text)] == []


@pytest.mark.parametrize("text", ["ask `advise`", "with 1 cards", "of 1/2 units"])
def test_mistakes_are_noticed(text: str) -> None:
    assert MISTAKES.search(text)


@every_game
def test_a_sheet_has_its_method_and_a_page_to_sign(name: str) -> None:
    titles = [(section.level, section.title) for section in document_of(name).sections]
    method = titles.index((1, "Method"))
    listed = [(2, section.title) for section in load_methods(GAMES[name])]
    assert titles[method + 1 : method + 1 + len(listed)] == listed
    assert titles[-4:] == [(1, "Sign-off"), (2, "Author"), (2, "Reviewer"), (2, "Accepted")]


@every_game
def test_the_strategy_says_how_many_classes_the_card_gets_wrong(name: str) -> None:
    card = sheet_of(name).card
    assert card is not None
    assert card.classes > card.missed >= 0
    assert (card.missed > 0) == (card.cost > 0)
    (strategy,) = (section for section in document_of(name).sections if section.title == "Strategy")
    text = str(strategy.blocks)
    assert f"{card.classes:,} classes of hands" in text
    assert f"par {name} --annex" in text
    assert (f"in {card.missed:,} of them" in text) == (card.missed > 0)


@every_game
def test_every_house_edge_has_its_return_beside_it(name: str) -> None:
    tables = (block for section in document_of(name).sections for block in section.blocks)
    for table in tables:
        if isinstance(table, TableBlock):
            titles = [column.title for column in table.columns]
            assert "house edge" not in titles or "return to player" in titles
