//! Layer 2: searches over feature subsets (paper: distinct-trees).
