"""Gets at the kernel with what is left in memory, having no import: modules, objects, loaders.

Control: entered, each turn.
"""

import gc
import sys

TURNS = 5


class HostileManager:
    def attack(self, *, turn):
        attempts = [self.from_modules, self.from_objects, self.from_path, self.from_loader, self.built]
        return {"entered": attempts[turn]()}

    def from_modules(self):
        return [sys.modules["posix"].listdir("/")[0]]

    def from_objects(self):
        for one in gc.get_objects():
            if isinstance(one, dict) and callable(one.get("fork")) and "execv" in one:
                return [one["listdir"]("/")[0]]
        return []

    def from_path(self):
        import ctypes

        return ["access"] if ctypes.CDLL(None).access(b"/", 0) == 0 else []

    def from_loader(self):
        import _imp
        import importlib.machinery
        import importlib.util

        found = importlib.util.find_spec("_ctypes")
        loader = importlib.machinery.ExtensionFileLoader("_ctypes", found.origin)
        spec = importlib.machinery.ModuleSpec("_ctypes", loader, origin=found.origin)
        foreign = _imp.create_dynamic(spec)
        access = foreign.dlsym(foreign.dlopen(None, 2), "access")
        return ["access"] if foreign.call_function(access, (b"/", 0)) == 0 else []

    def built(self):
        sys.modules.pop("posix", None)
        import _imp
        from importlib.machinery import BuiltinImporter, ModuleSpec

        posix = _imp.create_builtin(ModuleSpec("posix", BuiltinImporter))
        return [posix.listdir("/")[0]]
