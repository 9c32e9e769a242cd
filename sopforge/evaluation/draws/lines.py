"""Lines of tasks for programs that train: what an agent is given, and what is right."""

from __future__ import annotations

import json
from collections.abc import Iterator

from sopforge.evaluation.draws.sets import PACKAGES, TaskSet
from sopforge.language.domain.tasks import GoldCall


def iterate_lines(drawn: TaskSet) -> Iterator[str]:
    """Yield each task of a set as an object of JSON on a line of its own.

    The SOP and the tools are those of its package, which is named by its place.
    """
    for name, task in drawn.package.shown.tasks.items():
        gold = drawn.package.describe_gold(name)
        line = {
            "package": f"{PACKAGES}/{drawn.name}",
            "task": name,
            "split": task.split,
            "prompt": task.text,
            "inputs": dict(task.inputs),
            "answer": dict(gold.outcomes),
            "calls": [_build_call(call) for call in gold.calls],
        }
        yield json.dumps(line, ensure_ascii=False) + "\n"


def _build_call(call: GoldCall) -> dict[str, object]:
    made = {"tool": call.tool, "arguments": dict(call.arguments)}
    return {**made, **({"refusal": call.refusal} if call.refusal else {"result": call.result})}
