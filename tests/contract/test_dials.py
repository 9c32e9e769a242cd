"""Dials around packages: the reference is right with each, and who lacks an ability falls on one.

On a domain whose tables actions change and on one whose records stay.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import pytest

from benchmarks.random_sessions import compare
from sopforge.errors import PackageUnreadableError
from sopforge.harness.environment.events import Called, Event, Reply, Said
from sopforge.harness.environment.session import open_session
from sopforge.harness.grading.grades import Attempt, Grade, Stop
from sopforge.harness.layers.dials import ABLATED, DIALS
from sopforge.harness.layers.files import read_layers, write_judges, write_layers
from sopforge.harness.layers.layered import Cases
from sopforge.harness.layers.layering import iterate_layers, put_layers
from sopforge.harness.layers.measuring.measuring import (
    compute_case_success,
    compute_success,
    grade_agent,
)
from sopforge.harness.layers.plain import PlainCases
from sopforge.harness.layers.queue.queued_cases import QueuedCases
from sopforge.harness.layers.refusals.requests import HANDLING, REFUSE
from sopforge.harness.layers.refusals.stating import read_besides
from sopforge.session.layers import FILE, STATEMENT
from tests.conftest import Released
from tests.worlds.dialled import make_agent, read_core, work
from tests.worlds.releases import publish_counter
from tests.worlds.shared_builds import Shared

SEED = 7
SETS: Mapping[str, Mapping[str, int]] = {
    "none": {},
    "ambiguity": {"ambiguity": 3},
    "refusals": {"refusals": 3},
    "queue": {"queue": 5},
    "writes": {"writes": 3},
    "records": {"records": 3},
    "user": {"user": 2},
    "faults": {"faults": 3},
    "documents": {"documents": 40},
    "all": {
        "ambiguity": 3,
        "refusals": 3,
        "queue": 5,
        "writes": 3,
        "records": 3,
        "user": 2,
        "faults": 3,
        "documents": 40,
    },
}
NAMES = ["counter", "patient"]
OTHER = pytest.param("patient", marks=pytest.mark.exhaustive)
"""The other domain, where each set of dials would have to be put around its tasks, too."""


class Layered(dict[tuple[str, str], Cases]):
    """The cases of each domain with each set of dials, made where they are asked for."""

    def __init__(self, cores: Mapping[str, PlainCases]) -> None:
        """Put dials around the cases of some domains."""
        self.cores = cores

    def __missing__(self, key: tuple[str, str]) -> Cases:
        """Make the cases of a domain with a set of dials."""
        name, dials = key
        self[key] = put_layers(self.cores[name], SETS[dials], SEED)
        return self[key]


@pytest.fixture(scope="module")
def cores(released: Released, shared: Shared) -> dict[str, PlainCases]:
    """Return the plain cases of a domain with tables and of one without."""
    folders = {
        "counter": publish_counter(shared),
        "patient": Path(released.published.packages["L0"]),
    }
    return {name: read_core(folder) for name, folder in folders.items()}


@pytest.fixture(scope="module")
def layered(cores: Mapping[str, PlainCases]) -> Layered:
    """Return the cases of each domain with each set of dials."""
    return Layered(cores)


def score(cases: Cases, name: str) -> Fraction:
    """Return the share of cases that an ablated agent has right."""
    return compute_case_success(grade_agent(cases, make_agent(cases, name)))


@pytest.mark.parametrize(
    ("name", "key"),
    [
        *(("counter", key) for key in SETS),
        *(pytest.param("patient", key, marks=pytest.mark.exhaustive) for key in SETS),
    ],
)
def test_the_reference_is_right_at_every_task(
    layered: Mapping[tuple[str, str], Cases], name: str, key: str
) -> None:
    grades = grade_agent(layered[name, key], make_agent(layered[name, key]))

    assert compute_success(grades) == 1
    assert len(grades) == len(layered[name, key].shown.tasks)


@pytest.mark.parametrize("agent", ABLATED)
@pytest.mark.parametrize("name", ["counter", OTHER])
def test_who_lacks_an_ability_falls_on_his_dial_alone(
    layered: Mapping[tuple[str, str], Cases], name: str, agent: str
) -> None:
    lost = {key: 1 - score(layered[name, key], agent) for key in ("none", *DIALS)}

    assert lost.pop("none") == 0
    assert lost.pop(ABLATED[agent].dial) >= Fraction(30, 100)
    assert max(lost.values()) <= Fraction(5, 100)


@pytest.mark.parametrize("name", NAMES)
def test_a_careless_reader_errs_where_the_text_is_a_handbook_too(
    layered: Mapping[tuple[str, str], Cases], name: str
) -> None:
    assert score(layered[name, "all"], "careless") <= Fraction(90, 100)


@pytest.mark.parametrize("name", NAMES)
def test_layers_are_read_back_from_their_files(
    cores: Mapping[str, PlainCases], layered: Mapping[tuple[str, str], Cases], name: str
) -> None:
    core, made = cores[name], layered[name, "all"]
    layers, judges = write_layers(made), write_judges(made)

    found = read_layers(core, layers, judges, "layers")

    assert found.shown == made.shown
    assert (write_layers(found), write_judges(found)) == (layers, judges)
    few = list(made.shown.tasks)[:3]
    for agent in (make_agent(core), make_agent(core, "forgets")):
        assert grade_agent(found, agent, few) == grade_agent(made, agent, few)


@pytest.mark.parametrize("cut", [2, 100, 5000])
def test_a_file_that_is_cut_off_is_refused(
    cores: Mapping[str, PlainCases], layered: Mapping[tuple[str, str], Cases], cut: int
) -> None:
    made = layered["counter", "all"]

    with pytest.raises(PackageUnreadableError) as raised:
        read_layers(cores["counter"], write_layers(made)[:-cut], write_judges(made), "layers.jsonl")

    (fault,) = raised.value.faults
    assert (fault.code, fault.where) == ("layers-malformed", "layers.jsonl")


@pytest.mark.parametrize("name", ["counter", OTHER])
def test_the_same_seed_makes_the_same_layers_and_another_one_others(
    cores: Mapping[str, PlainCases], layered: Mapping[tuple[str, str], Cases], name: str
) -> None:
    again = put_layers(cores[name], SETS["all"], SEED)
    other = put_layers(cores[name], SETS["faults"], SEED + 1)

    assert write_layers(again) == write_layers(layered[name, "all"])
    assert write_layers(other) != write_layers(layered[name, "faults"])


@pytest.mark.parametrize("name", NAMES)
def test_what_sessions_need_holds_nothing_that_is_right(
    layered: Mapping[tuple[str, str], Cases], name: str
) -> None:
    """The handlings of requests stand in the judges' file and not in that of the layers."""
    made = layered[name, "refusals"]
    layers, judges = write_layers(made), write_judges(made)
    (_, judge), *_ = iterate_layers(made)
    handlings = set(getattr(judge, "handlings").values())  # noqa: B009 - of one judge alone

    assert handlings
    for said in handlings - {"refuse"}:
        assert said in judges
        assert f'"{said}"' not in layers


