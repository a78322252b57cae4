"""`feltlab check` refuses every broken game with the file, the line and the reason."""

import re
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from feltlab.core.contract.rules_trial import try_rules
from feltlab.games import FOLDERS, GAMES
from feltlab.kernel import deferred_compiling
from tests.support.command_line import refusal, run
from tests.support.own_games import new_game, nothing_named


@pytest.fixture(autouse=True)
def interpreted(request: pytest.FixtureRequest) -> Iterator[None]:
    """Compiling each broken game would take seconds; the rules are tried as plain Python."""
    with nothing_named(), nullcontext() if "name" in request.fixturenames else deferred_compiling():
        yield


SETTLED = "        outcomes[AT_RAISE], outcomes[AT_ANTE] = judge(player, dealer)\n"
SHOWN = "show(seen, shoe, len(shoe) if len(choices) else HAND, FACE_DOWN)"
PAIR_DECIDED = "    outcomes[AT_PAIR_BET] = judge_pair_bet(shoe[0], shoe[1])\n"
SUITED = "return SUITED if one & 3 == other & 3 else NOTHING"
TIES = 'win("better hand"), lose("worse hand"), push("tie")),\n)'

BROKEN = {
    "a syntax error": ("def deck(options", "def deck(options::", "def deck", "invalid syntax"),
    "no NAME": ('NAME = "mine"\n', "", "", "NAME is a name such as my-game"),
    "a bad NAME": ('NAME = "mine"', 'NAME = "My Game"', "NAME =", "NAME is a name such as my-game"),
    "a NAME of ours": ('NAME = "mine"', 'NAME = "casino-war"', "NAME =", "another game called 'casino-war'"),
    "a function that is missing": ("def why(", "def whyever(", "", "the rules do not define why"),
    "an import that fails": ("    packets,\n", "    packets,\n    parcels,\n", "layout", "name 'parcels'"),
    "a name that is misspelt": ("RAISED = PayTable(", "RAISED = PayTabel(", "RAISED =", "NameError"),
    "a kind of SUITS": ("SUITS = ALIKE", 'SUITS = "some"', "SUITS", "ALIKE or UNREAD"),
    "a deck that is none": ("return Deck.standard()", "return 52", "def deck", "deck returns a Deck"),
    "a pay table that misses an outcome": (
        TIES,
        TIES.replace(', push("tie")', ""),
        "def settle",
        "ante has outcome 4, but its pay table has the lines 0 to 3",
    ),
    "pay tables of different outcomes": (
        'pair_bet_table("2", 10, 7, 1)',
        'PayTable("2", (win("Pair"),))',
        'Spot("pair-bet"',
        "the pay tables of pair-bet name different outcomes",
    ),
    "visible that invents a card": (
        SHOWN,
        SHOWN.replace("FACE_DOWN", "7"),
        "def visible",
        "card 1 of the dealer is shown as something else than it is",
    ),
    "visible that shows an undealt card": (
        "yield from packets(len(seats), HAND)",
        "yield from packets(len(seats), HAND - 1)",
        "def visible",
        "the player's second card, which is not dealt when a choice is open",
    ),
    "settle that reads what was there": (
        "    outcomes[:] = OPEN\n",
        "",
        "def settle",
        "asked again, it gives another outcome",
    ),
    "settle that changes what is decided": (
        "= NOT_PLACED, ANTE_FOLDED\n",
        "= NOT_PLACED, ANTE_FOLDED\n        outcomes[AT_PAIR_BET] = NOTHING\n",
        "def settle",
        "pair-bet was decided, and a later card or choice changes its outcome",
    ),
    "settle that decides with unknown cards": (
        "    elif are_known(shoe[HAND:]):\n",
        "    else:\n",
        "def settle",
        "was decided, and a later card or choice changes its outcome",
    ),
    "a raise's pay table that misses an outcome": (
        'lose("worse hand"), push("tie")))',
        'lose("worse hand")))',
        "def settle",
        "raise has outcome 2, but its pay table has the lines 0 to 1",
    ),
    "too few wagers on one hand": (
        "GAMES_PER_HAND = 2",
        "GAMES_PER_HAND = 1",
        "GAMES_PER_HAND",
        "GAMES_PER_HAND is 1, so no seat could place ante and pair-bet together",
    ),
    "settle that never decides": (
        "    elif are_known(shoe[HAND:]):\n",
        "    elif False:\n",
        "def settle",
        "raise is still open at the end",
    ),
    "a raise without an outcome": (
        SETTLED,
        SETTLED + "        outcomes[AT_RAISE] = NOT_PLACED\n",
        "def settle",
        "raise has 1 unit on it and yet no outcome",
    ),
    "an outcome without a raise": (
        "= NOT_PLACED, ANTE_FOLDED",
        "= RAISE_LOST, ANTE_FOLDED",
        "def settle",
        "raise has 0 units on it and yet an outcome",
    ),
    "legal that peeks at a hidden card": (
        "strength(shoe[0], shoe[1]) >= ACE_HIGH",
        "strength(shoe[0], shoe[2]) >= ACE_HIGH",
        "def legal",
        "the open choices depend on a card that is not seen",
    ),
    "choices without an end": (
        "    if len(choices):\n        return 0\n",
        "",
        "def legal",
        "a round does not end after 64 choices",
    ),
    "a bit without a choice": (
        "1 << RAISE_1X | 1 << FOLD",
        "1 << RAISE_1X | 1 << FOLD | 1 << 5",
        "def legal",
        "a bit is set for a choice that CHOICES does not have",
    ),
    "an order that matters": (
        SUITED,
        "return SUITED if one < other else NOTHING",
        "AREAS",
        "the order of an area's cards is declared to mean nothing",
    ),
    "a suit that matters": (
        SUITED,
        "return SUITED if one & 3 == 0 else NOTHING",
        "SUITS",
        "SUITS are declared alike, but other suits give another result",
    ),
    "suits that are read": ("SUITS = ALIKE", 'SUITS = "unread"', "SUITS", "SUITS are declared unread"),
    "too few cards": (
        "return HAND * (seats + 1)",
        "return HAND * seats",
        "def cards_needed",
        "more than it says",
    ),
    "too many cards": ("return HAND * (seats + 1)", "return 53", "def cards_needed", "not last for one seat"),
    "a deal that never asks": ("yield seat, CHOOSES", "pass", "def dealing", "a seat has a choice open"),
    "a deal to places that are none": (
        "yield from packets(len(seats), HAND)",
        "yield from packets(len(seats), HAND + 1)",
        "def dealing",
        "IndexError",
    ),
    "too many units": (
        "most_units=2",
        "most_units=1",
        "SPOTS",
        "puts 2 units on raise, whose most_units is 1",
    ),
    "a unit more on a first wager": (
        'puts=("raise",)',
        'puts=("raise", "ante")',
        "SPOTS",
        "raise-1x puts 1 beside the first unit on ante, whose most_units is 1",
    ),
    "nothing for an absent player": (", house_rule=True", "", "CHOICES", "no choice is marked house_rule"),
    "eight bits": ("int64(one) >> 2", "one >> 2", "return 256", "a number of eight bits"),
    "no reason": ("    return player\n", '    return ""\n', "def why", "it gives no words for pair-bet"),
}


