"""The fold of a table: how each kind of event changes it.

A table that acts and a table that is read back from the ledger go through the same handlers, so the
table in memory and the table on record cannot differ.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeVar

from feltlab.core.choices import name_choice
from feltlab.core.deal import Deal
from feltlab.errors import Refused
from feltlab.pit.event_kinds import ACCOUNT
from feltlab.pit.irregularities.hands import seat_of_hand
from feltlab.pit.meters import Meters
from feltlab.pit.seat_numbers import Data
from feltlab.pit.seats import Phase, Place, Timers
from feltlab.pit.shufflers.install import open_machines
from feltlab.pit.shufflers.machines import FOLD, machines_after
from feltlab.pit.shufflers.seeds import SealedSeed, SeatSeed, replace_sealed, seeds_from_record
from feltlab.pit.table_state import TableState
from feltlab.values import replace_unchecked

Changes = dict[str, Any]  # fields of a table and their new values
State = TypeVar("State", bound=TableState)


def apply(table: State, kind: str, data: Data, *known: Deal, **more: Any) -> State:
    """The table after an event, with more fields changed if there are any.

    A deal that is known already is not computed again.
    """
    handler = HANDLERS.get(kind)
    if handler is None:
        raise Refused(f"{kind!r} is not a kind of event at a table.")
    changes = handler(table, data, *known)
    if kind in FOLD:
        changes.setdefault("machines", machines_after(table.machines, kind, data, table.game))
    return replace_unchecked(table, **changes, **more)


# -- Opening and closing ----------------------------------------------------------------------------


def _apply_opened(table: TableState, data: Data) -> Changes:
    meters = Meters.from_json(data["meters"])
    offer = {"approval": data["approval"], "digest": data["digest"]}
    whose = {"owner": data.get("owner", ""), "practice": data.get("practice", False), "salt": ""}
    machines = open_machines(table.machines, data, table.game, table.name)
    begins = {"meters": meters, "opening": meters, "phase": Phase.SETTLING, "machines": machines}
    return {**offer, **whose, **begins}


def _apply_shared(table: TableState, data: Data) -> Changes:
    return {"salt": data["salt"], "timers": Timers(**data["timers"])}


def _apply_closing(table: TableState, data: Data) -> Changes:
    return {"closes": data["by"]}


def _apply_closed(table: TableState, data: Data) -> Changes:
    return {"phase": Phase.CLOSED, "closes": "", "playing": (), "ended": (), "known_deal": None, "hold": 0}


def _apply_carried_over(table: TableState, data: Data) -> Changes:
    return {"digest": data["to"]}


# -- Cards ------------------------------------------------------------------------------------------


def _apply_shuffled(table: TableState, data: Data) -> Changes:
    made = {"cycles": data["cycle"], "commitment": data["commitment"]}
    return made | {"used": 0, "start": 0, "spent": False, "seeds": (), "sealed_seeds": ()}


def _apply_seeded(table: TableState, data: Data) -> Changes:
    given = SeatSeed(data["seat"], data["player"], data["seed"])
    left = tuple(one for one in table.sealed_seeds if one.seat != given.seat)
    return {"seeds": (*table.seeds, given), "sealed_seeds": left, "known_deal": None}


def _apply_seed_sealed(table: TableState, data: Data) -> Changes:
    new = SealedSeed(data["seat"], data["player"], data["digest"])
    return {"sealed_seeds": replace_sealed(table.sealed_seeds, new)}


def _apply_order(table: TableState, data: Data) -> Changes:
    return {"spent": True}


def _apply_to_machines(table: TableState, data: Data) -> Changes:
    """`machines_after` says what such an event changes."""
    return {}


def _apply_lost(table: TableState, data: Data) -> Changes:
    return {"spent": True, "phase": Phase.SETTLING}


# -- Seats ------------------------------------------------------------------------------------------


def _apply_seated(table: TableState, data: Data) -> Changes:
    return _apply_bought(table, data, Place(data["player"], 0))


def _apply_bought(table: TableState, data: Data, newcomer: Place | None = None) -> Changes:
    place = newcomer or table.place(data["seat"])
    richer = replace_unchecked(place, bankroll=place.bankroll + data["cents"])
    return {
        "places": _with_place(table, data["seat"], richer),
        "meters": table.meters.after_buy_in(data["cents"]),
    }


def _apply_leaving(table: TableState, data: Data) -> Changes:
    return _change_place(table, data, leaves=True, why_leaves=data["why"])


def _apply_left(table: TableState, data: Data) -> Changes:
    return {"places": _with_place(table, data["seat"], None)}


def _change_place(table: TableState, data: Data, **changes: Any) -> Changes:
    seat = data["seat"]
    return {"places": _with_place(table, seat, replace_unchecked(table.place(seat), **changes))}


def _with_place(table: TableState, seat: int, place: Place | None) -> tuple[Place | None, ...]:
    return (*table.places[:seat], place, *table.places[seat + 1 :])


# -- A round ----------------------------------------------------------------------------------------


def _apply_standing(table: TableState, data: Data) -> Changes:
    """A round begins with nothing on the felt."""
    seats = [seat and Place.from_snapshot(seat) for seat in data["seats"]]
    named = {name: data[name] for name in ("round", "cycles", "used", "commitment", "alarm")}
    return named | {
        "phase": Phase.BETTING,
        "places": tuple(seats),
        "start": data["used"],
        "seeds": seeds_from_record(data.get("seeds", ())),
        "meters": table.meters.read_again(data["meters"]),
        "playing": (),
        "stages": None,
        "shown": 0,
        "paid": (),
        "ended": (),
        "void_reason": "",
        "last_void_reason": data["void"],
        "last_deal": table.known_deal if table.playing or table.void_reason else table.last_deal,
        "known_deal": None,
        "irregular": (),
        "rehearsal": data.get("rehearsal", ""),
        "hold": 0,
        "was_held": False,
    }


def _apply_wagered(table: TableState, data: Data) -> Changes:
    place = table.place(data["seat"])
    left = place.bankroll + place.on_felt - sum(data["wagers"].values())
    return _change_place(table, data, bankroll=left, wagers=data["wagers"], ready=False)


def _apply_ready(table: TableState, data: Data) -> Changes:
    return _change_place(table, data, ready=True)


def _apply_jackpot_sensor(table: TableState, data: Data) -> Changes:
    link = data["link"] if data["cents"] else ""
    return _change_place(table, data, jackpot=link, jackpot_cents=data["cents"], ready=False)


def _apply_jackpot_bet(table: TableState, data: Data) -> Changes:
    place = table.place(data["seat"])
    return _change_place(table, data, jackpot_locked=True, bankroll=place.bankroll - data["cents"])


def _apply_no_more_bets(table: TableState, data: Data, known: Deal | None = None) -> Changes:
    stages = 0 if data.get("stages") else None  # until it was recorded, all was settled at the end
    playing = {"playing": tuple(data["playing"]), "stages": stages, "shown": 0, "paid": ()}
    due = tuple(one for one in table.sealed_seeds if _is_in_round(table, one, data["playing"]))
    cards = {"sealed_seeds": due, "known_deal": None if due else known}  # a seed to come changes the deal
    return {"phase": Phase.NO_MORE_BETS, **cards, **playing}


def _is_in_round(table: TableState, sealed: SealedSeed, playing: Collection[int]) -> bool:
    """Whether the player who sealed a seed is dealt in; only such a seat has to stay and reveal it."""
    place = table.places[sealed.seat]
    return sealed.seat in playing and place is not None and place.player == sealed.player


def _apply_dealt(table: TableState, data: Data, known: Deal | None = None) -> Changes:
    return {"phase": Phase.DEALING, "shown": data.get("cards", 0), "known_deal": known}


def _apply_choosing(table: TableState, data: Data, known: Deal | None = None) -> Changes:
    return {"phase": Phase.CHOOSING, "known_deal": known}


def _apply_chose(table: TableState, data: Data, known: Deal | None = None) -> Changes:
    place, cents = table.place(data["seat"]), data["cents"]
    put = {"raised": place.raised + cents, "bankroll": place.bankroll - cents}
    chosen = (*place.chosen, name_choice(table.game, place.wagers, data["choice"], cents))
    return _change_place(table, data, chosen=chosen, **put) | {"known_deal": known}


def _apply_paid(table: TableState, data: Data, known: Deal | None = None) -> Changes:
    """Some wagers are settled and the round goes on; after a stop at all seats it pauses."""
    phase = {"phase": Phase.PAYING, "stages": data["stage"]} if "stage" in data else {}
    places = list(table.places)
    for seat, _, _, staked, net in data["payments"]:
        places[seat] = (places[seat] or table.place(seat)).settle(staked, net)
    paid = (*table.paid, *map(tuple, data["payments"]))
    return {"places": tuple(places), "paid": paid, "known_deal": known, **phase}


def _apply_revealed(table: TableState, data: Data, known: Deal | None = None) -> Changes:
    return {"phase": Phase.REVEAL, "used": data["used"], "known_deal": known}


def _apply_settled(table: TableState, data: Data) -> Changes:
    staked = sum(payment[3] for payment in data["payments"])
    net = sum(payment[4] for payment in data["payments"])
    wagers = [table.place(seat).wagers for seat in table.playing]
    return _end_round(table, data) | {"meters": table.meters.after_round(wagers, staked, net)}


def _apply_void(table: TableState, data: Data) -> Changes:
    kept = frozenset((table.playing.index(seat), spot) for seat, spot, *_ in table.paid)
    deal = table.known_deal.declare_void(data["reason"], kept) if table.known_deal else None
    staked, net = sum(paid[3] for paid in table.paid), sum(paid[4] for paid in table.paid)
    meters = table.meters.after_void(staked, net)
    void = {"void_reason": data["reason"], "known_deal": deal, "meters": meters}
    return _end_round(table, data) | void


def _end_round(table: TableState, data: Data) -> Changes:
    """Nothing is left on the felt: each seat has the cents that the round returned."""
    places = list(table.places)
    for seat, cents in data["returned"].items():
        places[int(seat)] = table.place(int(seat)).end_round(cents)
    return {"phase": Phase.SETTLING, "places": tuple(places), "ended": table.places, "hold": 0}


def _apply_alarm(table: TableState, data: Data) -> Changes:
    return {"alarm": data["alarm"]}


# -- Irregularities ---------------------------------------------------------------------------------


def _apply_irregularity(table: TableState, data: Data) -> Changes:
    """A recorded irregularity ends the drill that asked for it."""
    noted = {"irregular": (*table.irregular, (data["kind"], data["hand"]))}
    return noted | ({"rehearsal": ""} if data["drill"] else {})


def _apply_held(table: TableState, data: Data) -> Changes:
    return {"hold": data["request"], "was_held": True}


def _apply_hold_ended(table: TableState, data: Data) -> Changes:
    return {"hold": 0}


def _apply_rehearsal(table: TableState, data: Data) -> Changes:
    return {"rehearsal": data["kind"]}


def _apply_drill_ended(table: TableState, data: Data) -> Changes:
    return {"rehearsal": ""}


def _apply_corrected(table: TableState, data: Data) -> Changes:
    """The house pays a player the difference, or takes it: at a seat of the player's, or at the cage."""
    changes: Changes = {"meters": table.meters.after_correction(data["cents"])}
    changes |= {"rehearsal": ""} if data["drill"] else {}
    if data["at"] == ACCOUNT:
        return changes
    seat = seat_of_hand(data["at"])
    if seat is None:
        raise Refused(f"{data['at']!r} is not a place where a payment is corrected.")
    place = table.place(seat)
    return changes | {
        "places": _with_place(table, seat, replace_unchecked(place, bankroll=place.bankroll + data["cents"]))
    }


