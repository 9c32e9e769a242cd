"""Changes the variables of the frames above it: names, numbers, limits.

Control: spread.
"""

import sys


class HostileManager:
    def attack(self):
        frame = sys._getframe(1)
        while frame is not None:
            for scope in (frame.f_globals, frame.f_builtins):
                for name in list(scope):
                    if name.isupper() and isinstance(scope[name], int):
                        scope[name] = 10**9
                    elif name in ("_answer", "_flaw", "check", "sum"):
                        scope[name] = lambda *_, **__: None
            frame = frame.f_back
        return 1
