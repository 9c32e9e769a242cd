"""Creates a file outside while it loads.

Control: created.
"""

import json
from pathlib import Path

aims = json.loads(Path(__file__).with_name("aims.json").read_text())
Path(aims["empty_folder"], "mine").write_text("mine")


class HostileManager:
    def attack(self):
        return 1
