"""Strategies as people read them: complete tables, and the rows of strategy cards."""
