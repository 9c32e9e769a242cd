"""Opens files from strangers safely, without reading anything outside of them."""
