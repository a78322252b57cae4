"""Progressives at live tables: links of tables, their meters and claims, and their money on the ledger."""
