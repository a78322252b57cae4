"""The shufflers of a table: their state, the acts at them, their log, and the checks of all that."""
