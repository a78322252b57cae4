"""Which machines a table is opened with: those that its supervisor names, or a model that fits its game."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.pit.shufflers.machines import (
    MACHINE_NAMES,
    NO_MACHINE,
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
    """The machines of a table that opens; a machine that was there before keeps its counts."""
    known = before or Machines()
    main, backup = (
        _install(game, f"{table}-{name}", _retire(known[name], known.patience), getattr(terms, name))
        for name in MACHINE_NAMES
    )
    patience = terms.patience or known.patience
    machines = Machines(main, backup, known.hand, patience=patience, modern=True)
    return replace_unchecked(machines, in_use=_choose_machine(machines, game))


def _retire(machine: Machine, patience: Patience) -> Machine:
    """A machine that failed continually is out of service, also after the table was closed and opened."""
    return replace_unchecked(machine, out=True) if machine.is_failing(patience) else machine


def _install(game: Game, serial: str, before: Machine, terms: MachineTerms) -> Machine:
    model = find_model(terms.model).name if terms.model else _usual_model(game, before.model)
    serial = _check_serial(terms.serial) or before.serial or serial
    kept = before if (before.model, before.serial) == (model, serial) else NO_MACHINE
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
    if dict(game.options).get(DEALT_BY) == HAND:
        return HAND
    for name in MACHINE_NAMES:
        if not machines[name].out:
            return name
    if may_deal_by_hand(game):
        return HAND
    raise Refused("Both shufflers of the table are out of service; a supervisor has to test one first.")


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
