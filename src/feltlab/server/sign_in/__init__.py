"""Signing in with a second factor: challenges of passkeys, the site that asks, proofs, and the models."""
