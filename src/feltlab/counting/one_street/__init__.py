"""Games with one choice: from counts by class of the cards that the player sees to a whole solver."""
