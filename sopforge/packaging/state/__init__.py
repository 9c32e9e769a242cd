"""A package with tables as data: frames and tools, requests, and gold, each with its shape."""
