"""Makes right and wrong calls with which SOPForge tests tools."""
