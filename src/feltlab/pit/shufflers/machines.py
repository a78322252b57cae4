"""The shufflers of a table as an immutable value: which one works, what each has done, and what comes next.

The value is folded from events by the handlers below; a table that acts, a table that is recovered and the
verification of a ledger use the same fold. `standing` and `opened` record the whole value.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from feltlab.core.game import Game
from feltlab.errors import Refused
from feltlab.shuffling.guide import CYCLES, FAULTS_IN_CYCLES, FAULTS_IN_ROW, find_guide, replacement_steps
from feltlab.shuffling.machine import BACKUP, HAND, MAIN, READY, Shuffler, name_fault_finder
from feltlab.shuffling.models import may_deal_by_hand
from feltlab.values import cached_property, replace_unchecked

Data = Mapping[str, Any]
MACHINE_NAMES = (MAIN, BACKUP)
PASSED = "passed"
BACKUP_STEP = 3  # of a replacement, at which the other machine takes the place
ON_STEP = 5  # at which that machine is turned on


@dataclass(frozen=True)
class Patience:
    """The limit for continual failure: faults in a row, or faults in a machine's last cycles."""

    in_row: int = FAULTS_IN_ROW
    faults: int = FAULTS_IN_CYCLES
    cycles: int = CYCLES

    def __post_init__(self) -> None:
        if not 1 <= self.in_row <= 100 or not 1 <= self.faults <= 100 or not 1 <= self.cycles <= 10_000:
            raise Refused(
                "A shuffler fails continually after 1 to 100 faults in a row, or 1 to 100 faults in 1 to "
                "10,000 cycles."
            )


STANDARD_PATIENCE = Patience()


@dataclass(frozen=True)
class Machine:
    """One shuffler, or the dealer's hand: what it is and what it has done."""

    model: str = ""
    serial: str = ""
    mode: str = ""
    out: bool = False  # of service, until it is tested
    cycles: int = 0
    hands: int = 0  # delivered
    faults: int = 0
    in_row: int = 0  # faults since it last delivered
    recent: tuple[int, ...] = ()  # the cycles in which its latest faults happened

    def to_json(self) -> dict[str, Any]:
        """Plain data without what is empty or zero: every snapshot of a table has it."""
        plain = {name: value for name, value in vars(self).items() if value}
        return {**plain, "recent": list(self.recent)} if self.recent else plain

    @classmethod
    def from_json(cls, data: Data) -> "Machine":
        return cls(**{**data, "recent": tuple(data.get("recent", ()))})

    @property
    def identity(self) -> tuple[str, str]:
        """Model and serial name, by which it is known again."""
        return self.model, self.serial

    @property
    def is_known(self) -> bool:
        """Whether it is there at all: a hand is, once it has shuffled."""
        return bool(self.model or self.cycles)

    def after_fault(self, patience: Patience) -> "Machine":
        first = self.cycles - patience.cycles
        recent = tuple(cycle for cycle in (*self.recent, self.cycles) if cycle > first)
        counts = {"faults": self.faults + 1, "in_row": self.in_row + 1}
        return replace_unchecked(self, recent=recent, **counts)

    def is_failing(self, patience: Patience) -> bool:
        """Whether it has failed continually and must be replaced."""
        recent = sum(cycle > self.cycles - patience.cycles for cycle in self.recent)
        return self.in_row >= patience.in_row or recent >= patience.faults

    @property
    def is_suspect(self) -> bool:
        """Whether it is out of service or failed lately, so that its state may not be forgotten."""
        return self.out or bool(self.in_row or self.recent)


NO_MACHINE = Machine()


