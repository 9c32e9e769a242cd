"""Never answers: a pattern that tries every split of the text.

Control: late.
"""

import re


class HostileManager:
    def attack(self):
        return bool(re.match(r"(a|aa|a+)+$", "a" * 60 + "b"))
