"""Every kind of event that a pit records, with everything that is known about the kind, once.

The ledger writes any kind. This registry says which kinds there are, and each module that asks something
about a kind (may it happen in this phase, does it end a round, who may do it) queries the registry.
Names of kinds are on record in every ledger and never change.
"""

from collections.abc import Callable, Iterable, Mapping

from feltlab.ledger.event import CAGE_CHAIN, HOUSE_ACTOR, HOUSE_CHAIN, JACKPOT_CHAIN, Draft, Event
from feltlab.pit.event_kinds.jackpots import JACKPOT_KINDS
from feltlab.pit.event_kinds.kind import EventKind, index_kinds
from feltlab.pit.roles import Permission
from feltlab.pit.seats import OPEN_PHASES, ROUND_PHASES, Phase

BETTING = (Phase.BETTING,)
IN_PLAY = (Phase.DEALING, Phase.CHOOSING, Phase.PAYING)
CARDS_OUT = (Phase.DEALING, Phase.CHOOSING, Phase.PAYING, Phase.REVEAL)


def _by_side(name: str, sentence: str, is_trouble: bool = False) -> EventKind:
    """A kind of event about approvals."""
    allowed = {"permission": Permission.ADMINISTER, "by_house": True, "is_by_side": True}
    return EventKind(name, "approvals", sentence, is_trouble=is_trouble, **allowed)  # type: ignore[arg-type]


