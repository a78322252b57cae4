"""The pit: live tables with a shuffler, a ledger, approvals and accounts, served over HTTP and WebSocket."""
