"""A position: a decision as its player sees it, and the query of a link that people can read.

A position is a round whose hidden cards are unknown. Its query names the cards that the player sees by area,
the wagers in cents, the choices made before, and the options and pays that differ from the rules:

>>> from feltlab import GAMES, Round
>>> tied = Round.of(GAMES["casino-war"], "9s 5c", "9d 4h", primary=500)
>>> write_position(tied)
'player=9s&dealer=9d&wagers=primary:500'
>>> read_position(GAMES["casino-war"], {"player": "9s", "dealer": "9d", "wagers": "primary:500"})
Round.of(GAMES['casino-war'], '9s', '9d', primary=500)
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from math import lcm
from urllib.parse import urlencode

from feltlab.core.cards import UNKNOWN, Cards, cards, name
from feltlab.core.choices import split_choice
from feltlab.core.game import Game
from feltlab.core.round import Round, seat_shoe
from feltlab.core.stake import UNITS_PATTERN, default_stake
from feltlab.errors import Refused

OPTION, PAY = "option-", "pay-"  # prefixes of parameters
WAGERS, CHOSEN = "wagers", "chosen"  # parameters besides the areas
MAX_VALUE_CHARS = 200
MAX_PAYS = 60  # changed by one link
USUAL_WAGER_CENTS = 1_000  # where a link names no wagers
HIDDEN = "??"  # a card that is not seen, before one that is

# -- Rounds to queries ------------------------------------------------------------------------------


def hide_unseen(round: Round) -> Round:
    """The round as its player sees it: every other card is unknown."""
    seen = _seen_shoe(round)
    return round if seen == round.shoe else replace(round, shoe=seen)


def _seen_shoe(round: Round) -> Cards:
    return Cards([card if card >= 0 else UNKNOWN for card in round.seen])


def position_query(round: Round) -> dict[str, str]:
    """The parameters of the position in which a round is now."""
    if not round.choices:
        raise Refused("No choice is open.")
    areas = round.game.split_areas(_seen_shoe(round)).items()
    held = {area: _write_cards(shown) for area, shown in areas}
    wagers = ",".join(f"{wager}:{cents}" for wager, cents in round.wagers.items())
    chosen = ",".join(choice.replace("=", ":") for choice in round.chosen)
    query = {**held, WAGERS: wagers, CHOSEN: chosen}
    return {name: value for name, value in query.items() if value} | game_query(round.game)


def write_position(round: Round) -> str:
    """The position of a round as the query of an address, without its question mark."""
    return urlencode(position_query(round), safe=":,/?")


def game_query(game: Game) -> dict[str, str]:
    """The options and pays that differ from the rules, as parameters."""
    options = {OPTION + option: value for option, value in game.chosen}
    return options | {f"{PAY}{spot}/{outcome}": str(pay) for spot, outcome, pay in game.pays}


def _write_cards(area: Cards) -> str:
    """The seen cards of an area; one that is not seen is marked only if a seen one follows."""
    last = max((n for n, card in enumerate(area) if card != UNKNOWN), default=-1)
    return " ".join(HIDDEN if card == UNKNOWN else name(card) for card in area[: last + 1])


# -- Queries to rounds ------------------------------------------------------------------------------


def is_position(game: Game, query: Mapping[str, str]) -> bool:
    """Does a query name any cards?"""
    return any(query.get(area.name) for area in game.areas)


def read_game(game: Game, query: Mapping[str, str]) -> Game:
    """The game under the options and pays of a query."""
    _check_lengths(query)
    options = {key.removeprefix(OPTION): value for key, value in query.items() if key.startswith(OPTION)}
    offered = game.with_options(options)
    pays = [(key.removeprefix(PAY), value) for key, value in query.items() if key.startswith(PAY)]
    if len(pays) > MAX_PAYS:
        raise Refused(f"A link changes at most {MAX_PAYS} pays.")
    return Game(offered.rules, offered.chosen, (*offered.pays, *_read_pays(offered, pays)))


def read_position(game: Game, query: Mapping[str, str]) -> Round:
    """The position that a query names; refuses what cannot be, or shows more than the player would see.

    Parameters of other names are left to the page that the link leads to.
    """
    offered = read_game(game, query)
    held = (_read_cards(query.get(area.name, "")) for area in offered.areas)
    shoe = seat_shoe(offered, *held)
    wagers = _read_wagers(offered, query.get(WAGERS, ""))
    chosen = tuple(part.replace(":", "=") for part in _split(query.get(CHOSEN, "")))
    return _check_seen(_play(Round(offered, shoe, wagers), chosen))


def usual_wagers(game: Game) -> dict[str, int]:
    """The wagers of the default stake, at ten dollars or the next amount that all of them can have."""
    stake = default_stake(game)
    placed = [spot for spot in game.wagers if stake[spot.name]]
    step = lcm(*(game.step(spot) for spot in placed))
    cents = -(-USUAL_WAGER_CENTS // step) * step
    return {spot.name: spot.fixed_cents or cents for spot in placed}


def _check_lengths(query: Mapping[str, str]) -> None:
    for key, value in query.items():
        if max(len(key), len(value)) > MAX_VALUE_CHARS:
            raise Refused(f"The value of {key[:20]!r} is too long for a position.")


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _read_pays(game: Game, pays: list[tuple[str, str]]) -> Iterator[tuple[str, str, Fraction]]:
    for place, text in pays:
        spot, _, outcome = place.partition("/")
        if outcome not in game.spot(spot).outcomes:
            raise Refused(f"{spot} has no outcome {outcome!r}.")
        yield spot, outcome, _read_pay(text)


def _read_pay(text: str) -> Fraction:
    try:
        return Fraction(text if UNITS_PATTERN.fullmatch(text) else "")
    except (ValueError, ZeroDivisionError):
        raise Refused(f"{text[:20]!r} is not a pay, such as 3, 1.5 or 3/2.") from None


def _read_cards(text: str) -> Cards:
    words = text.replace(",", " ").split()
    return Cards(card for word in words for card in ([UNKNOWN] if word in (HIDDEN, "##") else cards(word)))


def _read_wagers(game: Game, text: str) -> dict[str, int]:
    if not text.strip():
        return usual_wagers(game)
    wagers: dict[str, int] = {}
    for part in _split(text):
        wager, colon, cents = part.partition(":")
        if not (colon and cents.isascii() and cents.isdigit()):
            raise Refused(f"{part[:40]!r} is not a wager with its cents, such as {game.wagers[0].name}:1000.")
        if wager in wagers:
            raise Refused(f"The {wager} wager is given twice.")
        wagers[wager] = int(cents)
    return wagers


def _play(round: Round, chosen: tuple[str, ...]) -> Round:
    for choice in chosen:
        split_choice(choice)
        if round.missing:
            raise Refused(f"{round.missing.capitalize()} is missing.")
        round = round.choose(choice)
    if round.missing:
        raise Refused(f"{round.missing.capitalize()} is missing.")
    if not round.choices:
        raise Refused("No choice is open in this position.")
    return round


def _check_seen(round: Round) -> Round:
    for card, seen in zip(round.shoe, round.seen, strict=True):
        if card != UNKNOWN and seen != card:
            raise Refused(f"The player does not see {name(card)} yet.")
    return round
