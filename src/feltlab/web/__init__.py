"""The browser's side of a pit: server-rendered pages and a few ES modules; no rule of any game."""
