"""The custody of a pit: restored backups, keys that change, and acts that need two persons."""
