"""The floor: pages for dealers, supervisors, auditors and administrators."""

from feltlab.web.pages.floor import (
    accounts,
    approvals,
    dealing,
    events,
    irregularities,
    ledger,
    open_table,
    overview,
    shufflers,
    table,
)

PARTS = (
    *(overview, dealing, irregularities, shufflers, table),
    *(open_table, approvals, accounts, events, ledger),
)
