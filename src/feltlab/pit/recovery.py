"""Recovery: a table read back from its events, in the same round with the same cards to come."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from feltlab.core.cards import cards
from feltlab.errors import Refused
from feltlab.games.rules_history import rules_change
from feltlab.ledger.event import HOUSE_ACTOR, HOUSE_CHAIN, ROLLBACK_KINDS, Event
from feltlab.ledger.ledger import Ledger
from feltlab.ledger.vault import CannotUnseal, Vault
from feltlab.pit.event_kinds import SHUFFLE_NAMES
from feltlab.pit.meters import Meters
from feltlab.pit.seats import Phase
from feltlab.pit.shufflers.install import ShufflerTerms, install_machines
from feltlab.pit.shufflers.old_ledgers import count_machines
from feltlab.pit.table import Table
from feltlab.shuffling.machine import Shuffle

STALE_CARDS = "The ledger went back to an earlier state; the cards may have been seen since."


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


def recover_or_refuse(
    ledger: Ledger, vault: Vault, name: str, is_key_right: Callable[[], bool], lost_key: bool
) -> tuple[Table, str]:
    """The table as it was left, without its cards if they were tampered with, and how they were."""
    try:
        return recover_table(ledger, vault, name), ""
    except CardsTampered as tampered:
        return recover_table(ledger, None, name), str(tampered)
    except CannotUnseal:
        if is_key_right():
            return recover_table(ledger, None, name), f"The sealed cards of {name} are damaged."
        if lost_key or describe_stale_cards(ledger, name):
            return recover_table(ledger, None, name), ""
    raise Refused(
        f"The cards of {name} do not open with the key of the vault; put the right key there, or"
        " start with --lost-key, which voids the rounds under way."
    )


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


def describe_stale_cards(ledger: Ledger, name: str) -> str:
    """Why somebody may have seen the cards to come at a table, or ''."""
    back = ledger.last_sequence_of(HOUSE_CHAIN, ROLLBACK_KINDS)
    return STALE_CARDS if back > ledger.last_sequence_of(name, ("shuffled",)) else ""


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


def was_closed_by_rules(table: Table) -> bool:
    """Whether a change of its rules closed a table."""
    return table.phase == Phase.CLOSED and not rules_change(table.game, table.digest).same_rules


def renew_table(table: Table, terms: Table, shufflers: ShufflerTerms) -> Table:
    """A closed table under these terms, which goes on counting its rounds; meters are those of its rules."""
    if table.phase != Phase.CLOSED:
        raise Refused(f"{table.name} is open already.")
    meters = table.meters if rules_change(terms.game, table.digest).same_rules else Meters()
    machines = install_machines(terms.game, table.name, table.machines if table.round else None, shufflers)
    counts = replace(terms, number=table.number, cycles=table.cycles, round=table.round)
    return replace(counts, meters=meters, machines=machines)
