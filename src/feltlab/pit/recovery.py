"""Recovery: a table read back from its events, in the same round with the same cards to come."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from feltlab.core.cards import cards
from feltlab.errors import Refused
from feltlab.games.rules_history import rules_change
from feltlab.ledger.event import HOUSE_ACTOR, Event
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.vault import Vault
from feltlab.pit.event_kinds import SHUFFLE_NAMES
from feltlab.pit.seats import Phase
from feltlab.pit.shufflers.old_ledgers import count_machines
from feltlab.pit.table import Table
from feltlab.shuffling.machine import Shuffle


class CardsTampered(Refused):
    """Sealed cards that are gone from the vault, or that are not those to which their table committed."""


def recover_table(ledger: Ledger, vault: Vault | None, name: str) -> Table:
    """The table as its events leave it. Without a vault the cards are lost, and the money is not."""
    events = ledger.events_from_last(name, "standing")
    table = replace(_opened_table(ledger, name), shuffle=_shuffle_in_play(ledger, vault, events))
    if "machines" not in events[0].data:
        table = replace(table, machines=count_machines(ledger, table, events[0].number))
    for event in events:
        table = table.after(event)
    return table


def _opened_table(ledger: Ledger, name: str) -> Table:
    """The table as it was last opened, carried over to another digest and shared since."""
    (opened,) = ledger.last_events(name, ("opened",), 1)
    table = Table.from_event(opened)
    for kind in ("carried-over", "shared"):
        for event in ledger.last_events(name, (kind,), 1):
            table = table.after(event) if event.number > opened.number else table
    return table


def _shuffle_in_play(ledger: Ledger, vault: Vault | None, events: Sequence[Event]) -> Shuffle | None:
    """The cards in play: sealed in the vault, or on record once their order is shown."""
    named = [event.data for event in events if event.kind in SHUFFLE_NAMES]
    for event in reversed(events):
        if event.kind == "order" and event.data["shuffle"] == named[-1]["shuffle"]:
            return shuffle_from_event(event)
        if event.kind == "lost" and event.data["shuffle"] == named[-1]["shuffle"]:
            return None
    return _unseal_shuffle(ledger, vault, named[-1]) if named and vault else None


def _unseal_shuffle(ledger: Ledger, vault: Vault, named: Mapping[str, Any]) -> Shuffle:
    """The sealed cards that an event names; refuses cards to which it does not commit."""
    name, commitment = named["shuffle"], named["commitment"]
    sealed = ledger.load_sealed(name)
    if sealed is None:
        raise CardsTampered(f"The sealed cards of {name} are missing from the vault.")
    shuffle = Shuffle.from_bytes(vault.unseal(sealed))
    if (shuffle.name, shuffle.commitment) != (name, commitment):
        raise CardsTampered(f"The sealed cards of {name} are not those to which the table committed.")
    return shuffle


def shuffle_from_event(order: Event) -> Shuffle:
    """A shuffle from the event that showed its order."""
    data = order.data
    return Shuffle(data["shuffle"], cards(data["order"]), data["salt"], data["deck"], data["shuffler"])


def adopt_rules(table: Table) -> Table:
    """Go on under the rules of today, if they are those under which the table was opened; else close it.

    A table that closes returns its wagers.
    """
    if table.phase == Phase.CLOSED or table.digest == table.game.digest:
        return table
    change = rules_change(table.game, table.digest)
    if change.same_rules:
        return table.carry_over(change.why)
    return table.stop(HOUSE_ACTOR, change.reason)
