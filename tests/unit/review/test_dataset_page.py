"""What the review page of a dataset says beside its plots."""

from __future__ import annotations

import json

from review.dataset_page import Told, dataset_page
from sopforge.dataset.coverage import Coverage, Impossible, Mutants, Open, Shown, as_report
from sopforge.dataset.profile import PathProfile, Profile, write_profile

SHORTCUTS = {
    "outcome": "care",
    "tasks": 3,
    "bar": "0.9",
    "shortcuts": [
        {
            "name": "majority",
            "meaning": "the most frequent",
            "primary": {"right": 1, "share": "0.3"},
            "all_outcomes": {"right": 1, "share": "0.3"},
        }
    ],
}
COVERAGE = Coverage(
    {"a": Shown("rule", "R1 applies", ("t1", "t2", "t3", "t4"))},
    {"b": Impossible("guard", "G1 fails", ("one", "two")), "c": Impossible("tie", "a half", ())},
    {"d": Open("pair of ways", "round", "no budget")},
    Mutants(equivalent={"m": Impossible("mutant", "< for <=", ("never",))}),
)
PATHS = (
    PathProfile(("a", "a.1", "b"), 2),
    PathProfile(("a", "a.2", "b"), 1),
)


def files(profile: Profile) -> dict[str, str]:
    return {
        "data_profile.json": write_profile(profile),
        "shortcuts.json": json.dumps(SHORTCUTS),
        "coverage.json": json.dumps(as_report(COVERAGE)),
        "coverage.md": "read coverage.json",
    }


def test_the_page_counts_goals_and_says_why_some_are_impossible() -> None:
    page = dataset_page(files(Profile(3, (), PATHS)))

    assert page is not None
    assert page.coverage is not None
    assert [
        (name, row.asked, row.shown, row.impossible, row.undecided)
        for name, row in page.coverage.counts
    ] == [
        ("Rules", 1, 1, 0, 0),
        ("Pairs of ways", 1, 0, 0, 1),
        ("Guards of tools", 1, 0, 1, 0),
        ("Halves that are rounded", 1, 0, 1, 0),
        ("All", 4, 1, 2, 1),
    ]
    assert page.coverage.open["What no case shows, and why"] == (
        Told("G1 fails", "no case, since these cannot hold together", ("one", "two")),
        Told("a half", "no case (proved)"),
    )
    assert page.coverage.open["Undecided goals"] == (Told("round", "no budget"),)
    assert page.coverage.folded["Rules"] == (Told("R1 applies", "t1, t2, t3 and 1 more"),)
    assert page.coverage.folded["Mutants that decide every case alike"] == (
        Told("< for <=", "every case is decided alike, since this cannot hold", ("never",)),
    )


def test_paths_through_the_same_steps_are_told_apart_by_their_ways() -> None:
    page = dataset_page(files(Profile(3, (), PATHS)))

    assert page is not None
    assert page.groups["Paths"][0].rows == (("a → b by a.1", "2"), ("a → b by a.2", "1"))


def test_rows_that_fill_up_have_plots_of_their_own_where_there_are_any() -> None:
    filling = Profile(1, (), PATHS[1:])
    with_some = dataset_page(files(Profile(3, (), PATHS, filling)))
    without = dataset_page(files(Profile(3, (), PATHS, Profile(0, (), ()))))

    assert with_some is not None
    assert without is not None
    (added,) = set(with_some.groups) - set(without.groups)
    assert added == "Answers and paths of tasks that fill up, mixed as asked (1)"
    assert with_some.groups[added][0].rows == (("a → b", "1"),)


def test_a_dataset_without_the_report_has_no_such_part() -> None:
    old = files(Profile(3, (), PATHS))
    del old["coverage.md"]
    page = dataset_page(old)

    assert page is not None
    assert page.coverage is None