@pytest.mark.parametrize(("old", "new", "place", "reason"), BROKEN.values(), ids=list(BROKEN))
def test_a_broken_game_is_refused(tmp_path: Path, old: str, new: str, place: str, reason: str) -> None:
    folder = new_game(tmp_path / "mine", (old, new))
    said = refusal("check", f"{folder}/")
    found = re.match(r"mine/rules\.py, line (\d+): (.*)", said)
    assert found, said
    line = (folder / "rules.py").read_text().splitlines()[int(found[1]) - 1]
    assert place in line
    assert reason in found[2]


def test_the_game_that_is_written_keeps_the_contract(tmp_path: Path) -> None:
    result = run("check", f"{new_game(tmp_path / 'mine')}/")
    assert result.exit_code == 0, result.stderr
    assert "400 random rounds keep the contract" in result.stdout


DATA = {
    "figures.toml": {
        '[[figure]]\nname = "edge"\n': "figures.toml, line 1: 'where' is missing.",
        "[[figure]\n": "figures.toml: ",
        '[[figure]]\nname="a"\nwhere="b"\npublished="1%"\nmeasure="house_edge"\nbet="blind"\n': (
            "figures.toml, line 6: 'bet' names 'blind', but possible are ante and pair-bet."
        ),
    },
    "packet.toml": {
        "rack_card = []\n": "packet.toml, line 1: 'shuffler' is missing.",
        'shuffler = []\nrack_card = []\n[example]\ncards = ""\nchoices = ["raise-9x"]\n': (
            "packet.toml, line 3: 'raise-9x' cannot be chosen here"
        ),
    },
    "rules.md": {
        "# Mine\n": "rules.md must have a title, a summary, chapters and a closing sentence.",
        "# Mine\n\nA game.\n\n## 1 Cards\n\nWords.\n\nThe end.\n": "rules.md, line 7: it must consist",
        "# Mine\n\nA {colour} game.\n\n## 1 Cards\n\nThe end.\n": "rules.md, line 3: ",
    },
}


