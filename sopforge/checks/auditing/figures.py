"""What answers that know nothing score under SOP-Bench's matcher: a fact about it, no finding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from string import ascii_lowercase

from sopforge.checks.auditing.subject import Subject
from sopforge.harness.scoring.sop_bench_answers import AgentResult, compute_rates


def compute_careless_scores(subject: Subject) -> dict[str, float]:
    """Return the task success rate of answers that are the same for every task."""
    truths = subject.truths
    if not truths:
        return {}
    ((together, _),) = Counter(zip(*truths.values(), strict=True)).most_common(1)
    frequent = dict(zip(truths, together, strict=True))
    every = {name: ", ".join(sorted(set(cells))) for name, cells in truths.items()}
    letters = [_compute_rate(subject, dict.fromkeys(truths, letter)) for letter in ascii_lowercase]
    return {
        "most frequent answer": _compute_rate(subject, frequent),
        "best single letter": max(letters),
        "all labels at once": _compute_rate(subject, every),
        "nothing": _compute_rate(subject, dict.fromkeys(truths, "")),
    }


def _compute_rate(subject: Subject, stated: Mapping[str, str]) -> float:
    text = "\n".join(f"<{name}>{value}</{name}>" for name, value in stated.items())
    if len(stated) == 1:
        (text,) = stated.values()
        text = f"<final_decision>{text}</final_decision>" if text else ""
    return compute_rates(
        subject.peer, {task.id: AgentResult(text) for task in subject.peer.tasks}
    ).tsr
