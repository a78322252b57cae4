"""`feltlab hand`: the name of a hand of cards."""

import click
import numpy as np

from feltlab.cli.shared.console import print_json
from feltlab.cli.shared.options import GameName, json_flag
from feltlab.core.cards import JOKER, Cards, Deck, cards
from feltlab.core.game import Game
from feltlab.core.hands import blackjack, poker, rummy, three_card
from feltlab.errors import Refused


@click.command("hand")
@click.argument("held", nargs=-1, required=True, metavar="CARDS...")
@click.option("--game", type=GameName(), help="Read the cards as a player's hand of this game.")
@json_flag
def command(held: tuple[str, ...], game: Game | None, as_json: bool) -> None:
    """Name a hand of cards.

    Five to seven cards make a poker hand, three cards a hand of three-card poker and of rummy, two or more
    a blackjack total. With --game, the hand is named as that game reads it.

    \b
      feltlab hand As Ks Qs Js Ts
      feltlab hand "Ah Jk Kd 5c 5d 2s 8h"
      feltlab hand 9c 9d 4h --game triple-shot-rummy
    """
    dealt = cards(" ".join(held))
    (game.deck if game else Deck.standard(joker=True)).check(dealt)
    readings = dict(game.rules.readings(dealt)) if game else _readings(dealt)
    if not readings and JOKER in dealt and not game:
        raise Refused("A joker can only be part of a poker hand of five to seven cards.")
    if not readings:
        count = "1 card is" if len(dealt) == 1 else f"{len(dealt)} cards are"
        raise Refused(f"{count} not a hand{f' of {game.title}' if game else ''}.")
    if as_json:
        print_json({"cards": str(dealt), "readings": readings} | _poker_parts(dealt, readings))
    else:
        _print(dealt, readings)


def _readings(dealt: Cards) -> dict[str, str]:
    """The name of the hand in each family of games that can read it."""
    readings = {}
    if 5 <= len(dealt) <= 7:
        readings["poker"] = poker.read(dealt).name
    naturals = Deck.standard().cards
    if set(dealt) <= set(naturals):
        if len(dealt) == 3:
            readings["three-card poker"] = three_card.read(dealt)
            readings["rummy"] = rummy.read(dealt).name
        if len(dealt) >= 2 and blackjack.total(np.array(dealt))[0] <= 21:
            readings["blackjack"] = blackjack.read(dealt)
    return readings


def _poker_parts(dealt: Cards, readings: dict[str, str]) -> dict[str, str]:
    """The parts of a poker hand; none where the game reads the cards in another way."""
    if not 5 <= len(dealt) <= 7:
        return {}
    hand = poker.read(dealt)
    if hand.name not in readings.values():
        return {}
    return {"category": hand.category, "made": str(hand.made), "kickers": str(hand.kickers)}


def _print(dealt: Cards, readings: dict[str, str]) -> None:
    parts = {
        part: text for part, text in _poker_parts(dealt, readings).items() if text and part != "category"
    }
    width = max(map(len, readings | parts))
    for name, text in (readings | parts).items():
        click.echo(f"{name:<{width}}  {text}")
