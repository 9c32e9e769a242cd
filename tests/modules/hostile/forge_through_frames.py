"""Finds what sends its answers among the frames above it, and sends more with it.

Control: forged.
"""

import sys


class HostileManager:
    def attack(self):
        frame, tried = sys._getframe(1), 0
        while frame is not None:
            for name, one in [*frame.f_globals.items(), *frame.f_locals.items()]:
                if callable(one) and any(part in name for part in ("send", "write", "reply")):
                    for words in ((2, {"value": "FORGED"}), ({"n": 2, "value": "FORGED"},)):
                        try:
                            one(*words)
                            tried += 1
                        except Exception:
                            continue
                for method in ("write", "send", "sendall"):
                    try:
                        getattr(one, method)(b'{"n": 2, "value": "FORGED"}\n')
                        tried += 1
                    except Exception:
                        continue
            frame = frame.f_back
        return 1

    def honest(self, *, number):
        return number + 1
