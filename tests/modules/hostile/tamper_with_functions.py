"""Rewrites the code of functions that it finds among all objects.

Control: spread.
"""

import types


class HostileManager:
    def attack(self):
        def forged(*_, **__):
            return "FORGED"

        for one in sneak("gc").get_objects():
            if type(one) is types.FunctionType and one.__name__ == "look_up":
                one.__code__ = forged.__code__
        return 1
