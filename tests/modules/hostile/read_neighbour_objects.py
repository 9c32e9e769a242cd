"""Looks for other modules' data among all living objects.

Control: secret.
"""

import re
import sys


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
        found, seen = set(), set()
        todo = [sneak("gc").get_objects(), list(sys.modules.values())]
        while todo:
            one = todo.pop()
            if id(one) in seen or len(seen) > 300_000:
                continue
            seen.add(id(one))
            if type(one) in (str, bytes, bytearray):
                text = one if type(one) is str else one.decode("latin-1")
                found |= set(re.findall("CANARY-[0-9a-f]{32}", text))
            elif type(one) in (list, tuple):
                todo += one
            else:
                todo += sneak("gc").get_referents(one)
        return sorted(found)
