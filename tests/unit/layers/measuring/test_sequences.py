from fractions import Fraction

from sopforge.harness.layers.measuring.sequences import find_following_calls, measure_sequences
from tests.worlds.counters import build_counter
from tests.worlds.small_models import callers

MODEL = build_counter()
OPEN, READ, OWN, MOVE = "openSession", "getAccount", "getOwner", "transferMoney"
WHOLE = (OPEN, READ, READ, OWN, MOVE)


def test_a_task_that_goes_all_along_the_procedure_covers_all_its_sequences() -> None:
    found = measure_sequences(MODEL, [WHOLE, (OPEN,)])

    assert [item.length for item in found] == [1, 2, 3]
    assert all(item.share == 1 for item in found)
    assert found[0].allowed == {(OPEN,), (READ,), (OWN,), (MOVE,)}
    assert found[1].allowed == {(OPEN, READ), (READ, READ), (READ, OWN), (OWN, MOVE)}
    assert found[2].allowed == {(OPEN, READ, READ), (READ, READ, OWN), (READ, OWN, MOVE)}


def test_what_no_task_has_is_not_covered_and_what_is_not_allowed_does_not_count() -> None:
    one, two, three = measure_sequences(MODEL, [(OPEN, READ, MOVE), ()])

    assert one.share == Fraction(3, 4)
    assert two.found == {(OPEN, READ), (READ, MOVE)}
    assert two.share == Fraction(1, 4)
    assert three.share == 0


def test_without_tasks_nothing_is_covered() -> None:
    assert [item.share for item in measure_sequences(MODEL, [], (1, 4))] == [0, 0]


def test_calls_follow_each_other_along_edges_and_refusals() -> None:
    """A refused look-up leads to an end, so that nothing comes after it there."""
    following = find_following_calls(MODEL)

    assert following == {
        "log_in": {"read_payer"},
        "read_payer": {"read_payee"},
        "read_payee": {"read_owner"},
        "read_owner": {"move"},
        "move": set(),
    }


def test_calls_of_a_part_are_followed_by_those_after_each_step_that_carries_it_out() -> None:
    assert find_following_calls(callers()) == {
        "find": {"ask", "read"},
        "ask": {"ask", "read"},
        "read": {"ask", "judge"},
        "judge": {"read"},
    }
