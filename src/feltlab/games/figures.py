"""Published figures: `figures.toml` beside each game, and its only reader.

The file has entries of four kinds:

- `[[figure]]`: a number as printed, what it measures and where it is printed;
- `[[hold]]`: a published range of the hold;
- `[chart]`: a published strategy table;
- `[[later]]`: a statement that is kept and not audited, and why.

A figure from the open web has a `source`, an address. A count is printed `of` all cases. Figures with one
`quantity` come from sources that disagree.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any, Literal

from feltlab.core.cards import cards
from feltlab.core.game import Game
from feltlab.core.stake import read_stake
from feltlab.errors import Refused
from feltlab.games import GAMES, solver_of
from feltlab.games.data_files import FilePlace, build, check_names, read_data, read_game_data

FigureMeasure = Literal[
    "house_edge",
    "return",
    "hit_frequency",
    "probability",
    "payout",
    "mean_edge",
    "expected",
    "element_of_risk",
    "average_wager",
    "deviation",
    "win_frequency",
    "choice_share",
    "choice_value",
    "best_choice",
]
OF_ROUND = (
    "house_edge",
    "expected",
    "element_of_risk",
    "average_wager",
    "deviation",
)  # where no bet is named
OF_CHOICE = ("choice_share", "choice_value", "best_choice")
PLAIN = (
    "expected",
    "average_wager",
    "deviation",
    "probability",
    "choice_share",
    "choice_value",
    "win_frequency",
)
HEDGES = r"((about|around|approximately|slightly over) )?"  # words before a number that is not exact
PERCENT = re.compile(HEDGES + r"-?\d+(\.\d+)?%")
NUMBER = re.compile(HEDGES + r"-?\d+(\.\d+)?%?")
COUNT = re.compile(r"\d{1,3}(,\d{3})*")
ADDRESS = re.compile(r"https?://[^\s/]+\.[a-z]+(/\S*)?")
PERCENT_RANGE = re.compile(r"\d+(\.\d+)?% to \d+(\.\d+)?%")


@dataclass(frozen=True)
class Figure:
    """A published number, and the value that it states."""

    name: str
    where: str
    published: str  # as printed: "4.81%", "1.6393", "22,100", or the name of a choice
    measure: FigureMeasure
    bet: str = ""  # '' for the whole round
    bets: tuple[str, ...] = ()  # for a mean of several bets
    outcomes: tuple[str, ...] = ()  # for a probability or a payout
    together: Mapping[str, str] = field(default_factory=dict)  # for a probability: by spot, its outcome
    strategy: str = "optimal"
    options: Mapping[str, str] = field(default_factory=dict)
    same_as: str = ""  # another figure that prints the same value
    independent: tuple[str, ...] = ()  # figures whose chances may have been multiplied
    because: str = ""  # why those chances are not independent, in sentences
    event: str = ""  # the event that such a chance belongs to, in a few words
    source: str = ""  # the address of the page that prints it
    quantity: str = ""  # figures of one quantity are shown together: their sources disagree
    of: str = ""  # for a printed count: the number of all cases, "22,100"
    choice: str = ""  # for its share of rounds, or its value with these cards
    over: str = ""  # the value of this choice is subtracted
    street: str = ""  # on which the choice is made; '' for the first
    cards: str = ""  # of the player, for the value of a choice and for the best choice
    dealer: str = ""  # the dealer's cards that the player sees
    finding: str = ""  # why it differs as far as is known, in a sentence; "Unexplained: ..." where it is not

    @property
    def value(self) -> Decimal:
        """The printed number: in percent, a count, or in units."""
        return Decimal(self.published.split(" ")[-1].removesuffix("%").replace(",", ""))

    @property
    def scale(self) -> int:
        """The printed number of the share 1."""
        whole = self.of.replace(",", "") or "1"
        return 100 if self.published.endswith("%") else int(whole)

    @property
    def place(self) -> str:
        """The paper or page that prints the figure, with its address if it has one."""
        return ", ".join(filter(None, (self.where, self.source)))


@dataclass(frozen=True)
class LaterFigure:
    """A published statement that is kept for later and not audited."""

    name: str
    where: str
    published: str  # as printed, in words if need be
    source: str
    why: str  # it is not audited, in a sentence


@dataclass(frozen=True)
class StrategyChart:
    """A published strategy table: for each row a letter against each up card."""

    where: str
    strategy: str  # the strategy that the table should be
    options: Mapping[str, str]
    up_cards: str
    rows: Mapping[str, str]


@dataclass(frozen=True)
class HoldLayout:
    """A layout and a stake that a published hold may mean."""

    words: str
    options: Mapping[str, str] = field(default_factory=dict)
    stake: Mapping[str, str] = field(default_factory=dict)  # besides one unit on each required wager


@dataclass(frozen=True)
class HoldClaim:
    """A published range of the hold: the house's win as a share of the chips bought."""

    name: str
    where: str
    published: str  # as printed: "15% to 25%"
    layout: tuple[HoldLayout, ...]

    @property
    def low(self) -> Fraction:
        return self._ends[0]

    @property
    def high(self) -> Fraction:
        return self._ends[1]

    @property
    def _ends(self) -> list[Fraction]:
        return [Fraction(end.removesuffix("%")) / 100 for end in self.published.split(" to ")]


@dataclass(frozen=True)
class _Published:
    figure: tuple[Figure, ...] = ()
    hold: tuple[HoldClaim, ...] = ()
    chart: StrategyChart | None = None
    later: tuple[LaterFigure, ...] = ()


