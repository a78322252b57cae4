"""Checks of a table's events: may this happen now, and does it respect the rules of the table?"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from feltlab.core.cards import Cards
from feltlab.core.game import Game
from feltlab.digests import sha256_hex
from feltlab.errors import Refused
from feltlab.games.offers import build_game
from feltlab.games.rules_history import are_same_rules
from feltlab.ledger.event import HOUSE_ACTOR, Event
from feltlab.pit.approvals import Approvals
from feltlab.pit.event_kinds import TABLE_KINDS
from feltlab.pit.recorded_round import FACE_DOWN_TEXT
from feltlab.pit.seats import ROUND_PHASES, Phase
from feltlab.pit.table import Table
from feltlab.pit.verify.irregularity_checks import check_corrected, check_irregularity
from feltlab.shuffling.seeds import parse_seed
from feltlab.text import dollars, listing

Sentences = Iterator[str]
Data = Mapping[str, Any]

COURSE_KINDS = ("dealt", "choosing", "chose", "paid", "revealed", "settled")  # of a round that goes on
MAX_VALUE_CHARS = 200  # of a value in a sentence

# -- Places -----------------------------------------------------------------------------------------


def check_place(event: Event, table: Table) -> Iterable[str]:
    """May this happen in the present phase, and does it name the present round?"""
    kind = TABLE_KINDS.get(event.kind)
    if table.hold and event.kind in COURSE_KINDS:
        return (f"{event.kind!r} happened while request {table.hold} held the round.",)
    is_possible = kind is not None and table.phase in kind.phases
    is_in_round = event.round == table.round + (event.kind == "standing")
    return () if is_possible and is_in_round else _describe_misplaced(event, table, is_possible)


def _describe_misplaced(event: Event, table: Table, is_possible: bool) -> Sentences:
    if not is_possible:
        yield f"{event.kind!r} cannot happen in the phase {table.phase.value!r}."
    due = table.round + (event.kind == "standing")
    if event.round != due:
        yield f"it names round {event.round} in round {due}."


def check_approval(event: Event, register: Approvals, models: Collection[str]) -> Sentences:
    """Was the approval of an opened table in force that day, for these rules and shufflers, at this house?

    The first ledgers name no house.
    """
    data, day = event.data, date.fromisoformat(event.at[:10])
    if data.get("practice"):
        if data["approval"] or not data.get("owner"):
            yield "it is a practice table, which has an owner and no approval."
        return
    try:
        approval = register[data["approval"]]
    except Refused as unknown:
        yield f"it was opened without an approval. {unknown}"
        return
    if register.house and approval.house != register.house:
        yield f"it was opened under {approval}, which was given to {approval.house}, not to {register.house}."
    if approval.game != data["game"] or not approval.is_in_force(day, data["digest"]):
        yield f"it was opened under {approval}, which was not in force for these rules on {day}."
    elif why := register.why_not_met(approval, day, models):
        yield f"it was opened though an approval did not hold. {why}"


def check_carried_approval(event: Event, register: Approvals) -> Sentences:
    """Is the digest of an approval replaced by one of the same rules, options and pays?"""
    data, approval = event.data, register[event.data["approval"]]
    game = build_game(approval.game, dict(approval.options), approval.pays)
    yield from _check_same_rules(str(approval), game, approval.digest, data)


def _check_carried_over(table: Table, data: Data) -> Sentences:
    yield from _check_same_rules("it", table.game, table.digest, data)


def _check_same_rules(name: str, game: Game, digest: str, data: Data) -> Sentences:
    if data["from"] != digest:
        yield f"{name} was carried over from a digest that it did not have."
    if not are_same_rules(game, data["from"], data["to"]):
        yield f"{name} was carried over to rules that are not the same."


def check_laid_open(order: Cards, number: int, start: int, laid: str) -> Sentences:
    """Are the cards that an event laid open in the order, from the start of the round on?"""
    shown = [text.partition(":")[2] for text in laid.split()]
    ordered = str(Cards(order[start : start + len(shown)])).split()
    pairs = zip(shown, ordered, strict=False)
    if len(ordered) < len(shown) or any(a not in (b, FACE_DOWN_TEXT) for a, b in pairs):
        yield f"the order lacks the cards that event {number} laid open."


# -- Standings --------------------------------------------------------------------------------------


def due_standing(table: Table) -> dict[str, Any]:
    """The standing that the events before it add up to."""
    return {
        "round": table.round + 1,
        "seats": table.seats_snapshot,
        "cycles": table.cycles,
        "used": table.used,
        "meters": table.meters.plain,
        "alarm": table.alarm,
        "void": table.void_reason,
    }


def describe_wrong_standing(key: str, value: Any, due: Any) -> str:
    if key != "seats" or len(value) != len(due):
        return f"the standing has {key} {_short(value)}; the events before it give {_short(due)}."
    wrong = [(n, a, b) for n, (a, b) in enumerate(zip(value, due, strict=True), 1) if a != b]
    seats = listing(f"seat {n} has {_short(a)}; the events before it give {_short(b)}" for n, a, b in wrong)
    return f"the standing is wrong: {seats}."


def _short(value: Any) -> str:
    if isinstance(value, dict) and "cents" in value:
        return f"{value['player']} with {dollars(value['cents'])} {value['last'] or ''}".strip()
    text = str(value if value not in (None, "") else "nobody" if value is None else "none")
    return text if len(text) < MAX_VALUE_CHARS else f"{text[:MAX_VALUE_CHARS]}..."


# -- One check for each kind of event ---------------------------------------------------------------


def _check_seated(table: Table, data: Data) -> Sentences:
    if table.places[data["seat"]]:
        yield f"seat {data['seat'] + 1} was taken."
    if table.is_private and not table.is_shared and data["player"] != table.owner:
        yield f"{data['player']} sat at the private table of {table.owner}, who had not shared it."
    yield from _check_positive(data)


def _check_shared(table: Table, data: Data) -> Sentences:
    if not table.owner or data["by"] != table.owner:
        yield f"{data['by']} shared it, and it belongs to {table.owner or 'the house'}."
    if table.is_shared:
        yield "it was shared twice."


def _check_bought(table: Table, data: Data) -> Sentences:
    yield from _check_own_seat(table, data)
    yield from _check_positive(data)


def _check_positive(data: Data) -> Sentences:
    if data["cents"] <= 0:
        yield f"a buy-in of {dollars(data['cents'])} is not possible."


def _check_own_seat(table: Table, data: Data) -> Sentences:
    place = table.places[data["seat"]]
    holder = place.player if place else "nobody"
    if holder != data["player"]:
        yield f"{data['player']} acted for seat {data['seat'] + 1}, which {holder} holds."


def _check_left(table: Table, data: Data) -> Sentences:
    yield from _check_own_seat(table, data)
    place = table.places[data["seat"]]
    chips = place.bankroll + place.on_felt if place else 0
    if data["cents"] != chips:
        yield f"seat {data['seat'] + 1} left with {dollars(data['cents'])} instead of {dollars(chips)}."
    if table.phase in ROUND_PHASES and data["seat"] in table.playing:
        yield f"seat {data['seat'] + 1} left with wagers on the felt."


def _check_wagered(table: Table, data: Data) -> Sentences:
    yield from _check_own_seat(table, data)
    place, put, seat = table.places[data["seat"]], sum(data["wagers"].values()), data["seat"] + 1
    for spot, cents in data["wagers"].items():
        try:
            table.limits.check(table.game.spot(spot), cents)
        except Refused as refused:
            yield f"seat {seat} wagered outside the limits: {refused}"
    if place and put > place.bankroll + place.on_felt:
        yield f"seat {seat} wagered {dollars(put)} but had {dollars(place.bankroll + place.on_felt)}."


def _check_seeded(table: Table, data: Data) -> Sentences:
    """A seed is given once, by its seat, before a card of the shuffle is dealt."""
    yield from _check_own_seat(table, data)
    if table.used:
        yield f"seat {data['seat'] + 1} added a seed to cards that had been dealt from."
    if any((one.seat, one.player) == (data["seat"], data["player"]) for one in table.seeds):
        yield f"seat {data['seat'] + 1} added two seeds to the same cards."
    if parse_seed(data["seed"]) != data["seed"]:
        yield f"the seed of seat {data['seat'] + 1} has spaces around it."
    sealed = {one.digest for one in table.awaited_seeds if one.seat == data["seat"]}
    if table.phase != Phase.BETTING and sha256_hex(data["seed"].encode()) not in sealed:
        yield f"the seed of seat {data['seat'] + 1} is not one that it had sealed before the bets closed."


def _check_seed_sealed(table: Table, data: Data) -> Sentences:
    """A seed is sealed by its seat, before a card of the shuffle is dealt."""
    yield from _check_own_seat(table, data)
    if table.used:
        yield f"seat {data['seat'] + 1} sealed a seed for cards that had been dealt from."


def _check_no_more_bets(table: Table, data: Data) -> Sentences:
    if data["playing"] != table.bettors:
        dealt, due = (listing(seat + 1 for seat in seats) for seats in (data["playing"], table.bettors))
        yield f"seats {dealt} are dealt in, but seats {due} have wagered."


def _check_dealt(table: Table, data: Data) -> Sentences:
    """Each hand is counted with its first cards; older ledgers name all hands in each event of a round."""
    if table.awaited_seeds:
        seats = listing(one.seat + 1 for one in table.awaited_seeds)
        yield f"cards were dealt before seats {seats} had revealed their sealed seeds."
    hands = len(table.playing) + 1
    due = (hands,) if table.phase == Phase.NO_MORE_BETS else (0, hands)
    if data["hands"] not in due:
        yield f"{data['hands']} hands are counted as delivered; {due[0]} got their first cards."


def _check_chose(table: Table, data: Data) -> Sentences:
    place, seat = table.places[data["seat"]], data["seat"] + 1
    if data["player"] == HOUSE_ACTOR:
        if not table.game.choice(data["choice"]).house_rule:
            yield f"the house chose {data['choice']!r} for seat {seat}, which is not the house rule."
    else:
        yield from _check_own_seat(table, data)
    if data["seat"] not in table.playing:
        yield f"seat {seat} chose but is not in the round."
    if place and not 0 <= data["cents"] <= place.bankroll:
        yield f"seat {seat} put down {dollars(data['cents'])} but had {dollars(place.bankroll)}."


def _check_settled(table: Table, data: Data) -> Sentences:
    """Each seat's payments are for its chips on the felt, and add up to what it takes back."""
    before, now = data["payments"][: len(table.paid)], data["payments"][len(table.paid) :]
    if before != [list(paid) for paid in table.paid]:
        yield "its first payments are not those that were made before the end of the round."
    staked, back = _sum_payments(now)
    felt = {seat: place.on_felt for seat in table.playing if (place := table.places[seat])}
    yield from _compare_seats("has payments for", staked, felt)
    yield from _compare_seats("took back", _cents_by_seat(data["returned"]), back)
    yield from _check_before(table, data)


