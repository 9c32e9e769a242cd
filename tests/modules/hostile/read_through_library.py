"""Reads a file outside through parts of the library that open files for others.

Control: secret, each turn.
"""

import os
from importlib import import_module as load

TURNS = 7


class HostileManager:
    def attack(self, *, secret_path, empty_folder, turn):
        attempts = [
            lambda: load("importlib.machinery").SourceFileLoader("a", secret_path).get_data(secret_path)[:99],
            lambda: load("linecache").getlines(secret_path),
            lambda: load("tokenize").open(secret_path).read(100),
            lambda: next(iter(load("fileinput").input([secret_path], mode="rb")))[:99],
            lambda: load("urllib.request").urlopen("file://" + secret_path).read(100),
            lambda: load("mmap").mmap(os.open(secret_path, 0), 4096, prot=load("mmap").PROT_READ)[:99],
            lambda: open(load("shutil").copy(secret_path, empty_folder), "rb").read(99),
        ]
        return str(attempts[turn]())[:1000]
