"""Where a case may come to without a further call, whichever edges somebody takes it along.

An answer that stands there was decided, by rules read rightly or wrongly. One that stands only
after a call that was never made was made up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sopforge.language.domain.model import DomainModel, Edge, Step
from sopforge.proof.solving.places import StepPlace


def iterate_reachable(
    model: DomainModel, heard: Mapping[str, frozenset[str]], begin: str
) -> Iterator[Step]:
    """Yield the steps that a case may pass from one on, that one first.

    ``heard`` has the tools that answered a call, each with the codes of its refusals, "" for a
    result; a step whose tool is not among them is not passed. Out of a part that it began in, a
    case may come back to whichever step carries the part out.
    """
    passed: set[str] = set()
    left, seen = [StepPlace(begin)], {StepPlace(begin)}
    part = model.steps[begin].part
    entered = {part: list(model.list_steps_doing(part))} if part else {}
    while left:
        place = left.pop()
        step = model.steps[place.step]
        if step.call is not None and step.call not in heard:
            continue
        onward: list[StepPlace] = []
        if step.do and not place.is_back:
            entered.setdefault(step.do, []).append(step)
            onward.append(StepPlace(model.parts[step.do].start))
        else:
            edges = _list_edges(step, heard)
            onward += [
                StepPlace(to) for edge in edges for to in (edge.to, edge.then) if to is not None
            ]
        if not step.do or place.is_back:
            yield step
        passed |= {step.part} if step.is_return else set()
        # Whoever has come to a part that is passed comes back from it.
        onward += [
            StepPlace(caller.id, is_back=True)
            for part in passed
            for caller in entered.get(part, ())
        ]
        fresh = [to for to in dict.fromkeys(onward) if to not in seen]
        left += fresh
        seen |= set(fresh)


def _list_edges(step: Step, heard: Mapping[str, frozenset[str]]) -> list[Edge]:
    codes = heard.get(step.call, frozenset()) if step.call is not None else {""}
    refused = [step.refusals[code] for code in sorted(codes) if code in step.refusals]
    return [*(step.edges if "" in codes else ()), *refused]
