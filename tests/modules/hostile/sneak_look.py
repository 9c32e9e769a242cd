"""Learns size and name of a file outside with the built-in module of the system.

Control: size, each turn.
"""

TURNS = 3


def sneak(name):
    """Return a built-in module, made anew, past every gate on imports."""
    todo, seen = [object], {object}
    while todo:
        kind = todo.pop()
        if kind.__name__ == "BuiltinImporter":
            loaded = kind.load_module.__func__.__globals__["sys"].modules
            kept = loaded.pop(name, None)
            try:
                return kind.load_module(name)
            finally:
                if kept is not None:
                    loaded[name] = kept
        todo += [one for one in type.__subclasses__(kind) if one not in seen]
        seen.update(type.__subclasses__(kind))


class HostileManager:
    def attack(self, *, secret_path, guarded_folder, turn):
        posix = sneak("posix")
        attempts = [
            lambda: posix.stat(secret_path).st_size,
            lambda: posix.lstat(secret_path).st_size,
            lambda: [one.stat().st_size for one in posix.scandir(guarded_folder)],
        ]
        return attempts[turn]()
