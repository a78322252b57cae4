"""The letters that approve the games: what they cover, and mistakes in their data."""

from collections.abc import Iterator

import pytest

from feltlab.errors import Refused
from feltlab.games import GAMES, data_files
from feltlab.games import letters as module
from feltlab.games.letters import letters, letters_of
from feltlab.report.document import Items
from feltlab.report.documents.packet.papers import approval_letters
from tests.support.command_line import answer, run


def test_the_date_of_a_game_is_that_of_the_letter_that_encloses_its_rules() -> None:
    enclosing = {name: letter.day.isoformat() for letter in letters() for name in letter.enclosed}
    assert enclosing == {name: GAMES[name].date for name in enclosing}
    assert enclosing.keys() <= GAMES.keys()


def test_triple_shot_rummy_was_amended_and_the_amended_rules_are_not_enclosed() -> None:
    # letter of 20 December 2017 (rules enclosed); letter of 14 June 2023, line 63 (no rules enclosed)
    rummy = GAMES["triple-shot-rummy"]
    first, amended = letters_of(rummy)
    assert (first.maker, first.submission, first.number_of(rummy)) == ("Bally Technologies", "", None)
    assert (amended.maker, amended.submission, amended.number_of(rummy)) == ("Light and Wonder", "3119", 63)
    assert first.describe_rules(rummy) == "Approves the rules; these are enclosed."
    says = amended.describe_rules(rummy)
    assert says.startswith("No. 63 of its list. Approves the amended rules that the maker provided on 5 May")
    assert says.endswith(" 2023 and 5 June 2023; these are not enclosed in the papers.")


def test_games_shows_the_letters() -> None:
    assert "letter of 14 June 2023, submission 3119, to Light and Wonder" in run("games").stdout
    shown = run("games", "triple-shot-rummy").stdout
    assert "letter of 20 December 2017, to Bally Technologies" in shown
    assert "WAC 230-03-045" in shown
    (letter,) = answer("games", "casino-war")["letters"]
    assert (letter["number"], letter["rules enclosed"], letter["submission"]) == (13, True, "3119")
    assert letter["rules received"] == ["2023-05-05", "2023-06-05"]


@pytest.fixture
def _fresh() -> Iterator[None]:
    letters.cache_clear()
    yield
    letters.cache_clear()


@pytest.mark.usefixtures("_fresh")
@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("day = 2023-06-14", "day = 2016-06-14", "each letter is younger than the one before it"),
        ('["casino-war", ', '["faro", ', "'faro' is not a game; the games are casino-war"),
        ('submission = "3119"', "submission = 3119", "'submission' is text, not 3119"),
    ],
)
def test_a_mistake_in_the_letters_names_its_line(
    monkeypatch: pytest.MonkeyPatch, old: str, new: str, sentence: str
) -> None:
    text = data_files._read_text("games", "letters.toml")
    assert old in text
    monkeypatch.setattr(data_files, "_read_text", lambda *path: text.replace(old, new))
    line = 1 + next(n for n, each in enumerate(text.splitlines()) if old in each)
    with pytest.raises(Refused) as refused:
        module.letters()
    assert str(refused.value).startswith(f"games/letters.toml, line {line}: {sentence}")


def test_the_packet_names_the_letters_of_a_game() -> None:
    sections = list(approval_letters(GAMES["triple-shot-rummy"]))
    assert [section.title for section in sections] == ["Letter of 20 December 2017", "Letter of 14 June 2023"]
    (items,) = sections[1].blocks
    assert isinstance(items, Items)
    assert items.entries[0].startswith(
        "From the Washington State Gambling Commission to Light and Wonder. Submission 3119. Subject: "
    )
