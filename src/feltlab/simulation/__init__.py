"""Random rounds through the rules that are dealt, and the comparison of their results with a proof."""
