"""Feature selectors: backward elimination, forward selection and complete search."""
