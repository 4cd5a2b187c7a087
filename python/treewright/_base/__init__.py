"""What every room rests on: parameters, numbers, errors, progress. Knows no tree and no data."""
