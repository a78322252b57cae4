"""Certificates: proofs in a form that anyone can check without feltlab."""
