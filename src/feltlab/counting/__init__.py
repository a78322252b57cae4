"""Combinatorics for solvers: classes of hands up to suits, card removal, showdowns."""
