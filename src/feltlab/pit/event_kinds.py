"""Every kind of event that a pit records, with everything that is known about the kind, once.

The ledger writes any kind. This registry says which kinds there are, and each module that asks something
about a kind (may it happen in this phase, does it end a round, who may do it) queries the registry.
Names of kinds are on record in every ledger and never change.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from feltlab.ledger.event import CAGE_CHAIN, HOUSE_ACTOR, HOUSE_CHAIN, Draft, Event
from feltlab.pit.irregularities.kinds import irregularity_kind, irregularity_kinds
from feltlab.pit.roles import Permission
from feltlab.pit.seats import OPEN_PHASES, ROUND_PHASES, Phase
from feltlab.text import signed_dollars

BETTING = (Phase.BETTING,)
IN_PLAY = (Phase.DEALING, Phase.CHOOSING, Phase.PAYING)
CARDS_OUT = (Phase.DEALING, Phase.CHOOSING, Phase.PAYING, Phase.REVEAL)


@dataclass(frozen=True)
class EventKind:
    name: str
    subject: str = ""  # the heading under which auditors find it; kinds without one are not significant
    sentence: str = ""  # of a significant event, with fields of the event's data in braces
    phases: tuple[Phase, ...] = ()  # of a table, in which it may happen
    permission: Permission | None = None  # that the account named `by` needs
    by_house: bool = False  # the server may do it without being asked
    is_trouble: bool = False  # auditors see it marked
    is_of_round: bool = False  # auditors see a link to the round
    ends_round: bool = False
    names_shuffle: bool = False  # its data commit to the shuffle from which the round is dealt
    cage_kind: str = ""  # the event of the cage that is written with it, if it moves money

    @property
    def is_significant(self) -> bool:
        return bool(self.subject)

    def describe(self, data: Mapping[str, Any]) -> str:
        """The event in one sentence; fields that its data lack are left out."""
        return self.sentence.format_map(_BlankIfMissing({**data, **_words_of(data)})).rstrip(" :")


class _BlankIfMissing(dict[str, Any]):
    def __missing__(self, name: str) -> str:
        return ""


def _words_of(data: Mapping[str, Any]) -> dict[str, str]:
    """Words for people in place of names and cents that an event's data have."""
    words = {"drilled": "Drill. " if data.get("drill") else ""}
    if {"paid", "due", "cents"} <= data.keys():
        words |= {name: signed_dollars(data[name]) for name in ("paid", "due", "cents")}
    if data.get("kind") in {kind.name for kind in irregularity_kinds()}:
        words["title"] = irregularity_kind(data["kind"]).title.lower()
    return words


def _by_name(*kinds: EventKind) -> Mapping[str, EventKind]:
    return {kind.name: kind for kind in kinds}


