"""Proofs: exact laws, the store that keeps them, and advice for one hand."""
