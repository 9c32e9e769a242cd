"""Looks for the folders of other modules around its own.

Control: secret.
"""

import os
import re
from pathlib import Path


class HostileManager:
    def attack(self):
        found = []
        around = Path(__file__).resolve().parent.parent
        for folder in [*around.iterdir(), Path("/tmp"), *Path("/tmp").glob("sopforge*")]:
            for file in folder.glob("records.csv"):
                found += re.findall("CANARY-[0-9a-f]{32}", file.read_text())
        for process in os.listdir("/proc"):
            if process.isdigit():
                try:
                    text = Path(f"/proc/{process}/cwd/records.csv").read_text()
                except OSError:
                    continue
                found += re.findall("CANARY-[0-9a-f]{32}", text)
        return found
