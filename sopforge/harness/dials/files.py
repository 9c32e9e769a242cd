"""Layers as a file, and read back from it around the cases of their domain."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from decimal import Decimal
from typing import Any, Protocol

from pydantic import TypeAdapter, ValidationError

from sopforge.errors import Fault, PackageUnreadableError
from sopforge.harness.dials.cases import Cases
from sopforge.harness.dials.layered import LayeredCases
from sopforge.harness.dials.plain import PlainCases
from sopforge.harness.dials.queued import QueuedCases
from sopforge.harness.dials.working import work_as_reference
from sopforge.harness.environment.machine import Environment
from sopforge.harness.environment.shown import Shown
from sopforge.harness.layers.ambiguity.ambiguous import Ambiguity
from sopforge.harness.layers.dials import (
    AMBIGUITY,
    DOCUMENTS,
    FAULTS,
    QUEUE,
    RECORDS,
    REFUSALS,
    USER,
    WRITES,
)
from sopforge.harness.layers.documents.handbook import Handbook
from sopforge.harness.layers.faults.faulty import Faults
from sopforge.harness.layers.layer import Judge, Layer
from sopforge.harness.layers.queue.queued import Queue
from sopforge.harness.layers.records.recorded import Records
from sopforge.harness.layers.refusals.refusing import RefusalJudge, Refusals
from sopforge.harness.layers.user.requester import Requester
from sopforge.harness.layers.writes.filed import Writes
from sopforge.harness.layers.writes.judging import FilingJudge

_LAYERS: Mapping[str, TypeAdapter[Any]] = {
    AMBIGUITY: TypeAdapter(Ambiguity),
    DOCUMENTS: TypeAdapter(Handbook),
    FAULTS: TypeAdapter(Faults),
    QUEUE: TypeAdapter(Queue),
    REFUSALS: TypeAdapter(Refusals),
    USER: TypeAdapter(Requester),
    WRITES: TypeAdapter(Writes),
    RECORDS: TypeAdapter(Records),
}
_JUDGES: Mapping[str, TypeAdapter[Any]] = {
    REFUSALS: TypeAdapter(RefusalJudge),
    WRITES: TypeAdapter(FilingJudge),
}


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


def iterate_layers(cases: Cases) -> Iterator[tuple[Layer | Queue, Judge | None]]:
    """Yield the layers around cases, the innermost first, each with what judges it."""
    if isinstance(cases, LayeredCases):
        yield from iterate_layers(cases.inner)
        yield cases.layer, cases.judge
    if isinstance(cases, QueuedCases):
        yield from iterate_layers(cases.inner)
        yield cases.layer, None


class EnvironmentLayer(Protocol):
    """What every layer is to a session."""

    def show(self, shown: Shown) -> Shown:
        """Return what agents may see with the layer, of what they may see without it."""

    def join(self, environment: Environment[Any]) -> Environment[Any]:
        """Return an environment with the layer around it."""


def read_environment_layers(layers: str, where: str) -> tuple[EnvironmentLayer, ...]:
    """Return the layers of a file, the innermost first, as sessions need them.

    Raises:
        PackageUnreadableError: the file is malformed; it is named as ``where`` says.
    """
    with _refuse_malformed(where):
        return tuple(_LAYERS[name].validate_python(data) for name, data in _read(layers))


def read_layers(core: PlainCases, layers: str, judges: str, where: str) -> Cases:
    """Return the cases of a domain with the layers of two files around them.

    Raises:
        PackageUnreadableError: a file is malformed; it is named as ``where`` says.
    """
    with _refuse_malformed(where):
        return _put(core, _read(layers), dict(_read(judges)))


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


def _put(core: PlainCases, layers: list[tuple[str, Any]], judges: Mapping[str, Any]) -> Cases:
    cases: Cases = core
    for name, data in layers:
        layer = _LAYERS[name].validate_python(data)
        if name == QUEUE:
            cases = QueuedCases(cases, layer, core.model, work_as_reference)
        else:
            judge = _JUDGES[name].validate_python(judges[name]) if name in _JUDGES else None
            cases = LayeredCases(cases, layer, judge)
    return cases


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
