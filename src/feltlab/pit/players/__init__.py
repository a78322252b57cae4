"""Players: their names, their presence, their private tables, and the seats that they lost."""