TABLE_KINDS = _by_name(
    # Opening and closing
    EventKind(
        "opened",
        "tables",
        "By {by}, under approval {approval}",
        phases=(Phase.CLOSED,),
        permission=Permission.SUPERVISE,
        by_house=True,
    ),
    EventKind("shared", phases=OPEN_PHASES),  # a private table, by its owner
    EventKind(
        "closing",
        "tables",
        "By {by}, after the round: {why}",
        phases=ROUND_PHASES,
        permission=Permission.SUPERVISE,
        by_house=True,
    ),
    EventKind(
        "closed",
        "tables",
        "By {by}: {why}",
        phases=OPEN_PHASES,
        permission=Permission.SUPERVISE,
        by_house=True,
    ),
    EventKind(  # the rules are worded differently and have another digest; no rule has changed
        "carried-over",
        "tables",
        "Open under the same rules with another digest: {why}",
        phases=OPEN_PHASES,
        permission=Permission.ADMINISTER,
        by_house=True,
    ),
    # Cards
    EventKind("shuffled", phases=(Phase.SETTLING, Phase.BETTING), names_shuffle=True),
    EventKind("order", phases=(Phase.BETTING, Phase.REVEAL, Phase.SETTLING)),  # no choice can depend on it
    EventKind(
        "fault", "rounds", "The {shuffler} shuffler: {message}", BETTING, is_trouble=True, is_of_round=True
    ),
    EventKind("drill", "rounds", "By {by}: {fault}", BETTING, Permission.SUPERVISE),
    EventKind(  # only in ledgers from before replacements had steps
        "shuffler", "rounds", "By {by}: the {shuffler} shuffler is in use", BETTING, Permission.SUPERVISE
    ),
    EventKind(
        "guide-consulted", "shufflers", "By {by}: {fault}, {shuffler} shuffler", BETTING, Permission.DEAL
    ),
    EventKind(
        "replacement-step",
        "shufflers",
        "By {by}, {shuffler} shuffler, step {step}: {does}",
        BETTING,
        Permission.DEAL,
    ),
    EventKind(
        "shuffler-tested",
        "shufflers",
        "By {by}, {shuffler} shuffler: {result}. {note}",
        tuple(Phase),
        Permission.SUPERVISE,
    ),
    EventKind(
        "mode-selected",
        "shufflers",
        "By {by}: the {shuffler} shuffler is set to {mode}",
        BETTING,
        Permission.SUPERVISE,
    ),
    EventKind("hand-dealing", "shufflers", "By {by}: {why}", BETTING, Permission.SUPERVISE, is_trouble=True),
    EventKind(
        "lost",
        "rounds",
        "The cards of {shuffle} can no longer be read. {why}",
        phases=OPEN_PHASES,
        is_trouble=True,
        is_of_round=True,
    ),
    # Seats
    EventKind("seated", phases=OPEN_PHASES, cage_kind="to-table"),
    EventKind("bought", phases=BETTING, cage_kind="to-table"),
    EventKind("leaving", phases=ROUND_PHASES),
    EventKind("left", phases=OPEN_PHASES, cage_kind="from-table"),
    # A round
    EventKind("standing", phases=(Phase.SETTLING,), names_shuffle=True),  # a snapshot of the whole table
    EventKind("wagered", phases=BETTING),
    EventKind("ready", phases=BETTING),
    EventKind("no-more-bets", phases=BETTING, permission=Permission.DEAL, by_house=True),
    EventKind("dealt", phases=(Phase.NO_MORE_BETS, Phase.CHOOSING, Phase.PAYING)),
    EventKind("choosing", phases=(Phase.DEALING, Phase.PAYING)),
    EventKind("chose", phases=(Phase.CHOOSING,)),
    EventKind("paid", phases=IN_PLAY),  # some wagers, and the round goes on
    EventKind("revealed", phases=IN_PLAY),
    EventKind("settled", phases=(Phase.REVEAL,), ends_round=True),
    EventKind(
        "void",
        "rounds",
        "By {by}: {reason}",
        phases=(Phase.BETTING, *ROUND_PHASES),
        permission=Permission.SUPERVISE,
        by_house=True,
        is_trouble=True,
        is_of_round=True,
        ends_round=True,
    ),
    EventKind("alarm", "rounds", "{alarm}", phases=tuple(Phase), is_trouble=True),
    # Irregularities
    EventKind(
        "irregularity",
        "rounds",
        "{drilled}By {by}: {title}, {hand}; decided: {decision}. {note}",
        phases=CARDS_OUT,
        permission=Permission.SUPERVISE,
        is_trouble=True,
        is_of_round=True,
    ),
    EventKind(  # the house and a player exchange the difference, whenever it is found
        "corrected",
        "rounds",
        "{drilled}By {by}: round {corrects}, seat {seat}, {spot}, from {paid} to {due}:"
        " {cents} to {player}. {reason}",
        phases=tuple(Phase),
        permission=Permission.SUPERVISE,
        is_trouble=True,
        cage_kind="from-table",  # or the other way, or neither: see `cage_move`
    ),
    EventKind("rehearsal", "rounds", "By {by}: a drill of {title}", BETTING, Permission.SUPERVISE),
    EventKind(
        "drill-ended",
        "rounds",
        "By {by}: the drill of {title} ended without its record. {why}",
        OPEN_PHASES,
        Permission.SUPERVISE,
        by_house=True,
    ),
)

CAGE_KINDS = _by_name(
    EventKind("issued"),
    EventKind("renamed"),  # the balance of a guest who chose another name
    EventKind("to-table"),
    EventKind("from-table"),
    EventKind("standing"),  # a snapshot of all balances
)

