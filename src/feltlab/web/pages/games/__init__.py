"""The page of a game, and of an evening at its table, for players."""

from feltlab.web.pages.games import evening, game

PARTS = (evening, game)
