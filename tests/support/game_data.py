"""What the shared tests have to know of one game: `DATA` in `tests/games/<game>/data.py`.

The tests under `tests/` run over every game. Where they need cards, seeds or numbers of one game, they
ask for them here. A missing entry fails with one sentence that says what to write, and where.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from feltlab.core.game import Game
from feltlab.shuffling.models import Mode
from tests.support.referee import Referee

FOLDER = Path(__file__).parents[1] / "games"


def folder_of(game: str) -> Path:
    """The folder of a game's tests."""
    return FOLDER / game.replace("-", "_")


def file_of(game: str, name: str) -> str:
    """A file of a game's tests, as a sentence names it."""
    return f"tests/games/{folder_of(game).name}/{name}"


# -- Entries ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Example:
    """Cards in the order of dealing, choices, and some of the outcomes that they lead to."""

    player: str
    dealer: str  # "" where the dealer has no hand
    choices: str  # "" where none is open
    outcomes: Mapping[str, str]  # by spot
    options: Mapping[str, str] = field(default_factory=dict)
    board: str = ""

    def __str__(self) -> str:
        shared = f"{self.board} {self.dealer}".strip()
        return f"{self.player} against {shared} {self.choices or 'at once'}"


@dataclass(frozen=True)
class TinyDeck:
    """A deck so small that every deal of it can be counted; `perft.txt` holds the counts."""

    deck: str
    # ("player", 3), ("board", 2), ("dealer", 3): the cards that no choice brings, as combinations, in the
    # order of a seat's shoe.
    deal: tuple[tuple[str, int], ...]
    options: Mapping[str, str] = field(default_factory=dict)
    name: str = ""  # a second deck has a name, and counts in perft-<name>.txt
    slow: bool = False  # counted among the slow tests


class PreparedHand(NamedTuple):
    """One round of one player, dealt in the browser."""

    player: str
    dealer: str  # "" where the dealer has no hand
    choices: str
    wins: float  # dollars in all, with $10 on every first wager
    board: str = ""


def texts_by_area(game: Game, hand: Example | PreparedHand) -> tuple[str, ...]:
    """The cards of each area of a seat's shoe, in its order."""
    return tuple(getattr(hand, area.name) for area in game.areas)


class ChangedPay(NamedTuple):
    """Another pay of one outcome."""

    spot: str
    outcome: str
    pays: Fraction


class Setting(NamedTuple):
    """Options, and units staked beside those of the default stake."""

    options: Mapping[str, str]
    stake: Mapping[str, int]


# -- A game's data ----------------------------------------------------------------------------------


NEEDED: Any = None  # in place of an entry that is missing
DESCRIPTIONS = {
    "playthrough_seed": "a seed whose deal to four seats shows much of the game",
    "wager_steps": "for each first wager the fewest cents on which every pay is a whole number of cents",
    "shuffler": "the shuffler's mode as the rule sheet has it, Mode(title, packet, cards, shoe)",
    "prepared_hands": "hands to deal in the browser, which together make every choice of the game",
    "deciding_pay": "another pay that changes the best play under the default stake",
}


@dataclass(frozen=True)
class GameData:
    """What tests have to know of one game. An entry that is NEEDED and missing fails when it is read."""

    game: str
    playthrough_seed: int = NEEDED
    wager_steps: Mapping[str, int] = NEEDED
    shuffler: Mode = NEEDED
    prepared_hands: tuple[PreparedHand, ...] = NEEDED
    deciding_pay: ChangedPay = NEEDED
    tiny_decks: tuple[TinyDeck, ...] = ()  # at least one; `test_perft` asks for it
    examples: tuple[Example, ...] = ()  # for outcomes that 1,500 random rounds do not reach
    draws: Mapping[str, int] = field(default_factory=dict)  # cards that a choice brings the player at once
    idle_pays: tuple[tuple[Setting, ChangedPay], ...] = ()  # pays that change no best play
    simulations: tuple[Setting, ...] = ()  # more settings to simulate and to compare with their proofs
    ledger_rounds: int = 30  # rounds in the ledger of the tests; more where choices are rare
    slow_proof: bool = False  # a proof takes more than a few seconds
    slow_advice: bool = False  # so does the first piece of advice
    prints_hands: bool = True  # the rule sheet has pay tables of poker hands

    def __getattribute__(self, name: str) -> Any:
        value = object.__getattribute__(self, name)
        assert value is not NEEDED, (
            f"Write `{name}` in {file_of(self.game, 'data.py')}: {DESCRIPTIONS[name]}."
        )
        return value

    @property
    def hand_with_choice(self) -> PreparedHand:
        """The first prepared hand in which the player has a choice."""
        return next(hand for hand in self.prepared_hands if hand.choices)


@cache
def data_of(game: str) -> GameData:
    """The data of a game. Where the file is missing, so is every entry."""
    if not (folder_of(game) / "data.py").exists():
        return GameData(game)
    data: GameData = import_module(f"tests.games.{folder_of(game).name}.data").DATA
    assert data.game == game, f"Write game={game!r} in {file_of(game, 'data.py')}, not {data.game!r}."
    return data


@cache
def referee_of(game: str) -> Referee:
    assert (folder_of(game) / "referee.py").exists(), (
        f"Write {file_of(game, 'referee.py')}: REFEREE, a Referee as tests/support/referee.py describes it."
    )
    referee: Referee = import_module(f"tests.games.{folder_of(game).name}.referee").REFEREE
    return referee
