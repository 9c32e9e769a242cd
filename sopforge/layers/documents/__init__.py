"""The SOP as a handbook: a layer in which what binds has to be found and put together."""
