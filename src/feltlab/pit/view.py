"""What a client is sent of a table, as plain data.

Cards come from `Round.view` alone, which is what the rules let a player see: a seat's own client gets
that, everybody else the backs of those cards until the dealer lays all hands open.
"""

import re
from collections.abc import Mapping
from typing import Any

from feltlab.core.cards import FACE_DOWN, RANKS, SUITS, SYMBOLS, Cards, name
from feltlab.core.deal import Deal
from feltlab.core.game import Game
from feltlab.core.round import Round
from feltlab.pit.seats import Phase, Place
from feltlab.pit.table import Table

_CARD = re.compile(rf"\b([{RANKS}])([{SUITS}])\b")  # in a reading, set with its symbol
BEFORE_CARDS = (Phase.NO_MORE_BETS, Phase.CLOSED)
LAID_OPEN = (Phase.REVEAL, Phase.SETTLING, Phase.BETTING)


def view(table: Table, viewer: str = "") -> dict[str, Any]:
    """The table as this viewer may see it; nobody in particular sees no hand before it is laid open."""
    dealt = _dealt(table)
    return {
        "table": table.name,
        "game": table.game.name,
        "title": table.game.title,
        "phase": table.phase,
        "round": table.round,
        "limits": vars(table.limits),
        "commitment": table.commitment,
        "deck": table.shuffle.deck if table.shuffle else "",
        "shuffler": table.shuffler.name,
        "calls": _calls(table),
        "turn": table.turn + 1 if table.phase == Phase.CHOOSING and table.turn is not None else None,
        "seats": [_seat(table, n, place, viewer) for n, place in enumerate(table.places)],
        "dealer": _names(_shown_round(dealt).view.dealer) if dealt else [],
        "dealer_reading": _words(_shown_round(dealt).dealer_reading) if dealt else "",
        "payments": _payments(dealt) if table.phase in (Phase.SETTLING, Phase.BETTING) else [],
        "void": table.void_reason or (table.last_void_reason if table.phase == Phase.BETTING else ""),
        "shown": _shown(table, dealt),
        "timers": vars(table.timers),
        "closes": bool(table.closes),
    }


def summary(table: Table) -> dict[str, Any]:
    """A line of the list of tables."""
    return {
        "table": table.name,
        "game": table.game.name,
        "title": table.game.title,
        "options": dict(table.game.options),
        "phase": table.phase,
        "round": table.round,
        "limits": vars(table.limits),
        "seats": len(table.places),
        "taken": sum(place is not None for place in table.places),
    }


def _dealt(table: Table) -> Deal | None:
    """The deal whose cards are on the table."""
    return None if table.phase in BEFORE_CARDS else table.deal or table.last_deal


def _shown(table: Table, dealt: Deal | None) -> int | None:
    """The round whose cards and payments are on the table: between rounds, the one before."""
    return None if dealt is None else table.round - (table.phase == Phase.BETTING)


def _calls(table: Table) -> list[str]:
    """What the dealer has said in this round."""
    deal = table.deal
    return list(deal.calls) if deal and table.phase != Phase.BETTING else []


def _seat(table: Table, n: int, place: Place | None, viewer: str) -> dict[str, Any]:
    round = None if table.phase in BEFORE_CARDS else table.rounds.get(n)
    found: dict[str, Any] = {"seat": n + 1, "player": place.player if place else ""}
    mine = place is not None and place.player == viewer
    found["cards"] = _names(_hand(table, round, mine))
    found["reading"] = _words(round.player_reading) if round and mine else ""
    if place:
        found |= {
            "yours": mine,
            "bankroll": place.bankroll,
            "wagers": dict(place.wagers),
            "staked": place.on_felt,
            "stakes": _stakes(table, round, place),
            "ready": place.ready,
            "leaves": place.leaves,
            "last": dict(place.last),
        }
        if mine and n == table.turn and table.phase == Phase.CHOOSING:
            found["choices"] = _choices(table, n)
    return found


def _hand(table: Table, round: Round | None, mine: bool) -> Cards:
    if round is None:
        return Cards()
    if mine or table.phase in LAID_OPEN:
        return round.view.player
    return Cards([FACE_DOWN] * len(round.view.player))


def _stakes(table: Table, round: Round | None, place: Place) -> dict[str, int]:
    """What lies on each spot by now, raises included."""
    if table.phase == Phase.BETTING or round is None:
        return dict(place.wagers)
    return {spot.name: cents for spot in table.game.spots if (cents := round.staked(spot))}


def _words(reading: str) -> str:
    """A reading with its cards as people write them."""
    return _CARD.sub(lambda found: found[1].replace("T", "10") + SYMBOLS[SUITS.index(found[2])], reading)


def _choices(table: Table, seat: int) -> list[dict[str, Any]]:
    """What may be chosen, what it costs, and why it is barred where it is."""
    round = table.rounds[seat]
    return [
        {
            "choice": choice.name,
            "key": choice.key,
            "help": choice.help,
            "cents": round.cost(choice.name),
            "barred": table.barred(seat, choice.name),
        }
        for choice in table.game.choices
        if choice.name in round.choices
    ]


def _shown_round(dealt: Deal) -> Round:
    """The round of the seat in turn: all seats see the same of the dealer."""
    return dealt.rounds[dealt.turn or 0]


def _payments(dealt: Deal | None) -> list[dict[str, Any]]:
    if dealt is None or not dealt.over:
        return []
    return [
        {
            "seat": dealt.seats[seat].position,
            "spot": paid.spot.name,
            "outcome": paid.outcome,
            "result": paid.result,
            "staked": paid.staked,
            "net": paid.net,
            "why": paid.why,
        }
        for seat, paid in dealt.payments
    ]


def _names(cards: Cards) -> list[str]:
    return [name(card) for card in cards]


def layout(game: Game) -> dict[str, Any]:
    """What stands on the felt of a game: spots with their pays, choices, options."""
    return {
        "game": game.name,
        "title": game.title,
        "summary": game.rules.SUMMARY,
        "options": dict(game.options),
        "digest": game.digest,
        "seats": game.seats,
        "spots": [_spot(game, spot.name) for spot in game.spots],
        "choices": [
            {"choice": choice.name, "key": choice.key, "help": choice.help} for choice in game.choices
        ],
    }


def _spot(game: Game, called: str) -> Mapping[str, Any]:
    spot = game.spot(called)
    lines = game.pay_table(spot).lines
    return {
        "spot": spot.name,
        "title": spot.title,
        "raises": spot.raises,
        "required": game.requires(spot),
        "step": game.step(spot) if not spot.raises else 0,
        "pays": [{"outcome": line.outcome, "result": line.result, "pays": str(line.pays)} for line in lines],
    }
