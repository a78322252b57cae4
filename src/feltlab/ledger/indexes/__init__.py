"""The indexes of events: those that an old ledger lacks, and queries that use them."""
