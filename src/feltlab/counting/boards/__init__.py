"""Games with five community cards: every board up to suits, with all hole cards in order of strength."""
