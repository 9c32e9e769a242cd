"""Commands that check, clean and migrate a store, and manage its signers."""
