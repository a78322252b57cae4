"""Checks of a ledger: was everything at the shufflers of a table done in its order?"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.pit.shufflers.install import MachineTerms, ShufflerTerms, install_machines
from feltlab.pit.shufflers.machines import (
    Machine,
    Machines,
    check_guide,
    check_hand,
    check_step,
    check_test,
)
from feltlab.pit.table_state import TableState
from feltlab.shuffling.guide import fault_guides, replacement_steps
from feltlab.shuffling.machine import HAND
from feltlab.shuffling.models import check_mode

Sentences = Iterator[str]
Data = Mapping[str, Any]


def check_machines(machines: Machines, kind: str, data: Data, game: Game) -> Iterable[str]:
    """Each objection to an event, given the machines before it; most kinds do not concern them."""
    return _check_machines(machines, kind, data, game) if kind in _CHECKS else ()


def _check_machines(machines: Machines, kind: str, data: Data, game: Game) -> Sentences:
    try:
        yield from _CHECKS[kind](machines, data, game)
    except Refused as refused:
        yield f"{kind!r} was not possible. {refused}"


def check_opening(before: Machines | None, table: TableState) -> Sentences:
    """Do the machines of a table that opens fit its game, and continue from its last close?"""
    opened = table.machines
    terms = ShufflerTerms(_terms_of(opened.main), _terms_of(opened.backup), opened.patience)
    try:
        due = install_machines(table.game, table.name, before, terms)
    except Refused as refused:
        yield f"it was opened with shufflers that do not fit. {refused}"
        return
    if opened.plain != due.plain:
        yield "it was opened with shufflers that differ from those at its last close."


def _terms_of(machine: Machine) -> MachineTerms:
    return MachineTerms(machine.model, machine.serial, machine.mode)


def _check_shuffled(machines: Machines, data: Data, game: Game) -> Sentences:
    by, due = _name_shuffler(data["shuffler"]), _name_shuffler(machines.shuffles)
    if by != due:
        yield f"{by} shuffled the cards; {due} had to."


def _name_shuffler(name: str) -> str:
    return "the dealer" if name == HAND else f"the {name} shuffler"


def _check_fault(machines: Machines, data: Data, game: Game) -> Sentences:
    if machines.modern and "shows" not in data:
        yield "the fault has no message line."
    if machines.modern and data["shuffler"] != machines.in_use:
        yield f"the {data['shuffler']} shuffler failed, but the {machines.in_use} shuffler is in use."
    if data["fault"] not in fault_guides():
        yield f"{data['fault']!r} is not a fault."


def _check_change(machines: Machines, data: Data, game: Game) -> Sentences:
    """A change without steps is in old ledgers only."""
    name = data["shuffler"]
    if machines.modern:
        yield f"the {name} shuffler came into use without the seven steps of a replacement."
    if name == machines.in_use:
        yield f"the {name} shuffler is already in use."


def _check_guide(machines: Machines, data: Data, game: Game) -> Sentences:
    check_guide(machines, data["fault"])
    return iter(())


def _check_step(machines: Machines, data: Data, game: Game) -> Sentences:
    check_step(machines, data["step"])
    due = {"shuffler": machines.replaced, "does": replacement_steps()[data["step"] - 1].does}
    if any(data[key] != value for key, value in due.items()):
        yield f"step {data['step']} of the replacement names another shuffler or another act."


def _check_test(machines: Machines, data: Data, game: Game) -> Sentences:
    check_test(machines, data["shuffler"])
    return iter(())


def _check_mode(machines: Machines, data: Data, game: Game) -> Sentences:
    check_mode(machines[data["shuffler"]].model, data["mode"], game)
    return _check_waiting(machines, data, game)


def _check_hand(machines: Machines, data: Data, game: Game) -> Sentences:
    check_hand(machines, game)
    return iter(())


def _check_waiting(machines: Machines, data: Data, game: Game) -> Sentences:
    if machines.why_waiting:
        yield f"it happened while the table had to wait. {machines.why_waiting}"


def _check_standing(machines: Machines, data: Data, game: Game) -> Sentences:
    if data["shuffler"] != machines.in_use:
        yield f"the standing has shuffler {data['shuffler']}; the events before it give {machines.in_use}."
    if "machines" not in data:
        if machines.modern:
            yield "the standing lacks the shufflers."
    elif data["machines"] != machines.plain:
        yield "the standing has shufflers that differ from what the events before it give."


_CHECKS: Mapping[str, Callable[[Machines, Data, Game], Sentences]] = {
    "shuffled": _check_shuffled,
    "fault": _check_fault,
    "shuffler": _check_change,
    "drill": _check_waiting,
    "no-more-bets": _check_waiting,
    "guide-consulted": _check_guide,
    "replacement-step": _check_step,
    "shuffler-tested": _check_test,
    "mode-selected": _check_mode,
    "hand-dealing": _check_hand,
    "standing": _check_standing,
}
