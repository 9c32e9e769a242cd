"""Parts of an expression, and the rows on which they are looked at."""

from __future__ import annotations

from sopforge.language.domain.expressions.expressions import Choice, Expression, Lookup, Read
from sopforge.language.domain.expressions.numbers import make_number_constant
from sopforge.language.domain.values.types import NumberType
from sopforge.language.logic.readings.scalar import holds
from sopforge.proof.dataset.coverage.goals.inner_places import list_inner_places
from sopforge.proof.solving.unfolding import TRUE
from tests.worlds.small_models import claim, claims, condition, line, value

CLAIMS = claims()


def looked_at(whole: Expression, part: Expression, **changes: object) -> bool:
    found = next(place for place in list_inner_places(whole) if place.node is part)
    return bool(holds(found.build_condition(TRUE), claim(**changes)))  # type: ignore[arg-type]


def test_an_entry_of_a_look_up_is_looked_at_for_its_label() -> None:
    entries = (make_number_constant(10), make_number_constant(20), make_number_constant(30))
    table = Lookup(NumberType(10, 30), Read(CLAIMS.fields["grade"].type, "grade"), entries)

    found = [[looked_at(table, entry, grade=grade) for entry in entries] for grade in range(3)]

    assert found == [[True, False, False], [False, True, False], [False, False, True]]


def test_a_part_that_is_shared_is_looked_at_on_either_path() -> None:
    shared, other = make_number_constant(10), make_number_constant(20)
    frozen, lead = condition(CLAIMS, "frozen"), condition(CLAIMS, "grade == 'Lead'")
    kind = NumberType(10, 20)
    whole = Choice(kind, frozen, shared, Choice(kind, lead, shared, other))
    rows = [(1, 0), (1, 1), (0, 1), (0, 0)]

    found = [looked_at(whole, shared, frozen=is_frozen, grade=grade) for is_frozen, grade in rows]

    assert found == [True, True, True, False]


def test_what_stands_for_no_item_is_looked_at_where_no_item_counts() -> None:
    whole = value(CLAIMS, "max((i.amount for i in lines if i.kind == 'Hotel'), default=7)", "total")
    default = next(
        place.node
        for place in list_inner_places(whole)
        if getattr(place.node, "value", None) == 700
    )
    lists = [(), (line(0, 100),), (line(0, 100), line(1, 100))]

    assert [looked_at(whole, default, lines=lines) for lines in lists] == [True, True, False]
