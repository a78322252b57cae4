"""A table to play at: `session` knows the table, `screen` and `lines` show it."""
