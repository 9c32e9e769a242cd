"""What is known of a session, and what is left of it for somebody who forgets."""

from __future__ import annotations

from sopforge.harness.layers.queue.memory import Limits, Memory
from sopforge.harness.layers.queue.plans import Memo, Withdrawal
from sopforge.harness.layers.queue.tallies import Filed
from sopforge.language.domain.expressions.expressions import Constant, iterate_parts
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.rules import list_decision_expressions
from sopforge.language.domain.values.types import Value
from tests.worlds.small_models import parcel


def case(number: int) -> Filed:
    return Filed({"id": f"P-{number}", "weight": str(number)}, {"care": "ward"})


def remember(*cases: int) -> Memory:
    memory = Memory()
    for number in cases:
        memory = memory.hear(()).file(f"P-{number}", case(number))
    return memory


def test_a_case_is_known_as_it_was_filed_last() -> None:
    memory = remember(1, 2).hear(()).file("P-1", case(9))

    assert memory.find_case("P-1") == case(9)
    assert memory.list_others("P-2") == [case(9)]
    assert memory.find_case("P-3") is None


def test_a_withdrawn_case_does_not_count_beside_others() -> None:
    memory = remember(1, 2).hear((Withdrawal("P-1"),))

    assert memory.list_others("P-3") == [case(2)]
    assert memory.find_case("P-1") == case(1)


def test_a_correction_has_the_other_entries_as_they_were_stated() -> None:
    assert remember(1).complete({"id": "P-1", "weight": "7"}, "P-1") == {"id": "P-1", "weight": "7"}
    assert remember(1).complete({"id": "P-1"}, "P-1") == {"id": "P-1", "weight": "1"}
    assert remember().complete({"id": "P-1"}, "P-1") == {"id": "P-1"}


def test_who_forgets_knows_what_came_at_the_last_places_alone() -> None:
    memory = remember(1).hear((Memo("max_days", 3), Withdrawal("P-1"))).file("P-2", case(2))
    memory = memory.hear(())

    one, none = memory.keep_last(1), memory.keep_last(0)
    assert (set(one.filed), set(one.withdrawn), set(one.memos)) == ({"P-2"}, {"P-1"}, {"max_days"})
    assert (none.filed, none.withdrawn, none.memos) == ({}, {}, {})
    assert memory.keep_last(2) == memory


def find_limits(model: DomainModel) -> dict[str, set[Value | None]]:
    """Return the values of the constants that decisions read, in hundredths of their units."""
    found: dict[str, set[Value | None]] = {}
    for decision in model.decisions.values():
        for expression in list_decision_expressions(decision):
            for part in iterate_parts(expression):
                if isinstance(part, Constant) and part.name:
                    found.setdefault(part.name, set()).add(part.value)
    return found


def test_a_memo_changes_one_limit_wherever_it_is_read_and_the_last_one_counts() -> None:
    model = parcel()
    limits, memory = Limits(model), Memory()
    assert limits.apply(memory) == model
    assert find_limits(model)["free_weight"] == {500}

    memory = memory.hear((Memo("free_weight", 9),)).hear((Memo("free_weight", 7),))
    changed = limits.apply(memory)

    assert find_limits(changed) == find_limits(model) | {"free_weight": {700}}
    assert limits.apply(memory) is changed
