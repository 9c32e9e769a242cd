"""Lists offices, services and sentences that fit any trade and decide no case."""
