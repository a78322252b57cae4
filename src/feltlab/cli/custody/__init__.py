"""Commands for the custody of a pit: backups, keys, requests."""
