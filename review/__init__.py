"""The review pages: what people see at a gate, and decide, in a browser."""
