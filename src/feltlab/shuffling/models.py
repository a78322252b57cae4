"""Shufflers by name: which modes each model has, and which of them fit a game.

`models.toml` holds what the approved documents say about the models, with the place where they say it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from feltlab.core.game import Game
from feltlab.errors import Refused, Unknown
from feltlab.games import GAMES
from feltlab.games.data import cards_at_once, packet_data
from feltlab.games.data_files import build, read_data
from feltlab.text import listing

DECK_SIZE = 53  # the cards of a deck with its joker
SHOE = "shoe"


@dataclass(frozen=True)
class Mode:
    """The settings of a shuffler that a game needs."""

    name: str
    packet: int  # cards delivered together
    cards: int  # shuffled together
    shoe: bool  # rounds continue with one shuffle until the cut card comes out


@dataclass(frozen=True)
class ModelMode:
    """A game selection of a model."""

    name: str
    source: str
    packet: int = 0  # cards delivered together; 0 where no document states it


@dataclass(frozen=True)
class Model:
    name: str
    decks: int  # that it takes at once
    source: str
    mode: tuple[ModelMode, ...]
    applications: tuple[str, ...] = ()  # as the documents list them
    shoe: bool = False

    def find_mode(self, name: str) -> ModelMode:
        """The mode of a name, in capitals or not."""
        found = [mode for mode in self.mode if mode.name.casefold() == name.casefold()]
        if not found:
            modes = listing(mode.name for mode in self.mode)
            raise Unknown(f"{name!r} is not a mode of the {self.name}; its modes are {modes}.")
        return found[0]


class WrongMode(Refused):
    """A mode that does not fit the game, with the line that the machine shows."""

    def __init__(self, fitting: tuple[str, ...]) -> None:
        self.message = f"WRONG MODE: SELECT {' OR '.join(fitting).upper()}"
        super().__init__(f"The shuffler shows {self.message!r} and stays in its mode.")


@dataclass(frozen=True)
class _Models:
    model: tuple[Model, ...]


@cache
def load_models() -> Mapping[str, Model]:
    """Every model by its name."""
    data, place = read_data("shuffling", "models.toml")
    return {model.name: model for model in build(_Models, data, place).model}


def find_model(name: str) -> Model:
    """The model of a name, in capitals or not."""
    models = load_models()
    found = [model for model in models.values() if model.name.casefold() == name.casefold()]
    if not found:
        raise Unknown(f"{name!r} is not a model of shuffler; the models are {listing(models)}.")
    return found[0]


# -- What fits a game -------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def mode_of(game: Game) -> Mode:
    """The mode that a game needs, named by its rules if they name one."""
    packet, size = cards_at_once(game), len(game.deck)
    shoe = game.behind_cut < size
    plain = SHOE if shoe else f"packets of {packet}" if packet > 1 else "single cards"
    return Mode(" or ".join(packet_data(game).shuffler) or plain, packet, size, shoe)


def _known_packets() -> set[int]:
    """The sizes of packets that some model delivers."""
    return {mode.packet for model in load_models().values() for mode in model.mode}


@lru_cache(maxsize=1024)
def fitting_modes(model: Model, game: Game) -> tuple[str, ...]:
    """The modes of a model that fit a game: those that its rules name, or any with its packets.

    Where no model delivers such packets, the dealer takes their cards one by one.
    """
    need, named = mode_of(game), {name.casefold() for name in packet_data(game).shuffler}
    if need.shoe != model.shoe or need.cards > model.decks * DECK_SIZE:
        return ()
    packet = need.packet if need.packet in _known_packets() else 1
    modes = [mode for mode in model.mode if mode.packet == packet]
    return tuple(mode.name for mode in modes if not named or mode.name.casefold() in named)


def fitting_models(game: Game) -> Mapping[str, tuple[str, ...]]:
    """By the name of each model that fits a game, the modes that fit."""
    found = {model.name: fitting_modes(model, game) for model in load_models().values()}
    return {name: modes for name, modes in found.items() if modes}


def model_to_json(model: Model) -> dict[str, Any]:
    """A model as plain data, and by game the modes that fit."""
    fits = {game.name: list(fitting_modes(model, game)) for game in GAMES.values()}
    return {
        "model": model.name,
        "decks": model.decks,
        "source": model.source,
        "applications": list(model.applications),
        "modes": [{"mode": m.name, "packet": m.packet or None, "source": m.source} for m in model.mode],
        "fits": {game: modes for game, modes in fits.items() if modes},
    }


def check_mode(model_name: str, mode: str, game: Game) -> str:
    """The name of a mode of a model that fits a game; refuses another."""
    model = find_model(model_name)
    fitting = fitting_modes(model, game)
    if not fitting:
        raise Refused(_describe_misfit(model, game))
    name = model.find_mode(mode).name
    if name not in fitting:
        raise WrongMode(fitting)
    return name


def _describe_misfit(model: Model, game: Game) -> str:
    need, others = mode_of(game), listing(fitting_models(game), "or")
    if need.shoe:
        lack = f"takes {model.decks} deck and no shoe"
    elif model.shoe:
        lack = "shuffles shoes"
    else:
        lack = f"has no mode for {need.name}"
    return f"The {model.name} {lack}, so it does not fit {game.title}; a model that fits is {others}."


def may_deal_by_hand(game: Game) -> bool:
    """Whether the rules allow cards that are shuffled and dealt by hand."""
    return bool(packet_data(game).by_hand)
