"""What comes from strangers: their files are opened so that nothing else is read with them."""
