"""Side bets that several games offer, with their pay tables."""
