"""Study: feature selections by repeated cross-validation."""
