"""Reaches functions that open files without an import, through the classes of everything.

Control: secret, each turn.
"""

TURNS = 3


def classes():
    todo, seen = [object], set()
    while todo:
        for one in type.__subclasses__(todo.pop()):
            if one not in seen:
                seen.add(one)
                todo.append(one)
    return seen


class HostileManager:
    def attack(self, *, secret_path, turn):
        for one in classes():
            if turn == 0 and one.__name__ == "FileIO":
                return one(secret_path).read(100).decode(errors="replace")
            scope = getattr(getattr(one, "__init__", None), "__globals__", {})
            if turn == 1 and "popen" in scope:
                return scope["popen"](f"head -c 100 '{secret_path}'").read()
            if turn == 2 and one.__name__ == "BuiltinImporter":
                posix = one.load_module("posix")
                return posix.read(posix.open(secret_path, 0), 100).decode(errors="replace")
        return None
