"""Has the words of a file outside printed as if they were its own source.

Control: secret.
"""

import traceback


class HostileManager:
    def attack(self, *, secret_path):
        try:
            exec(compile("1 / 0", secret_path, "exec"))
        except ZeroDivisionError:
            return traceback.format_exc()[:10000]
