"""Pages for people: server-rendered HTML and a few ES modules. No module here knows a rule of any game."""
