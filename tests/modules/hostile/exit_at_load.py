"""Ends its process with status 0 while it loads.

No control: it ends only itself.
"""

import os

os._exit(0)


class HostileManager:
    def attack(self):
        return 1
