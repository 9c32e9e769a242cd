"""Commands that check packages, releases, texts and this machine."""
