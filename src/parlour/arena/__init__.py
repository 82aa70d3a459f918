"""How strong opponents are: each plays each, and ratings are fitted to what came of it."""
