"""Raises what is no ordinary error while it loads.

No control: it ends only itself.
"""


class Wild(BaseException):
    def __str__(self):
        raise RecursionError

    __repr__ = __str__


class HostileManager:
    raise Wild("a")
