"""The data files beside a game's rules, and their only reader.

- `figures.toml`: published figures, published holds, and a published strategy table;
- `packet.toml`: text of the submission packet that the rules do not contain;
- `shared_cards.json`: cards of one deal that decide several bets, for games that have such bets.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Literal

from feltlab.core.cards import Cards, cards
from feltlab.core.deal import Deal
from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.core.paytable import Line
from feltlab.core.seating import Seat
from feltlab.core.stake import default_stake, read_stake
from feltlab.errors import Refused
from feltlab.games import GAMES, home_of, solver_of
from feltlab.games.data_files import FilePlace, build, read_game_data
from feltlab.games.rule_text import RuleText
from feltlab.text import listing

EXAMPLE_CENTS = 1000  # on each wager of the example
EXAMPLE_SEATS = 3
SHARED_CARDS = "shared_cards.json"

FigureMeasure = Literal["house_edge", "return", "hit_frequency", "probability", "payout", "mean_edge"]
PERCENT = re.compile(r"-?\d+(\.\d+)?%")
PERCENT_RANGE = re.compile(r"\d+(\.\d+)?% to \d+(\.\d+)?%")


# -- Published figures ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Figure:
    """A published number, and the value that it states."""

    name: str
    where: str
    published: str  # as printed: "4.81%"
    measure: FigureMeasure
    bet: str = ""
    bets: tuple[str, ...] = ()  # for a mean of several bets
    outcomes: tuple[str, ...] = ()  # for a probability or a payout
    strategy: str = "optimal"
    options: Mapping[str, str] = field(default_factory=dict)
    same_as: str = ""  # another figure that prints the same value
    independent: tuple[str, ...] = ()  # figures whose chances may have been multiplied
    because: str = ""  # why those chances are not independent, in sentences
    event: str = ""  # the event that such a chance belongs to, in a few words

    @property
    def value(self) -> Decimal:
        """In percent."""
        return Decimal(self.published.removesuffix("%"))


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


def figures(game: Game) -> tuple[Figure, ...]:
    """The published figures of a game, in the order in which they are published."""
    return _load_published(game.name).figure


def hold_claims(game: Game) -> tuple[HoldClaim, ...]:
    """The published holds of a game."""
    return _load_published(game.name).hold


def strategy_chart(game: Game) -> StrategyChart | None:
    """The published strategy table of a game, if there is one."""
    return _load_published(game.name).chart


@cache
def _load_published(name: str) -> _Published:
    data, place = read_game_data(name, "figures.toml")
    found = build(_Published, data, place)
    names = [figure.name for figure in found.figure]
    for n, figure in enumerate(found.figure):
        _check_figure(GAMES[name], figure, names[:n], place.child("figure", n))
        _check_names("same_as", filter(None, [figure.same_as]), names, place.child("figure", n))
        _check_names("independent", figure.independent, names, place.child("figure", n))
    for n, claim in enumerate(found.hold):
        _check_hold(GAMES[name], claim, place.child("hold", n))
    if found.chart:
        _check_chart(GAMES[name], found.chart, place.child("chart"))
    return found


def _check_figure(game: Game, figure: Figure, before: Collection[str], place: FilePlace) -> None:
    if figure.name in before:
        raise place.refusal(f"another figure is named {figure.name!r}", "name")
    if not PERCENT.fullmatch(figure.published):
        raise place.refusal(f"{figure.published!r} is not a percentage, such as 4.81%", "published")
    key, bets = ("bets", figure.bets) if figure.measure == "mean_edge" else ("bet", (figure.bet,))
    _check_names(key, bets or [""], [spot.name for spot in game.wagers], place)
    if figure.measure in ("probability", "payout"):
        _check_names("outcomes", figure.outcomes or [""], game.spot(figure.bet).outcomes, place)
    _check_setting(game, figure.options, figure.strategy, place)


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
    _check_names("strategy", [strategy], solver_of(game).strategies, place)


def _check_names(key: str, names: Iterable[str], known: Collection[str], place: FilePlace) -> None:
    for name in names:
        if name not in known:
            raise place.refusal(f"{key!r} names {name!r}, but possible are {listing(known)}", key)


# -- Packets ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Example:
    cards: str
    choices: tuple[str, ...]


@dataclass(frozen=True)
class Notice:
    """A line that the layout prints besides its pays."""

    text: str
    spot: str = ""  # printed at this betting spot; '' across the layout
    only_with: str = ""  # a condition on options, as rule_text.py reads it
    required_by: str = ""  # the paper that wants it posted, on the layout or on a placard


@dataclass(frozen=True)
class RackTable:
    """A small table on the rack card."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class PacketData:
    """Text of a submission packet that the rules do not contain."""

    shuffler: tuple[str, ...]  # the modes of the shuffler that the rules name, if they name any
    rack_card: tuple[str, ...]  # how to play, for players
    example: _Example  # the first cards of a shoe, and the choices in the order in which seats choose
    outcomes: Mapping[str, str] = field(default_factory=dict)  # clearer words for the rack card
    by_hand: str = ""  # why the rules allow cards that are shuffled by hand, or '' where they do not
    notice: tuple[Notice, ...] = ()
    area: tuple[str, ...] = ()  # marked areas of each position that hold cards and no wager
    impossible: Mapping[str, str] = field(default_factory=dict)  # outcomes, each with the condition
    rack_table: tuple[RackTable, ...] = ()


