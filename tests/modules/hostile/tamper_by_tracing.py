"""Follows every step of whoever runs after it, and changes what they see.

Control: spread, each turn.
"""

import sys

TURNS = 2


class HostileManager:
    def attack(self, *, turn):
        def trace(frame, event, value):
            if frame.f_code.co_name == "look_up":
                frame.f_trace = None
                sys.settrace(None)
                sys.setprofile(None)
                raise ValueError("FORGED")
            return trace

        (sys.settrace, sys.setprofile)[turn](trace)
        return 1
