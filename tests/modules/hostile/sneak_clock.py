"""Asks the kernel to set a clock that cannot be set, with the built-in module of time.

Control as root: entered.
"""

import time as ours


def sneak(name):
    """Return a built-in module, made anew, past every gate on imports."""
    todo, seen = [object], {object}
    while todo:
        kind = todo.pop()
        if kind.__name__ == "BuiltinImporter":
            loaded = kind.load_module.__func__.__globals__["sys"].modules
            kept = loaded.pop(name, None)
            try:
                return kind.load_module(name)
            finally:
                if kept is not None:
                    loaded[name] = kept
        todo += [one for one in type.__subclasses__(kind) if one not in seen]
        seen.update(type.__subclasses__(kind))


class HostileManager:
    def attack(self):
        time = sneak("time")
        try:
            time.clock_settime(ours.CLOCK_MONOTONIC, 1.0)
        except OSError as raised:
            refused_by_right = 1
            return {"entered": [] if raised.errno == refused_by_right else [str(raised)]}
