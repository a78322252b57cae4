"""Rule sheets and figures from public sources.

The tests of every game check its sheet and its figures against its rules, too.
"""

import re
from pathlib import Path

import pytest

from feltlab.core.cards import cards
from feltlab.games import FOLDERS, GAMES, catalogue
from feltlab.games.catalogue import public_games
from feltlab.games.data import PacketData
from feltlab.games.data_files import build, read_data
from feltlab.games.figures import ADDRESS, read_published
from feltlab.submission.rule_sheet import DEALING, IRREGULARITIES, PROCEDURE, SETTLING
from tests.support.command_line import answer, run

ROOT = Path(__file__).parents[2]
SHEETS = ROOT / "docs" / "rules"
SAID = "These rules come from public sources, not from an approval packet"
OWN_SOURCES = ("house practice", "ruling")
CLAUSE = re.compile(
    r"\*\*(\d+)\.(\d+)\*\* (\S.*)\n> Source: (\S+(?: practice)?)\.?(?: Reading: .+)?(?:\n> .+)*"
)


def paragraphs(name: str) -> list[str]:
    return re.split(r"\n\s*\n", (SHEETS / f"{name}.md").read_text(encoding="utf-8").strip())


def clauses(name: str) -> list[re.Match[str]]:
    found = (CLAUSE.fullmatch(text) for text in paragraphs(name) if text.startswith("**"))
    return [clause for clause in found if clause]


def test_twelve_games_of_the_catalogue_have_rules_from_public_sources() -> None:
    assert len(public_games()) == 12
    assert all((SHEETS / f"{name}.md").exists() for name in public_games())


@pytest.mark.parametrize("path", sorted(SHEETS.glob("*.md")), ids=lambda path: path.stem)
def test_a_sheet_says_at_its_top_whether_its_sources_are_public(path: Path) -> None:
    summary = paragraphs(path.stem)[1]
    assert (SAID in summary) == (path.stem in public_games())
    assert path.stem in {*GAMES, *public_games()}


@pytest.mark.parametrize("name", public_games())
def test_the_clauses_are_numbered_and_have_an_address_or_are_our_own(name: str) -> None:
    found = clauses(name)
    assert len(found) == sum(text.startswith("**") for text in paragraphs(name)), "a clause of another form"
    numbers = [(int(clause[1]), int(clause[2])) for clause in found]
    chapters = [int(text.split()[1]) for text in paragraphs(name) if text.startswith("## ")]
    assert chapters == [*range(1, len(chapters) + 1)]
    for chapter in chapters:
        below = [number for number in numbers if number[0] == chapter]
        assert below == [(chapter, n) for n in range(1, len(below) + 1)]
    sources = {clause[4].rstrip(".") for clause in found}
    assert {source for source in sources if not ADDRESS.fullmatch(source)} <= set(OWN_SOURCES)
    assert any(ADDRESS.fullmatch(source) for source in sources)


@pytest.mark.parametrize("name", public_games())
def test_the_chapters_of_a_packet_are_there_and_steps_name_clauses(name: str) -> None:
    texts = paragraphs(name)
    titles = {text.split(" ", 2)[2] for text in texts if text.startswith("## ")}
    assert titles.intersection(DEALING)
    assert {SETTLING, IRREGULARITIES, PROCEDURE} <= titles
    known = {f"{clause[1]}.{clause[2]}" for clause in clauses(name)}
    tables = [text for text in texts if text.startswith("| step |")]
    rows = [line.split("|") for text in tables for line in text.splitlines()[2:]]
    assert [int(row[1]) for row in rows] == [*range(1, len(rows) + 1)]
    for row in rows:
        assert {*row[5].strip().split(", ")} <= known


@pytest.mark.parametrize("name", public_games())
def test_every_figure_has_an_address(name: str) -> None:
    """In its own key, or, where a copy of a page was read, in its place."""
    found, _ = read_published(FOLDERS[name])
    for figure in found.figure:
        assert figure.source or "https://" in figure.where, figure.name
    for later in found.later:
        assert later.why.endswith("."), later.name


@pytest.mark.parametrize("name", public_games())
def test_sources_that_disagree_print_different_figures(name: str) -> None:
    found, _ = read_published(FOLDERS[name])
    for quantity in {figure.quantity for figure in found.figure} - {""}:
        printed = {figure.published for figure in found.figure if figure.quantity == quantity}
        assert len(printed) > 1, quantity


@pytest.mark.parametrize("name", public_games())
def test_the_text_of_a_packet_is_complete(name: str) -> None:
    """The cards of its example are checked against the rules once the game is dealt."""
    packet = build(PacketData, *read_data("games", FOLDERS[name], "packet.toml"))
    assert packet.by_hand
    assert len(packet.rack_card) > 3
    dealt = cards(packet.example.cards)
    assert len(set(dealt)) == len(dealt)
    assert packet.example.choices


# -- The catalogue -----------------------------------------------------------------------------------


@pytest.fixture
def public_war(monkeypatch: pytest.MonkeyPatch) -> None:
    """Casino War as if its rules came from public sources."""
    lines = ["number,name,game,rules", "13,War of Cards,casino-war,public"]
    entries = catalogue._parse("games/catalogue.csv", lines)
    monkeypatch.setattr(catalogue, "_read", lambda: entries)


@pytest.mark.usefixtures("public_war")
def test_a_game_of_public_sources_is_shown_with_that_sentence() -> None:
    assert catalogue.PUBLIC_RULES in run("games", "casino-war").stdout
    listed = run("games").stdout
    assert "casino-war: the rules come from public sources, not from an approval packet." in listed
    assert answer("games", "casino-war")["public rules"] is True


def test_a_game_of_the_papers_has_no_such_sentence() -> None:
    assert catalogue.PUBLIC_RULES not in run("games", "rabbit-hunter").stdout
    assert answer("games", "rabbit-hunter")["public rules"] is False
