"""The standard library's modules that tools may import: for values and text, not for the system.

They are imported before a tool process is forked, for in it no file can be opened.
"""

from __future__ import annotations

import hashlib
import importlib
import sys
from collections.abc import Sequence
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


def preload() -> frozenset[str]:
    """Import every module that tools may use; return the names of all that are there then."""
    for name in sorted(MODULES | set(_LOADED_ALONG)):
        importlib.import_module(name)
    for name in sorted(hashlib.algorithms_available):  # else read OpenSSL's settings when used
        hashlib.new(name, usedforsecurity=False)
    return frozenset(sys.modules)


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