def figures(game: Game) -> tuple[Figure, ...]:
    """The published figures of a game, in the order in which they are published."""
    return _load_published(game.name).figure


def hold_claims(game: Game) -> tuple[HoldClaim, ...]:
    """The published holds of a game."""
    return _load_published(game.name).hold


def strategy_chart(game: Game) -> StrategyChart | None:
    """The published strategy table of a game, if there is one."""
    return _load_published(game.name).chart


def figures_for_later(game: Game) -> tuple[LaterFigure, ...]:
    """The published statements about a game that are not audited."""
    return _load_published(game.name).later


@cache
def _load_published(name: str) -> _Published:
    found, place = _build_published(*read_game_data(name, "figures.toml"))
    for n, figure in enumerate(found.figure):
        _check_figure(GAMES[name], figure, place.child("figure", n))
    for n, claim in enumerate(found.hold):
        _check_hold(GAMES[name], claim, place.child("hold", n))
    if found.chart:
        _check_chart(GAMES[name], found.chart, place.child("chart"))
    return found


def read_published(folder: str) -> tuple[_Published, FilePlace]:
    """The figures of a folder, checked as far as that is possible without the game's rules."""
    return _build_published(*read_data("games", folder, "figures.toml"))


def _build_published(data: dict[str, Any], place: FilePlace) -> tuple[_Published, FilePlace]:
    found = build(_Published, data, place)
    names = [figure.name for figure in found.figure]
    for n, figure in enumerate(found.figure):
        at = place.child("figure", n)
        if figure.name in names[:n]:
            raise at.refusal(f"another figure is named {figure.name!r}", "name")
        _check_printed(figure, at)
        check_names("same_as", filter(None, [figure.same_as]), names, at)
        check_names("independent", figure.independent, names, at)
    for n, later in enumerate(found.later):
        _check_address(later.source, place.child("later", n))
    return found, place


def _check_printed(figure: Figure, place: FilePlace) -> None:
    """Refuse a figure that is not printed as its measure is."""
    if figure.source:
        _check_address(figure.source, place)
    if figure.of and not COUNT.fullmatch(figure.of):
        raise place.refusal(f"{figure.of!r} is not a count, such as 22,100", "of")
    if figure.of:
        pattern, words = COUNT, "a count, such as 22,100"
    elif figure.measure in PLAIN:
        pattern, words = NUMBER, "a number, such as 1.6393 or 4.81%"
    else:
        pattern, words = PERCENT, "a percentage, such as 4.81%"
    if figure.measure != "best_choice" and not pattern.fullmatch(figure.published):
        raise place.refusal(f"{figure.published!r} is not {words}", "published")


def _check_address(address: str, place: FilePlace) -> None:
    if not ADDRESS.fullmatch(address):
        raise place.refusal(f"{address!r} is not an address, such as https://example.com/page", "source")


def _check_figure(game: Game, figure: Figure, place: FilePlace) -> None:
    """Refuse a figure that names what the game does not have."""
    if figure.measure in OF_CHOICE:
        _check_choice(game, figure, place)
    elif figure.together:
        check_names("together", figure.together, [spot.name for spot in game.spots], place)
        for name, outcome in figure.together.items():
            check_names("together", [outcome], game.spot(name).outcomes, place)
    elif figure.bet or figure.measure not in OF_ROUND:
        key, bets = ("bets", figure.bets) if figure.measure == "mean_edge" else ("bet", (figure.bet,))
        check_names(key, bets or [""], [spot.name for spot in game.wagers], place)
    if figure.measure in ("probability", "payout") and not figure.together:
        check_names("outcomes", figure.outcomes or [""], game.spot(figure.bet).outcomes, place)
    _check_setting(game, figure.options, figure.strategy, place)


def _check_choice(game: Game, figure: Figure, place: FilePlace) -> None:
    known = [choice.name for choice in game.choices]
    key = "published" if figure.measure == "best_choice" else "choice"
    check_names(key, [getattr(figure, key)], known, place)
    check_names("over", filter(None, [figure.over]), known, place)
    for key in ("cards", "dealer"):
        try:
            cards(getattr(figure, key))
        except Refused as refused:
            raise place.refusal(str(refused).rstrip("."), key) from None


def _check_hold(game: Game, claim: HoldClaim, place: FilePlace) -> None:
    if not PERCENT_RANGE.fullmatch(claim.published):
        raise place.refusal(f"{claim.published!r} is not a range, such as 15% to 25%", "published")
    for n, layout in enumerate(claim.layout):
        try:
            read_stake(game.with_options(layout.options), layout.stake)
        except Refused as refused:
            raise place.child("layout", n).refusal(str(refused).rstrip(".")) from None


def _check_chart(game: Game, chart: StrategyChart, place: FilePlace) -> None:
    _check_setting(game, chart.options, chart.strategy, place)
    for row, letters in chart.rows.items():
        if len(letters) != len(chart.up_cards):
            raise place.refusal(f"row {row!r} needs {len(chart.up_cards)} letters, one for each up card", row)


def _check_setting(game: Game, options: Mapping[str, str], strategy: str, place: FilePlace) -> None:
    try:
        game.with_options(options)
    except Refused as refused:
        raise place.refusal(str(refused).rstrip("."), "options") from None
    check_names("strategy", [strategy], solver_of(game).strategies, place)
