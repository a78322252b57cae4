"""The value of hands: poker, three-card poker, rummy points, blackjack totals. Nothing here knows money."""
