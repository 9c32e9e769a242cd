"""The dial of the user on small packages: what cases leave out, and what requesters say.

On a domain with tables and on one without.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from sopforge.errors import MaterialError
from sopforge.harness.environment.events import Called, Event, Reply
from sopforge.harness.environment.session import Session, open_session
from sopforge.harness.grading.grades import Attempt, Stop
from sopforge.harness.layers.files import write_layers
from sopforge.harness.layers.ground import Ground
from sopforge.harness.layers.layered import LayeredCases
from sopforge.harness.layers.layering import put_layers
from sopforge.harness.layers.plain import PlainCases
from sopforge.harness.layers.user.making import make_requester
from sopforge.harness.layers.working import work_as_reference
from sopforge.harness.users.acts import ActKind
from sopforge.harness.users.speaking import Speech
from sopforge.harness.users.words import load_words
from tests.worlds.dialled import read_core, work
from tests.worlds.releases import publish_counter, refund_release
from tests.worlds.shared_builds import Shared

NAMES = ("counter", "refund")
ASK = "askRequester"


@pytest.fixture(scope="module")
def cores(shared: Shared) -> dict[str, PlainCases]:
    folders = {"counter": publish_counter(shared), "refund": refund_release(shared) / "refund"}
    return {name: read_core(folder) for name, folder in folders.items()}


@pytest.fixture(scope="module")
def layered(cores: Mapping[str, PlainCases]) -> dict[tuple[str, int], LayeredCases]:
    """Return the cases of each domain with the dial, in queues of so many; 1 is no queue."""
    found = {}
    for name, core in cores.items():
        for size in (1, 4):
            doses = {"user": 2, **({"queue": size} if size > 1 else {})}
            cases = put_layers(core, doses, 1)
            assert isinstance(cases, LayeredCases)
            found[name, size] = cases
    return found


def ask(session: Session[Any], text: str) -> str:
    result = session.call(ASK, {"text": text}).result
    assert isinstance(result, dict)
    return str(result["reply"])


def list_labels(core: PlainCases, names: Sequence[str]) -> list[str]:
    return [core.model.fields[name].label for name in names]


@pytest.mark.parametrize("name", NAMES)
def test_what_a_task_keeps_back_its_requester_knows(
    cores: Mapping[str, PlainCases], layered: Mapping[tuple[str, int], LayeredCases], name: str
) -> None:
    core, cases = cores[name], layered[name, 1]
    kept_back = 0
    for task, shown in cases.shown.tasks.items():
        inputs = core.gold[task].inputs
        left_out = [item for item in inputs if item not in shown.inputs]
        kept_back += bool(left_out)
        session = open_session(cases.environment, task)
        for label, item in zip(list_labels(core, left_out), left_out, strict=True):
            assert f'"{inputs[item]}"' not in shown.text
            said = ask(session, f"What is the {label}?")
            assert inputs[item] in said

    assert kept_back * 2 > len(cases.shown.tasks)


@pytest.mark.parametrize("name", NAMES)
def test_an_entry_that_is_stated_otherwise_is_corrected_once_all_is_asked_for(
    cores: Mapping[str, PlainCases], layered: Mapping[tuple[str, int], LayeredCases], name: str
) -> None:
    core, cases = cores[name], layered[name, 1]
    corrected = 0
    for task, shown in cases.shown.tasks.items():
        inputs = core.gold[task].inputs
        wrong = [item for item, cell in shown.inputs.items() if cell != inputs[item]]
        assert len(wrong) <= 1
        left_out = [item for item in inputs if item not in shown.inputs]
        session = open_session(cases.environment, task)
        said = shown.text + ask(session, ", ".join(list_labels(core, left_out)))
        for item in wrong:
            assert inputs[item] in said
            # The correction is a line of its own, with both values.
            pattern = rf"^.*{re.escape(inputs[item])}.*{re.escape(shown.inputs[item])}.*$"
            corrected += re.search(pattern, said, re.MULTILINE) is not None
        assert len(wrong) == 0 or corrected

    assert corrected * 2 > len(cases.shown.tasks)


@pytest.mark.parametrize("given", [{}, {"text": 3}, {"text": "PIN?", "loud": True}])
def test_other_arguments_than_a_text_are_refused(
    layered: Mapping[tuple[str, int], LayeredCases], given: dict[str, Any]
) -> None:
    cases = layered["counter", 1]
    session = open_session(cases.environment, next(iter(cases.shown.tasks)))

    assert session.call(ASK, given) == Reply(
        None, "invalid_parameter", "askRequester takes text, a text"
    )


def test_what_is_said_to_a_requester_is_judged_for_secrets(
    cores: Mapping[str, PlainCases], layered: Mapping[tuple[str, int], LayeredCases]
) -> None:
    core, cases = cores["counter"], layered["counter", 1]
    task = next(iter(cases.shown.tasks))
    session = work(cases, task)
    pins = sorted(set(re.findall(r"\bK[0-9]{4}\b", "\n".join(core.records.values()))))
    secret = next(pin for pin in pins if pin not in str(core.gold[task]))

    def is_right(*more: Event) -> bool:
        attempt = Attempt((*session.state.events, *more), session.state.answer, Stop.ANSWER)
        return cases.grade(task, attempt).is_right

    assert is_right(Called(ASK, {"text": "Thank you."}, Reply({"reply": "Yes."})))
    assert not is_right(Called(ASK, {"text": f"It is {secret}."}, Reply({"reply": "Yes."})))


@pytest.mark.parametrize("name", NAMES)
def test_a_claim_is_true_at_times(
    cores: Mapping[str, PlainCases], layered: Mapping[tuple[str, int], LayeredCases], name: str
) -> None:
    """As the records of the package have it, each next to its case."""
    core, speech = cores[name], Speech(cores[name].model, load_words())
    found = Counter[bool]()
    for task, shown in layered[name, 1].shown.tasks.items():
        for act in speech.read(shown.text):
            if act.kind is ActKind.CLAIM:
                item, value = core.model.fields[act.about], core.rows[task][act.about]
                found[value is not None and item.format_cell(value) == act.value] += 1

    assert found[True] >= 1
    assert found[False] * 10 >= 3 * len(core.gold)


def test_a_domain_whose_tasks_state_too_little_says_so(cores: Mapping[str, PlainCases]) -> None:
    """With one case, which all others are, no first value of an entry leads to something else."""
    core = cores["refund"]
    task, only = next(iter(core.gold.items()))
    shown = replace(core.shown, tasks={task: core.shown.tasks[task]})
    few = replace(core, shown=shown, gold={task: only})

    with pytest.raises(MaterialError) as raised:
        make_requester(Ground(few, few, work_as_reference), 2, 1)

    (fault,) = raised.value.faults
    assert (fault.code, fault.where) == ("dial-not-possible", "dial user")
    assert "errs in 0 percent of the cases; 30 are needed" in fault.message


def test_layers_hold_no_result(layered: Mapping[tuple[str, int], LayeredCases]) -> None:
    """Nothing of what is right stands in what a package carries."""
    for cases in layered.values():
        data = json.loads(write_layers(cases).strip().split("\n")[-1])["data"]
        for task, requests in data["cases"].items():
            outcomes = cases.list_outcomes(task)
            assert not any(f"<{name}>" in str(requests) for name in outcomes)
