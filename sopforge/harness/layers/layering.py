"""Layers put around the cases of a domain by their doses, the innermost first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sopforge.harness.layers.dials import DIALS
from sopforge.harness.layers.ground import Ground
from sopforge.harness.layers.layer import Judge, Layer
from sopforge.harness.layers.layered import Cases, LayeredCases
from sopforge.harness.layers.plain import PlainCases
from sopforge.harness.layers.working import work_as_reference


def put_layers(core: PlainCases, doses: Mapping[str, int], seed: int) -> Cases:
    """Return the cases of a domain with the layers of some doses around them."""
    cases: Cases = core
    for name, dial in DIALS.items():
        if dose := doses.get(name, 0):
            ground = Ground(core, cases, work_as_reference)
            cases = dial.put(ground, *dial.make(ground, dose, seed))
    return cases


def iterate_layers(cases: Cases) -> Iterator[tuple[Layer[Any], Judge | None]]:
    """Yield the layers around cases, the innermost first, each with what judges it."""
    if isinstance(cases, LayeredCases):
        yield from iterate_layers(cases.inner)
        yield cases.layer, cases.judge