@pytest.mark.parametrize("name", NAMES)
def test_sessions_that_go_on_in_turns_go_as_by_themselves(
    layered: Mapping[tuple[str, str], Cases], name: str
) -> None:
    """Random agents, eight at a time: none fails, and no two sessions are mixed."""
    calls, _, differing = compare(layered[name, "all"], 40)

    assert differing == 0
    assert calls > 400


def test_a_case_is_right_whatever_was_filed_before(
    layered: Mapping[tuple[str, str], Cases],
) -> None:
    """One wrong statement costs its own case and no other, and the session."""
    cases = layered["patient", "queue"]
    task = next(iter(cases.shown.tasks))
    events = []
    filed = 0
    for event in work(cases, task).state.events:
        if isinstance(event, Called) and event.tool == FILE:
            filed += 1
            if filed == 2:
                event = Called(FILE, {STATEMENT: "nonsense"}, event.reply)  # noqa: PLW2901
        events.append(event)

    grade = cases.grade(task, Attempt(tuple(events), "All cases are filed.", Stop.ANSWER))

    assert grade.cases == (True, False, True, True, True)
    assert not grade.is_right


def test_who_stops_early_has_the_rest_wrong(
    layered: Mapping[tuple[str, str], Cases],
) -> None:
    cases = layered["patient", "queue"]
    task = next(iter(cases.shown.tasks))
    events = work(cases, task).state.events
    second = [
        n for n, event in enumerate(events) if isinstance(event, Called) and event.tool == FILE
    ]

    grade = cases.grade(task, Attempt(tuple(events[: second[1] + 1]), None, Stop.GAVE_UP))

    assert grade.cases == (True, True, False, False, False)


@pytest.mark.parametrize("name", NAMES)
def test_a_queue_hands_out_so_many_cases_and_refuses_more(
    layered: Mapping[tuple[str, str], Cases], name: str
) -> None:
    cases = layered[name, "queue"]
    session = open_session(cases.environment, next(iter(cases.shown.tasks)))
    replies = [session.call(FILE, {STATEMENT: "nothing"}) for _ in range(6)]

    left = [reply.result["cases_left"] for reply in replies[:5] if isinstance(reply.result, dict)]
    assert left == [4, 3, 2, 1, 0]
    assert replies[5] == Reply(None, "no_case_open", "all cases of the session are filed")
    assert session.call(FILE, {STATEMENT: 3}).refusal == "invalid_statement"
    assert session.call(FILE, {}).refusal == "invalid_statement"


@pytest.mark.parametrize("name", NAMES)
def test_faults_are_met_at_half_of_the_tasks_of_a_path_at_most(
    layered: Mapping[tuple[str, str], Cases], name: str
) -> None:
    cases = layered[name, "faults"]
    by_path: dict[str, list[bool]] = {}
    for task in cases.shown.tasks:
        met = cases.describe(task)["faults"]
        assert isinstance(met, dict)
        by_path.setdefault(cases.paths[task][0], []).append(bool(met["met"]))

    assert all(2 * sum(met) <= len(met) + 1 for met in by_path.values())
    assert sum(map(sum, by_path.values())) * 4 >= len(cases.shown.tasks)


