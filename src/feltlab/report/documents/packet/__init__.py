"""The documents of a submission packet: one module a part, and `parts` for all of them."""