@cache
def packet_data(game: Game) -> PacketData:
    """The packet data of a game under its options, checked against its rules."""
    data, place = read_game_data(game.name, "packet.toml")
    if not data:
        return PacketData((), (game.rules.SUMMARY,), _play_example(game))
    found = build(PacketData, data, place)
    outcomes = {outcome for spot in game.spots for outcome in spot.outcomes}
    for name in (*found.outcomes, *found.impossible):
        if name not in outcomes:
            raise place.refusal(f"{name!r} is not an outcome of {game.title}", name)
    try:
        _deal_example(game, found.example)
    except Refused as refused:
        raise place.child("example").refusal(str(refused).rstrip(".")) from None
    text = RuleText(game)
    rack_card = tuple(filter(None, (_render(text, line, place, "rack_card") for line in found.rack_card)))
    return replace(found, rack_card=rack_card, notice=tuple(_notices(text, found.notice, place)))


def _notices(text: RuleText, notices: Sequence[Notice], place: FilePlace) -> Iterator[Notice]:
    """The notices that hold under the options of the game."""
    for n, notice in enumerate(notices):
        words = _render(text, notice.text, place.child("notice", n))
        if notice.spot:
            _check_names("spot", [notice.spot], [s.name for s in text.game.spots], place.child("notice", n))
        if _holds(text, notice.only_with, place.child("notice", n)):
            yield replace(notice, text=words)


def _render(text: RuleText, line: str, place: FilePlace, key: str = "") -> str:
    try:
        return text.render(line)
    except Refused as refused:
        raise place.refusal(str(refused).rstrip("."), key) from None


def _holds(text: RuleText, condition: str, place: FilePlace) -> bool:
    try:
        return text.holds(condition)
    except Refused as refused:
        raise place.refusal(str(refused).rstrip("."), "only_with") from None


def printed_lines(game: Game, spot: Spot) -> list[Line]:
    """The lines of a spot's pay table that are printed and can happen under the options in force."""
    text, impossible = RuleText(game), packet_data(game).impossible
    absent = {outcome for outcome, condition in impossible.items() if text.holds(condition)}
    return [line for line in game.pay_table(spot).lines if line.listed and line.outcome not in absent]


def example(game: Game) -> list[Deal]:
    """A deal to three seats, before and after each choice; the second seat has only the required wagers."""
    return _deal_example(game, packet_data(game).example)


def _deal_example(game: Game, example: _Example) -> list[Deal]:
    deals = _deal_choices(game, cards(example.cards), example.choices)
    if not deals[-1].over:
        raise Refused("the choices end before the deal does")
    return deals


def _deal_choices(game: Game, first: Cards, choices: Sequence[str]) -> list[Deal]:
    every = {spot.name: EXAMPLE_CENTS for spot in game.wagers[: game.rules.GAMES_PER_HAND]}
    required = {name: EXAMPLE_CENTS for name, units in default_stake(game).items() if units}
    seats = [Seat(required if n == 1 else every) for n in range(EXAMPLE_SEATS)]
    deals = [Deal(game, _stack_shoe(game, first), tuple(seats))]
    for choice in choices:
        turn = deals[-1].turn
        if turn is None:
            raise Refused(f"nobody is left to choose {choice!r}")
        deals.append(deals[-1].choose(turn, choice))
    return deals


def _play_example(game: Game) -> _Example:
    """An example for a game without packet data: the deck as it lies, and the first choice that is open."""
    choices: list[str] = []
    while (deal := _deal_choices(game, Cards(), choices)[-1]).turn is not None:
        choices.append(deal.rounds[deal.turn].choices[0])
    return _Example("", tuple(choices))


def _stack_shoe(game: Game, first: Cards) -> Cards:
    """These cards on top of the others in their order."""
    return Cards((*first, *(Counter(game.deck.cards) - Counter(first)).elements()))


def cards_at_once(game: Game) -> int:
    """The number of cards that the first seat receives before another seat does: a packet, or one card."""
    receivers = [who for who, _ in example(game)[0].dealt]
    return next(n for n, who in enumerate(receivers) if who != receivers[0])


# -- Pictures ---------------------------------------------------------------------------------------


@cache
def shared_cards(name: str) -> Mapping[str, str]:
    """Cards of one deal by the part of a bet that reads them; empty where a game has no such file."""
    if not home_of(name).file(SHARED_CARDS).is_file():
        return {}
    data, place = read_game_data(name, SHARED_CARDS)
    for part, hand in data.items():
        try:
            cards(hand)
        except (Refused, TypeError):
            raise place.refusal(f"{hand!r} are not cards, such as 'As Kd'", part) from None
    return data
