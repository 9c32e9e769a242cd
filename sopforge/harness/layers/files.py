"""Layers as a file, and read back from it around the cases of their domain."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from decimal import Decimal
from typing import Any

from pydantic import ValidationError

from sopforge.errors import Fault, PackageUnreadableError
from sopforge.harness.layers.dial import Dial
from sopforge.harness.layers.dials import DIALS
from sopforge.harness.layers.ground import Ground
from sopforge.harness.layers.layer import Layer
from sopforge.harness.layers.layered import Cases
from sopforge.harness.layers.layering import iterate_layers
from sopforge.harness.layers.plain import PlainCases
from sopforge.harness.layers.working import work_as_reference


def write_layers(cases: Cases) -> str:
    """Return the layers around cases, one on a line: what sessions need of them."""
    return _write((layer.name, layer) for layer, _ in iterate_layers(cases))


def write_judges(cases: Cases) -> str:
    """Return what judges the layers around cases, one on a line: it is the grader's."""
    return _write((layer.name, judge) for layer, judge in iterate_layers(cases) if judge)


def _write(parts: Iterable[tuple[str, Any]]) -> str:
    # Just what a session is given of a layer.
    found = ({"layer": name, "data": asdict(part)} for name, part in parts)
    return "".join(f"{_write_value(line)}\n" for line in found)


def read_environment_layers(layers: str, where: str) -> tuple[Layer[Any], ...]:
    """Return the layers of a file, the innermost first, as sessions need them.

    Raises:
        PackageUnreadableError: the file is malformed; it is named as ``where`` says.
    """
    with _refuse_malformed(where):
        return tuple(_find_dial(name, where).read_layer(data) for name, data in _read(layers))


def read_layers(core: PlainCases, layers: str, judges: str, where: str) -> Cases:
    """Return the cases of a domain with the layers of two files around them.

    Raises:
        PackageUnreadableError: a file is malformed; it is named as ``where`` says.
    """
    cases: Cases = core
    with _refuse_malformed(where):
        judged = dict(_read(judges))
        for name, data in _read(layers):
            dial, ground = _find_dial(name, where), Ground(core, cases, work_as_reference)
            cases = dial.put(ground, dial.read_layer(data), dial.read_judge(judged))
    return cases


@contextmanager
def _refuse_malformed(where: str) -> Iterator[None]:
    try:
        yield
    except (ValueError, KeyError, TypeError, AttributeError, ValidationError) as cause:
        fault = Fault(
            "layers-malformed", f"{where} was not written by SOPForge", where, "publish it again"
        )
        raise PackageUnreadableError(fault) from cause


def _read(text: str) -> list[tuple[str, Any]]:
    lines = [json.loads(line, parse_float=Decimal) for line in text.split("\n") if line]
    return [(line["layer"], line["data"]) for line in lines]


def _find_dial(name: str, where: str) -> Dial:
    if name not in DIALS:
        message, hint = f"there is no dial '{name}'", "install the package that adds it"
        raise PackageUnreadableError(Fault("dial-unknown", message, where, hint))
    return DIALS[name]


def _write_value(value: object) -> str:
    """Return a value as JSON: names in their order, members of sets sorted, all places of numbers.

    Texts are put together in the order of names, and ranges are stated with their places.
    """
    match value:
        case Mapping():
            parts = (
                f"{json.dumps(str(name))}: {_write_value(item)}" for name, item in value.items()
            )
            return f"{{{', '.join(parts)}}}"
        case frozenset() | set():
            return f"[{', '.join(sorted(map(_write_value, value)))}]"
        case list() | tuple():
            return f"[{', '.join(map(_write_value, value))}]"
        case Decimal():
            return str(value)
        case _:
            return json.dumps(value, ensure_ascii=False)
