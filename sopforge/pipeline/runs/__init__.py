"""Plans, previews and runs one domain, and starts its next run after a decision."""