TABLE_KINDS = index_kinds(
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
    EventKind("seed-sealed", phases=BETTING),  # the digest of a seed that a seat reveals later
    EventKind("seeded", phases=(Phase.BETTING, Phase.NO_MORE_BETS)),  # a seat's own seed mixes the cards
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
    EventKind("jackpot-sensor", phases=BETTING),  # a seat puts its bet on a progressive, or takes it back
    EventKind("jackpot-bet", phases=BETTING, cage_kind="from-table"),  # the bet is locked
    EventKind(
        "jackpot-mismatch",
        "progressives",
        "By {by}: {counted} bets counted, {sensors} sensors lit",
        BETTING,
        Permission.DEAL,
        is_trouble=True,
        is_of_round=True,
    ),
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
    EventKind(
        "held",
        "rounds",
        "By {by}, for request {request}, for {seconds} seconds at most",
        CARDS_OUT,
        Permission.SUPERVISE,
        is_of_round=True,
    ),
    EventKind("hold-ended", "rounds", "Request {request}: {why}", CARDS_OUT, is_of_round=True),
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

CAGE_KINDS = index_kinds(
    EventKind("issued"),
    EventKind("renamed"),  # the balance of a guest who chose another name
    EventKind("to-table"),
    EventKind("from-table"),
    EventKind("jackpot-paid"),  # from the account of a progressive to a player's
    EventKind("standing"),  # a snapshot of all balances
)

HOUSE_KINDS = index_kinds(
    EventKind("started", "server", "feltlab {version}"),
    EventKind("stopped", "server", "feltlab {version}"),
    EventKind("ledger-upgraded", "server", "Events are linked across chains from here on: form {schema}"),
    EventKind("tip-signed", "server", "The last event is signed from here on, with the key {key}"),
    EventKind(  # somebody else may have written or taken out events while no server ran
        "unsigned-accepted", "server", "The ledger is accepted as it is: {why}", is_trouble=True
    ),
    EventKind(
        "clock-set-back",
        "server",
        "The clock shows {clock}; moments go on after {last}, the last one on record",
        is_trouble=True,
    ),
    EventKind("rolled-back", "server", "{why}", is_trouble=True),  # the ledger is not the one signed before
    EventKind(  # somebody went back to a backup: cards to come may have been seen since it was made
        "restored", "server", "From the backup of {made}, {events} events; lost: {lost}", is_trouble=True
    ),
    EventKind(
        "key-rotated",
        "server",
        "A new key of the {key}, by {by}",
        permission=Permission.ADMINISTER,
        by_house=True,
    ),
    EventKind("archived", "server", "Events before {before} are in the archive {file} ({sha256})"),
    EventKind("two-persons", "server", "Acts that can hurt need two persons: {on}"),
    EventKind("requested", "requests", "Request {request} by {by}: {act}"),
    EventKind("request-confirmed", "requests", "Request {request} is confirmed by {by}"),
    EventKind("request-denied", "requests", "Request {request} is denied by {by}: {why}"),
    EventKind("request-refused", "requests", "Request {request}, confirmed by {by}, is refused: {why}"),
    EventKind("key-lost", "server", "The key of the {key}. {why}", is_trouble=True),
    EventKind("disk-low", "server", "{free_mb} MB free: no new rounds begin", is_trouble=True),
    EventKind("disk-freed", "server", "{free_mb} MB free: rounds begin again"),
    EventKind("signed-in", "accounts", "{account}, {role}"),
    EventKind("signed-out"),
    EventKind("sign-in-refused", "accounts", "{account}: {why}", is_trouble=True),
    EventKind("second-factor-enrolled", "accounts", "{account}"),
    EventKind("passkey-registered", "accounts", "{account}: {name}, for {host}"),
    EventKind("passkey-removed", "accounts", "{account}: {name}"),
    EventKind("second-factor-used"),
    EventKind("second-factor-reset", "accounts", "{account}, by {by}", permission=Permission.ENROL),
    EventKind(
        "password-changed",
        "accounts",
        "{account}, by {by}",
        permission=Permission.ENROL,  # or the account's own
        by_house=True,
    ),
    EventKind("password-rehashed"),  # the same password, hashed with newer parameters
    EventKind(
        "accounts-adopted", "accounts", "{count} accounts of an old ledger are bound to it from now on"
    ),
    EventKind("code-made", "accounts", "For the first account of a {role}, until {expires}", is_trouble=True),
    EventKind("account-created", "accounts", "{account}, {role}, by {by}", permission=Permission.ENROL),
    EventKind(
        "role-changed",
        "accounts",
        "{account} was {was} and is {role} now; by {by}",
        permission=Permission.ENROL,
    ),
    EventKind(
        "account-disabled",
        "accounts",
        "{account}, by {by}",
        permission=Permission.ENROL,
        is_trouble=True,
    ),
    EventKind("account-enabled", "accounts", "{account}, by {by}", permission=Permission.ENROL),
    EventKind("limits-set"),  # that players set for themselves; auditors do not look at them
    EventKind("limits-moved"),
    EventKind("play-day-noted"),
    # Approvals: the permission is that of the side which took the step
    EventKind("sides-adopted", "approvals", "From feltlab {version} on each step is taken by its own side"),
    _by_side("approval-drafted", "Approval {approval} of {game}, by {by}: {note}"),
    _by_side("approval-step", "Approval {approval} is {state}, by {by}: {note}"),
    _by_side("condition-filed", "Approval {approval}, {condition}, version {version}, by {by}"),
    _by_side("filing-withdrawn", "Approval {approval}, {condition}, by {by}: {note}", is_trouble=True),
    _by_side(
        "approval-carried-over", "Approval {approval} holds for the same rules with another digest: {why}"
    ),
    _by_side("approval-lapsed", "Approval {approval} is {state}, by {by}: {note}", is_trouble=True),
    _by_side("game-submitted", "{game} by {maker}, submission {reference}, by {by}: {note}"),
    _by_side("game-step", "Maker's approval {submission} is {state}, by {by}: {note}"),
    _by_side(
        "game-carried-over",
        "Maker's approval {submission} holds for the same rules with another digest: {why}",
    ),
    _by_side("game-lapsed", "Maker's approval {submission} is {state}, by {by}: {note}", is_trouble=True),
    _by_side("licence-recorded", "Licence {licence} of {maker}, by {by}"),
    _by_side("licence-ended", "Licence {licence}, by {by}: {note}", is_trouble=True),
    _by_side("model-approved", "The {model} of {maker}, by {by}"),
    _by_side("model-ended", "The {model}, by {by}: {note}", is_trouble=True),
)


_KINDS_OF_CHAINS = {
    HOUSE_CHAIN: HOUSE_KINDS,
    CAGE_CHAIN: CAGE_KINDS,
    JACKPOT_CHAIN: JACKPOT_KINDS,
}  # all others are tables


def kinds_in(chain: str) -> Mapping[str, EventKind]:
    """The kinds that a chain of the pit may hold, by name."""
    return _KINDS_OF_CHAINS.get(chain, TABLE_KINDS)


def kind_of(event: Event | Draft) -> EventKind | None:
    """The kind of an event; None if its chain has no such kind."""
    return kinds_in(event.chain).get(event.kind)


def is_act_of_staff(event: Event | Draft) -> bool:
    """Whether somebody did this who needed a permission for it; the house itself needs none."""
    if event.data.get("by", HOUSE_ACTOR) == HOUSE_ACTOR:
        return False
    kind = kind_of(event)
    return bool(kind and kind.permission)


def names_of(kinds: Iterable[EventKind], which: Callable[[EventKind], object]) -> tuple[str, ...]:
    """The names of the kinds for which a question is answered yes."""
    return tuple(kind.name for kind in kinds if which(kind))


ROUND_ENDS = names_of(TABLE_KINDS.values(), lambda kind: kind.ends_round)
SHUFFLE_NAMES = names_of(TABLE_KINDS.values(), lambda kind: kind.names_shuffle)
MONEY_MOVES = frozenset(names_of(TABLE_KINDS.values(), lambda kind: kind.cage_kind))
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
    kind.name: kind
    for kind in (*TABLE_KINDS.values(), *HOUSE_KINDS.values(), *JACKPOT_KINDS.values())
    if kind.is_significant
}
SUBJECTS = ("rounds", "shufflers", "tables", "progressives", "accounts", "approvals", "requests", "server")


def kinds_about(subject: str) -> tuple[str, ...]:
    """The names of the significant kinds under a subject; of all of them, if there is no such subject."""
    about = [name for name, kind in SIGNIFICANT_KINDS.items() if kind.subject == subject]
    return tuple(about or SIGNIFICANT_KINDS)
