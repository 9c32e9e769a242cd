"""The time to grade an attempt at a package without a model grows as what was said does."""

from __future__ import annotations

import time

import pytest

from sopforge.harness.environment.events import Called, Event, Reply, Said
from sopforge.harness.grading.grades import Attempt, Stop
from sopforge.harness.grading.published import Wanted, grade_published
from sopforge.harness.grading.published_outcomes import AnswerKind, Outcome
from sopforge.harness.scoring.sop_bench_package import PeerTask

OUTCOMES = (Outcome("fee", "fee", AnswerKind.NUMBER), Outcome("marks", "marks", AnswerKind.SET))
CELLS = {"fee": "3", "marks": "['a', 'b']"}
WANTED = Wanted(CELLS, None, PeerTask("0", {}, {"fee": 3, "marks": "a"}), tuple(CELLS))
ANSWER = "<fee>3</fee><marks>b, a</marks>"
REPEATED = {
    "open elements": "<row>",
    "open answers": "<fee>",
    "open wrappers": "<response>",
    "open outputs": "<final_output>{",
    "closing outputs": "}  </final_output",
    "braces": "{",
    "objects": '{"fee": ',
    "blanks": " ",
    "blanks in a list": "\u00a0",
    "unlike pairs": "<a></b>",
}


def attempt(text: str, where: str) -> Attempt:
    """Return an attempt at which something long was said, by whom ``where`` says."""
    events: dict[str, Event] = {
        "argument": Called("look", {"at": text}, Reply({"seen": 1})),
        "reply": Called("look", {}, Reply({"seen": text})),
        "bare reply": Called("look", {}, Reply(text)),
        "remark": Said(text),
    }
    if where == "answer":
        return Attempt((), f"<marks>x{text}y</marks>{text}{ANSWER}", Stop.ANSWER)
    if where == "last answer":
        return Attempt((), f"{ANSWER}<marks>x{text}y</marks>", Stop.ANSWER)
    return Attempt((events[where],), ANSWER, Stop.ANSWER)


def measure(text: str, where: str) -> float:
    done, times = attempt(text, where), []
    for _ in range(3):
        start = time.process_time()
        grade = grade_published(OUTCOMES, WANTED, done)
        times.append(time.process_time() - start)
        assert grade.outcomes["fee"]
    return min(times)


@pytest.mark.parametrize(
    "where", ["answer", "last answer", "argument", "reply", "bare reply", "remark"]
)
@pytest.mark.parametrize("unit", REPEATED.values(), ids=REPEATED)
def test_four_times_as_much_takes_no_sixteen_times_as_long(unit: str, where: str) -> None:
    small, large = (unit * (size // len(unit)) for size in (5_000, 20_000))
    # What is below that is noise, and far less than what a search from each place takes.
    assert measure(large, where) < max(8 * measure(small, where), 0.02)
