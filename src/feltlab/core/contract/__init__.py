"""The contract of rules: checked without a card, then tried on random cards."""
