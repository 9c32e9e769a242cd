"""Signatures of decisions and releases with SSH keys."""
