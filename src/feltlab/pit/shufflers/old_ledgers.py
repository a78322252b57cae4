"""Shufflers in ledgers whose snapshots do not hold them: counted once from all events of the table."""

from feltlab.games.offers import game_from_data
from feltlab.ledger.ledger import Ledger
from feltlab.pit.shufflers.install import open_machines
from feltlab.pit.shufflers.machines import FOLD, Machines, machines_after
from feltlab.pit.table_state import TableState


def count_machines(ledger: Ledger, table: TableState, before: int) -> Machines:
    """The machines of a table before an event, folded from the beginning of its chain."""
    machines = Machines()
    for event in ledger.events(table.name, kinds=("opened", *FOLD)):
        if event.number >= before:
            break
        if event.kind == "opened":
            machines = open_machines(machines, event.data, game_from_data(event.data), table.name)
        else:
            machines = machines_after(machines, event.kind, event.data, table.game)
    return machines
