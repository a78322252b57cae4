"""The floor: pages for dealers, supervisors, auditors and administrators."""

from feltlab.web.pages.floor import (
    accounts,
    dealing,
    events,
    irregularities,
    ledger,
    open_table,
    overview,
    requests,
    shufflers,
    table,
)

PARTS = (
    *(overview, dealing, irregularities, shufflers, table),
    *(open_table, accounts, events, ledger, requests),
)
