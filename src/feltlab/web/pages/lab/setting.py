"""The visitor's settings in the lab: options, stake and strategy, read from the address."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request

from feltlab.analysis.design.pays import stake_for
from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.core.stake import check_stake, default_stake, read_stake
from feltlab.errors import Refused
from feltlab.games import game_named
from feltlab.progressives.catalogue import progressives_of
from feltlab.web.page import Data

OPTION, STAKE = "option-", "stake-"  # prefixes of parameters
MAX_VALUE_CHARS = 60


# -- Parameters -------------------------------------------------------------------------------------


def game_of(request: Request) -> Game:
    return game_named(request.path_params["game"])


def read_parameters(request: Request, *names: str, prefixes: tuple[str, ...] = ()) -> dict[str, str]:
    """The parameters that are not empty; refuses those that the page does not have."""
    found: dict[str, str] = {}
    for name, value in request.query_params.multi_items():
        if name not in names and not name.startswith(prefixes):
            raise Refused(f"This page has no setting {name[:MAX_VALUE_CHARS]!r}.")
        if len(value) > MAX_VALUE_CHARS or not value.isprintable():
            raise Refused(f"The value of {name[:MAX_VALUE_CHARS]} cannot be read.")
        if name in found:
            raise Refused(f"The setting {name[:MAX_VALUE_CHARS]} is given twice.")
        if value.strip():
            found[name] = value.strip()
    return found


def with_prefix(found: Mapping[str, str], prefix: str) -> dict[str, str]:
    """The parameters that begin with a prefix, named without it."""
    return {name.removeprefix(prefix): value for name, value in found.items() if name.startswith(prefix)}


# -- The setting ------------------------------------------------------------------------------------


class Setting:
    """A game with the visitor's options, stake and strategy."""

    def __init__(self, game: Game, found: Mapping[str, str], bet: Spot | None = None) -> None:
        self.game = game.with_options(with_prefix(found, OPTION))
        units = with_prefix(found, STAKE)
        self.stake = stake_for(self.game, bet, units) if bet else read_stake(self.game, units)
        self.first_stake = stake_for(self.game, bet, {}) if bet else self._default_stake()
        self.strategy = found.get("strategy", "optimal")

    def _default_stake(self) -> dict[str, Fraction]:
        return check_stake(self.game, default_stake(self.game))

    @property
    def question(self) -> dict[str, Any]:
        """The data on which a proof depends; equal settings ask equal questions, however they are written."""
        stake = {bet: str(units) for bet, units in self.stake.items()}
        return {"game": self.game.name, "options": dict(self.game.chosen), "stake": stake}

    @property
    def query(self) -> str:
        """The differences from the defaults, as the query of an address."""
        pairs = [(OPTION + name, value) for name, value in self.game.chosen]
        first = self.first_stake
        pairs += [(STAKE + bet, str(units)) for bet, units in self.stake.items() if units != first[bet]]
        pairs += [("strategy", self.strategy)] if self.strategy != "optimal" else []
        return f"?{urlencode(pairs)}" if pairs else ""

    @property
    def packet_query(self) -> str:
        """The options alone, for a submission packet: it depends on nothing else."""
        return "".join(f"&{urlencode({OPTION + name: value})}" for name, value in self.game.chosen)

    def controls(self, strategies: Mapping[str, str]) -> Data:
        """The data of the form that changes the settings."""
        options = [
            {"name": o.name, "help": o.help, "values": o.values, "value": self.game.options[o.name]}
            for o in self.game.rules.OPTIONS
        ]
        stakes = [
            {
                "name": spot.name,
                "title": spot.title,
                "units": str(self.stake[spot.name]),
                "required": self.game.is_required(spot),
            }
            for spot in self.game.wagers
        ]
        listed = [{"name": name, "words": words} for name, words in strategies.items()]
        return {"options": options, "stakes": stakes, "strategies": listed, "strategy": self.strategy}


def describe_game(game: Game) -> Data:
    bets = [{"name": spot.name, "title": spot.title} for spot in game.wagers]
    jackpots = [{"name": each.name, "title": each.title} for each in progressives_of(game.name)]
    told = {"name": game.name, "title": game.title, "summary": game.rules.SUMMARY}
    return {**told, "bets": bets, "progressives": jackpots}
