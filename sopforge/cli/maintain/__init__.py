"""Commands that check and clean a store, and manage its signers."""
