"""The report on coverage for people, as a whole."""

from __future__ import annotations

from sopforge.dataset.coverage import Coverage, Impossible, Mutants, Open, Shown
from sopforge.dataset.coverage_text import coverage_text

LEFT = "\n".join(f"- not asked for: a > c{number}" for number in range(20))
REPORT = f"""\
# What the tasks of Care \\[x\\] cover

5 tasks: 2 are there for the sake of a goal, 3 fill up.

| Goals | asked | shown | impossible | undecided |
| --- | ---: | ---: | ---: | ---: |
| Rules | 2 | 1 | 0 | 1 |
| Guards of tools | 2 | 0 | 2 | 0 |
| All | 4 | 1 | 2 | 1 |

A mutant is the model with one small mistake. It is noticed by a task whose answer it changes; \
some change only the path of a task, and some decide every case alike.

| Mutants | asked | noticed | only the path | alike | undecided |
| --- | ---: | ---: | ---: | ---: | ---: |
| All | 4 | 1 | 1 | 1 | 1 |

## Impossible goals

- **G1 fails**: no case, since these cannot hold together
  - asked for: a \\* b
  - constraint: c
- **G2 fails**: no case (proved)

## Undecided goals

- **R2 applies**: no key

## Mutants that decide alike

- **\\<b> for <=**: every case is decided alike, since this cannot hold
  - asked for: d

## Control paths

Asked for: 2 paths and edge pairs.

- infeasible: a > b: no case (proved)
{LEFT}
- not asked for: 2 more

## Mutants that change only the path

- way 2: t2

## Undecided mutants

- **way 3**: no budget

## Rules, and the tasks that show them

- R1 applies: t1, t2, t3 and 2 more

## Mutants, and the tasks that notice them

- way 1: t1
"""


def test_the_report_has_counts_then_reasons_then_tasks() -> None:
    coverage = Coverage(
        {"a": Shown("rule", "R1 applies", ("t1", "t2", "t3", "t4", "t5"))},
        {
            "b": Impossible("guard", "G1 fails", ("asked for: a * b", "constraint: c")),
            "c": Impossible("guard", "G2 fails", ()),
        },
        {"d": Open("rule", "R2 applies", "no key")},
        Mutants(
            {"1": Shown("mutant", "way 1", ("t1",))},
            {"2": Shown("mutant", "way 2", ("t2",))},
            {"4": Impossible("mutant", "<b> for <=", ("asked for: d",))},
            {"3": Open("mutant", "way 3", "no budget")},
        ),
    )

    paths = {
        "asked_for": "2 paths and edge pairs",
        "infeasible": ["a > b: no case (proved)"],
        "undecided": [],
        "not_asked_for": [f"a > c{number}" for number in range(22)],
    }

    assert coverage_text("Care [x]", 5, 2, coverage, paths) == REPORT
