"""Commands that publish, draw, fetch and yank releases."""
