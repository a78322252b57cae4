"""Data files: every kind of mistake is refused in one sentence with the file and the line."""

from collections.abc import Callable
from importlib import resources
from typing import Any

import pytest

from feltlab.errors import Refused
from feltlab.games import GAMES, catalogue, data, data_files, figures, rules_history
from feltlab.games.catalogue import CatalogueEntry
from feltlab.pit import regimes
from feltlab.submission import venues

Edit = Callable[[str, str, str], None]
CACHED: tuple[Any, ...] = (
    figures._load_published,
    data.packet_data,
    data.shared_cards,
    venues.venues,
    regimes.load_regimes,
)
CACHED += (rules_history.wordings_of,)
BONUS = "games/triple_shot_bonus"


@pytest.fixture(autouse=True)
def _fresh() -> None:
    for cached in CACHED:
        cached.cache_clear()


@pytest.fixture
def edit(monkeypatch: pytest.MonkeyPatch) -> Edit:
    """Read a file with one place changed."""

    def changed(file: str, old: str, new: str) -> None:
        text = resources.files("feltlab").joinpath(file).read_text(encoding="utf-8")
        assert old in text
        text = text.replace(old, new, 1)
        real = data_files._read_text
        monkeypatch.setattr(
            data_files, "_read_text", lambda *path: text if "/".join(path) == file else real(*path)
        )

    return changed


def line_of(file: str, text: str) -> int:
    """The line of a file on which a text stands first, counted from 1."""
    lines = resources.files("feltlab").joinpath(file).read_text(encoding="utf-8").splitlines()
    return 1 + next(n for n, line in enumerate(lines) if text in line)


FIGURES = f"{BONUS}/figures.toml"


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('measure = "payout"', 'measure = "pay"', "'pay' is not a measure; possible are house_edge, return"),
        ('bet = "hat-trick"', 'bet = "hatrick"', "'bet' names 'hatrick', but possible are war, blackjack"),
        ('outcomes = ["tie"]', 'outcomes = ["draw"]', "'outcomes' names 'draw', but possible are"),
        ('outcomes = ["tie"]', 'outcomes = "tie"', "'outcomes' is a list"),
        ("options = { soft-17", "options = { soft-18", "soft-18"),
        ('strategy = "blackjack-optimal"', 'strategy = "best"', "'strategy' names 'best', but possible are"),
        ('published = "2.9412%"', 'published = "2.9412"', "'2.9412' is not a percentage, such as 4.81%"),
        ('published = "2.9412%"', "published = 2.9412", "'published' is text, not 2.9412"),
        ('name = "War, house edge"', 'name = "War, probability of a tie"', "another figure is named"),
        ('where = "mathematical analysis, War bet"', 'were = ""', "'were' is not a key; the keys are name"),
        ('"8" = "HHHH88HHHH"', '"8" = "HHHH"', "row '8' needs 10 letters, one for each up card"),
    ],
)
def test_a_mistake_in_figures(edit: Edit, old: str, new: str, sentence: str) -> None:
    edit(FIGURES, old, new)
    with pytest.raises(Refused) as refused:
        figures.figures(GAMES["triple-shot-bonus"])
    assert str(refused.value).startswith(f"{FIGURES}, line {line_of(FIGURES, old)}: ")
    assert sentence in str(refused.value)


WAR_EDGE = 'published = "2.9412%"\nmeasure = "house_edge"\nbet = "war"'


