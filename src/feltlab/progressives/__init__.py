"""Progressive jackpots as data: levels, meters, the hands that win them, the arithmetic of their money."""
