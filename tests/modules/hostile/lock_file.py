"""Locks a file outside against others.

Control: entered.
"""

import fcntl


class HostileManager:
    def attack(self, *, secret_path):
        with open(secret_path, "rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return {"entered": ["locked"]}
