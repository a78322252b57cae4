"""Work in parts, on the cores of this machine or on a cluster. Nothing here knows a game."""
