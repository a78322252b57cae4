"""Clients of a server: what each may have, and what is counted of it."""
