"""Creates a file outside when its process ends.

Control: created.
"""

import atexit
import sys


class HostileManager:
    def attack(self, *, empty_folder, turn=0):
        atexit.register(lambda: open(empty_folder + "/mine", "w").write("mine"))
        sys.exitfunc = lambda: open(empty_folder + "/mine2", "w").write("mine")
        return 1
