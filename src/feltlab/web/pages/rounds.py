"""Permalinks: a round that is over, step by step, with the commitment to its cards.

Everything here is read from the ledger, which holds no secret. Of a round that is not over the page says
only which phase it is in.
"""

import asyncio
from collections.abc import Iterable
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request

from feltlab.core.cards import RANK_NAMES, RANKS, SUITS, SYMBOLS
from feltlab.errors import Unknown
from feltlab.ledger.ledger import Ledger
from feltlab.pit.live_table import LiveTable
from feltlab.pit.pit import Pit
from feltlab.pit.recorded_round import RecordedRound, load_round
from feltlab.pit.replay import CARDS, CHOICES, PAYMENTS, replay_round
from feltlab.pit.replay_steps import ReplayStep, describe_steps
from feltlab.pit.table import Phase
from feltlab.server.auth import Door
from feltlab.server.models import MOST
from feltlab.text import signed_dollars
from feltlab.web.page import Data, add_page

router = APIRouter()
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
LISTED = 15  # rounds of a table's list


async def round_page(request: Request) -> Data:
    door: Door = request.app.state.door
    pit: Pit = request.app.state.pit
    door.anyone(request)
    live, number = pit.table(request.path_params["name"]), int(request.path_params["number"])
    if not 1 <= number <= MOST:
        raise Unknown(f"{live.table.name} has played no round {number}.")
    if is_on(live, number):
        return _not_over(live, number)
    return await asyncio.to_thread(told, pit.ledger, live, number)


def is_on(live: LiveTable, number: int) -> bool:
    """Is this the round that the table is in? Then nothing is told of its cards."""
    return live.table.phase != Phase.CLOSED and number == live.table.round


def _not_over(live: LiveTable, number: int) -> Data:
    table = live.table
    return {
        **_place(live, number),
        "over": False,
        "phase": table.phase.value,
        "commitment": table.commitment,
    }


def _place(live: LiveTable, number: int) -> Data:
    """Which round this is, and those beside it."""
    title = f"{live.table.game.title}, round {number}"
    last = live.table.round if live.table.phase != Phase.CLOSED else max(live.table.round, number)
    beside = {"before": number - 1 or None, "after": number + 1 if number < last else None}
    return {"title": title, "table": live.table.name, "round": number, **beside}


def told(ledger: Ledger, live: LiveTable, number: int) -> Data:
    """A round that is over, as its page shows it."""
    round = load_round(ledger, live.table.name, number)
    replay = replay_round(round)
    walked = list(describe_steps(replay))
    return {
        **_place(live, number),
        "over": True,
        "game": str(round.game),
        "ended": round.ended,
        "void": round.void,
        "win": round.win,
        "same": replay.same,
        "differences": replay.sentences,
        "steps": [_step(step) for step in walked],
        "hands": _hands(round, walked),
        "shuffle": _shuffle(round),
    }


def _step(step: ReplayStep) -> Data:
    cards = [face(card) for card in step.cards]
    text = step.text.partition(":")[0] if step.about == CARDS else step.text
    return {"text": text, "differs": step.differs, "about": step.about, "to": step.to, "cards": cards}


def _hands(round: RecordedRound, walked: list[ReplayStep]) -> list[Data]:
    """What lies before the dealer and each seat, and in which step it came there."""
    places: list[tuple[str, str, dict[str, int]]] = [("dealer", "Dealer", {})]
    places += [(str(s.position), f"Seat {s.position} · {s.player}", dict(s.wagers)) for s in round.seats]
    return [_hand(to, label, wagers, walked) for to, label, wagers in places]


def _hand(to: str, label: str, wagers: dict[str, int], walked: list[ReplayStep]) -> Data:
    mine = [(number, step) for number, step in enumerate(walked, 1) if step.to == to]
    net = [(number, step.cents) for number, step in mine if step.about == PAYMENTS]
    return {
        "to": to,
        "label": label,
        "wagers": wagers,
        "cards": [{"step": n, **face(card)} for n, step in mine for card in step.cards],
        "chosen": [{"step": n, "choice": _choice(step)} for n, step in mine if step.about == CHOICES],
        "net": {"step": net[-1][0], "cents": sum(cents for _, cents in net)} if net else None,
    }


def _choice(step: ReplayStep) -> str:
    return step.text.partition(" chooses ")[2]


def _shuffle(round: RecordedRound) -> Data:
    """What the browser needs to hold the cards against their commitment."""
    fell = [text.partition(":")[2] for text in round.laid_open.split()]
    return {
        "name": round.shuffle,
        "commitment": round.commitment,
        "order": str(round.order) if round.order else None,
        "salt": round.salt or None,
        "start": round.start,
        "fell": fell,
        "secret": "" if round.order else _secret(round),
    }


def _secret(round: RecordedRound) -> str:
    """When an order is shown that later rounds are still dealt from."""
    return (
        f"The shoe goes on, so its order is still a secret: after this round {round.used} of its "
        f"{len(round.game.deck)} cards were used. It is shown after the round that leaves no more than "
        f"{round.game.behind_cut} of them, or when the table closes. Then this page checks it."
    )


# -- Cards as they are drawn ------------------------------------------------------------------------


def face(card: str) -> Data:
    """A card's name as a template draws and a screen reader says it."""
    if card == "Jk":
        return {"card": card, "rank": "★", "suit": "", "colour": "black", "said": "joker"}
    if card[0] not in RANKS or card[1] not in SUITS:
        return {"card": card, "rank": "", "suit": "", "colour": "back", "said": "a card face down"}
    suit = SUITS.index(card[1])
    rank = "10" if card[0] == "T" else card[0]
    said = f"{RANK_NAMES[RANKS.index(card[0])].lower()} of {SUIT_NAMES[suit]}"
    return {"card": card, "rank": rank, "suit": SYMBOLS[suit], "colour": SUIT_NAMES[suit], "said": said}


# -- The list of a table ----------------------------------------------------------------------------


def listed(rounds: Iterable[dict[str, Any]]) -> list[Data]:
    """Rounds that are over, a line each."""
    return [
        {
            "round": found["round"],
            "at": found["at"],
            "void": found["void"],
            "seats": len({payment["seat"] for payment in found["payments"]} or found["returned"]),
            "staked": sum(payment["staked"] for payment in found["payments"]),
            "win": signed_dollars(-sum(payment["net"] for payment in found["payments"])),
        }
        for found in rounds
    ]


add_page(router, "/tables/{name}/rounds/{number:int}", "round.html", round_page)