@dataclass(frozen=True)
class Machines:
    """The main machine, the backup and the dealer's hand at one table."""

    main: Machine = NO_MACHINE
    backup: Machine = NO_MACHINE
    hand: Machine = NO_MACHINE
    in_use: str = MAIN
    patience: Patience = STANDARD_PATIENCE
    step: int = 0  # of a replacement, the last that was confirmed
    guide: str = ""  # the fault whose guide the dealer has to consult
    shows: str = ""  # the line of a fault, as long as the machine shows it
    armed: str = ""  # the fault that a drill makes it fail with
    modern: bool = False  # these are on record; an old ledger knows only which one is in use
    removed: tuple[Machine, ...] = ()  # suspect machines that were at the table and may come back

    def __getitem__(self, name: str) -> Machine:
        if name not in (MAIN, BACKUP, HAND):
            raise Refused(f"{name!r} is not a shuffler of a table; it has {MAIN} and {BACKUP}.")
        machine: Machine = getattr(self, name)
        return machine

    @property
    def working(self) -> Machine:
        return self[self.in_use]

    @property
    def other(self) -> str:
        """The name of the machine that is not in use."""
        return BACKUP if self.in_use == MAIN else MAIN

    def find(self, model: str, serial: str) -> Machine:
        """The machine of this model and serial name, as the table last had it."""
        known = (self.main, self.backup, *self.removed)
        return next((machine for machine in known if machine.identity == (model, serial)), NO_MACHINE)

    def with_machine(self, name: str, **changes: object) -> "Machines":
        return replace_unchecked(self, **{name: replace_unchecked(self[name], **changes)})

    # -- What comes next -----------------------------------------------------------------------------

    @property
    def is_replacing(self) -> bool:
        """Whether the machine in use is to be replaced, or is being replaced."""
        if self.step:
            return True
        return self.in_use != HAND and self.working.is_failing(self.patience) and not self[self.other].out

    @property
    def is_stuck(self) -> bool:
        """Whether no machine is left that works."""
        return self.in_use != HAND and self.working.out and self[self.other].out

    @property
    def is_pending(self) -> bool:
        """Whether a guide or a step is due, also after the table was closed and opened."""
        return bool(self.why_waiting) and not self.is_stuck

    @property
    def is_off(self) -> bool:
        """Whether a replacement has turned the machine off, and not yet turned the other one on."""
        return 0 < self.step < ON_STEP

    @property
    def shuffles(self) -> str:
        """The name of what shuffles: the hand, as long as the machine in use is off or out of service."""
        return HAND if self.is_off or self.working.out else self.in_use

    @property
    def replaced(self) -> str:
        """The name of the machine that is being replaced."""
        return self.other if self.step >= BACKUP_STEP else self.in_use

    @property
    def why_waiting(self) -> str:
        """The reason why no round can be dealt, and the next act; '' if a round can be dealt."""
        if not self.step and not self.shows:  # a machine that fails shows it until it is served
            return ""
        if self.is_stuck:
            return "Both shufflers are out of service: a supervisor closes the table or has it dealt by hand."
        if self.is_replacing:
            due = f"step {self.step + 1}: {replacement_steps()[self.step].does}"
            return f"The {self.replaced} shuffler failed continually and is being replaced; next is {due}"
        if self.guide:
            finder, guide = name_fault_finder(self.in_use), "the" if self.in_use == HAND else "its"
            return f"{finder} shows {self.shows!r}: {guide} guide is consulted before the next round."
        return ""

    @property
    def message(self) -> str:
        """The line on the display: dark while it is off or where there is no machine."""
        if self.in_use == HAND or self.is_off:
            return ""
        return (self.shows if self.why_waiting else "") or READY

    # -- On record -----------------------------------------------------------------------------------

    @cached_property
    def plain(self) -> dict[str, Any]:
        """The whole value between two rounds, without what is empty or usual."""
        data: dict[str, Any] = {"main": self.main.to_json(), "backup": self.backup.to_json()}
        if self.hand.cycles:
            data["hand"] = self.hand.to_json()
        if self.patience is not STANDARD_PATIENCE and self.patience != STANDARD_PATIENCE:
            data["patience"] = list(vars(self.patience).values())
        if self.step or self.shows:
            data |= {"step": self.step, "guide": self.guide, "shows": self.shows}
        if self.removed:
            data["removed"] = [machine.to_json() for machine in self.removed]
        return {**data, "in_use": self.in_use}

    @classmethod
    def from_json(cls, data: Data) -> "Machines":
        main, backup, hand = (Machine.from_json(data.get(name, {})) for name in (MAIN, BACKUP, HAND))
        patience = Patience(*data["patience"]) if "patience" in data else STANDARD_PATIENCE
        step = (data.get("step", 0), data.get("guide", ""), data.get("shows", ""))
        removed = tuple(Machine.from_json(machine) for machine in data.get("removed", ()))
        return cls(main, backup, hand, data["in_use"], patience, *step, modern=True, removed=removed)


# -- Checks of acts ---------------------------------------------------------------------------------


def check_step(machines: Machines, step: int) -> None:
    """Refuse a step of a replacement that is not the next."""
    if not machines.is_replacing:
        raise Refused(
            "No shuffler is being replaced: that needs faults again and again, "
            f"{machines.patience.in_row} in a row or {machines.patience.faults} in "
            f"{machines.patience.cycles} cycles."
        )
    due = machines.step + 1
    if step != due:
        done = "was confirmed already" if 0 < step < due else "is not next"
        does = replacement_steps()[due - 1].does
        raise Refused(f"Step {step} {done}; the next is step {due}: {does}")


def check_guide(machines: Machines, fault: str) -> None:
    """Refuse a consultation of the guide for a fault that the machine does not show."""
    finder = name_fault_finder(machines.in_use)
    if machines.is_replacing:
        raise Refused(f"The guide no longer helps. {machines.why_waiting}")
    if not machines.guide:
        raise Refused(f"{finder} shows no fault for which the guide has to be consulted.")
    if fault and find_guide(fault).kind != machines.guide:
        raise Refused(f"{finder} shows a {machines.guide}, not a {find_guide(fault).kind}.")


