"""A user's strategy: a Python function in a file.

`decide(kernel_data, seen, legal)` is called whenever a choice is open. `seen` is the seat's shoe with only
the cards that the player may see, `legal` has a bit for each open choice, and `kernel_data` is the data of
the game's own kernels, with the tables that value hands. The function returns the number of a choice, or
its name if the function does not compile. It may take a fourth argument: the choices made before.
"""

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from inspect import iscoroutinefunction, isgeneratorfunction, signature
from operator import index
from pathlib import Path
from typing import Any

import numpy as np

from feltlab.core.game import Game
from feltlab.core.solver import Player
from feltlab.errors import Refused
from feltlab.kernel import compile_foreign, compile_inner

DEFAULT_FUNCTION = "decide"
PARAMETERS = ("kernel_data", "seen", "legal", "choices")


def is_user_strategy(strategy: str) -> bool:
    """Does this name a file, not a strategy of the game?"""
    return ":" in strategy or strategy.endswith(".py")


@dataclass(frozen=True)
class UserStrategy:
    """The text of a file and the name of a function in it, so that machines without the file can run it."""

    name: str  # as the user wrote it
    source: str
    function: str

    @classmethod
    def read(cls, name: str) -> "UserStrategy":
        path, _, function = name.rpartition(":") if ":" in name else (name, "", DEFAULT_FUNCTION)
        if Path(path).exists() and not Path(path).is_file():
            raise Refused(f"The strategy file {path} is not an ordinary file.")
        try:
            return cls(name, Path(path).read_text(encoding="utf-8"), function)
        except OSError as error:
            raise Refused(f"The strategy file {path} cannot be read: {error.strerror}.") from None
        except ValueError:
            raise Refused(f"The strategy file {path} is not text.") from None

    def player(self, game: Game) -> Player:
        """The function as a kernel if it compiles, otherwise as plain Python."""
        function = self._load()
        shoe = np.zeros(game.places, np.int8)
        compiled = compile_foreign(_take_choices(function), game.kernel_data, shoe, 1, shoe[:0])
        return Player(compiled or _accept_names(game, function), game.kernel_data)

    def _load(self) -> Callable[..., Any]:
        names: dict[str, Any] = {"__name__": "user_strategy"}
        try:
            exec(compile(self.source, self.name, "exec"), names)
        except SyntaxError as error:
            where = f" in line {error.lineno}" if error.lineno else ""
            raise Refused(f"{self.name} is not Python: {error.msg}{where}.") from None
        except (Exception, SystemExit) as error:
            raise Refused(f"{self.name} does not run: {describe_error(error, self.name)}.") from None
        function: Callable[..., Any] | None = names.get(self.function)
        if not callable(function):
            raise Refused(f"{self.name} has no function {self.function!r}.")
        if iscoroutinefunction(function) or isgeneratorfunction(function):
            raise Refused(f"{self.name} must be a plain function, neither async nor a generator.")
        if not (_takes(function, PARAMETERS) or _takes(function, PARAMETERS[:-1])):
            raise Refused(f"{self.name} must take three or four arguments: {', '.join(PARAMETERS)}.")
        return function


def describe_error(error: BaseException, file: str) -> str:
    """'ZeroDivisionError: division by zero, in line 3'."""
    if isinstance(error, Refused):
        return str(error).rstrip(".")
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return f"{what}, in line {lines[-1]}" if lines else what


def _takes(function: Callable[..., Any], parameters: tuple[str, ...]) -> bool:
    try:
        signature(function).bind(*parameters)
    except (TypeError, ValueError):
        return False
    return True


def _take_choices(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function itself if it takes the choices made before, otherwise one that leaves them out."""
    if _takes(function, PARAMETERS):
        return function
    plain = compile_inner(function)

    def decide(kernel_data: Any, seen: Any, legal: int, choices: Any) -> Any:
        return plain(kernel_data, seen, legal)

    return decide


def _accept_names(game: Game, function: Callable[..., Any]) -> Callable[..., int]:
    """Let a function answer with the name of a choice."""

    takes_choices = _takes(function, PARAMETERS)

    def decide(kernel_data: Any, seen: Any, legal: int, choices: Any) -> int:
        arguments = (kernel_data, seen, legal, choices) if takes_choices else (kernel_data, seen, legal)
        answer = function(*arguments)
        if isinstance(answer, str):
            return game.choice_numbers[game.choice(answer).name]
        try:
            return index(answer)
        except TypeError:
            raise Refused(f"{answer!r} is neither the number nor the name of a choice") from None

    return decide
