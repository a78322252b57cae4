"""The page of a finished round: every step of it, the value of every choice, and the commitment to its cards.

Everything here is read from the ledger, which holds no secret. Of a round in progress the page shows the
phase and the commitment only. Values come from the verdicts beside the index of accounts; the judge works out
those that are missing, and the page asks again until they are there.
"""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qsl, urlencode

from fastapi import APIRouter
from starlette.requests import Request

from feltlab.errors import TooOften, Unknown
from feltlab.games.felt_look import felt_look
from feltlab.ledger.event import MentionKey
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.mentions import find_mentions, find_neighbours, find_rounds_beside, find_sequence
from feltlab.pit.event_kinds import ROUND_ENDS
from feltlab.pit.hands.mentions import CORRECTION, OPEN_STATES
from feltlab.pit.live_table import LiveTable
from feltlab.pit.pit import Pit
from feltlab.pit.players.names import call_player
from feltlab.pit.recorded_round import RecordedRound, load_round
from feltlab.pit.replay import CARDS, CHOICES, PAYMENTS, replay_round
from feltlab.pit.replay_steps import CORRECTIONS, ReplayStep, describe_steps
from feltlab.pit.seats import Phase
from feltlab.pit.shufflers.seeds import order_seeds
from feltlab.server.auth import Auth
from feltlab.server.models import MAX_JSON_INT
from feltlab.server.table_access import check_round_access
from feltlab.text import signed_dollars
from feltlab.web.card_faces import card_face
from feltlab.web.page import Data, add_page
from feltlab.web.pages.hands import judge_of
from feltlab.web.verdicts import describe_verdicts

router = APIRouter()
ROUNDS_LISTED = 15  # on the page of a table
MAX_BACK_CHARS = 400  # of the query that leads back to the list


async def round_page(request: Request) -> Data:
    auth: Auth = request.app.state.auth
    pit: Pit = request.app.state.pit
    session = auth.find_reader(request)
    live, number = pit.table(request.path_params["name"]), int(request.path_params["number"])
    if not 1 <= number <= MAX_JSON_INT:
        raise Unknown(f"{live.table.name} has played no round {number}.")
    await check_round_access(pit, request, live, number, session)
    account, back = session.account if session else "", request.query_params.get("back")
    ways = {"mine": _way_to_hands(account, back)}
    if is_in_progress(live, number):
        return _data_in_progress(live, number) | ways
    accounts = (account, *pit.books.former_names.list_former(account)) if account else ()
    data = await asyncio.to_thread(round_data, pit.ledger, live, number, accounts)
    if unjudged := data.pop("unjudged"):
        with suppress(TooOften):  # the page asks again
            judge_of(request.app).ask(unjudged)
    failed = judge_of(request.app).has_failed(live.table.name, number)
    return data | ways | {"failed": failed}


def _way_to_hands(account: str, back: str | None) -> str | None:
    """The address of the visitor's own list of rounds, as it was left; None without a session."""
    if not account:
        return None
    query = urlencode(parse_qsl((back or "")[:MAX_BACK_CHARS]))
    return f"/hands?{query}" if query else "/hands"


def is_in_progress(live: LiveTable, number: int) -> bool:
    """Whether the table is in this round; its cards are secret until it ends."""
    return live.table.phase != Phase.CLOSED and number == live.table.round


def _data_in_progress(live: LiveTable, number: int) -> Data:
    table = live.table
    return {
        **_place(live, number),
        "over": False,
        "phase": table.phase.value,
        "commitment": table.commitment,
    }


def _place(live: LiveTable, number: int, before: int | None = None, after: int | None = None) -> Data:
    """The title of the round, and the finished rounds before and after it."""
    title = f"{live.table.game.title}, round {number}"
    beside = {"before": before, "after": after, "own_before": None, "own_after": None}
    return {"title": title, "table": live.table.name, "round": number, "own_seats": [], **beside}


def round_data(ledger: Ledger, live: LiveTable, number: int, accounts: tuple[str, ...] = ()) -> Data:
    """The page of a finished round, as the player of these accounts sees it."""
    round = load_round(ledger, live.table.name, number)
    replay = replay_round(round)
    walked = list(describe_steps(replay))
    sequence = find_sequence(ledger, round.table, number, ROUND_ENDS)
    keys = [MentionKey(seat.player, sequence, seat.position) for seat in round.seats]
    mentions = find_mentions(ledger, keys)
    return {
        **_place(live, number, *find_rounds_beside(ledger, round.table, number, ROUND_ENDS)),
        **_own_rounds(ledger, accounts, sequence),
        "own_seats": [seat.position for seat in round.seats if seat.player in accounts],
        **describe_verdicts(replay, walked, mentions),
        "unjudged": [one for one in mentions if one.state in OPEN_STATES],
        "over": True,
        "game": str(round.game),
        "ended": round.ended,
        "void": round.void,
        "win": round.win,
        "marks": round.marks,
        "has_incident": bool(round.void or round.irregularities or round.corrections),
        "same": replay.same,
        "differences": replay.sentences,
        "steps": [_step(round, step) for step in walked],
        "titles": {spot.name: spot.title for spot in round.game.spots},
        "look": vars(felt_look(round.game)),
        "hands": _hands(round, walked),
        "shuffle": _shuffle(round),
    }


