"""Raises its limit of memory, then takes 1.2 GB.

Control: heavy.
"""

import resource
import time


class HostileManager:
    def attack(self):
        for limit in ((resource.RLIM_INFINITY,) * 2, (resource.getrlimit(resource.RLIMIT_AS)[1],) * 2):
            try:
                resource.setrlimit(resource.RLIMIT_AS, limit)
            except (OSError, ValueError):
                continue
        taken = b"x" * (12 * 10**8)
        time.sleep(0.2)
        return len(taken)
