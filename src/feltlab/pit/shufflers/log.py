"""The log of a table's shufflers: cycles, hands delivered and faults, read from its events.

An order is never in it, and a card only where the line of a fault names it: that deck is void and shown.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from feltlab.ledger.event import Event
from feltlab.ledger.ledger import Ledger
from feltlab.pit.shufflers.machines import Machines
from feltlab.shuffling.guide import replacement_steps
from feltlab.shuffling.machine import BACKUP, HAND, MAIN

Row = dict[str, Any]
ALL_NAMES = (MAIN, BACKUP, HAND)
CYCLE_KINDS = ("shuffled", "dealt", "fault")
ACT_KINDS = (
    *("fault", "drill", "shuffler", "guide-consulted", "replacement-step"),
    *("shuffler-tested", "mode-selected", "hand-dealing"),
)
MAX_CYCLES_READ = 10_000
MAX_FAULTS_READ = 10_000


# -- The machines now -------------------------------------------------------------------------------


def describe_shufflers(machines: Machines, waits: bool = True) -> Row:
    """The shufflers now: the display, what the table waits for, and the steps if one is replaced."""
    return {
        "in_use": machines.in_use,
        "message": machines.message,
        "guide": machines.guide,
        "waits": machines.why_waiting if waits else "",
        "machines": list_machines(machines),
        "steps": _list_steps(machines),
    }


def list_machines(machines: Machines) -> list[Row]:
    return [_describe_machine(machines, name) for name in ALL_NAMES if machines[name].is_known]


def _describe_machine(machines: Machines, name: str) -> Row:
    machine = machines[name]
    counts = {key: getattr(machine, key) for key in ("cycles", "hands", "faults", "in_row")}
    names = {"model": machine.model or "no machine", "serial": machine.serial, "mode": machine.mode}
    return {"shuffler": name, **names, "state": _state(machines, name), **counts}


def _state(machines: Machines, name: str) -> str:
    if name == machines.in_use and not machines[name].out:
        return "in use"
    return "out of service until tested" if machines[name].out else "stand-by"


def _list_steps(machines: Machines) -> list[Row]:
    if not machines.is_replacing:
        return []
    steps = enumerate(replacement_steps(), 1)
    return [{"step": n, "does": step.does, "done": n <= machines.step} for n, step in steps]


# -- What is on record ------------------------------------------------------------------------------


def read_log(ledger: Ledger, table: str, machines: Machines, last: int, shuffler: str = "") -> Row:
    """The machines with their counts, their last cycles and what was done at them, the newest first."""
    faults = _count_faults(ledger, table)
    found = [
        machine | {"by_fault": faults.get(machine["shuffler"], {})}
        for machine in list_machines(machines)
        if shuffler in ("", machine["shuffler"])
    ]
    cycles = list(_read_cycles(ledger, table, last, shuffler))[-last:]
    acts = [_describe_act(event) for event in ledger.last_events(table, ACT_KINDS, MAX_FAULTS_READ)]
    chosen = [act for act in acts if shuffler in ("", act["shuffler"])][-last:]
    return {"table": table, "machines": found, "cycles": cycles[::-1], "acts": chosen[::-1]}


def _count_faults(ledger: Ledger, table: str) -> dict[str, Counter[str]]:
    """By shuffler, how often each fault happened."""
    faults = [event.data for event in ledger.last_events(table, ("fault",), MAX_FAULTS_READ)]
    return {name: Counter(d["fault"] for d in faults if d["shuffler"] == name) for name in ALL_NAMES}


def _read_cycles(ledger: Ledger, table: str, last: int, shuffler: str) -> Iterator[Row]:
    """The last cycles, each with the hands that were delivered from it or the fault that stopped it."""
    shuffles = ledger.last_events(table, ("shuffled",), MAX_CYCLES_READ if shuffler else last)
    after = shuffles[0].number - 1 if shuffles else 0
    row: Row = {}
    for event in ledger.events(table, after=after, kinds=CYCLE_KINDS) if shuffles else ():
        if event.kind == "shuffled":
            if row and shuffler in ("", row["shuffler"]):
                yield row
            row = _new_cycle(event)
        elif event.kind == "dealt":
            row["hands"] += event.data["hands"]
        else:
            row["fault"] = event.data["fault"]
    if row and shuffler in ("", row["shuffler"]):
        yield row


def _new_cycle(event: Event) -> Row:
    data = event.data
    made = {"cycle": data["cycle"], "shuffler": data["shuffler"], "deck": data["deck"]}
    return {"at": event.at, "round": event.round, **made, "hands": 0, "fault": ""}


def _describe_act(event: Event) -> Row:
    data = event.data
    acted = {"shuffler": data.get("shuffler", ""), "by": data.get("by", ""), "says": _sentence(event)}
    return {"at": event.at, "round": event.round, "kind": event.kind, **acted}


def _sentence(event: Event) -> str:
    """An act in a few words."""
    data = event.data
    match event.kind:
        case "fault":
            return str(data.get("shows", data["message"]))
        case "replacement-step":
            return f"step {data['step']}: {data['does']}"
        case "shuffler-tested":
            return f"{data['result']}. {data['note']}".rstrip(" .")
        case "mode-selected":
            return str(data["mode"])
        case "hand-dealing":
            return str(data["why"])
        case "shuffler":
            return "came into use"
    return str(data.get("fault", ""))


def check_machine_name(name: str) -> str:
    """A shuffler of a table, or '' for all."""
    if name:
        Machines()[name]  # refuses another name
    return name
