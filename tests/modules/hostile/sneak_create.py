"""Creates entries outside, itself or by a program, with the built-in module of the system.

Control: created, each turn.
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
    def attack(self, *, empty_folder, turn):
        posix, path = sneak("posix"), empty_folder + "/mine"
        line = ["/bin/sh", "-c", f": > '{path}'"]
        attempts = [
            lambda: posix.mkdir(path),
            lambda: posix.mkfifo(path),
            lambda: posix.symlink("/etc", path),
            lambda: posix.open(path, posix.O_CREAT | posix.O_WRONLY),
            lambda: posix.system(line[2]),
            lambda: posix.execv(line[0], line),
            lambda: posix.waitpid(posix.posix_spawn(line[0], line, {}), 0),
            lambda: posix.mknod(path, 0o600 | 0o100000),
        ]
        attempts[turn]()
