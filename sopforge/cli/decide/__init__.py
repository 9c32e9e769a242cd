"""Commands that let people review, edit and decide on what waits at a gate."""
