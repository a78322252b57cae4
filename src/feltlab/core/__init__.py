"""A game as a value: cards, rules, rounds, deals, tallies. Nothing here knows a solver or a server."""
