"""The report on coverage for people, as a whole."""

from __future__ import annotations

from sopforge.proof.dataset.coverage.coverage import Coverage, GoalReport, GoalVerdict
from sopforge.proof.dataset.coverage.coverage_text import (
    Heading,
    describe_coverage,
    render_coverage_text,
)

LEFT = "\n".join(f"- not asked for: a > c{number}" for number in range(20))
REPORT = f"""\
# What the tasks of Care \\[x\\] cover

5 tasks: 2 are there for the sake of a goal, 3 fill up.

The tasks show 2 of 3 goals that a scored answer may show, and notice 1 of 2 mutants that may \
change one; 'care' alone notices 1.
Undecided among these: 1 goal, 1 mutant.
Beside these goals, by proof: 2 impossible.
Beside these mutants, by proof: 1 without effect, 1 not in the primary answer, 1 path only.

Each goal guards against a mistake, such as the opposite decision at a boundary. A task shows a \
goal where it occurs and the mistake would change a scored answer of the task.

| Goals | asked | primary answer | other answers | impossible | undecided |
| --- | ---: | ---: | ---: | ---: | ---: |
| Rules | 2 | 1 | 0 | 0 | 1 |
| Edges | 1 | 0 | 1 | 0 | 0 |
| Guards of tools | 2 | 0 | 0 | 2 | 0 |
| All | 5 | 1 | 1 | 2 | 1 |

A mutant is the model with one small mistake. A task notices it if the mistake changes a scored \
answer of the task.

| Mutants | asked | primary answer | other answers | path only | without effect \
| not in the primary answer | undecided |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| Limits | 2 | 1 | 0 | 0 | 1 | 0 | 0 |
| Edges | 3 | 0 | 0 | 1 | 0 | 1 | 1 |
| All | 5 | 1 | 0 | 1 | 1 | 1 | 1 |

## Goals that no task shows, and why

- **G1 fails**: no case, since these cannot hold together
  - asked for: a \\* b
  - constraint: c
- **G2 fails**: no case (proved)

## Undecided goals

- **R2 applies**: no key

## Mutants that no task notices, and why

- **edge 2**: no answer depends on it, but the path of a case (proved)
- **\\<b> for <=**: no answer and no path depends on it, since this cannot hold
  - asked for: d
- **edge 4**: the primary answer never depends on it (proved)

## Undecided mutants

- **edge 3**: no budget

## Control paths

Asked for: 2 paths and edge pairs.

- infeasible: a > b: no case (proved)
{LEFT}
- not asked for: 2 more

## Rules, and the tasks that show them

- R1 applies: t1, t2, t3 and 2 more

## Edges, and the tasks that show them

- edge 1: t2 (not by the primary answer)

## Mutants: Limits, and the tasks that notice them

- 4 for 5: t1
"""


def coverage() -> Coverage:
    proof = ("asked for: a * b", "constraint: c")
    return Coverage(
        {
            "a": GoalReport(
                "rule", "R1 applies", GoalVerdict.PRIMARY, ("t1", "t2", "t3", "t4", "t5")
            ),
            "b": GoalReport("guard", "G1 fails", GoalVerdict.IMPOSSIBLE, proof=proof),
            "c": GoalReport("guard", "G2 fails", GoalVerdict.IMPOSSIBLE),
            "d": GoalReport("rule", "R2 applies", GoalVerdict.UNDECIDED, reason="no key"),
            "e": GoalReport("edge", "edge 1", GoalVerdict.OUTCOMES, ("t2",)),
        },
        {
            "1": GoalReport("limit", "4 for 5", GoalVerdict.PRIMARY, ("t1",)),
            "2": GoalReport("edge", "edge 2", GoalVerdict.PATH_ONLY, ("t2",)),
            "4": GoalReport(
                "limit", "<b> for <=", GoalVerdict.WITHOUT_EFFECT, proof=("asked for: d",)
            ),
            "3": GoalReport("edge", "edge 3", GoalVerdict.UNDECIDED, reason="no budget"),
            "5": GoalReport("edge", "edge 4", GoalVerdict.BEYOND),
        },
    )


def test_the_report_has_counts_then_reasons_then_tasks() -> None:
    paths = {
        "asked_for": "2 paths and edge pairs",
        "infeasible": ["a > b: no case (proved)"],
        "undecided": [],
        "not_asked_for": [f"a > c{number}" for number in range(22)],
    }

    assert render_coverage_text(Heading("Care [x]", "care", 5, 2), coverage(), paths) == REPORT


def test_where_all_is_shown_there_is_one_sentence() -> None:
    reports = {"a": GoalReport("rule", "R1 applies", GoalVerdict.PRIMARY, ("t1",))}

    assert describe_coverage(Coverage(reports, {}), "'care'") == [
        (
            "The tasks show 1 of 1 goals that a scored answer may show, and notice 0 of 0 mutants"
            " that may change one; 'care' alone notices 0."
        )
    ]
