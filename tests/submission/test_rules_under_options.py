"""Rules, rack cards, signs and layouts under every option: none says what is false under the options."""

import re
from collections.abc import Iterator
from itertools import combinations, product

import pytest

from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.games import GAMES
from feltlab.games.data import packet_data, printed_lines
from feltlab.games.rule_text import RuleText
from feltlab.report.document import Items, Paragraph, Picture, Section, TableBlock
from feltlab.report.documents.packet.equipment import equipment
from feltlab.report.documents.packet.signs import rack_card
from feltlab.submission.packet import packet
from feltlab.submission.procedure import procedure
from feltlab.submission.rendered_sheet import render_sheet
from feltlab.submission.rule_sheet import RuleSheet, parse_rule_sheet, read_rule_sheet, render_rule_sheet
from feltlab.submission.venues import venue

COMMERCIAL = venue("commercial")


def single_options(game: Game) -> Iterator[Game]:
    yield game
    for option in game.rules.OPTIONS:
        yield from (game.with_options({option.name: value}) for value in option.values)


def pairs_of_options(game: Game) -> Iterator[Game]:
    for one, other in combinations(game.rules.OPTIONS, 2):
        for values in product(one.values, other.values):
            yield game.with_options(dict(zip((one.name, other.name), values, strict=True)))


VARIANTS = [variant for game in GAMES.values() for variant in single_options(game)]


# -- Rendering --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_every_pair_of_options_renders_completely(name: str) -> None:
    """No mark of the source is left, numbers of clauses are unique, and steps are numbered through."""
    for game in pairs_of_options(GAMES[name]):
        text = render_rule_sheet(game)
        assert not re.search(r"[{}]|Only with|Table: pays|only with", text), game
        numbers = [clause.number for clause in parse_rule_sheet(game).clauses]
        assert len(numbers) == len(set(numbers)), game
        steps = procedure(game)
        assert [step.number for step in steps] == [*range(1, len(steps) + 1)]
        assert {number for step in steps for number in step.clauses} <= set(numbers), game


@pytest.mark.parametrize("game", VARIANTS, ids=str)
def test_a_step_names_clauses_that_hold(game: Game) -> None:
    numbers = {clause.number for clause in parse_rule_sheet(game).clauses}
    for step in procedure(game):
        assert step.actor in ("dealer", "player", "players")
        assert step.does.endswith(".")
        assert set(step.clauses) <= numbers, step


@pytest.mark.parametrize("name", GAMES)
def test_every_clause_holds_under_some_options(name: str) -> None:
    numbers = set(re.findall(r"^\*\*(\d+\.\d+)\*\*", read_rule_sheet(name), re.M))
    variants = [*single_options(GAMES[name]), *pairs_of_options(GAMES[name])]
    held = {clause.number for game in variants for clause in parse_rule_sheet(game).clauses}
    assert held == numbers


def test_no_rule_is_about_the_program() -> None:
    for name in GAMES:
        assert not re.search(r"billion|typing|feltlab|program|software|computer", read_rule_sheet(name)), name


# -- Contradictions ---------------------------------------------------------------------------------

# Phrases, each with the option values under which it may be said, and has to be.
PHRASES = [
    ("casino-war", r"holds six decks", "decks=6"),
    ("casino-war", r"holds eight decks", "decks=8"),
    ("casino-war", r"\b78\b|\b312\b", "decks=6"),
    ("casino-war", r"\b416\b", "decks=8"),
    ("casino-war", r"[Oo]ne war (is dealt )?for all", "war=one"),
    ("casino-war", r"war of its own|for you alone", "war=each"),
    ("casino-war", r"picks and pays|Picks up", "settling=pick-and-pay"),
    ("casino-war", r"lays and pays|Leaves the cards", "settling=lay-and-pay"),
    ("high-five-poker", r"APP-01\b(?! is in force)", "trips=APP-01"),
    ("high-five-poker", r"\b25 to 1", "trips=APP-02"),
    ("high-five-poker", r"\b15 to 1", "trips=APP-03"),
    ("triple-shot-rummy", r"paid as a straight flush", "pair-plus=1, 2 or 3"),
    ("triple-shot-rummy", r"every seat places the Ante", "ante-mandatory=yes"),
    ("triple-shot-rummy", r"any one, two or three|in any combination", "ante-mandatory=no"),
    ("triple-shot-rummy", r"two adjacent", "two-positions=yes"),
    ("triple-shot-rummy", r"holds one seat", "two-positions=no"),
    ("triple-shot-rummy", r"packet of three|packets of three", "dealt-by=shuffler"),
    ("triple-shot-rummy", r"seven steps", "dealt-by=shuffler"),
    ("triple-shot-rummy", r"by hand, under|by hand and", "dealt-by=hand"),
    ("triple-shot-rummy", r"picks and pays|Picks up", "settling=pick-and-pay"),
    ("triple-shot-rummy", r"lays and pays|Leaves the seat's cards", "settling=lay-and-pay"),
    ("triple-shot-bonus", r"(?i)six cards without busting (win|are paid)", "six-card-rule=on"),
    ("triple-shot-bonus", r"(?im)^six cards", "six-card-rule=on"),
    ("triple-shot-bonus", r"sixth card ends", "six-card-rule=off"),
    ("triple-shot-bonus", r"(?i)(hits|must hit) soft 17", "soft-17=hit"),
    ("triple-shot-bonus", r"(?i)(stands|must stand) on soft 17", "soft-17=stand"),
    ("triple-shot-bonus", r"(?i)blackjack (pays )?3 to 2|wins 3 to 2", "blackjack-pays=3:2"),
    ("triple-shot-bonus", r"\b6 to 5", "blackjack-pays=6:5"),
    ("triple-shot-bonus", r"\b500 to 1", "poker=TSB-01"),
    ("triple-shot-bonus", r"\b200 to 1", "poker=TSB-02"),
    ("triple-shot-bonus", r"\b9 to 1", "hat-trick=9"),
    ("triple-shot-bonus", r"(?i)hat trick[^|]* 6 to 1|^6 to 1, ties win", "hat-trick=6"),
    ("triple-shot-bonus", r"six, (dealt )?face up", "poker-cards=face-up"),
    ("triple-shot-bonus", r"six, (dealt )?face down", "poker-cards=face-down"),
]


