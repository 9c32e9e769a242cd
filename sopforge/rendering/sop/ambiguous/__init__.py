"""Words that a careless reader of an SOP takes otherwise, and what they say all the same."""
