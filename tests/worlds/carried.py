"""The modules that packages carry, loaded from published folders as their users load them."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest


def load_carried(file: Path) -> Any:  # noqa: ANN401 - a module of a package has no types
    """Return a module of a package."""
    name = f"carried {file}"
    spec = spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module
    with pytest.MonkeyPatch.context() as patch:
        # What is compiled is no file of the package.
        patch.setattr(sys, "dont_write_bytecode", True)
        spec.loader.exec_module(module)
    return module
