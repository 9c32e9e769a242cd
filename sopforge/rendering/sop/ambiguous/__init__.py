"""Words rules so that careless readers misread them, and careful ones do not."""
