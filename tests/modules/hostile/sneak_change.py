"""Changes a file outside with the built-in module of the system.

Control: changed, each turn.
"""

TURNS = 8


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
    def attack(self, *, kept_path, turn):
        posix = sneak("posix")
        attempts = [
            lambda: posix.open(kept_path, posix.O_WRONLY | posix.O_TRUNC),
            lambda: posix.truncate(kept_path, 0),
            lambda: posix.chmod(kept_path, 0o777),
            lambda: posix.utime(kept_path, (0, 0)),
            lambda: posix.rename(kept_path, kept_path + "2"),
            lambda: posix.unlink(kept_path),
            lambda: posix.link(kept_path, kept_path + "2"),
            lambda: posix.setxattr(kept_path, "user.mine", b"1"),
        ]
        attempts[turn]()