def test_requests_of_a_pair_differ_in_one_datum(
    layered: Mapping[tuple[str, str], Cases],
) -> None:
    """Of two requests of one case and kind, one entry or one line apart, one is carried out."""
    cases = layered["patient", "refusals"]
    (_, judge), *_ = iterate_layers(cases)
    handlings = getattr(judge, "handlings")  # noqa: B009 - of one judge alone
    by_case: dict[str, list[str]] = {}
    for task in cases.shown.tasks:
        if cases.find_kind(task):
            by_case.setdefault(cases.find_plain(task), []).append(task)

    assert by_case
    for first, second in by_case.values():
        one, other = cases.shown.tasks[first], cases.shown.tasks[second]
        assert [first in handlings, second in handlings].count(True) == 1
        assert cases.find_kind(first).split(",")[0] == cases.find_kind(second).split(",")[0]
        said = [read_besides(task.text) for task in (one, other)]
        apart = one.inputs.items() ^ other.inputs.items()
        assert len(apart) + (said[0] != said[1]) == 1


@pytest.mark.parametrize("name", NAMES)
def test_an_entry_with_two_values_is_asked_about_and_one_that_is_repeated_is_not(
    cores: Mapping[str, PlainCases], name: str
) -> None:
    core = cores[name]
    cases = put_layers(core, {"refusals": 4}, SEED)
    found = []
    for task, shown in cases.shown.tasks.items():
        for entry, cell in read_besides(shown.text).again.items():
            session = work(cases, task)
            stated = session.state.answer
            is_open = shown.inputs[entry] != cell
            assert (stated == f"<{HANDLING}>ask for {entry}</{HANDLING}>") == is_open
            assert cases.grade(task, Attempt(session.state.events, stated, Stop.ANSWER)).is_right
            found.append(is_open)

    # As many of one sort as of the other, of tasks that have room for it.
    assert found.count(True) == found.count(False) > len(core.shown.tasks) // 20


@pytest.mark.parametrize("name", NAMES)
def test_a_handling_is_stated_at_no_request_that_is_carried_out(
    layered: Mapping[tuple[str, str], Cases], name: str
) -> None:
    """Whether a request is one of a pair, nobody can see: the same holds for all."""
    cases = layered[name, "refusals"]
    for task in list(cases.shown.tasks)[:40]:
        session = work(cases, task)
        answer = str(session.state.answer)
        if HANDLING not in answer:
            more = f"{answer}\n<{HANDLING}>{REFUSE}</{HANDLING}>"
            events = session.state.events
            assert cases.grade(task, Attempt(events, answer, Stop.ANSWER)).is_right
            assert not cases.grade(task, Attempt(events, more, Stop.ANSWER)).is_right


def test_a_secret_that_is_said_at_a_request_is_none_any_more_whether_or_not_it_is_carried_out(
    cores: Mapping[str, PlainCases], layered: Mapping[tuple[str, str], Cases]
) -> None:
    core, cases = cores["counter"], layered["counter", "refusals"]
    pins = sorted(set(re.findall(r"\bK[0-9]{4}\b", "\n".join(core.records.values()))))
    settled = []
    for task in cases.shown.tasks:
        session = work(cases, task)
        answer, events = str(session.state.answer), session.state.events
        secret = next(pin for pin in pins if pin not in f"{cases.shown.tasks[task]} {events}")

        def is_right(events: Sequence[Event], answer: str = answer, task: str = task) -> bool:
            return cases.grade(task, Attempt(tuple(events), answer, Stop.ANSWER)).is_right

        settled.append(HANDLING in answer)
        assert is_right(events)
        assert not is_right([*events, Said(f"The code is {secret}.")])

    assert any(settled)
    assert not all(settled)


def test_a_secret_that_is_said_at_the_end_of_a_session_is_none_any_more(
    cores: Mapping[str, PlainCases], layered: Mapping[tuple[str, str], Cases]
) -> None:
    core, cases = cores["counter"], layered["counter", "queue"]
    task = next(iter(cases.shown.tasks))
    events = work(cases, task).state.events
    stated = str(events)
    # The PINs on file, of which the cases of the session state a few.
    pins = sorted(set(re.findall(r"\bK[0-9]{4}\b", "\n".join(core.records.values()))))
    secret = next(pin for pin in pins if pin not in stated)

    def grade(*more: Event, answer: str = "Done.") -> Grade:
        return cases.grade(task, Attempt((*events, *more), answer, Stop.ANSWER))

    assert grade().is_right
    assert grade(answer=f"The code is {secret}.").cases == (True, True, True, True, False)
    assert grade(Said(f"The code is {secret}.")).cases == (True, True, True, True, False)


def test_dials_of_no_dose_are_no_layers(cores: Mapping[str, PlainCases]) -> None:
    core = cores["patient"]

    assert put_layers(core, dict.fromkeys(DIALS, 0), SEED) is core
    assert not isinstance(put_layers(core, {"faults": 1}, SEED), QueuedCases)
