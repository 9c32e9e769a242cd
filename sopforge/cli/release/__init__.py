"""Commands that write, draw, fetch and yank releases."""
