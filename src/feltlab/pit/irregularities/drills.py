"""Drills of irregularities: a supervisor starts one, the table waits for its record, and it can be ended.

A drill belongs to the round that is dealt next. While one is under way, only the irregularity that it asks
for can be recorded, so that nothing real is taken for practice, and no practice for something real.
"""

from feltlab.errors import Refused
from feltlab.pit.irregularities.kinds import WRONG_PAYMENT, irregularity_kind, irregularity_kinds
from feltlab.pit.table import Table
from feltlab.shuffling.machine import FAULTS
from feltlab.text import listing

HOW_TO_END = "if something real has happened, end the drill first (end-drill, or its button on the page)."


def start_drill(table: Table, by: str, name: str) -> Table:
    """Drill a fault of the shuffler or an irregularity, in the round whose bets are open."""
    if name in FAULTS:
        return table.drill(by, name)
    kinds = [kind.name for kind in irregularity_kinds()]
    if name not in kinds:
        raise Refused(
            f"{name!r} is not a fault or an irregularity to drill; possible are {listing([*FAULTS, *kinds])}."
        )
    table._check_betting("A drill is possible only while bets are open.")
    if table.rehearsal:
        raise Refused(f"A drill of {table.rehearsal} is under way already.")
    return table._record("rehearsal", {"by": by, "kind": name})


def end_drill(table: Table, by: str, why: str = "") -> Table:
    """End a drill without its record; the round goes on."""
    if not table.rehearsal:
        raise Refused("No drill of an irregularity is under way.")
    return continue_round(table._end_drill(by, why.strip()), table.is_held)


def continue_round(table: Table, was_held: bool) -> Table:
    """Go on with the round; a drill that held it may have outlasted the clock of the phase."""
    if was_held and not (table.is_held or table.hold or table.waits_for_dealer):
        table = table._end_phase()
    return table._advance()


def check_drill(table: Table, kind: str) -> None:
    """Refuse a record of another kind than the drill under way asks for."""
    if table.rehearsal and table.rehearsal != kind:
        raise Refused(
            f"A drill of {table.rehearsal} is under way, not of {kind}: record that, or {HOW_TO_END}"
        )


def check_drilled_round(table: Table, round: int) -> None:
    """Refuse a correction of another round than the one that a drill of a wrong payment is about."""
    check_drill(table, WRONG_PAYMENT)
    if table.rehearsal and round != table.round:
        raise Refused(
            f"A drill of {WRONG_PAYMENT} is under way in round {table.round}: correct a payment of that round"
            f" once it is settled, or {HOW_TO_END}"
        )


def describe_drill(table: Table) -> str:
    """The assumption of the drill under way, in a sentence; '' without a drill."""
    return irregularity_kind(table.rehearsal).drill if table.rehearsal else ""
