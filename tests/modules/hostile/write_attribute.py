"""Hangs an attribute on a file outside.

Control: changed.
"""

import os


class HostileManager:
    def attack(self, *, kept_path):
        os.setxattr(kept_path, "user.mine", b"1")
        return os.listxattr(kept_path)
