"""Looks for other modules' data among all living objects.

Control: secret.
"""

import re
import sys


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