@pytest.mark.parametrize(
    ("new", "sentence"),
    [
        ('source = "a book"', "'a book' is not an address, such as https://example.com/page"),
        ('of = "22100"', "'22100' is not a count, such as 22,100"),
        ('of = "22,100"', "'2.9412%' is not a count, such as 22,100"),
        ('together = { peace = "tie" }', "'together' names 'peace', but possible are"),
        ('together = { war = "draw" }', "'together' names 'draw', but possible are"),
    ],
)
def test_a_mistake_in_a_figure_of_the_new_kinds(edit: Edit, new: str, sentence: str) -> None:
    edit(FIGURES, WAR_EDGE, f"{WAR_EDGE}\n{new}")
    with pytest.raises(Refused) as refused:
        figures.figures(GAMES["triple-shot-bonus"])
    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ('published = "hop"\nmeasure = "best_choice"', "'published' names 'hop', but possible are"),
        ('published = "hit"\nmeasure = "best_choice"\ncards = "Zz"', "Zz"),
        ('published = "0.5"\nmeasure = "choice_share"\nchoice = "hop"', "'choice' names 'hop', but possible"),
        ('published = "0.5"\nmeasure = "choice_value"\nchoice = "hit"\nover = "hop"', "'over' names 'hop'"),
        ('published = "often"\nmeasure = "choice_share"', "'often' is not a number, such as 1.6393 or 4.81%"),
    ],
)
def test_a_mistake_in_a_figure_about_a_choice(edit: Edit, entry: str, sentence: str) -> None:
    edit(FIGURES, WAR_EDGE, entry)
    with pytest.raises(Refused) as refused:
        figures.figures(GAMES["triple-shot-bonus"])
    assert sentence in str(refused.value)


def test_data_for_later_need_an_address_and_a_reason(edit: Edit) -> None:
    later = '[[later]]\nname = "a"\nwhere = "b"\npublished = "55 to 104"\nsource = "c"\n'
    edit(FIGURES, "[[hold]]", f"{later}why = 'Not the base game.'\n\n[[hold]]")
    with pytest.raises(Refused, match=r"'c' is not an address"):
        figures.figures_for_later(GAMES["triple-shot-bonus"])
    edit(FIGURES, "[[hold]]", f"{later}\n[[hold]]")
    with pytest.raises(Refused, match=r"'why' is missing"):
        figures.figures_for_later(GAMES["triple-shot-bonus"])


def test_a_missing_key_is_named_with_its_entry(edit: Edit) -> None:
    edit(FIGURES, 'published = "2.9412%"\n', "")
    header = line_of(FIGURES, 'name = "War, house edge"') - 1
    with pytest.raises(Refused, match=rf"^{FIGURES}, line {header}: 'published' is missing\.$"):
        figures.figures(GAMES["triple-shot-bonus"])


def test_text_that_is_no_toml_is_refused(edit: Edit) -> None:
    edit(FIGURES, "[[figure]]", "[[figure]")
    with pytest.raises(Refused, match=rf"^{FIGURES}: .*line 3"):
        figures.figures(GAMES["triple-shot-bonus"])


PACKET = f"{BONUS}/packet.toml"


@pytest.mark.parametrize(
    ("old", "new", "at", "sentence"),
    [
        ("shuffler =", "shufler =", "shuffler =", "'shufler' is not a key"),
        ('choices = ["split"', 'choices = [1, "split"', "choices =", "'choices' is text, not 1"),
        ('choices = ["split", ', 'choices = ["hop", ', "[example]", "hop"),
        (', "stand"]', "]", "[example]", "the choices end before the deal does"),
        ('cards = "Ah', 'cards = "Zh', "[example]", "Zh"),
    ],
)
def test_a_mistake_in_a_packets_data(edit: Edit, old: str, new: str, at: str, sentence: str) -> None:
    edit(PACKET, old, new)
    with pytest.raises(Refused) as refused:
        data.packet_data(GAMES["triple-shot-bonus"])
    assert str(refused.value).startswith(f"{PACKET}, line {line_of(PACKET, at)}: ")
    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [("As Kd", "As Xx", "'As Xx' are not cards"), ('"As"', "7", "7 are not cards")],
)
def test_a_mistake_in_shared_cards(edit: Edit, old: str, new: str, sentence: str) -> None:
    file = f"{BONUS}/shared_cards.json"
    edit(file, old, new)
    with pytest.raises(Refused, match=rf"^{file}, line 1: {sentence}"):
        data.shared_cards("triple-shot-bonus")