@pytest.mark.parametrize(
    ("file", "text", "reason"), [(file, *case) for file, cases in DATA.items() for case in cases.items()]
)
def test_a_mistake_in_a_data_file_is_refused(tmp_path: Path, file: str, text: str, reason: str) -> None:
    folder = new_game(tmp_path / "mine")
    (folder / file).write_text(text)
    assert refusal("check", "--rounds", "20", f"{folder}/").startswith(f"mine/{reason}")


def test_a_game_may_be_its_rules_alone(tmp_path: Path) -> None:
    folder = new_game(tmp_path / "mine")
    for path in folder.iterdir():
        if path.name != "rules.py":
            path.unlink()
    result = run("check", "--rounds", "20", f"{folder}/")
    assert result.exit_code == 0, result.stderr
    assert "none; write rules.md" in result.stdout


# -- Paths ------------------------------------------------------------------------------------------


def test_a_path_that_is_not_a_game_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("")
    assert refusal("check", f"{tmp_path}/empty").endswith("empty is not a game: it has no rules.py.")
    assert refusal("check", f"{tmp_path}/file").endswith("file is not a folder with a game.")
    assert refusal("check", f"{tmp_path}/none").endswith("none is not a folder with a game.")
    assert refusal("serve", "--games", f"{tmp_path}/empty").endswith("no folder in it has a rules.py.")


def test_two_folders_may_not_share_a_name(tmp_path: Path) -> None:
    one, other = new_game(tmp_path / "a" / "mine"), new_game(tmp_path / "b" / "mine")
    assert GAMES[f"{one}/"].name == "mine"
    assert refusal("games", f"{other}/").startswith("mine/rules.py, line 31: there is another game called")
    assert GAMES[f"{one}/"] is GAMES["mine"]


def test_a_refused_folder_is_forgotten_and_can_be_mended(tmp_path: Path) -> None:
    folder = new_game(tmp_path / "mine", ("def why(", "def whyever("))
    assert "why" in refusal("games", f"{folder}/")
    assert "mine" not in GAMES
    rules = folder / "rules.py"
    rules.write_text(rules.read_text().replace("def whyever(", "def why("))
    assert GAMES[f"{folder}/"].name == "mine"
    assert not (folder / "__pycache__").exists()


def test_an_error_in_the_rules_is_one_sentence_in_every_command(tmp_path: Path) -> None:
    folder = new_game(
        tmp_path / "mine", ("    player = describe_hand(shoe[:HAND].tolist())\n", "    player = nobody\n")
    )
    words = ("--player", "As Kd", "--dealer", "9c 9h", "--wager", "ante=10", "--choose", "fold")
    said = refusal("settle", f"{folder}/", *words)
    assert re.fullmatch(r"mine/rules\.py, line \d+: NameError: name 'nobody' is not defined\.", said)


# -- Our games --------------------------------------------------------------------------------------


SMOKE = ("casino-war", "triple-shot-rummy", "let-it-ride")  # of the fast part: a tie, a fold, streets


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name not in SMOKE)) for name in FOLDERS]
)
def test_our_games_keep_the_contract(name: str) -> None:
    assert try_rules(GAMES[name], rounds=20).swept