def _check_paid(table: Table, data: Data) -> Sentences:
    """Each seat's payments are for chips that it has on the felt, each wager is settled once."""
    if table.stages is None:
        yield "wagers are settled before the end of a round that is settled at its end."
    if "stage" in data and data["stage"] != (table.stages or 0) + 1:
        yield f"stage {data['stage']} is settled after stage {table.stages}."
    staked, _ = _sum_payments(data["payments"])
    for seat, cents in staked.items():
        place = table.places[seat]
        if place is None or cents > place.on_felt:
            yield f"seat {seat + 1} has payments for {dollars(cents)}, which it does not have on the felt."
    settled = Counter((seat, spot) for seat, spot, *_ in (*table.paid, *data["payments"]))
    for (seat, spot), times in settled.items():
        if times > 1:
            yield f"the {spot} wager of seat {seat + 1} is settled {times} times."


def _sum_payments(payments: Iterable[Sequence[Any]]) -> tuple[dict[int, int], dict[int, int]]:
    """By seat, the cents staked and the cents that go back."""
    staked: dict[int, int] = {}
    back: dict[int, int] = {}
    for seat, _, _, stake, net in payments:
        staked[seat] = staked.get(seat, 0) + stake
        back[seat] = back.get(seat, 0) + stake + net
    return staked, back


