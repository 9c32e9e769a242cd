"""Learns names in a folder outside with the built-in module of the system.

Control: secret, each turn.
"""

TURNS = 2


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
    def attack(self, *, guarded_folder, turn):
        posix = sneak("posix")
        if turn:
            return [one.name for one in posix.scandir(guarded_folder)]
        return posix.listdir(guarded_folder)
