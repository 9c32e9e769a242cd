"""Asks to signal every process there is; with signal 0, which nobody gets.

Control: entered.
"""

import os


class HostileManager:
    def attack(self):
        os.kill(-1, 0)
        return {"entered": ["kill"]}