def _check_before(table: Table, data: Data) -> Sentences:
    _, before = _sum_payments(table.paid)
    yield from _compare_seats("had taken back", _cents_by_seat(data.get("before", {})), before)


def _check_void(table: Table, data: Data) -> Sentences:
    """Every cent on the felt goes back."""
    felt = {seat: place.on_felt for seat, place in enumerate(table.places) if place and place.on_felt}
    yield from _compare_seats("took back", _cents_by_seat(data["returned"]), felt)
    yield from _check_before(table, data)
    if data.get("payments", []) != [list(paid) for paid in table.paid]:
        yield "its payments are not those that were made before."


def _cents_by_seat(returned: Mapping[str, int]) -> dict[int, int]:
    return {int(seat): cents for seat, cents in returned.items()}


def _compare_seats(verb: str, cents: Mapping[int, int], due: Mapping[int, int]) -> Sentences:
    for seat in () if cents == due else sorted({*cents, *due}):
        if cents.get(seat, 0) != due.get(seat, 0):
            amount, right = dollars(cents.get(seat, 0)), dollars(due.get(seat, 0))
            yield f"seat {seat + 1} {verb} {amount} instead of {right}."


def _check_closed(table: Table, data: Data) -> Sentences:
    seats = [seat + 1 for seat, place in enumerate(table.places) if place]
    if seats:
        yield f"it was closed with players at seats {listing(seats)}."
    if data["meters"] != table.meters.to_json():
        yield describe_wrong_standing("meters", data["meters"], table.meters.to_json())


CHECKS: Mapping[str, Callable[[Table, Data], Iterable[str]]] = {
    "shared": _check_shared,
    "seated": _check_seated,
    "bought": _check_bought,
    "left": _check_left,
    "leaving": _check_own_seat,
    "wagered": _check_wagered,
    "ready": _check_own_seat,
    "seed-sealed": _check_seed_sealed,
    "seeded": _check_seeded,
    "no-more-bets": _check_no_more_bets,
    "dealt": _check_dealt,
    "chose": _check_chose,
    "paid": _check_paid,
    "settled": _check_settled,
    "void": _check_void,
    "closed": _check_closed,
    "carried-over": _check_carried_over,
    "irregularity": check_irregularity,
    "corrected": check_corrected,
}
