from sopforge.harness.environment.events import Called, Reply, Said
from sopforge.harness.environment.shown import ShownTask
from sopforge.harness.layers.layer import Done
from sopforge.harness.layers.stated_cases import StatedCase, list_stated_cases, read_following_case
from sopforge.language.logic.tool_calls import Refused

FIRST = {"key": "A", "age": "3"}
TASK = ShownTask("session-001", "First.", FIRST)
SECOND = {"text": "Second.", "entries": {"key": "A", "age": "4"}, "is_correction": True}


def file(statement: str, case: object) -> Called:
    result = {"cases_left": 1, "notices": [], "case": case}
    return Called("fileCase", {"statement": statement}, Reply(result))


def test_a_task_without_a_queue_is_one_case_closed_by_the_answer() -> None:
    done = Done((Called("look", {"key": "A"}, Reply({"x": 1})),), "the answer")

    assert list_stated_cases(TASK, done) == [
        StatedCase("First.", FIRST, is_correction=False, statement="the answer")
    ]


def test_each_case_of_a_session_is_closed_by_what_it_was_filed_with() -> None:
    refused = Called("fileCase", {"statement": 1}, Reply(None, "invalid_statement", "a text"))
    events = (file("one", SECOND), Said("hm"), refused, file("two", None))

    assert list_stated_cases(TASK, Done(events, "all filed")) == [
        StatedCase("First.", FIRST, is_correction=False, statement="one"),
        StatedCase("Second.", {"key": "A", "age": "4"}, is_correction=True, statement="two"),
    ]


def test_a_case_comes_with_the_reply_of_what_files_and_with_no_other() -> None:
    assert read_following_case("fileCase", {"case": SECOND}) == SECOND
    assert read_following_case("fileCase", {"case": None}) is None
    assert read_following_case("look", {"case": SECOND}) is None
    assert read_following_case("fileCase", Refused("no_case_open", "none")) is None
