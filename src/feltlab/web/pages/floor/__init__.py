"""The floor: pages for dealers, supervisors, auditors and administrators."""

from feltlab.web.pages.floor import (
    accounts,
    approvals,
    dealing,
    events,
    ledger,
    open_table,
    overview,
    shufflers,
    table,
)

PARTS = (overview, dealing, shufflers, table, open_table, approvals, accounts, events, ledger)