def check_test(machines: Machines, name: str) -> None:
    if name not in MACHINE_NAMES:
        raise Refused(f"{name!r} is not a shuffler of a table; it has {MAIN} and {BACKUP}.")
    if machines.step:
        last = f"step {len(replacement_steps())}: {replacement_steps()[-1].does}"
        raise Refused(f"The {machines.replaced} shuffler is being replaced; a test comes after {last}")
    if not machines[name].out:
        raise Refused(f"The {name} shuffler is in service; only one that was taken out is tested.")


def check_hand(machines: Machines, game: Game) -> None:
    if machines.in_use == HAND:
        raise Refused("The table is dealt by hand already.")
    if not machines.is_stuck:
        raise Refused("A table is dealt by hand only after both shufflers are out of service.")
    if not may_deal_by_hand(game):
        raise Refused(f"The rules of {game.title} do not provide for cards that are dealt by hand.")


# -- The fold ---------------------------------------------------------------------------------------


def _after_shuffled(machines: Machines, data: Data, game: Game) -> Machines:
    name = data["shuffler"]
    return machines.with_machine(name, cycles=machines[name].cycles + 1)


def _after_delivery(machines: Machines, data: Data, game: Game) -> Machines:
    return machines.with_machine(machines.in_use, in_row=0) if machines.working.in_row else machines


def _after_dealt(machines: Machines, data: Data, game: Game) -> Machines:
    """Add the hands that got their first cards.

    Older ledgers name all hands of the round in each of its events; they are counted as they were written.
    """
    return machines.with_machine(machines.in_use, hands=machines.working.hands + data["hands"])


def _after_fault(machines: Machines, data: Data, game: Game) -> Machines:
    """In an old ledger, whose faults have no line, the backup came into use at once."""
    name = data["shuffler"]
    if "shows" not in data:
        counted = machines.with_machine(name, faults=machines[name].faults + 1)
        return replace_unchecked(counted, in_use=BACKUP, armed="")
    failed = replace_unchecked(machines, **{name: machines[name].after_fault(machines.patience)}, armed="")
    failing = name != HAND and failed[name].is_failing(failed.patience)
    if failing and failed[failed.other].out:
        failed = failed.with_machine(name, out=True)
    return replace_unchecked(failed, guide="" if failing else data["fault"], shows=data["shows"])


def _after_drill(machines: Machines, data: Data, game: Game) -> Machines:
    Shuffler(game, machines.in_use, data["fault"])  # refuses a fault that cannot happen
    return replace_unchecked(machines, armed=data["fault"])


def _after_void(machines: Machines, data: Data, game: Game) -> Machines:
    return replace_unchecked(machines, armed="") if machines.armed else machines


def _after_change(machines: Machines, data: Data, game: Game) -> Machines:
    """In an old ledger, a supervisor changed the machine freely."""
    return replace_unchecked(machines, in_use=data["shuffler"], armed="")


def _after_standing(machines: Machines, data: Data, game: Game) -> Machines:
    if "machines" not in data:
        return replace_unchecked(machines, in_use=data["shuffler"], armed="")
    if machines.modern and not machines.armed and data["machines"] == machines.plain:
        return machines
    return Machines.from_json(data["machines"])


def _after_guide(machines: Machines, data: Data, game: Game) -> Machines:
    return replace_unchecked(machines, guide="", shows="")


def _after_step(machines: Machines, data: Data, game: Game) -> Machines:
    step = data["step"]
    after = replace_unchecked(machines, step=step % len(replacement_steps()), shows="", guide="", armed="")
    if step != BACKUP_STEP:
        return after
    taken = replace_unchecked(machines.working, out=True)
    return replace_unchecked(after, **{machines.in_use: taken}, in_use=machines.other)


def _after_test(machines: Machines, data: Data, game: Game) -> Machines:
    if data["result"] != PASSED:
        return machines
    return machines.with_machine(data["shuffler"], out=False, in_row=0, recent=())


def _after_mode(machines: Machines, data: Data, game: Game) -> Machines:
    return machines.with_machine(data["shuffler"], mode=data["mode"])


def _after_hand(machines: Machines, data: Data, game: Game) -> Machines:
    return replace_unchecked(machines, in_use=HAND, shows="", guide="", armed="")


FOLD: Mapping[str, Callable[[Machines, Data, Game], Machines]] = {
    "shuffled": _after_shuffled,
    "no-more-bets": _after_delivery,
    "dealt": _after_dealt,
    "fault": _after_fault,
    "drill": _after_drill,
    "void": _after_void,
    "shuffler": _after_change,
    "standing": _after_standing,
    "guide-consulted": _after_guide,
    "replacement-step": _after_step,
    "shuffler-tested": _after_test,
    "mode-selected": _after_mode,
    "hand-dealing": _after_hand,
}


def machines_after(machines: Machines, kind: str, data: Data, game: Game) -> Machines:
    """The machines after an event; most kinds do not concern them."""
    handler = FOLD.get(kind)
    return handler(machines, data, game) if handler else machines
