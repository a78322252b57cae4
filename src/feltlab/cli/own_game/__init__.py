"""Commands for a game of your own."""
