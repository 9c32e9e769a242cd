"""Results entered on file before they are stated: a layer whose end state is compared whole."""
