"""Imports what it needs only when it is called, as people do against slow starts."""


class GoodManager:
    def run(self, *, how):
        return getattr(self, how)()

    def statistics(self):
        import statistics

        return statistics.median([3, 1, 2])

    def strptime(self):
        from datetime import datetime

        return datetime.strptime("01/02/2024", "%d/%m/%Y").strftime("%Y-%m-%d")

    def decimals(self):
        from decimal import Decimal

        return str(Decimal("1.10") + 1)

    def fractions(self):
        from fractions import Fraction

        return str(Fraction(6, 4))

    def difflib(self):
        import difflib

        return difflib.get_close_matches("colr", ["color", "cold"])[0]

    def calendar(self):
        import calendar

        return calendar.timegm((1970, 1, 2, 0, 0, 0))

    def heaps(self):
        import bisect
        import heapq

        return [heapq.nsmallest(1, [3, 2])[0], bisect.bisect_left([1, 3], 2)]

    def pprint(self):
        import pprint

        return pprint.pformat({"b": 1, "a": [2]})

    def json_inside(self):
        import json as j

        return j.loads("[1]")

    def typing(self):
        import typing

        return typing.get_origin(list[int]).__name__

    def traceback(self):
        import traceback

        try:
            1 / 0
        except ZeroDivisionError:
            return traceback.format_exc().splitlines()[-1]

    def time(self):
        import time

        return time.strftime("%Y", time.gmtime(0))

    def secrets_compare(self):
        import secrets

        return secrets.compare_digest("a", "b")

    def xml(self):
        import xml.etree.ElementTree as tree

        return tree.fromstring("<a><b>1</b></a>").find("b").text

    def locale(self):
        import locale

        return locale.localeconv()["decimal_point"]

    def inspect(self):
        import inspect

        return list(inspect.signature(self.run).parameters)

    def ast(self):
        import ast

        return ast.literal_eval("{'a': (1, 2)}")["a"][1]

    def colorsys(self):
        import colorsys

        return colorsys.rgb_to_hsv(1, 0, 0)[2]

    def threading(self):
        import threading

        local, lock = threading.local(), threading.RLock()
        with lock, lock, threading.Lock():
            local.value = 3
        return local.value

    def not_there(self):
        try:
            import numpy_of_nobody  # noqa: F401
        except ImportError as raised:
            return str(raised)