def _own_rounds(ledger: Ledger, accounts: tuple[str, ...], sequence: int) -> Data:
    """The rounds that the visitor played before and after this moment, at any table."""
    if not accounts:
        return {}
    before, after = find_neighbours(ledger, accounts, sequence, CORRECTION)
    ways = {"own_before": before, "own_after": after}
    return {name: {"table": one.chain, "round": one.round} for name, one in ways.items() if one}


def _step(round: RecordedRound, step: ReplayStep) -> Data:
    """A step in words, with players as people call them."""
    cards = [card_face(card) for card in step.cards]
    text = step.text.partition(":")[0] if step.about == CARDS else step.text
    for seat in round.seats:
        text = text.replace(f"({seat.player})", f"({call_player(seat.player)})")
    return {"text": text, "differs": step.differs, "about": step.about, "to": step.to, "cards": cards}


def _hands(round: RecordedRound, walked: list[ReplayStep]) -> list[Data]:
    """The cards, wagers and result of each area and each seat, with the step in which each arrived."""
    shared = [area.name for area in reversed(round.game.areas) if area.shared]  # the dealer first
    places: list[tuple[str, str, dict[str, int]]] = [(name, name.capitalize(), {}) for name in shared]
    places += [
        (str(s.position), f"Seat {s.position} · {call_player(s.player)}", dict(s.wagers)) for s in round.seats
    ]
    return [_hand(to, label, wagers, walked) for to, label, wagers in places]


def _hand(to: str, label: str, wagers: dict[str, int], walked: list[ReplayStep]) -> Data:
    own = [(number, step) for number, step in enumerate(walked, 1) if step.to == to]
    paid = [(number, step) for number, step in own if step.about == PAYMENTS]
    moved = [step for _, step in own if step.about == CORRECTIONS]
    return {
        "to": to,
        "label": label,
        "wagers": wagers,
        "cards": [{"step": n, **card_face(card)} for n, step in own for card in step.cards],
        "chosen": [{"step": n, "choice": _choice(step)} for n, step in own if step.about == CHOICES],
        "paid": {
            step.spot: _result([(n, step)], [one for one in moved if one.spot == step.spot])
            for n, step in paid
        },
        "net": _result(paid, moved) if paid else None,
    }


def _result(paid: list[tuple[int, ReplayStep]], moved: list[ReplayStep]) -> Data:
    """The net of payments with their corrections, and the step of the last payment."""
    corrected = sum(step.cents for step in moved)
    cents = sum(step.cents for _, step in paid) + corrected
    return {"step": paid[-1][0], "cents": cents, "corrected": bool(corrected)}


def _choice(step: ReplayStep) -> str:
    return step.text.partition(" chooses ")[2]


def _shuffle(round: RecordedRound) -> Data:
    """The data with which the browser checks the cards against their commitment."""
    fell = [text.partition(":")[2] for text in round.laid_open.split()]
    digests = {(one.seat, one.player): one.digest for one in round.sealed_seeds}
    seeds = [{**one.as_json(), "digest": digests.get((one.seat, one.player))} for one in round.seeds]
    return {
        "name": round.shuffle,
        "commitment": round.commitment,
        "order": str(round.order) if round.order else None,
        "salt": round.salt or None,
        "start": round.start,
        "seeds": seeds,
        "mixing": order_seeds(round.seeds),
        "sealed": [one for one in seeds if one["digest"]],
        "fell": fell,
        "secret": "" if round.order else _why_secret(round),
    }


def _why_secret(round: RecordedRound) -> str:
    """The reason why the order of a shoe in use is secret, and the time of its publication."""
    return (
        "Later rounds are dealt from the same shoe, so its order is still secret. After this round "
        f"{round.used} of its {len(round.game.deck)} cards were used. The order is published, and checked "
        f"here, after the round that leaves {round.game.behind_cut} cards or fewer, or when the table closes."
    )


# -- The list of a table's rounds -------------------------------------------------------------------


def round_lines(rounds: Iterable[dict[str, Any]]) -> list[Data]:
    """Finished rounds, one line each."""
    return [
        {
            "round": found["round"],
            "at": found["at"],
            "void": found["void"],
            "seats": len({payment["seat"] for payment in found["payments"]} or found["returned"]),
            "staked": sum(payment["staked"] for payment in found["payments"]),
            "win": signed_dollars(-sum(paid["net"] for paid in found["payments"]) - found["corrected"]),
            "marks": found["marks"],
        }
        for found in rounds
    ]


add_page(router, "/tables/{name}/rounds/{number:int}", "round.html", round_page)
