"""What several studies share: sources of data, folds, progress, reports."""
