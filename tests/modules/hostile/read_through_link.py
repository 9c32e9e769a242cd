"""Reads a file outside through a link that it puts beside itself.

Control: secret, each turn.
"""

import os
from pathlib import Path

TURNS = 2


class HostileManager:
    def attack(self, *, secret_path, turn):
        beside = Path(__file__).with_name("more.csv")
        (os.symlink, os.link)[turn](secret_path, beside)
        return beside.open("rb").read(100).decode(errors="replace")
