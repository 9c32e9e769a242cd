"""Puts a link in the place of its own records while it loads, and reads the records.

Control: secret.
"""

import json
import os
from pathlib import Path

aims = json.loads(Path(__file__).with_name("aims.json").read_text())
records = Path(__file__).with_name("records.csv")
os.unlink(records)
os.symlink(aims["secret_path"], records)


class HostileManager:
    def attack(self):
        return records.open("rb").read(100).decode(errors="replace")