HANDLERS: Mapping[str, Callable[..., Changes]] = {
    "opened": _apply_opened,
    "shared": _apply_shared,
    "closing": _apply_closing,
    "closed": _apply_closed,
    "carried-over": _apply_carried_over,
    "shuffled": _apply_shuffled,
    "seed-sealed": _apply_seed_sealed,
    "seeded": _apply_seeded,
    "order": _apply_order,
    "fault": _apply_to_machines,
    "drill": _apply_to_machines,
    "shuffler": _apply_to_machines,
    "guide-consulted": _apply_to_machines,
    "replacement-step": _apply_to_machines,
    "shuffler-tested": _apply_to_machines,
    "mode-selected": _apply_to_machines,
    "hand-dealing": _apply_to_machines,
    "lost": _apply_lost,
    "seated": _apply_seated,
    "bought": _apply_bought,
    "leaving": _apply_leaving,
    "left": _apply_left,
    "standing": _apply_standing,
    "wagered": _apply_wagered,
    "ready": _apply_ready,
    "jackpot-sensor": _apply_jackpot_sensor,
    "jackpot-bet": _apply_jackpot_bet,
    "jackpot-mismatch": _apply_to_machines,
    "no-more-bets": _apply_no_more_bets,
    "dealt": _apply_dealt,
    "choosing": _apply_choosing,
    "chose": _apply_chose,
    "paid": _apply_paid,
    "revealed": _apply_revealed,
    "settled": _apply_settled,
    "void": _apply_void,
    "alarm": _apply_alarm,
    "irregularity": _apply_irregularity,
    "held": _apply_held,
    "hold-ended": _apply_hold_ended,
    "rehearsal": _apply_rehearsal,
    "drill-ended": _apply_drill_ended,
    "corrected": _apply_corrected,
}
