"""The dealers' page: every open table, the state of its round, and the button for its next step."""

from collections.abc import Iterator

from fastapi import APIRouter
from starlette.requests import Request

from feltlab.core.deal import Deal
from feltlab.core.settlement import Settled
from feltlab.pit.irregularities.drills import describe_drill
from feltlab.pit.live_table import LiveTable
from feltlab.pit.pit import today
from feltlab.pit.roles import Permission
from feltlab.pit.seats import REQUEST_HOLDS, Phase, Place
from feltlab.pit.sharing.mirror import show_cards
from feltlab.pit.table import Table
from feltlab.pit.view import summary
from feltlab.server.actions import find_refusal
from feltlab.shuffling.machine import HAND
from feltlab.submission.venues import Venue
from feltlab.text import dollars, listing
from feltlab.web.page import Data, add_page
from feltlab.web.pages.floor.procedure import describe_procedure
from feltlab.web.pages.floor.shufflers import describe_machine
from feltlab.web.pages.rules import rules_address
from feltlab.web.staff_request import pit_of, require_any

router = APIRouter()
ADVANCE_LABELS = {  # the dealer's button in phases that always end alike
    Phase.NO_MORE_BETS: "Deal the cards",
    Phase.REVEAL: "Take and pay",
    Phase.SETTLING: "Begin the next round",
}


async def dealing(request: Request) -> Data:
    """Every open table with what it waits for."""
    session, pit = require_any(request, Permission.DEAL), pit_of(request)
    open_tables = [live for live in pit.public_tables if live.table.phase != Phase.CLOSED]
    tables = [await show_cards(live) for live in open_tables]
    return {
        "title": "Deal",
        "tables": [_dealer_line(live) | {"refusal": find_refusal(live, session)} for live in tables],
        "procedures": [_procedure_of(live.table, pit.house.venue(today())) for live in tables],
    }


def _procedure_of(table: Table, at: Venue) -> Data:
    return {
        "table": table.name,
        "title": f"{table.name}: {table.game.title}",
        "rules": rules_address(table.game),
        "moments": describe_procedure(table.game, at),
    }


def _dealer_line(live: LiveTable) -> Data:
    """A table as its dealer sees it: without the meters, which are not for dealers."""
    table = live.table
    state = {
        "phase": table.phase.value,
        "waits": table.waits_for_dealer,
        "players": describe_players(table),
        "machine": describe_machine(table),
    }
    return {**summary(table), **state, **describe_now(live)}


# -- A table now ------------------------------------------------------------------------------------


def describe_now(live: LiveTable) -> Data:
    """The state of a table's round, and the dealer's next action."""
    table = live.table
    return {
        "doing": _describe_phase(table),
        "seconds": None if live.seconds is None else int(live.seconds),
        "dealer": _dealer_action(table),
        "due": _describe_due(table) if table.waits_for_dealer and not table.is_held else [],
        "closes": bool(table.closes) and table.phase != Phase.CLOSED,
    }


def _describe_phase(table: Table) -> str:
    """The phase in a sentence, with the seat or the dealer that the table waits for."""
    if table.rehearsal and table.phase != Phase.BETTING:
        return f"Drill. {describe_drill(table)} A supervisor records it."
    if table.hold:
        return REQUEST_HOLDS
    turn = table.turn if table.phase == Phase.CHOOSING else None
    place = table.places[turn] if turn is not None else None
    if place:
        return f"Seat {(turn or 0) + 1}, {place.player}, is choosing."
    if table.phase == Phase.BETTING:
        return _describe_bets(table)
    if table.waits_for_dealer:
        return f"{table.phase.value.capitalize()}: the table is waiting for its dealer."
    return "The table is closed." if table.phase == Phase.CLOSED else f"{table.phase.value.capitalize()}."


def _describe_bets(table: Table) -> str:
    if table.machines.why_waiting:
        by_hand = table.machines.in_use == HAND
        due = "the guide has to be consulted" if by_hand else "the shuffler has to be served"
        return f"Bets are open; {due} before the cards are dealt."
    seats = len(table.bettors)
    if not seats:
        return "Bets are open; there are no wagers on the felt."
    staked = dollars(sum(place.on_felt for place in table.places if place))
    return f"Bets are open; {seats} {'seats have' if seats > 1 else 'seat has'} {staked} on the felt."


def _dealer_action(table: Table) -> Data | None:
    """The dealer's next action and the text of its button, if there is one."""
    if table.phase == Phase.BETTING and table.bettors:
        if table.machines.why_waiting:
            return None
        return {"act": "no-more-bets", "says": "No more bets", "moment": {}}
    if not table.waits_for_dealer:
        return None
    moment = {"round": table.round, "phase": table.phase.value, "stage": table.stage}
    label = ADVANCE_LABELS.get(table.phase) or _continue_label(table)
    return {"act": "advance", "says": label, "moment": moment}


def _continue_label(table: Table) -> str:
    """The dealer's button in a round that goes on: for cards, choices, a stage of settling, or the end."""
    deal = _deal_ahead(table)
    if _is_last_stage(deal):
        return "Reveal the hands"
    if _has_new_cards(table, deal):
        return "Deal the next cards"
    if not deal.due:
        return "Go on to the choices"
    return f"Take and pay {listing(dict.fromkeys(paid.spot.title for _, paid in deal.due))}"


def _deal_ahead(table: Table) -> Deal:
    """The deal as the dealer goes on with it; in the phase of paying, what was due has been paid."""
    assert table.deal is not None
    return table.deal.settle_due() if table.phase == Phase.PAYING else table.deal


def _is_last_stage(deal: Deal) -> bool:
    return deal.ends


def _has_new_cards(table: Table, deal: Deal) -> bool:
    """Whether cards fall before the next choice or stage; the dealer shows them first."""
    return table.phase == Phase.PAYING and len(deal.dealt) > table.shown


def _describe_due(table: Table) -> list[str]:
    """The payments that the dealer makes with the next step, in order."""
    return [_describe_payment(seat, paid) for seat, paid in _list_due(table)]


def _list_due(table: Table) -> Iterator[tuple[int, Settled]]:
    if table.deal is None or table.phase not in (Phase.DEALING, Phase.PAYING, Phase.REVEAL):
        return
    deal = _deal_ahead(table)
    due = list(deal.due)
    if table.phase == Phase.REVEAL:
        due = deal.payments[len(table.paid) :]
    elif _is_last_stage(deal) or _has_new_cards(table, deal):
        due = []
    yield from ((deal.positions[seat], paid) for seat, paid in due)


def _describe_payment(seat: int, paid: Settled) -> str:
    wager = f"Seat {seat}, {paid.spot.title} {dollars(paid.staked)}: {paid.outcome}"
    rest = f" and return {dollars(paid.staked + paid.net)}" if -paid.staked < paid.net < 0 else ""
    if paid.net < 0:
        return f"{wager}; take {dollars(-paid.net)}{rest}."
    return f"{wager}; {f'pay {dollars(paid.net)}' if paid.net else f'return {dollars(paid.staked)}'}."


def describe_players(table: Table) -> list[Data]:
    return [_describe_seat(n, place) for n, place in enumerate(table.places, 1) if place]


def _describe_seat(number: int, place: Place) -> Data:
    return {
        "seat": number,
        "player": place.player,
        "bankroll": place.bankroll,
        "staked": place.on_felt,
        "wagers": dict(place.wagers),
        "leaves": place.leaves,
    }


add_page(router, "/floor/deal", "floor/dealing.html", dealing)
