"""A package as it is served: what agents may see, and which tools change nothing.

All of it is read from the agent's side of the package, which no answer stands in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, reduce
from pathlib import Path
from typing import Any

from sopforge.artifacts.packaging.sop_bench import LAYERS
from sopforge.artifacts.rendering.api.arguments import read_api
from sopforge.artifacts.rendering.api.paths import CALCULATIONS, SEARCHES
from sopforge.errors import PackageUnreadableError
from sopforge.harness.environment.machine import Environment
from sopforge.harness.environment.shown import Shown, read_shown
from sopforge.harness.environment.tools_service import ToolsService
from sopforge.harness.layers.files import read_environment_layers
from sopforge.harness.layers.layer import Layer
from sopforge.sandbox.untrusted_files import MOST_BYTES
from sopforge.untrusted.content import refuse_unreadable
from sopforge.untrusted.plain_files import RefusedFileError, read_below

API = "openapi.yaml"


@dataclass(frozen=True)
class Served:
    """A package, and the names of its tools that look something up or work something out."""

    plain: Shown
    read_only: frozenset[str]
    layers: tuple[Layer[Any], ...] = ()

    @cached_property
    def shown(self) -> Shown:
        """What agents may see."""
        return reduce(lambda shown, layer: layer.show(shown), self.layers, self.plain)

    @contextmanager
    def open_environment(self) -> Iterator[Environment[Any]]:
        """Open the environment in which the published tools answer."""
        # Whether an action changes what is answered later stands on the grader's side alone, so
        # that each session has a process of its own.
        with ToolsService(self.plain.files, keep_state=True) as service:
            environment: Environment[Any] = Environment(self.plain, service)
            yield reduce(lambda inner, layer: layer.join(inner), self.layers, environment)


def read_served(folder: Path) -> Served:
    """Return the package in a folder; nothing below its ``grader/`` is opened.

    Raises:
        PackageUnreadableError: a file is missing, no plain file, too large, or malformed.
    """
    shown, layers = read_shown(folder), _read_layers(folder)
    if not (folder / API).exists():
        return Served(shown, frozenset(), layers)
    try:
        text = read_below(folder, API, MOST_BYTES)
    except RefusedFileError as refused:
        raise PackageUnreadableError(refused.make_fault_at("it", API)) from refused
    with refuse_unreadable(API, API):
        document = read_api(text.decode())
        return Served(shown, frozenset(_iterate_read_only(document["paths"])), layers)


def _read_layers(folder: Path) -> tuple[Layer[Any], ...]:
    """Return the layers around the sessions of a package, the innermost first."""
    if not (folder / LAYERS).is_file():
        return ()
    try:
        text = read_below(folder, LAYERS, MOST_BYTES)
    except RefusedFileError as refused:
        raise PackageUnreadableError(refused.make_fault_at("it", LAYERS)) from refused
    with refuse_unreadable(LAYERS, LAYERS):
        return read_environment_layers(text.decode(), LAYERS)


def _iterate_read_only(paths: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield the tools that are no actions: those read by GET, searches and calculations."""
    for path, operations in paths.items():
        for method, operation in operations.items():
            is_search = SEARCHES in path.rpartition("/")[2]
            if method == "get" or is_search or CALCULATIONS in operation["tags"]:
                yield operation["operationId"]
