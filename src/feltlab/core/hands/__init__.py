"""What cards are worth: poker, three-card poker, rummy points, blackjack totals. Nothing here knows money."""
