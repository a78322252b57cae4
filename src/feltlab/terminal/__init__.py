"""A table for one player at a terminal: `solo_table` holds the game, `screen` and `lines` show it."""