def said_about(game: Game) -> str:
    """What packet and felt say of a game: clauses, steps, pay lines, rack card, layout, equipment."""
    sheet: RuleSheet = parse_rule_sheet(game, COMMERCIAL)
    lines = [clause.text for clause in sheet.clauses]
    lines += [" | ".join(row) for clause in sheet.clauses for row in clause.table]
    lines += [f"{line.outcome} {line.odds}" for spot in game.spots for line in printed_lines(game, spot)]
    lines += [notice.text for notice in packet_data(game).notice]
    for section in (*equipment(game, COMMERCIAL), *rack_card(packet(game, COMMERCIAL))):
        lines += _words(section)
    return "\n".join(lines)


def _words(section: Section) -> Iterator[str]:
    yield section.title
    for block in section.blocks:
        if isinstance(block, Paragraph):
            yield block.text
        elif isinstance(block, Items):
            yield from block.entries
        elif isinstance(block, TableBlock):
            yield from (" | ".join(row) for row in block.rows)
        elif isinstance(block, Picture):
            yield from (block.words, *re.findall(r">([^<]+)<", block.svg.decode()))


@pytest.mark.parametrize("game", VARIANTS, ids=str)
def test_a_phrase_is_said_under_its_options_and_under_no_others(game: Game) -> None:
    said, text = said_about(game), RuleText(game)
    for name, phrase, condition in PHRASES:
        if name == game.name:
            found = re.search(phrase, said)
            assert bool(found) == text.holds(condition), f"{phrase!r}: {found}"


@pytest.mark.parametrize("name", GAMES)
def test_every_option_value_changes_what_is_said(name: str) -> None:
    """An option that changes no word would not be in the rules at all."""
    for option in GAMES[name].rules.OPTIONS:
        told = [said_about(GAMES[name].with_options({option.name: value})) for value in option.values]
        assert len(set(told)) == len(option.values), option.name


def test_changed_pays_are_the_pays_of_the_clauses() -> None:
    war = GAMES["casino-war"].with_pays("tie", {"tie": 11})
    said = said_about(war)
    assert "wins 11 to 1" in said
    assert "Tie pays 11 to 1" in said
    assert "10 to 1" not in said


# -- The notation -----------------------------------------------------------------------------------

WAR = RuleText(GAMES["casino-war"], {"house_procedure": "by the book"})


@pytest.mark.parametrize(
    ("text", "rendered"),
    [
        ("{decks} decks, {cards} cards", "six decks, 312 cards"),
        ("{tie: tie}; {primary: surrender}; {net primary: war lost with 2 units}", "10 to 1; lose half; -2"),
        ("{step primary}, {step tie}, {table tie}", "two cents, one cent, tie"),
        ("a{decks=6: b}{decks=1: c}.", "a b."),
        ("{decks=6:{tie: tie} {war=each:x}}", "10 to 1 "),
        ("{house_procedure}", "by the book"),
    ],
)
def test_text_in_braces(text: str, rendered: str) -> None:
    assert WAR.render(text) == rendered


@pytest.mark.parametrize("text", ["{deck}", "{tie: war}", "{decks=9: x}", "{jokers=1: x}", "{}"])
def test_a_mistake_in_braces_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        WAR.render(text)


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("", True),
        ("decks=6", True),
        ("decks=1, 2 or 6", True),
        ("decks=6 and war=each", False),
        ("decks=1 and war=one", False),
    ],
)
def test_conditions(condition: str, holds: bool) -> None:
    assert WAR.holds(condition) is holds


@pytest.mark.parametrize("condition", ["decks", "decks=9", "jokers=1", "decks=1 or 9"])
def test_a_mistake_in_a_condition_is_refused(condition: str) -> None:
    with pytest.raises(Refused):
        WAR.holds(condition)


SHEET = """\
**1.1** One.
> Source: ruling.
> Only with `decks=1`.

| outcome | tie |
|---|---|
| tie | 9 to 1 |

**1.2** Two.
> Source: ruling.
> Only with `decks=6`.
> Only with `decks=1`.
> Table: pays of `tie`.

| outcome | tie | why | only with |
|---|---|---|---|
| tie | 9 to 1 | {decks} | |
| no tie | lose | | `decks=1` |"""


def test_a_sheet_keeps_what_holds() -> None:
    assert render_sheet(SHEET, WAR) == (
        "**1.2** Two.\n> Source: ruling.\n\n| outcome | tie | why |\n|---|---|---|\n| tie | 10 to 1 | six |\n"
    )
