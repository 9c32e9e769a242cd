"""Leaves another program that it started.

Control: left.
"""

import subprocess


class HostileManager:
    def attack(self):
        nowhere = subprocess.DEVNULL
        subprocess.Popen(
            ["sleep", "10"], stdin=nowhere, stdout=nowhere, stderr=nowhere, start_new_session=True
        )
        return 1
