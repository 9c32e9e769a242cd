"""Commands that check packages, releases, SOPs and this machine."""