VENUES = "submission/venues.toml"


@pytest.mark.parametrize(
    ("old", "new", "at", "sentence"),
    [
        ("games_per_hand = 4", 'games_per_hand = "4"', "games_per_hand", "is a whole number, not '4'"),
        ("games_per_hand = 4", "games_per_hand = true", "games_per_hand", "is a whole number, not True"),
        ("begins = 2023-08-01", 'begins = "August"', "begins =", "'begins' is a date, not 'August'"),
        ("{ dollars = 300 }", "{ begins = 2024-01-01, dollars = 300 }", "caps =", "each cap begins after"),
        ('responsible = "Manu', 'by = "Manu', 'responsible = "Manu', "'by' is not a key"),
    ],
)
def test_a_mistake_in_venues(edit: Edit, old: str, new: str, at: str, sentence: str) -> None:
    edit(VENUES, old, new)
    with pytest.raises(Refused) as refused:
        venues.venues()
    assert str(refused.value).startswith(f"{VENUES}, line {line_of(VENUES, at)}: ")
    assert sentence in str(refused.value)


REGIMES = "pit/regimes.toml"


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('offers = "approved"', 'offers = "granted"', "no step leads to the state 'granted'"),
        ('after = ["drafted"]', 'after = ["sketched"]', "no step leads to the state 'sketched'"),
        ('responsible = "Card', 'answers = "Card', "'answers' is not a key"),
    ],
)
def test_a_mistake_in_regimes(edit: Edit, old: str, new: str, sentence: str) -> None:
    edit(REGIMES, old, new)
    with pytest.raises(Refused) as refused:
        regimes.load_regimes()
    assert str(refused.value).startswith(f"{REGIMES}, line {line_of(REGIMES, old)}: ")
    assert sentence in str(refused.value)


HISTORY = "games/casino_war/rules_history.toml"


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("changes_rules = true", 'changes_rules = "yes"', "'changes_rules' is true or false, not 'yes'"),
        ("date = 2026", 'date = "today" # 2026', "'date' is a date, not 'today'"),
        ('rules_digest = "', 'rules_digest = "x', "a digest of 64 hexadecimal digits is expected"),
        ("why =", "because =", "'because' is not a key"),
    ],
)
def test_a_mistake_in_the_history_of_rules(edit: Edit, old: str, new: str, sentence: str) -> None:
    edit(HISTORY, old, new)
    with pytest.raises(Refused) as refused:
        rules_history.wordings_of("casino-war")
    assert str(refused.value).startswith(f"{HISTORY}, line {line_of(HISTORY, old)}: ")
    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (["number,title,game,rules"], r"line 1: the columns are number, name, game and rules"),
        (["number,name,game,rules", "1,War"], r"line 2: a row has number, name, game and rules, not '1,War'"),
        (["number,name,game,rules", "one,War,,"], r"line 2: a row has number"),
        (["number,name,game,rules", "1,War,,private"], r"line 2: a row has number"),
        (["number,name,game,rules", "1,War,,", "2,Faro,faro,"], r"line 3: 'faro' is not a game"),
        (["number,name,game,rules", "1,Faro,faro,public"], r"line 2: 'faro' is not a game"),
        (["number,name,game,rules", "1,Crazy 5,crazy-5-poker,"], r"line 2: 'crazy-5-poker' is not a game"),
    ],
)
def test_a_mistake_in_the_catalogue(lines: list[str], sentence: str) -> None:
    with pytest.raises(Refused, match=rf"^games/catalogue\.csv, {sentence}"):
        catalogue._parse("games/catalogue.csv", lines)


def test_the_files_of_every_game_are_sound() -> None:
    for game in GAMES.values():
        figures.figures(game)
        data.packet_data(game)
        data.shared_cards(game.name)
    assert venues.venues().keys() == regimes.load_regimes().keys()
    assert catalogue.catalogue()[0] == CatalogueEntry(1, "6-5-4 Poker", "")
