"""The standard library's modules that tools may import: for values and text, not for the system.

They are imported before a tool process is forked, for in it no file can be opened. Packages of
others may need libraries beside it: a closed set of them is imported on request.
"""

from __future__ import annotations

import hashlib
import importlib
import pkgutil
import sys
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import NoReturn

# fmt: off
MODULES = frozenset((
    "__future__", "abc", "array", "ast", "base64", "binascii", "bisect", "builtins", "calendar",
    "cmath", "codecs", "collections", "collections.abc", "colorsys", "configparser",
    "contextlib", "contextvars", "copy", "copyreg", "csv", "dataclasses", "datetime", "decimal",
    "difflib", "encodings", "enum", "errno", "fractions", "functools", "gettext", "graphlib",
    "hashlib", "heapq", "hmac", "html", "html.entities", "html.parser", "inspect", "io",
    "ipaddress", "itertools", "json", "json.decoder", "json.encoder", "keyword", "linecache",
    "locale", "logging", "math", "numbers", "operator", "os", "os.path", "pathlib", "pickle",
    "pprint", "queue", "quopri", "random", "re", "reprlib", "sched", "secrets", "shlex",
    "statistics", "string", "stringprep", "struct", "sys", "textwrap", "threading", "time",
    "token", "tokenize", "tomllib", "traceback", "types", "typing", "unicodedata", "urllib",
    "urllib.parse", "uuid", "warnings", "weakref", "xml", "xml.etree", "xml.etree.ElementTree",
    "zlib",
))
"""By full name; a package's own modules are named too."""

_LOADED_ALONG = (
    "_strptime", "encodings.ascii", "encodings.cp1252", "encodings.cp437",
    "encodings.hex_codec", "encodings.idna", "encodings.iso8859_1", "encodings.iso8859_15",
    "encodings.latin_1", "encodings.punycode", "encodings.raw_unicode_escape",
    "encodings.rot_13", "encodings.unicode_escape", "encodings.utf_16",
    "encodings.utf_16_be", "encodings.utf_16_le", "encodings.utf_32", "encodings.utf_32_be",
    "encodings.utf_32_le", "encodings.utf_7", "encodings.utf_8", "encodings.utf_8_sig",
)
"""What the modules above import only when they need it."""
# fmt: on

LIBRARIES: Mapping[str, tuple[str, ...]] = {
    "dateutil": ("dateutil", "six"),
    "numpy": ("numpy",),
    "pandas": ("dateutil", "numpy", "pandas", "six"),
}
"""Libraries that are imported on request, each with all packages that it consists of."""

_ENTRIES = {
    "dateutil": ("dateutil",),
    "numpy": ("numpy.fft", "numpy.lib", "numpy.linalg", "numpy.ma", "numpy.polynomial",
              "numpy.random", "numpy.rec", "numpy.strings", "numpy.char"),
    "pandas": ("pandas.api", "pandas.compat", "pandas.core", "pandas.errors", "pandas.io",
               "pandas.tseries"),
}  # fmt: skip
"""The packages of a library whose modules are all imported: many are only when they are needed."""
_TESTS = (".tests", ".testing")


def preload(libraries: Mapping[str, str]) -> frozenset[str]:
    """Import every module that tools may use; return the names of all that are there then.

    ``libraries`` has the folder of every package that they consist of, by its name.
    """
    for name in sorted(MODULES | set(_LOADED_ALONG)):
        importlib.import_module(name)
    for name in sorted(hashlib.algorithms_available):  # else read OpenSSL's settings when used
        hashlib.new(name, usedforsecurity=False)
    if libraries:
        _load_libraries(libraries)
    return frozenset(sys.modules)


def _load_libraries(folders: Mapping[str, str]) -> None:
    """Import libraries whole, and nothing else that is installed beside them."""
    finder = LibraryFinder(folders)
    sys.meta_path.append(finder)
    for name in [entry for top in sorted(folders) for entry in _ENTRIES.get(top, ())]:
        _load_package(importlib.import_module(name))
    sys.meta_path.remove(finder)
    if "pandas" in folders:
        # Else it looks up how many processors it may use, and starts threads for large tables.
        with suppress(KeyError):  # of a version that starts none
            sys.modules["pandas"].set_option("mode.max_threads", 1)


def _load_package(package: ModuleType) -> None:
    for found in pkgutil.iter_modules(getattr(package, "__path__", ()), f"{package.__name__}."):
        if found.name.endswith(_TESTS):
            continue
        # A module that needs what the library can do without is absent to tools too.
        with suppress(ImportError):
            module = importlib.import_module(found.name)
            if found.ispkg:
                _load_package(module)


class LibraryFinder:
    """Finds the packages of the libraries asked for where they are installed, and no others.

    What they can work with but need not have, is thereby absent, whatever is installed.
    """

    def __init__(self, folders: Mapping[str, str]) -> None:
        self._folders = folders

    def find_spec(
        self,
        name: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Return where a module is, None for what belongs to no library."""
        top = name.partition(".")[0]
        if top not in self._folders:
            return None
        return PathFinder.find_spec(name, path or [self._folders[top]], target)


def list_packages(libraries: Collection[str]) -> list[str]:
    """Return all packages that libraries consist of."""
    return sorted({part for name in libraries for part in LIBRARIES[name]})


class Guard:
    """A finder that finds nothing and says which modules there are."""

    @staticmethod
    def find_spec(
        name: str,
        path: Sequence[str] | None = None,  # noqa: ARG004 - the protocol's parameters
        target: ModuleType | None = None,  # noqa: ARG004
    ) -> NoReturn:
        """Refuse to import."""
        message = f"No module named {name!r} that tools may import (docs/sandbox.md)"
        raise ModuleNotFoundError(message, name=name)


def close_imports() -> None:
    """Let nothing be imported that is not loaded."""
    sys.path.clear()
    sys.path_hooks.clear()
    sys.path_importer_cache.clear()
    sys.meta_path[:] = [Guard]
