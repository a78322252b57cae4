"""The mathematics of progressives: chances, returns, break-even meters, proposals, joint play, simulation."""
