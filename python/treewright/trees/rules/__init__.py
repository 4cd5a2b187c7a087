"""Trees as rules: one for each leaf, and the shorter lists that C4.5 makes of them."""
