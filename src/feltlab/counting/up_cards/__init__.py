"""The prover of games of one wager against a dealer who shows three of six cards before the choice."""
