"""Trees: the one tree type, its text and JSON, the estimators that grow it, and the rules that prune it."""
