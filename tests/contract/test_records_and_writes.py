"""Two dials on small packages: cases in a register, and results on file.

On a domain with tables, whose tools do not take the key of a case, and on one without.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache
from typing import Any, TypeAlias

import pytest

from sopforge.errors import MaterialError
from sopforge.evaluation.packages.proved import ProvedPackage, read_proved
from sopforge.harness.environment.events import Called, Event
from sopforge.harness.environment.session import Session, open_session
from sopforge.harness.grading.grades import Attempt, Grade, Stop
from sopforge.harness.layers.desk import open_desk
from sopforge.harness.layers.dials import ABLATED
from sopforge.harness.layers.ground import Ground
from sopforge.harness.layers.layer import Done
from sopforge.harness.layers.layered import LayeredCases
from sopforge.harness.layers.layering import put_layers
from sopforge.harness.layers.measuring.measuring import compute_success, grade_agent
from sopforge.harness.layers.records.making import make_records
from sopforge.harness.layers.records.recorded import Records
from sopforge.harness.layers.records.register import Cells, RegisterRow
from sopforge.harness.layers.records.stating import read_left_out
from sopforge.harness.layers.stated_cases import list_stated_cases
from sopforge.harness.layers.working import LayeredAgent, work_as_reference
from sopforge.harness.layers.writes.filed import Writes
from sopforge.harness.layers.writes.making import make_writes
from sopforge.harness.scoring.agents import ReferenceAgent
from sopforge.harness.scoring.trajectories import read_answer, write_answer
from sopforge.language.domain.fields import Field
from sopforge.language.domain.values.types import EnumType, NumberType
from sopforge.session.layers import FILE
from tests.worlds.dialled import find_plain, grade, make_agent, work
from tests.worlds.releases import publish_counter, refund_release
from tests.worlds.shared_builds import Shared

Layering: TypeAlias = Callable[..., LayeredCases]
NAMES = ("counter", "refund")


@pytest.fixture(scope="module")
def packages(shared: Shared) -> dict[str, ProvedPackage]:
    """Return a package with tables and one without."""
    return {
        "counter": read_proved(publish_counter(shared)),
        "refund": read_proved(refund_release(shared) / "refund"),
    }


@pytest.fixture(scope="module")
def layered(packages: dict[str, ProvedPackage]) -> Layering:
    """Return the cases of a package with some doses; they are made once."""

    @cache
    def make(name: str, *doses: tuple[str, int]) -> LayeredCases:
        cases = put_layers(packages[name].plain, dict(doses), 1)
        assert isinstance(cases, LayeredCases)
        return cases

    def put(name: str, **doses: int) -> LayeredCases:
        return make(name, *doses.items())

    return put


def get_register(cases: LayeredCases) -> Records:
    """Return the outermost layer, which has a register."""
    assert isinstance(cases.layer, Records)
    return cases.layer


def get_files(cases: LayeredCases) -> Writes:
    """Return the outermost layer, which has files."""
    assert isinstance(cases.layer, Writes)
    return cases.layer


@pytest.mark.parametrize(
    ("name", "doses"),
    [
        ("counter", {"records": 1}),
        ("counter", {"writes": 6}),
        ("counter", {"queue": 3, "faults": 2, "writes": 2, "records": 2}),
        ("counter", {"refusals": 3, "writes": 2, "records": 2}),
        ("refund", {"records": 3}),
        ("refund", {"queue": 5, "writes": 2, "records": 2}),
    ],
    ids=lambda item: item if isinstance(item, str) else "+".join(item),
)
def test_the_reference_is_right_with_each_dial_and_with_several_together(
    layered: Layering, name: str, doses: Mapping[str, int]
) -> None:
    cases = layered(name, **doses)
    grades = grade_agent(cases, make_agent(cases))

    assert compute_success(grades) == 1


# records


def iterate_cases(cases: LayeredCases) -> Iterator[tuple[str, Cells, list[str], Cells]]:
    """Yield each case that leaves something out: task, what it states, leaves out, and truly is."""
    for name, task in cases.shown.tasks.items():
        session, inner = work(cases, name), work(cases.inner, name)
        answer = session.state.answer
        shown = list_stated_cases(task, Done(tuple(session.state.events), answer))
        true = list_stated_cases(
            cases.inner.shown.tasks[name], Done(tuple(inner.state.events), answer)
        )
        for one, other in zip(shown, true, strict=True):
            left_out = read_left_out(one.text)
            if left_out:
                yield name, one.entries, left_out, other.entries


def is_same(item: Field, one: str, other: str) -> bool:
    return item.parse(one) == item.parse(other)


@pytest.mark.parametrize(
    "doses", [{"records": 3}, {"queue": 4, "records": 3}], ids=["one", "queue"]
)
@pytest.mark.parametrize("name", NAMES)
def test_one_row_alone_of_the_whole_register_fits_what_a_task_states(
    layered: Layering, name: str, doses: Mapping[str, int]
) -> None:
    cases = layered(name, **doses)
    model, layer = find_plain(cases).model, get_register(cases)
    seen = 0
    for task, stated, left_out, true in iterate_cases(cases):
        names = [item for item in layer.columns if item in stated]
        fitting = [
            row
            for row in list_rows(layer, task)
            if all(is_same(model.fields[item], row.cells[item], stated[item]) for item in names)
        ]
        seen += 1
        assert len(fitting) == 1
        found = {model.key: fitting[0].key, **fitting[0].cells}
        assert {item: found[item] for item in left_out} == {item: true[item] for item in left_out}
        assert {**stated, **{item: found[item] for item in left_out}} == true
    assert seen * 10 >= 9 * sum(map(len, cases.paths.values())) * (0.7 if "queue" in doses else 1)


def list_rows(layer: Records, task: str) -> list[RegisterRow]:
    """Return the rows of the register in a session of a task."""
    own = layer.own.get(task, {})
    rows = ((row.key, own.get(row.key, row.cells)) for row in layer.rows)
    return [RegisterRow(key, cells) for key, cells in rows if cells is not None]


def is_near(item: Field, one: str, other: str) -> bool:
    """Return whether two cells differ by little: one letter, three units, or another label."""
    match item.type:
        case EnumType():
            return True
        case NumberType(places=places):
            return abs(Decimal(one) - Decimal(other)) <= 3 * Decimal(1).scaleb(-places)
        case _:
            return (
                len(one) == len(other) and sum(a != b for a, b in zip(one, other, strict=True)) < 2
            )


def take(cases: LayeredCases, task: str, row: Cells, left_out: Sequence[str]) -> bool:
    """Return whether a task is right whose case is taken to be that of a row."""
    session = open_session(cases.environment, task)
    stated = session.observation.task.inputs
    inputs = {**stated, **{item: row[item] for item in left_out}}
    answer = ReferenceAgent(find_plain(cases).model).solve(inputs, open_desk(session).call).answer
    return cases.grade(task, Attempt(session.state.events, answer, Stop.ANSWER)).is_right


def list_nears(cases: LayeredCases, task: str, stated: Cells, true: Cells) -> list[Cells]:
    """Return the near-duplicates that differ by little from this case, and from no other one.

    Cases in pairs are near to each other, and so are their near-duplicates.
    """
    model, layer = find_plain(cases).model, get_register(cases)
    rows = [{model.key: row.key, **row.cells} for row in list_rows(layer, task)]
    # Those of cases that are left out of the session, too.
    known = [{model.key: row.key, **row.cells} for row in layer.rows]
    names = [item for item in layer.columns if item in stated]

    def are_near(one: Cells, other: Cells) -> bool:
        return all(is_near(model.fields[item], one[item], other[item]) for item in names)

    own = [row for row in rows if row[model.key] in layer.near and are_near(row, true)]
    others = [row for row in known if row[model.key] not in {*layer.near, true[model.key]}]
    return [row for row in own if not any(are_near(row, other) for other in others)]


@pytest.mark.parametrize("name", NAMES)
def test_whoever_takes_a_near_duplicate_is_wrong_and_who_takes_the_case_is_right(
    layered: Layering, name: str
) -> None:
    cases = layered(name, records=3)
    sizes = Counter[int]()
    for task, stated, left_out, true in iterate_cases(cases):
        nears = list_nears(cases, task, stated, true)
        sizes[len(nears)] += 1
        assert take(cases, task, true, left_out)
        assert not any(take(cases, task, row, left_out) for row in nears)
    # Where the register has few entries, some are as near to other cases, and stay as they are.
    size = len(cases.shown.tasks)
    assert sum(sizes[count] for count in sizes if count) * 10 >= 7 * size, sizes
    assert len(get_register(cases).near) * 10 >= 7 * 3 * size


@pytest.mark.parametrize("name", NAMES)
def test_a_search_shows_the_case_among_others_at_times_first(layered: Layering, name: str) -> None:
    cases = layered(name, records=3)
    model, layer = find_plain(cases).model, get_register(cases)
    first = crowded = 0
    for task, stated, _, true in iterate_cases(cases):
        session = open_session(cases.environment, task)
        names = [item for item in layer.columns if item in stated]
        found = [search(session, layer, item, stated[item]) for item in names]
        keys = [[row[model.key] for row in rows] for rows in found]
        assert any(true[model.key] in listed for listed in keys)
        crowded += len(keys[0]) > 2
        first += len(keys[0]) > 2 and keys[0][0] == true[model.key]
        for item, rows in zip(names, found, strict=True):
            assert all(is_same(model.fields[item], row[item], stated[item]) for row in rows)
            assert len(rows) <= layer.limit
    assert crowded > 0
    # Its place says nothing: neither that it is the first, nor that it is not.
    assert 0 < first * 2 <= crowded


def search(session: Session[Any], layer: Records, name: str, cell: str) -> list[dict[str, str]]:
    result = session.call(layer.tool, {"entry": name, "value": cell}).result
    assert isinstance(result, dict)
    rows: Any = result["rows"]
    return list(rows)


@pytest.mark.parametrize("name", NAMES)
def test_a_task_shows_nothing_of_what_it_leaves_out(layered: Layering, name: str) -> None:
    cases = layered(name, records=3)
    for task, stated, left_out, true in iterate_cases(cases):
        text = cases.shown.tasks[task].text
        assert not set(left_out) & stated.keys()
        key = find_plain(cases).model.key
        assert left_out[0] == key
        assert true[key] not in text
        assert true[key] not in cases.shown.sop
        assert all(cell in text for cell in stated.values())


def test_a_call_about_a_near_duplicate_is_answered_like_any_other(layered: Layering) -> None:
    """The order that the register names is found, another is not, and the key is the one asked."""
    cases = layered("refund", records=3)
    layer = get_register(cases)
    rows = {row.key: row.cells for row in list_rows(layer, next(iter(cases.shown.tasks)))}
    task = next(iter(cases.shown.tasks))
    assert len(layer.near) >= 20
    for key, near in layer.near.items():
        session = open_session(cases.environment, task)
        order = rows[key]["order_number"]
        shown = session.call("lookUpOrder", {"request_id": key, "order_number": order})
        held = rows[near.leads_to]["order_number"]
        true = session.call("lookUpOrder", {"request_id": near.leads_to, "order_number": held})
        assert not shown.refusal
        assert shown.result == true.result
        wrong = "ORD-000000"
        assert wrong not in (order, held)
        for other in (wrong, held):
            if other != order:
                refused = session.call("lookUpOrder", {"request_id": key, "order_number": other})
                assert refused.refusal == "record_mismatch"
                assert near.leads_to not in refused.as_text()


def test_an_attempt_is_graded_by_the_case_that_a_near_duplicate_leads_to(layered: Layering) -> None:
    cases = layered("refund", records=3)
    key, near = next(iter(get_register(cases).near.items()))
    task = next(iter(cases.shown.tasks))
    session = open_session(cases.environment, task)
    session.call(get_register(cases).tool, {"entry": "reason", "value": "Damaged"})
    session.call("payRefund", {"request_id": key, "eligibility": "eligible"})

    left = get_register(cases).unwrap(task, Done(session.state.events, ""))

    [event] = left.events
    assert isinstance(event, Called)
    assert event.arguments == {"request_id": near.leads_to, "eligibility": "eligible"}


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"entry": "mood", "value": "x"}, "invalid_parameter"),
        ({"entry": "payee"}, "invalid_parameter"),
        ({"entry": ["payee"], "value": "x"}, "invalid_parameter"),
        ({"entry": "payee", "value": "nobody"}, ""),
    ],
)
def test_a_search_by_what_there_is_not_is_refused(
    layered: Layering, arguments: dict[str, Any], code: str
) -> None:
    cases = layered("counter", records=3)
    session = open_session(cases.environment, next(iter(cases.shown.tasks)))

    reply = session.call(get_register(cases).tool, arguments)

    assert reply.refusal == code
    if not code:
        assert reply.result == {"found": 0, "rows": []}


def test_a_register_has_no_secrets(layered: Layering) -> None:
    """The PIN that a customer states is that of the account."""
    assert list(get_register(layered("counter", records=3)).columns) == ["payer", "payee", "amount"]


def test_a_domain_in_which_it_makes_no_difference_whose_case_it_is_is_refused(
    packages: dict[str, ProvedPackage],
) -> None:
    plain = packages["refund"].plain
    ground = Ground(plain, plain, work_as_reference)
    right = {task: write_answer(plain.gold[task].outcomes) for task in plain.gold}
    texts = {shown.text: right[name] for name, shown in plain.shown.tasks.items()}
    same = replace(ground, solve=lambda desk, model: texts[desk.text])  # noqa: ARG005 - a solver

    with pytest.raises(MaterialError) as raised:
        make_records(same, 2, 1)

    [fault] = raised.value.faults
    assert (fault.code, fault.where) == ("dial-not-possible", "dial records")
    size = len(plain.gold)
    assert fault.message.startswith(f"0 of {size} cases can be mistaken for another one")


def test_the_published_tools_answer_as_the_model_does(
    packages: dict[str, ProvedPackage],
) -> None:
    """Also about near-duplicates: who takes the first is right and wrong at the same tasks."""
    package = packages["refund"].with_dials({"records": 3, "writes": 2}, 1)
    agent = LayeredAgent(package.model, (ABLATED["first-record"].lacks,))
    right = {True: [], False: []}  # type: dict[bool, list[bool]]
    with package.open_environment() as environment:
        for task in package.shown.tasks:
            for published in (True, False):
                used: Any = environment if published else package.cases.environment
                session = open_session(used, task)
                answer = agent.work(open_desk(session))
                attempt = Attempt(session.state.events, answer, Stop.ANSWER)
                right[published].append(package.grade(task, attempt).is_right)

    assert right[True] == right[False]


# writes


def test_a_domain_whose_cases_come_to_no_results_is_refused(
    packages: dict[str, ProvedPackage],
) -> None:
    plain = packages["refund"].plain
    ground = replace(Ground(plain, plain, work_as_reference), solve=lambda desk, model: "")  # noqa: ARG005 - a solver

    with pytest.raises(MaterialError) as raised:
        make_writes(ground, 2, 1)

    [fault] = raised.value.faults
    assert (fault.code, fault.where) == ("dial-not-possible", "dial writes")
    assert fault.message.startswith(f"0 of {len(plain.gold)} cases come to results")


@pytest.mark.parametrize("name", NAMES)
def test_half_of_the_files_are_not_free_and_nothing_in_a_task_shows_which(
    packages: dict[str, ProvedPackage], layered: Layering, name: str
) -> None:
    cases = layered(name, writes=2)
    layer = get_files(cases)
    standing = Counter(status.standing.value for status in layer.statuses.values())

    assert cases.shown.tasks == packages[name].shown.tasks
    assert abs(2 * standing["free"] - sum(standing.values())) <= 1
    assert abs(standing["closed"] - standing["reserved"]) <= 1
    for path in set(cases.paths.values()):
        tasks = [task for task, paths in cases.paths.items() if paths == path]
        free = [task for task in tasks if layer.describe(task)["files"] == ["free"]]
        assert abs(2 * len(free) - len(tasks)) <= 1


def is_filed(grade: Grade) -> bool:
    """Return whether all files are right."""
    assert grade.session is not None
    return grade.session["file"]


@pytest.mark.parametrize("name", NAMES)
def test_what_is_entered_is_what_is_stated_and_what_a_file_asks_for(
    layered: Layering, name: str
) -> None:
    cases = layered(name, writes=6)
    model = find_plain(cases).model
    for task, shown in cases.shown.tasks.items():
        session = work(cases, task)
        key, gold = shown.inputs[model.key], find_plain(cases).gold[task].outcomes
        calls = [
            (event.tool, dict(event.arguments))
            for event in session.state.events
            if isinstance(event, Called) and "file" in event.arguments
        ]
        names = [tool for tool, _ in calls]
        entered = {
            given["result"]: given["value"] for tool, given in calls if tool == "enterResult"
        }
        assert {given["file"] for _, given in calls} == {key}
        match get_files(cases).statuses[key].standing:
            case "reserved":
                assert names == ["getFileStatus", "noteForDesk"]
            case "closed":
                assert names[:3] == ["getFileStatus", "reopenFile", "reserveFile"]
                assert re.search(
                    rf'^- "{gold[model.primary.name]}": {calls[1][1]["reason"]}$',
                    cases.shown.sop,
                    re.MULTILINE,
                )
            case _:
                assert names[:2] == ["getFileStatus", "reserveFile"]
        if "enterResult" in names:
            fields = {item.name: item for item in model.outcomes}
            assert entered == {
                item: cell for item, cell in gold.items() if cell != (fields[item].missing or None)
            }
            assert names[-1] == "releaseFile"


def test_one_wrong_change_shows_wherever_it_is_made(layered: Layering) -> None:
    cases = layered("counter", writes=2)
    model = find_plain(cases).model
    agent = make_agent(cases)
    task, other = list(cases.shown.tasks)[:2]
    keys = [cases.shown.tasks[name].inputs[model.key] for name in (task, other)]
    wrong = [
        ("reserveFile", {"file": keys[0]}),
        ("releaseFile", {"file": keys[1]}),
        ("noteForDesk", {"file": keys[1], "desk": "audit desk"}),
        ("enterResult", {"file": keys[0], "result": "verdict", "value": "refused"}),
    ]
    right = work(cases, task)
    answer = right.state.answer

    assert is_filed(grade(cases, task, right, answer))
    for tool, arguments in wrong:
        session = open_session(cases.environment, task)
        agent.work(open_desk(session))
        assert not session.call(tool, arguments).refusal
        found = grade(cases, task, session, answer)
        assert not is_filed(found)
        assert not found.is_right


def test_the_right_files_do_not_make_a_wrong_answer_right(layered: Layering) -> None:
    cases = layered("refund", writes=2)
    task = next(iter(cases.shown.tasks))
    session = work(cases, task)
    stated = read_answer(session.state.answer or "")
    other = "paid" if stated["refund_status"] != "paid" else "refused"

    found = grade(cases, task, session, write_answer({**stated, "refund_status": other}))

    assert is_filed(found)
    assert not found.is_right


def test_a_case_that_is_decided_anew_is_entered_anew(layered: Layering) -> None:
    cases = layered("refund", queue=5, writes=2)
    anew = 0
    for name in cases.shown.tasks:
        keys, events = get_files(cases).keys[name], work(cases, name).state.events
        filed = [at for at, event in enumerate(events) if _is_filing(event)]
        assert len(filed) == len(keys)
        for number, key in enumerate(keys):
            if key not in keys[:number]:
                continue
            anew += 1
            own = events[filed[number - 1] + 1 : filed[number]]
            tools = [
                event.tool
                for event in own
                if isinstance(event, Called) and "file" in event.arguments
            ]
            if get_files(cases).statuses[key].standing == "reserved":
                assert tools == ["getFileStatus", "noteForDesk"]
            else:
                assert tools[:3] == ["getFileStatus", "reopenFile", "reserveFile"]
                assert tools[-1] == "releaseFile"
    assert anew >= 5


def _is_filing(event: Event) -> bool:
    return isinstance(event, Called) and event.tool == FILE and not event.reply.refusal
