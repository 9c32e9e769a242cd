"""The modules that packages carry, loaded from published folders as their users load them."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from sopforge.domain.reading import read_brief
from sopforge.releases.publishing import publish
from sopforge.stages.pipeline import advance
from sopforge.store.opening import open_store
from tests.worlds.shared_builds import Shared
from tests.worlds.small_models import ORDERS


def load_carried(file: Path) -> Any:  # noqa: ANN401 - a module of a package has no types
    """Return a module of a package."""
    name = f"carried {file}"
    spec = spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def publish_orders(shared: Shared) -> Path:
    """Return the package of a domain in which an action changes what is answered later."""

    def make(folder: Path) -> str:
        store, brief = open_store(folder), read_brief(ORDERS, "orders.yaml")
        advance(store, brief, approve_clean=True)
        return publish(store, brief).packages["L0"]

    _, package = shared.get_folder("orders-package", make)
    return Path(package)
