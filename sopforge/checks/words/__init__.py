"""Words and characters by which texts are judged, whatever they are part of."""
