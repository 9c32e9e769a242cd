"""Prints to the standard streams and warns, which harms nobody."""

import logging
import sys
import warnings


class GoodManager:
    def run(self, *, times):
        for _ in range(times):
            print("a line of forty letters, and a bit longer")
            print("trouble", file=sys.stderr)
        sys.stdout.write("no end of line")
        sys.stdout.flush()
        warnings.warn("careful", stacklevel=1)
        logging.getLogger("tools").warning("logged")
        logging.warning("logged too")
        return times


print("loaded")
