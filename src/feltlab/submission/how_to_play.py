"""The way to play a game, in at most seven lines.

A game with packet data says it on its rack card, whose pays and options are replaced by those in force. The
lines of a game without packet data follow from its spots, areas and choices.
"""

from collections.abc import Iterator

from feltlab.core.game import Game
from feltlab.core.layout import Spot
from feltlab.games.data import packet_data
from feltlab.games.rule_text import number_in_words
from feltlab.text import capitalised, listing

MAX_LINES = 7


def how_to_play(game: Game) -> tuple[str, ...]:
    """The lines of the game under its options and pays.

    >>> from feltlab import GAMES
    >>> how_to_play(GAMES["casino-war"])[0]
    'Make a Primary wager. You may also make a Tie wager.'
    """
    written = packet_data(game).rack_card
    lines = tuple(_derive_lines(game)) if written == (game.rules.SUMMARY,) else written
    first, rest = lines[: MAX_LINES - 1], lines[MAX_LINES - 1 :]
    return (*first, " ".join(rest)) if rest else first


# -- From spots, areas and choices ------------------------------------------------------------------


def _derive_lines(game: Game) -> Iterator[str]:
    yield game.rules.SUMMARY
    yield _describe_wagers(game)
    yield _describe_cards(game)
    if game.choices:
        yield _describe_choices(game)
    yield from _describe_best_pays(game)


def _describe_wagers(game: Game) -> str:
    required = [spot.title for spot in game.wagers if game.is_required(spot)]
    others = [spot.title for spot in game.wagers if not game.is_required(spot)]
    if not required:
        return f"Wager on {listing(others, 'or')}."
    may = f" You may also wager on {listing(others)}." if others else ""
    return f"Make these wagers: {listing(required)}.{may}"


def _describe_cards(game: Game) -> str:
    cards = {area.name: area.cards for area in game.areas}
    own = sum(area.cards for area in game.areas if not area.shared)
    said = [f"You receive {_count_cards(own)}"]
    said += [f"the {name} {_count_cards(cards[name])}" for name in game.shared_areas]
    return f"{listing(said)}."


def _count_cards(number: int) -> str:
    return f"up to {number_in_words(number)} card{'s' * (number != 1)}"


def _describe_choices(game: Game) -> str:
    when = f" on each of {listing(game.streets)}" if game.streets else ""
    return f"When it is your turn{when}: {listing((choice.help for choice in game.choices), 'or')}."


def _describe_best_pays(game: Game) -> Iterator[str]:
    """The best pay of each spot that wins more than even money, the first wagers first."""
    for spot in sorted(game.spots, key=lambda spot: bool(spot.follows)):
        line = max(game.pay_table(spot).lines, key=lambda line: line.pays)
        if line.pays > 1:
            yield _describe_pay(spot, line.odds, line.outcome)


def _describe_pay(spot: Spot, odds: str, outcome: str) -> str:
    return f"{capitalised(spot.title)} pays up to {odds}: {outcome}."
