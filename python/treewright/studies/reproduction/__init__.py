"""Study: the tables and figures of the published papers, made again, with a verdict for every number."""
