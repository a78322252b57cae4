"""Data files beside a game's rules, and their only reader.

- `packet.toml`: text of the submission packet that the rules do not contain;
- `shared_cards.json`: cards of one deal that decide several bets, for games that have such bets.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from feltlab.core.cards import Cards, cards
from feltlab.core.deal import Deal
from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.core.paytable import Line
from feltlab.core.seating import Seat
from feltlab.core.stake import default_stake
from feltlab.errors import Refused
from feltlab.games import home_of
from feltlab.games.data_files import FilePlace, build, check_names, read_game_data
from feltlab.games.rule_text import RuleText

EXAMPLE_CENTS = 1000  # on each wager of the example
EXAMPLE_SEATS = 3
SHARED_CARDS = "shared_cards.json"

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
    impossible: Mapping[str, str] = field(default_factory=dict)  # outcomes or "spot: outcome": the condition
    rack_table: tuple[RackTable, ...] = ()


@cache
def packet_data(game: Game) -> PacketData:
    """The packet data of a game under its options, checked against its rules."""
    data, place = read_game_data(game.name, "packet.toml")
    if not data:
        return PacketData((), (game.rules.SUMMARY,), _play_example(game))
    found = build(PacketData, data, place)
    outcomes = {outcome for spot in game.spots for outcome in spot.outcomes}
    outcomes |= {f"{spot.name}: {outcome}" for spot in game.spots for outcome in spot.outcomes}
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
            check_names("spot", [notice.spot], [s.name for s in text.game.spots], place.child("notice", n))
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
    return [
        line
        for line in game.pay_table(spot).lines
        if line.listed and not absent & {line.outcome, f"{spot.name}: {line.outcome}"}
    ]


def example(game: Game) -> list[Deal]:
    """A deal to three seats, before and after each choice; the second seat has only the required wagers."""
    return _deal_example(game, packet_data(game).example)


def _deal_example(game: Game, example: _Example) -> list[Deal]:
    deals = _deal_choices(game, cards(example.cards), example.choices)
    if not deals[-1].over:
        raise Refused("the choices end before the deal does")
    return deals


def _deal_choices(game: Game, first: Cards, choices: Sequence[str]) -> list[Deal]:
    cents = {spot.name: spot.fixed_cents or EXAMPLE_CENTS for spot in game.wagers}
    every = {spot.name: cents[spot.name] for spot in game.wagers[: game.rules.GAMES_PER_HAND]}
    required = {name: cents[name] for name, units in default_stake(game).items() if units}
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
