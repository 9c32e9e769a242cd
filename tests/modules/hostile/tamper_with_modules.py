"""Puts modules of its own in the place of the library's, for whoever imports next.

Control: spread.
"""

import sys
import types


class HostileManager:
    def attack(self):
        import datetime
        import re

        re.findall = lambda *_: ["FORGED"]
        datetime.date = types.SimpleNamespace
        for name in ("decimal", "csv", "re", "json", "copy", "math"):
            sys.modules[name] = types.ModuleType(name)
        return 1
