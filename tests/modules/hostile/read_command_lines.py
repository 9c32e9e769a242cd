"""Looks for a secret among the arguments of all processes.

Control: secret.
"""

import os
import re


class HostileManager:
    def attack(self):
        found = []
        for process in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{process}/cmdline") as line:
                    found += re.findall("CANARY-[0-9a-f]{32}", line.read())
            except OSError:
                continue
        return found
