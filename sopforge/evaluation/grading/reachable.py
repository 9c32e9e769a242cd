"""Where a case may come to without a further call, whichever edges somebody takes it along.

An answer that stands there was decided, by rules read rightly or wrongly. One that stands only
after a call that was never made was made up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sopforge.domain.model import DomainModel, Edge, Step


def iterate_reachable(
    model: DomainModel, heard: Mapping[str, frozenset[str]], begin: str
) -> Iterator[Step]:
    """Yield the steps that a case may pass from one on, that one first.

    ``heard`` has the tools that answered a call, each with the codes of its refusals, "" for a
    result; a step whose tool is not among them is not passed.
    """
    left, seen = [begin], {begin}
    while left:
        step = model.steps[left.pop()]
        if step.call is not None and step.call not in heard:
            continue
        yield step
        for edge in _list_edges(step, heard):
            fresh = [to for to in (edge.to, edge.then) if to is not None and to not in seen]
            left += fresh
            seen |= set(fresh)


def _list_edges(step: Step, heard: Mapping[str, frozenset[str]]) -> list[Edge]:
    codes = heard.get(step.call, frozenset()) if step.call is not None else {""}
    refused = [step.refusals[code] for code in sorted(codes) if code in step.refusals]
    return [*(step.edges if "" in codes else ()), *refused]
