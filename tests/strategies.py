"""Well-typed expression texts and rows over one scope, which has fields of every type."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

from hypothesis import strategies as st

from sopforge.domain.expressions import Constant
from sopforge.domain.parsing import Scope
from sopforge.domain.types import (
    BooleanType,
    DateType,
    EnumType,
    NumberType,
    SetType,
    ValueType,
)
from tests.reference_interpreter import Natural

FIRST_DAY, LAST_DAY = date(2025, 12, 20), date(2026, 3, 10)
DAYS = DateType(FIRST_DAY.toordinal(), LAST_DAY.toordinal())
COLOURS = EnumType(("Red", "Sea green", "O'Brien blue"))
SHADES = EnumType(("Pale", "Dark"))
EXTRAS = SetType(("Lamp", "Rug"), "no extra")
TAGS = SetType(("Urgent", "Fragile", "Kept cold"), "no tag")

FIELDS: dict[str, ValueType] = {
    "pieces": NumberType(-5, 40),
    "price": NumberType(0, 9_999, 2),
    "ratio": NumberType(-1_500, 2_500, 3),
    "paid": BooleanType(),
    "insured": BooleanType(),
    "colour": COLOURS,
    "tags": TAGS,
    "sent_on": DAYS,
    "due_on": DAYS,
    "rebate": NumberType(-50, 50, 1),
    "shade": SHADES,
    "extras": EXTRAS,
    "seen_on": DAYS,
}
OPTIONAL = frozenset({"rebate", "shade", "extras", "seen_on"})
CONSTANTS = {
    "dozen": Constant(NumberType(12, 12, 0, "pieces"), 12, "dozen"),
    "fee": Constant(NumberType(150, 150, 2, "USD"), 150, "fee"),
}
SCOPE = Scope(FIELDS, CONSTANTS, OPTIONAL)

_REQUIRED_NUMBERS = ("pieces", "price", "ratio", "dozen", "fee", "count(tags)")
_RELATIONS = st.sampled_from(("==", "!=", "<", "<=", ">", ">="))
_INSIDE = st.sampled_from(("in", "not in"))
_SIDES = st.sampled_from(("==", "!="))


def naturals(kind: ValueType) -> st.SearchStrategy[Natural]:
    """Return values of a type as people have them."""
    match kind:
        case NumberType():
            whole = st.integers(kind.minimum, kind.maximum)
            return whole.map(lambda value: Fraction(value, 10**kind.places))
        case BooleanType():
            return st.booleans()
        case EnumType():
            return st.sampled_from(kind.values)
        case SetType():
            return st.frozensets(st.sampled_from(kind.values))
        case DateType():
            return st.dates(FIRST_DAY, LAST_DAY)
        case _:
            raise TypeError(f"no values for {kind!r}")


def rows() -> st.SearchStrategy[dict[str, Natural | None]]:
    """Return rows of the scope; what may be missing is missing in some."""
    cells: dict[str, st.SearchStrategy[Natural | None]] = {
        name: st.none() | naturals(kind) if name in OPTIONAL else naturals(kind)
        for name, kind in FIELDS.items()
    }
    return st.fixed_dictionaries(cells)


def literals() -> st.SearchStrategy[str]:
    """Return numbers as written, with up to three places."""
    whole = st.integers(-9, 60).map(str)
    places = st.tuples(st.integers(0, 40), st.sampled_from(("0", "5", "25", "05", "125")))
    return whole | places.map(lambda pair: f"{pair[0]}.{pair[1]}")


@st.composite
def days(draw: st.DrawFn, present: frozenset[str]) -> str:
    """Return a date: a field, or a quoted day."""
    fields = ["sent_on", "due_on", *(["seen_on"] if "seen_on" in present else [])]
    quoted = st.dates(FIRST_DAY, LAST_DAY).map(lambda day: f"'{day.isoformat()}'")
    return draw(st.sampled_from(fields) | quoted)


def leaves(present: frozenset[str]) -> st.SearchStrategy[str]:
    """Return numbers without an operator."""
    optional = {"rebate": "rebate", "extras": "count(extras)"}
    reading = [text for name, text in optional.items() if name in present]
    dates = st.tuples(days(present), days(present))
    return st.one_of(
        st.sampled_from([*_REQUIRED_NUMBERS, *reading]),
        literals(),
        dates.map(lambda pair: f"days_between({pair[0]}, {pair[1]})"),
    )


def numbers(depth: int, present: frozenset[str] = frozenset()) -> st.SearchStrategy[str]:
    """Return numbers of at most six places, without outer brackets unless they are needed."""
    if not depth:
        return leaves(present)
    return st.one_of(
        leaves(present),
        products(),
        sums(depth - 1, present),
        guarded_numbers(depth - 1, present),
        choices(depth - 1, present),
    )


@st.composite
def products(draw: st.DrawFn) -> str:
    """Return a product, one side a sum; its operands are plain, so that its places stay few."""
    plain = st.sampled_from(_REQUIRED_NUMBERS) | literals()
    form = draw(st.sampled_from(("({1} {0} {2}) * {3}", "{3} * ({1} {0} {2})")))
    return form.format(draw(st.sampled_from("+-")), *(draw(plain) for _ in range(3)))


@st.composite
def sums(draw: st.DrawFn, depth: int, present: frozenset[str]) -> str:
    """Return a sum, a difference or a negative number."""
    forms = ("{0} + {1}", "{0} - {1}", "{0} - ({1})", "({0}) + ({1})", "-({0})")
    left, right = draw(numbers(depth, present)), draw(numbers(depth, present))
    return draw(st.sampled_from(forms)).format(left, right)


@st.composite
def choices(draw: st.DrawFn, depth: int, present: frozenset[str]) -> str:
    """Return one number or another, by a condition."""
    then, otherwise = draw(numbers(depth, present)), draw(numbers(depth, present))
    return f"({then} if {draw(conditions(depth, present))} else {otherwise})"


@st.composite
def guarded_numbers(draw: st.DrawFn, depth: int, present: frozenset[str]) -> str:
    """Return a number that reads a field which may be missing, only where it is present."""
    name = draw(st.sampled_from(sorted(OPTIONAL)))
    safe, reading = draw(numbers(depth, present)), draw(numbers(depth, present | {name}))
    if draw(st.booleans()):
        return f"({reading} if present({name}) else {safe})"
    return f"({safe} if not present({name}) else {reading})"


def facts(depth: int, present: frozenset[str]) -> st.SearchStrategy[str]:
    """Return conditions without and, or and not."""
    return st.one_of(
        st.sampled_from(("paid", "insured")),
        st.sampled_from(sorted(OPTIONAL)).map(lambda name: f"present({name})"),
        labels(present),
        members(present),
        dates(present),
        comparisons(depth, present),
    )


@st.composite
def labels(draw: st.DrawFn, present: frozenset[str]) -> str:
    """Return a condition on a label."""
    enums = {"colour": COLOURS, **({"shade": SHADES} if "shade" in present else {})}
    name = draw(st.sampled_from(sorted(enums)))
    quoted = st.sampled_from([repr(label) for label in enums[name].values])
    if draw(st.booleans()):
        return f"{name} {draw(_SIDES)} {draw(quoted)}"
    return f"{name} {draw(_INSIDE)} [{', '.join(draw(st.lists(quoted, min_size=1)))}]"


@st.composite
def members(draw: st.DrawFn, present: frozenset[str]) -> str:
    """Return a condition on a member of a set."""
    sets = {"tags": TAGS, **({"extras": EXTRAS} if "extras" in present else {})}
    name = draw(st.sampled_from(sorted(sets)))
    return f"{draw(st.sampled_from(sets[name].values))!r} {draw(_INSIDE)} {name}"


@st.composite
def dates(draw: st.DrawFn, present: frozenset[str]) -> str:
    """Return a comparison of two days, the first of them a field."""
    first = draw(st.sampled_from(("sent_on", "due_on")))
    return f"{first} {draw(_RELATIONS)} {draw(days(present))}"


@st.composite
def comparisons(draw: st.DrawFn, depth: int, present: frozenset[str]) -> str:
    """Return a comparison of two numbers, or a chain of two comparisons."""
    text = draw(numbers(depth, present))
    for _ in range(draw(st.integers(1, 2))):
        text += f" {draw(_RELATIONS)} {draw(numbers(depth, present))}"
    return text


@st.composite
def conditions(draw: st.DrawFn, depth: int, present: frozenset[str] = frozenset()) -> str:
    """Return a condition; brackets stand only where the text needs them to stay guarded."""
    shape = draw(st.integers(0, 6 if depth else 1))
    if shape <= 1:
        return draw(facts(max(0, depth - 1), present))
    if shape == 2:
        return f"not ({draw(conditions(depth - 1, present))})"
    if shape == 3:
        name = draw(st.sampled_from(sorted(OPTIONAL)))
        reading = draw(conditions(depth - 1, present | {name}))
        form = draw(st.sampled_from(("(present({0}) and ({1}))", "(not present({0}) or ({1}))")))
        return form.format(name, reading)
    parts = [draw(conditions(depth - 1, present)) for _ in range(draw(st.integers(2, 3)))]
    word = draw(st.sampled_from((" and ", " or ")))
    return f"({word.join(parts)})" if draw(st.booleans()) else word.join(parts)
