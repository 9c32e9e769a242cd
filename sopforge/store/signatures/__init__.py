"""Signs decisions and releases with SSH keys, and verifies the signatures."""