HOUSE_KINDS = _by_name(
    EventKind("started", "server", "feltlab {version}"),
    EventKind("stopped", "server", "feltlab {version}"),
    EventKind("rolled-back", "server", "{why}", is_trouble=True),  # the ledger is not the one signed before
    EventKind("signed-in", "accounts", "{account}, {role}"),
    EventKind("signed-out"),
    EventKind("sign-in-refused", "accounts", "{account}: {why}", is_trouble=True),
    EventKind("password-changed", "accounts", "{account}, by {by}"),
    EventKind("account-created", "accounts", "{account}, {role}, by {by}", permission=Permission.ADMINISTER),
    EventKind(
        "role-changed",
        "accounts",
        "{account} was {was} and is {role} now; by {by}",
        permission=Permission.ADMINISTER,
    ),
    EventKind(
        "account-disabled",
        "accounts",
        "{account}, by {by}",
        permission=Permission.ADMINISTER,
        is_trouble=True,
    ),
    EventKind("account-enabled", "accounts", "{account}, by {by}", permission=Permission.ADMINISTER),
    EventKind("limits-set"),  # that players set for themselves; auditors do not look at them
    EventKind("limits-moved"),
    EventKind("play-day-noted"),
    EventKind(
        "approval-drafted",
        "approvals",
        "Approval {approval} of {game}, by {by}: {note}",
        permission=Permission.ADMINISTER,
        by_house=True,
    ),
    EventKind(
        "approval-step",
        "approvals",
        "Approval {approval} is {state}, by {by}: {note}",
        permission=Permission.ADMINISTER,
        by_house=True,
    ),
    EventKind(
        "approval-carried-over",
        "approvals",
        "Approval {approval} holds for the same rules with another digest: {why}",
        permission=Permission.ADMINISTER,
        by_house=True,
    ),
    EventKind(
        "approval-lapsed",
        "approvals",
        "Approval {approval} is {state}, by {by}: {note}",
        permission=Permission.ADMINISTER,
        by_house=True,
        is_trouble=True,
    ),
)


def kinds_in(chain: str) -> Mapping[str, EventKind]:
    """The kinds that a chain of the pit may hold, by name."""
    return {HOUSE_CHAIN: HOUSE_KINDS, CAGE_CHAIN: CAGE_KINDS}.get(chain, TABLE_KINDS)


def kind_of(event: Event | Draft) -> EventKind | None:
    """The kind of an event; None if its chain has no such kind."""
    return kinds_in(event.chain).get(event.kind)


def is_act_of_staff(event: Event | Draft) -> bool:
    """Whether somebody did this who needed a permission for it; the house itself needs none."""
    kind = kind_of(event)
    return bool(kind and kind.permission and event.data.get("by", HOUSE_ACTOR) != HOUSE_ACTOR)


def names_of(kinds: Iterable[EventKind], which: Callable[[EventKind], object]) -> tuple[str, ...]:
    """The names of the kinds for which a question is answered yes."""
    return tuple(kind.name for kind in kinds if which(kind))


ROUND_ENDS = names_of(TABLE_KINDS.values(), lambda kind: kind.ends_round)
SHUFFLE_NAMES = names_of(TABLE_KINDS.values(), lambda kind: kind.names_shuffle)
MONEY_MOVES = names_of(TABLE_KINDS.values(), lambda kind: kind.cage_kind)
ACCOUNT = "account"  # where a correction moves a player's money, if the player has no seat at the table


def cage_move(event: Event | Draft) -> tuple[str, int]:
    """The kind and the cents of the cage's event that is written with a table's event; ("", 0) if none is."""
    if event.kind not in MONEY_MOVES or not event.data["cents"]:
        return "", 0
    cents: int = event.data["cents"]
    if event.kind != "corrected":
        return TABLE_KINDS[event.kind].cage_kind, cents
    if event.data["at"] != ACCOUNT:
        return "", 0
    return ("from-table", cents) if cents > 0 else ("to-table", -cents)


SIGNIFICANT_KINDS = {
    kind.name: kind for kind in (*TABLE_KINDS.values(), *HOUSE_KINDS.values()) if kind.is_significant
}
SUBJECTS = ("rounds", "shufflers", "tables", "accounts", "approvals", "server")


def kinds_about(subject: str) -> tuple[str, ...]:
    """The names of the significant kinds under a subject; of all of them, if there is no such subject."""
    about = [name for name, kind in SIGNIFICANT_KINDS.items() if kind.subject == subject]
    return tuple(about or SIGNIFICANT_KINDS)
