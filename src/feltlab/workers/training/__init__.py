"""The trainer: decisions with their exact values, the rows of the strategy card, and drills."""
