"""Builds one version of a stage: writes, edits and checks it, and passes it to its gate."""
