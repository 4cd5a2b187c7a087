"""Trees written for other programs: one neutral program of tests, and a file for each format."""
