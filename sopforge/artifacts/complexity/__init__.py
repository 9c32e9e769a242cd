"""Makes a domain harder, level by level, without changing its answers."""
