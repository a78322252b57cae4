"""The machines of a new table: those that its supervisor names, or a model that fits its game."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.pit.shufflers.machines import (
    MACHINE_NAMES,
    Machine,
    Machines,
    Patience,
)
from feltlab.shuffling.machine import HAND
from feltlab.shuffling.models import check_mode, find_model, fitting_models, fitting_modes, may_deal_by_hand
from feltlab.values import replace_unchecked

MAX_SERIAL_CHARS = 40
DEALT_BY = "dealt-by"  # the option of a game that may be dealt by hand


@dataclass(frozen=True)
class MachineTerms:
    """A supervisor's wishes for a machine; '' leaves a field as it is, or to the standard."""

    model: str = ""
    serial: str = ""
    mode: str = ""


@dataclass(frozen=True)
class ShufflerTerms:
    """The machines that a table is opened with, and when they have failed continually."""

    main: MachineTerms = MachineTerms()
    backup: MachineTerms = MachineTerms()
    patience: Patience | None = None


STANDARD_TERMS = ShufflerTerms()


def install_machines(
    game: Game, table: str, before: Machines | None = None, terms: ShufflerTerms = STANDARD_TERMS
) -> Machines:
    """The machines of a table that opens; a machine that was there before keeps its counts and its state."""
    known = before or Machines()
    main, backup = (
        _install(game, known, f"{table}-{name}", known[name], getattr(terms, name)) for name in MACHINE_NAMES
    )
    if main.serial.casefold() == backup.serial.casefold():
        raise Refused(f"The main and the backup shuffler cannot both have the serial name {main.serial!r}.")
    patience = terms.patience or known.patience
    removed = _list_removed(known, (main.identity, backup.identity))
    machines = Machines(main, backup, known.hand, patience=patience, modern=True, removed=removed)
    if known.is_pending:
        return _resume(known, machines, game)
    return replace_unchecked(machines, in_use=_choose_machine(machines, game))


def _list_removed(known: Machines, present: Collection[tuple[str, str]]) -> tuple[Machine, ...]:
    """The suspect machines that are not at the table now: one that comes back is what it was."""
    machines = (known.main, known.backup, *known.removed)
    return tuple(m for m in machines if m.is_suspect and m.identity not in present)


def _resume(known: Machines, machines: Machines, game: Game) -> Machines:
    """The machines go on where the table was closed: the guide or the next step of a replacement is due."""
    if not _is_same_equipment(known, machines) or not _may_continue(known.in_use, game):
        raise Refused(f"{known.why_waiting} Until then the table opens only with the shufflers as they are.")
    due = {name: getattr(known, name) for name in ("in_use", "step", "guide", "shows")}
    return replace_unchecked(machines, **due)


def _is_same_equipment(known: Machines, machines: Machines) -> bool:
    same = all(
        (known[name].identity, known[name].mode) == (machines[name].identity, machines[name].mode)
        for name in MACHINE_NAMES
    )
    return same and known.patience == machines.patience


def _may_continue(in_use: str, game: Game) -> bool:
    """Whether the game can be dealt by the machine, or the hand, that was in use."""
    return may_deal_by_hand(game) if in_use == HAND else not _is_dealt_by_hand(game)


def _install(game: Game, known: Machines, serial: str, before: Machine, terms: MachineTerms) -> Machine:
    model = find_model(terms.model).name if terms.model else _usual_model(game, before.model)
    serial = _check_serial(terms.serial) or before.serial or serial
    kept = known.find(model, serial)
    return replace_unchecked(
        kept, model=model, serial=serial, mode=_find_mode(game, model, terms.mode, kept.mode)
    )


def _find_mode(game: Game, model: str, wanted: str, before: str) -> str:
    fitting = fitting_modes(find_model(model), game)
    usual = before if before in fitting else fitting[0] if fitting else ""
    return check_mode(model, wanted or usual, game)


def _usual_model(game: Game, before: str) -> str:
    fitting = fitting_models(game)
    if not fitting:
        raise Refused(f"No model of shuffler fits {game.title}.")
    return before if before in fitting else next(iter(fitting))


def _check_serial(serial: str) -> str:
    if len(serial) > MAX_SERIAL_CHARS or not serial.isprintable():
        raise Refused(f"A serial name has at most {MAX_SERIAL_CHARS} printable characters.")
    return serial.strip()


def _choose_machine(machines: Machines, game: Game) -> str:
    """The machine to begin with: the main one, if it is in service."""
    if _is_dealt_by_hand(game):
        return HAND
    for name in MACHINE_NAMES:
        if not machines[name].out:
            return name
    if may_deal_by_hand(game):
        return HAND
    raise Refused("Both shufflers of the table are out of service; a supervisor has to test one first.")


def used_models(machines: Machines, game: Game) -> frozenset[str]:
    """The models of shuffler that a table of a game may use; none, if it is dealt by hand."""
    if _is_dealt_by_hand(game):
        return frozenset()
    return frozenset(machines[name].model for name in MACHINE_NAMES)


def _is_dealt_by_hand(game: Game) -> bool:
    return dict(game.options).get(DEALT_BY) == HAND


def open_machines(before: Machines | None, data: Mapping[str, Any], game: Game, table: str) -> Machines:
    """The machines after a table was opened: as recorded, or in an old ledger the standard ones."""
    if "machines" in data:
        return Machines.from_json(data["machines"])
    known = before or Machines()
    fresh = install_machines(game, table)
    return Machines(_with_counts(fresh.main, known.main), _with_counts(fresh.backup, known.backup))


def _with_counts(machine: Machine, counted: Machine) -> Machine:
    names = {"model": machine.model, "serial": machine.serial, "mode": machine.mode}
    return replace_unchecked(counted, **names)
