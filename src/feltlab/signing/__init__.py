"""Signatures that OpenSSH can check, of files and of folders with a manifest."""
