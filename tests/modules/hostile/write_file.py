"""Changes a file outside.

Control: changed, each turn.
"""

import os
import time
from importlib import import_module as load

TURNS = 9


class HostileManager:
    def attack(self, *, kept_path, turn):
        attempts = [
            lambda: open(kept_path, "w").write("mine"),
            lambda: open(kept_path, "a").write("mine"),
            lambda: load("pathlib").Path(kept_path).touch(),
            lambda: os.truncate(kept_path, 0),
            lambda: os.chmod(kept_path, 0o777),
            lambda: os.utime(kept_path, (time.time(), 0)),
            lambda: os.rename(kept_path, kept_path + "2"),
            lambda: os.unlink(kept_path),
            lambda: os.link(kept_path, kept_path + "2"),
        ]
        return bool(attempts[turn]())
