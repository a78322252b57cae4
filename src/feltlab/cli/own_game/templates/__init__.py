"""Templates of a game of your own, which `feltlab new` writes."""
