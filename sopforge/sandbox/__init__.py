"""Runs generated tools outside of SOPForge's own process."""
