"""The kinds of events of progressives."""

from feltlab.pit.event_kinds.kind import EventKind, index_kinds
from feltlab.pit.roles import Permission

JACKPOT_KINDS = index_kinds(
    EventKind(
        "link-opened", "progressives", "{link}, by {by}", permission=Permission.SUPERVISE, by_house=True
    ),
    EventKind(
        "table-joined",
        "progressives",
        "{table} feeds {link}, by {by}",
        permission=Permission.SUPERVISE,
        by_house=True,
    ),
    EventKind(
        "table-left",
        "progressives",
        "{table} no longer feeds {link}, by {by}",
        permission=Permission.SUPERVISE,
        by_house=True,
    ),
    EventKind("fed"),  # the bets of a round are locked, and the meters rise
    EventKind(
        "must-hit", "progressives", "{link} at {table}, round {round}: {hit}"
    ),  # likewise, and one wins
    EventKind("bets-returned", "progressives", "{link}: the bets of a void round at {table}"),
    EventKind("won", "progressives", "{link} at {table}, round {round}: {levels}"),
    EventKind(
        "claim-verified",
        "progressives",
        "Claim {claim} of {link}, by {by}",
        permission=Permission.SUPERVISE,
    ),
    EventKind(
        "claim-paid",
        "progressives",
        "Claim {claim} of {link} to {player}: {prize}, by {by}",
        permission=Permission.SUPERVISE,
    ),
    EventKind(
        "claim-refused",
        "progressives",
        "Claim {claim} of {link}, by {by}: {why}",
        permission=Permission.SUPERVISE,
        is_trouble=True,
    ),
    EventKind(
        "funded",
        "progressives",
        "The house pays {prize} into {link}, by {by}. {note}",
        permission=Permission.SUPERVISE,
        by_house=True,
    ),
    EventKind(
        "deposited",
        "progressives",
        "{prize} of {link} is in the bank, receipt {reference}, by {by}",
        permission=Permission.SUPERVISE,
        by_house=True,
    ),
    EventKind(
        "decreased",
        "progressives",
        "{meter} of {link} falls for {reason}, by {by}. {note}",
        permission=Permission.SUPERVISE,
        is_trouble=True,
    ),
    EventKind("link-closed", "progressives", "{link}, by {by}", permission=Permission.SUPERVISE),
    EventKind("standing"),  # a snapshot of all links
)
