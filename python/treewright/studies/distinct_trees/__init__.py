"""Study: how many distinct trees there are, and what finding them takes."""
