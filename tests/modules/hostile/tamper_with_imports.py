"""Answers every import to come with a module of its own.

Control: spread.
"""

import importlib.abc
import importlib.machinery
import sys


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        return importlib.machinery.ModuleSpec(name, self)

    def exec_module(self, module):
        module.FORGED = 1


class HostileManager:
    def attack(self):
        sys.meta_path.insert(0, Finder())
        for name in ("decimal", "_decimal", "_strptime"):
            sys.modules.pop(name, None)
        sys.modules["neighbour"].decimal = __import__("decimal") if "neighbour" in sys.modules else 0
        return 1
