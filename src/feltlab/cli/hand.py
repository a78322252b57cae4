"""`feltlab hand`: name a hand."""

import json

import click
import numpy as np

from feltlab.cli.options import GameName, json_flag
from feltlab.core.cards import JOKER, Cards, Deck, cards
from feltlab.core.game import Game
from feltlab.core.hands import blackjack, poker, rummy, three_card
from feltlab.errors import Refused


@click.command("hand")
@click.argument("held", nargs=-1, required=True, metavar="CARDS...")
@click.option("--game", type=GameName(), help="Read the cards as a player's hand of this game.")
@json_flag
def command(held: tuple[str, ...], game: Game | None, as_json: bool) -> None:
    """Name a hand of cards: "As Ks Qs Js Ts", "9c 9d 4h", "Ah Jk Kd 5c 5d 2s 8h".

    Five to seven cards are a poker hand, three are three-card poker and rummy, two or more have a
    blackjack total. With --game only what that game looks at is named.
    """
    dealt = cards(" ".join(held))
    (game.deck if game else Deck.standard(joker=True)).check(dealt)
    readings = dict(game.rules.readings(dealt)) if game else _readings(dealt)
    if not readings and JOKER in dealt and not game:
        raise Refused("The joker is read only in poker hands of five to seven cards.")
    if not readings:
        count = "1 card is" if len(dealt) == 1 else f"{len(dealt)} cards are"
        raise Refused(f"{count} not a hand{f' of {game.title}' if game else ''}.")
    if as_json:
        click.echo(json.dumps({"cards": str(dealt), "readings": readings} | _poker_parts(dealt), indent=2))
    else:
        _print(dealt, readings)


def _readings(dealt: Cards) -> dict[str, str]:
    """Every way in which feltlab can read these cards."""
    found = {}
    if 5 <= len(dealt) <= 7:
        found["poker"] = poker.read(dealt).name
    naturals = Deck.standard().cards
    if set(dealt) <= set(naturals):
        if len(dealt) == 3:
            found["three-card poker"] = three_card.read(dealt)
            found["rummy"] = rummy.read(dealt).name
        if len(dealt) >= 2 and blackjack.total(np.array(dealt))[0] <= 21:
            found["blackjack"] = blackjack.read(dealt)
    return found


def _poker_parts(dealt: Cards) -> dict[str, str]:
    if not 5 <= len(dealt) <= 7:
        return {}
    hand = poker.read(dealt)
    return {"category": hand.category, "made": str(hand.made), "kickers": str(hand.kickers)}


def _print(dealt: Cards, readings: dict[str, str]) -> None:
    parts = {part: shown for part, shown in _poker_parts(dealt).items() if shown and part != "category"}
    width = max(map(len, readings | parts))
    for kind, reading in (readings | parts).items():
        click.echo(f"{kind:<{width}}  {reading}")
