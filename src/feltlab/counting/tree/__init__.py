"""The general prover: every deal of a game, class by class, through the game's own rules."""
