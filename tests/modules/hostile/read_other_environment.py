"""Looks for a secret in the environment of other processes.

Control: secret.
"""

import re


class HostileManager:
    def attack(self, *, victim_pid):
        with open(f"/proc/{victim_pid}/environ") as environment:
            return re.findall("CANARY-[0-9a-f]{32}", environment.read())
