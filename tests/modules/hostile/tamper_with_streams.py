"""Replaces the standard streams and hooks, and leaves words in them for later.

No control: whether they come out is a matter of the runner.
"""

import io
import sys


class Stream(io.StringIO):
    def write(self, text):
        raise KeyboardInterrupt

    flush = close = write


class HostileManager:
    def attack(self):
        for name in ("stdin", "stdout", "stderr", "__stdout__", "__stderr__"):
            setattr(sys, name, Stream())
        sys.excepthook = sys.unraisablehook = sys.displayhook = Stream().write
        return 1

    def honest(self, *, number):
        print("words")
        return number + 1
