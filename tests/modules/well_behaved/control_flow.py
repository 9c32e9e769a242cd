"""Matches, generates, manages contexts, recurses and locks."""

from __future__ import annotations

import contextlib
import ipaddress
import threading
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass

assert __name__ != "__main__"


@dataclass
class Point:
    x: int
    y: int


class Guard:
    def __init__(self, log):
        self.log = log

    def __enter__(self):
        self.log.append("in")
        return self

    def __exit__(self, kind, *_):
        self.log.append(kind.__name__ if kind else "out")
        return kind is KeyError


class GoodManager:
    __slots__ = ("lock", "local", "__weakref__")

    def __init__(self):
        self.lock = threading.RLock()
        self.local = threading.local()

    def run(self, *, how, value=None):
        return getattr(self, how)(value)

    def match(self, value):
        match value:
            case {"kind": "order", "items": [first, *rest]} if rest:
                return f"order of {first} and {len(rest)} more"
            case [int(a), int(b)] | {"pair": [int(a), int(b)]}:
                return a + b
            case str() as text:
                return text.upper()
            case None | False:
                return "nothing"
            case _:
                return "other"

    def match_class(self, value):
        match Point(*value):
            case Point(x=0, y=y):
                return f"on the axis at {y}"
            case Point(x, y) if x == y:
                return "on the diagonal"
        return "anywhere"

    def guards(self, value):
        log = []
        with Guard(log), Guard(log):
            raise KeyError("gone")
        with suppress(ZeroDivisionError), self.logged(log):
            1 / 0
        with ExitStack() as stack:
            stack.callback(log.append, "last")
        with contextlib.redirect_stdout(__import__("io").StringIO()) as out:
            print("kept")
        return [*log, out.getvalue()]

    @contextmanager
    def logged(self, log):
        log.append("start")
        try:
            yield
        finally:
            log.append("end")

    def generators(self, value):
        def echo():
            got = yield 1
            yield got * 2
            return 7

        def outer():
            result = yield from echo()
            yield result

        one = outer()
        return [next(one), one.send(21), next(one), sum(n * n for n in range(4))]

    def deep(self, value):
        return 0 if value == 0 else 1 + self.deep(value - 1)

    def locked(self, value):
        with self.lock, self.lock:
            self.local.value = 3
        with threading.Lock():
            return self.local.value

    def addresses(self, value):
        net = ipaddress.ip_network("192.168.0.0/30")
        return [str(host) for host in net.hosts()] + [ipaddress.ip_address("::1").is_loopback]

    def walrus(self, value):
        return [half for n in range(6) if (half := n / 2) == int(half)]


if __name__ == "__main__":
    raise SystemExit("not reached")
