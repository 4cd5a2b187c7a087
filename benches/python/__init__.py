"""The comparison with peers, through Python."""
