"""What exact solvers share: the law that they return, suit symmetry, progress."""
