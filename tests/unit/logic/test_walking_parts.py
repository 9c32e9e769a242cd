"""Cases that go through parts of a procedure, by hand: paths, rounds, stories."""

from __future__ import annotations

from sopforge.language.domain.values.types import Value
from sopforge.language.logic.explaining import Storyteller
from sopforge.language.logic.walking import iterate_finished_steps
from sopforge.proof.dataset.oracle import label_row
from tests.worlds.small_models import callers

MODEL = callers()
HOME, SHOP = "Home", "Shop"


def row_of(**changes: str) -> dict[str, Value | None]:
    """Return a small payment to another account, by a customer who is known at once."""
    cells = {
        "request_id": "R000001",
        "line": HOME,
        "amount": "100",
        "new_account": "yes",
        "on_loan": "no",
        "attempts": "0",
        "needed": "1",
        "points": "60",
        "flagged": "no",
        **changes,
    }
    return {name: MODEL.fields[name].parse(cell) for name, cell in cells.items()}


ONCE = ["verify_change", "ask", "ask.2", "check", "read", "check.2", "judge", "judge.1", "known"]


def test_a_path_names_no_edge_into_a_part_or_out_of_it() -> None:
    assert label_row(MODEL, row_of()).path == [
        *("find", "find.2", "look", "read", "look.1"),
        *(*ONCE, "verify_change.1", "move"),
    ]


def test_loops_of_a_part_count_anew_each_time() -> None:
    # The code is asked for once more in the first part, and again in the second one: of attempts
    # from 0 on, 4 are needed for the third time on, and 3 are the most.
    done = label_row(MODEL, row_of(amount="2000", needed="6"))

    assert done.path.count("ask.1") == 2
    assert done.path[-1] == "give_up"

    done = label_row(MODEL, row_of(amount="2000", needed="4"))

    assert [node for node in done.path if node.startswith("ask.")] == ["ask.1", "ask.2", "ask.2"]


def test_a_part_may_end_the_case() -> None:
    done = label_row(MODEL, row_of(line=SHOP, flagged="yes"))

    assert done.path[-3:] == ["read", "check.1", "give_up"]
    assert done.callers


def test_a_step_decides_once_its_part_has_returned() -> None:
    path = label_row(MODEL, row_of()).path

    assert [step.id for step in iterate_finished_steps(MODEL, path)] == [
        *("find", "read", "look"),
        *("ask", "read", "check", "judge", "known", "verify_change", "move"),
    ]


def test_a_story_names_the_part_and_the_step_that_it_returns_to() -> None:
    lines = list(Storyteller(MODEL).explain_walk(label_row(MODEL, row_of())))

    first = lines.index("Verify the customer who wants another account")
    assert lines[first + 1] == "  carries out: Verify the customer"
    back = lines.index("Back at: Verify the customer who wants another account")
    assert lines[back - 1] == "Note that the customer is known"
    assert lines[back + 1] == '  on to Move to the other account: the level is "good" (level: good)'
