"""Runs generated tools outside of SOPForge's own process, as if they were hostile."""
