"""The value of hands: poker, three cards, longest suits, rummy, blackjack. Nothing here knows money."""
