"""Well-typed conditions and values over one domain with fields of every type.

The texts are small enough for the solver and mixed enough to need brackets: sums in products,
choices in sums, conditions in choices, aggregates and dates on either side of a comparison.
"""

from __future__ import annotations

from datetime import date

from hypothesis import strategies as st

from sopforge.language.domain.values.types import BOOLEAN, AtomType, DateType, ListType, NumberType
from tests.generators.english_domain import CLAIMS, EXTRAS, FIRST, LAST, SCOPE, SPEED

_RELATIONS = st.sampled_from(("==", "!=", "<", "<=", ">", ">="))
_SIDES = st.sampled_from(("==", "!="))
_INSIDE = st.sampled_from(("in", "not in"))
_MEMBERS = st.sampled_from([repr(label) for label in EXTRAS.values])
_SPEEDS = st.sampled_from([repr(label) for label in SPEED.values])
_PLAIN = (
    "pause",
    "score",
    "score_limit",
    "weight",
    "years",
    "age",
    "tier",
    "rebate",
    "adult_age",
    "fee",
    "grace",
    "vat",
)
_SETS = ("count(extras)", "count(tools)", "count(extras | tools)", "count(tools & extras)")


# numbers


def literals() -> st.SearchStrategy[str]:
    """Return numbers as written."""
    places = st.tuples(st.integers(0, 9), st.sampled_from(("0", "5", "25", "00")))
    return st.integers(-5, 12).map(str) | places.map(lambda pair: f"{pair[0]}.{pair[1]}")


def numbers(depth: int) -> st.SearchStrategy[str]:
    """Return numbers."""
    leaves = st.one_of(st.sampled_from((*_PLAIN, *_SETS)), literals(), spans())
    if not depth:
        return leaves
    return st.one_of(
        leaves, sums(depth - 1), functions(depth - 1), choices(depth - 1), aggregates()
    )


@st.composite
def sums(draw: st.DrawFn, depth: int) -> str:
    """Return sums, differences, negative numbers and products, one side of which is written."""
    forms = ("{0} + {1}", "{0} - {1}", "{0} - ({1})", "({0}) + ({1})", "-({0})", "{2} * ({1})")
    left, right, factor = draw(numbers(depth)), draw(numbers(depth)), draw(literals())
    return f"({draw(st.sampled_from((*forms, '({0}) * {2}'))).format(left, right, factor)})"


@st.composite
def functions(draw: st.DrawFn, depth: int) -> str:
    """Return what functions of numbers give."""
    forms = (
        "abs({0})",
        "min({0}, {1})",
        "max({0}, {1})",
        "min({0}, {1}, {2})",
        "max({0}, {1}, {2})",
        "round({0}, 1)",
        "round({0}, 0)",
        "round(({0}) / years, 2)",
        "round(({0}) / (years + 1), 0)",
        "round(({0}) * 20 / 100, 1)",
        "round(({0}) * (100 + 5) / 100, 2)",
        "round(({0}) * (100 - vat) / 100, 2)",
        "floor(({0}) / 60)",
        "ceiling(({0}) / years, 1)",
        "floor({0})",
        "ceiling(({0}) * 20 / 100)",
        "remainder({0}, 7)",
        "remainder({0}, max({1}, 2))",
        "{3} ** 2",
        "(tier + 1) ** 2",
        "(-{3}) ** 2",
        "adult_age ** 3",
        "round(max(({0}) / years, {1}), 1)",
    )
    parts = [draw(numbers(depth)) for _ in range(3)]
    return draw(st.sampled_from(forms)).format(*parts, draw(st.sampled_from(_PLAIN)))


@st.composite
def choices(draw: st.DrawFn, depth: int) -> str:
    """Return one number or another; a choice may be chained without brackets."""
    then, otherwise = draw(numbers(depth)), draw(numbers(depth))
    condition = draw(conditions(depth))
    return f"({then} if {condition} else {otherwise})"


@st.composite
def spans(draw: st.DrawFn) -> str:
    """Return the time between two days or moments."""
    form = draw(
        st.sampled_from(
            (
                "days_between({0}, {1})",
                "workdays_between({0}, {1}, office)",
                "minutes_between({2}, {3})",
                "hour_of({2})",
            )
        )
    )
    return form.format(draw(days(1)), draw(days(0)), draw(moments()), draw(moments()))


@st.composite
def aggregates(draw: st.DrawFn) -> str:
    """Return what is counted, added up or picked of a list's items."""
    forms = (
        "count(i for i in {list}{where})",
        "sum({value} for i in {list}{where})",
        "min(({value} for i in {list}{where}), default={default})",
        "max(({value} for i in {list}{where}), default={default})",
        "first(({value} for i in {list}{where}), default={default})",
        "last(({value} for i in {list}{where}), default={default})",
        "median(({value} for i in {list}{where}), default={default})",
        "average(({value} for i in {list}{where}), places={places}, default={default})",
    )
    return draw(st.sampled_from(forms)).format(
        list=draw(st.sampled_from(("claims", "visits"))),
        where=draw(st.just("") | facts_of_items().map(lambda fact: f" if {fact}")),
        value=draw(
            st.sampled_from(
                (
                    *("i.amount", "i.parts_used", "i.amount + 1", "i.parts_used * tier"),
                    "(100 if i.kind == 'Fast' else 0)",
                    "days_between(i.paid_on, sent_on)",
                    *("i.amount ** 2", "floor(i.amount / 7)", "remainder(i.parts_used, 2)"),
                )
            )
        ),
        default=draw(st.sampled_from(("0", "-1", "tier"))),
        places=draw(st.sampled_from("012")),
    )


# lists


_PARTS_OF_ITEMS: tuple[tuple[AtomType, tuple[str, ...]], ...] = (
    (CLAIMS.fields[0][1], ("i.amount",)),
    (NumberType(0, 5, 0), ("i.parts_used", "count(i.extras)")),
    (
        NumberType(-(10**9), 10**9, 2, "USD"),
        (
            *("i.amount * 2", "i.amount + fee", "round(i.amount / years, 1)", "abs(rebate)", "3"),
            *(
                "i.amount if fragile else 2",
                "min(i.amount, fee)",
                "days_between(sent_on, i.paid_on)",
            ),
        ),
    ),
    (SPEED, ("i.kind", "speed", "'Fast'", "i.kind if i.settled else speed")),
    (BOOLEAN, ("i.settled", "i.amount > fee and fragile", "not i.settled", "fragile")),
    (DateType(1, 10**6), ("i.paid_on", "add_days(i.paid_on, 3)", "sent_on", "'2026-02-01'")),
    (EXTRAS, ("i.extras", "extras")),
)


@st.composite
def lists(draw: st.DrawFn) -> tuple[str, ListType]:
    """Return lists that are made of others, with their types."""
    name = draw(st.sampled_from(("claims", "visits")))
    where = draw(st.just("") | facts_of_items().map(lambda fact: f" if {fact}"))
    if draw(st.booleans()):
        kept = draw(st.lists(st.sampled_from(CLAIMS.fields), min_size=1, unique=True))
        return f"[i for i in {name}{where}]", ListType(tuple(kept), 3, "nothing")
    chosen = draw(st.lists(st.sampled_from(_PARTS_OF_ITEMS), min_size=1, max_size=4))
    names = draw(
        st.lists(
            st.sampled_from(("amount", "kind", "size", "settled", "note", "paid_on", "as_is")),
            min_size=len(chosen),
            max_size=len(chosen),
            unique=True,
        )
    )
    parts = [
        f"{part}={draw(st.sampled_from(texts))}"
        for part, (_, texts) in zip(names, chosen, strict=True)
    ]
    made = tuple((part, kind) for part, (kind, _) in zip(names, chosen, strict=True))
    return f"[item({', '.join(parts)}) for i in {name}{where}]", ListType(made, 3, "nothing")


# dates


def days(depth: int) -> st.SearchStrategy[str]:
    """Return days."""
    quoted = st.integers(FIRST, LAST).map(lambda day: repr(date.fromordinal(day).isoformat()))
    plain = st.sampled_from(("sent_on", "due_on", "new_rules", "date_of(came_at)")) | quoted
    return st.one_of(plain, later(), later()) if depth else plain


@st.composite
def later(draw: st.DrawFn) -> str:
    """Return days before or after others."""
    forms = (
        *("add_days({0}, {1})", "add_months({0}, {1})", "({0} if {2} else sent_on)"),
        *("add_workdays({0}, max({1}, 0), office)", "add_workdays({0}, 5, office)"),
    )
    amount = st.sampled_from(("1", "-1", "7", "grace", "tier", "score + 1", "count(extras)"))
    form = draw(st.sampled_from(forms))
    return form.format(draw(days(0)), draw(amount), draw(conditions(0)))


@st.composite
def weekdays(draw: st.DrawFn) -> str:
    """Return conditions on the weekday of a day."""
    asked = ("== 'Monday'", "!= 'Sunday'", "in ['Saturday', 'Sunday']", "not in ['Friday']")
    return f"weekday_of({draw(days(1))}) {draw(st.sampled_from(asked))}"


def moments() -> st.SearchStrategy[str]:
    """Return moments."""
    plain = ("came_at", "left_at", "'2026-02-01 08:30'")
    later = [
        f"add_{unit}({time}, {count})"
        for time in plain
        for unit, counts in (
            ("minutes", ("45", "-90", "120", "pause")),
            ("hours", ("1", "-72", "tier")),
            ("days", ("1", "-3", "grace")),
        )
        for count in counts
    ]
    return st.sampled_from(plain) | st.sampled_from(later)


# conditions


def facts() -> st.SearchStrategy[str]:
    """Return conditions on one or two fields."""
    optional = sorted(SCOPE.optional)
    return st.one_of(
        st.sampled_from(
            ("fragile", "consent", "urgent", "signed_by == manager", "speed != wanted_speed")
        ),
        st.sampled_from(optional).map(lambda name: f"present({name})"),
        st.tuples(_MEMBERS, _INSIDE, st.sampled_from(("extras", "tools"))).map(" ".join),
        st.tuples(_MEMBERS | st.just("piece"), _INSIDE, sets(1)).map(" ".join),
        inclusions(),
        labels("speed", "wanted_speed", "speed if fragile else wanted_speed"),
        st.tuples(speeds(1), _RELATIONS, speeds(1)).map(" ".join),
        st.tuples(st.just("signed_by"), _SIDES, st.sampled_from(("'Ada'", "'Bo'"))).map(" ".join),
        st.tuples(st.just("sent_on"), _RELATIONS, days(1)).map(" ".join),
        st.tuples(days(1), _RELATIONS, st.just("due_on")).map(" ".join),
        st.tuples(st.just("came_at"), _RELATIONS, moments()).map(" ".join),
        weekdays(),
        quantified(),
    )


def written_sets() -> st.SearchStrategy[str]:
    """Return written sets."""
    labels = st.lists(_MEMBERS, min_size=1, unique=True)
    return labels.map(lambda listed: f"[{', '.join(listed)}]")


@st.composite
def sets(draw: st.DrawFn, depth: int) -> str:
    """Return sets: fields, and what is made of a field and another set."""
    field = draw(st.sampled_from(("extras", "tools")))
    if not depth or draw(st.booleans()):
        return field
    other = draw(sets(depth - 1) | written_sets() | st.just("[]"))
    form = draw(
        st.sampled_from(
            (
                *("{0} | {1}", "{1} | {0}", "{0} & {1}", "{0} - {1}", "{1} - {0}", "{0} - ({1})"),
                *("({0} if urgent else {1})", "({1} if fragile else {0})"),
            )
        )
    )
    return f"({form.format(field, other)})"


@st.composite
def inclusions(draw: st.DrawFn) -> str:
    """Return that all of a set lies in another one, or not all of it."""
    pair = (draw(sets(2)), draw(sets(1) | written_sets()))
    sides = pair if draw(st.booleans()) else pair[::-1]
    text = f"{sides[0]} {draw(st.sampled_from(('<=', '>=')))} {sides[1]}"
    return draw(st.sampled_from((text, f"not ({text})")))


@st.composite
def labels(draw: st.DrawFn, *names: str) -> str:
    """Return a condition on a label."""
    name = draw(st.sampled_from(names))
    if draw(st.booleans()):
        return f"({name}) {draw(_SIDES)} {draw(_SPEEDS)}"
    return f"({name}) {draw(_INSIDE)} [{', '.join(draw(st.lists(_SPEEDS, min_size=1)))}]"


@st.composite
def speeds(draw: st.DrawFn, depth: int) -> str:
    """Return labels that have an order, at least one of them of a field."""
    name = draw(st.sampled_from(("speed", "wanted_speed")))
    if not depth:
        return name
    forms = (
        *("{0}", "min({0}, {1})", "max({0}, {1})", "min({0}, {2})", "max({0}, {2}, {1})"),
        *("max({2}, {0})", "({0} if fragile else {2})", "max(min({0}, {2}), {1})"),
        *(
            "max((i.kind for i in claims), default={2})",
            "min((i.kind for i in visits), default={0})",
        ),
        "max((i.kind for i in claims if {3}), default={0})",
    )
    parts = (name, draw(speeds(0)), draw(_SPEEDS), draw(facts_of_items()))
    return draw(st.sampled_from(forms)).format(*parts)


def facts_of_items() -> st.SearchStrategy[str]:
    """Return conditions on an item ``i``, which may read the record too."""
    plain = st.sampled_from(
        (
            "i.settled",
            "not i.settled",
            "i.amount > fee",
            "i.amount - 1 <= weight",
            "i.parts_used == 1",
            "'Rug' in i.extras",
            "piece in i.extras",
            "i.extras <= extras",
            "not (i.extras <= ['Rug'])",
            "i.extras >= ['Lamp', 'Chair']",
            "count(i.extras) < 2",
            "i.kind == 'Fast'",
            "i.kind != speed",
            "i.kind >= 'Fast'",
            "i.kind < speed",
            "i.kind not in ['Slow', 'Very fast']",
            "i.paid_on >= sent_on",
            "fragile",
        )
    )
    pair = st.tuples(plain, st.sampled_from(("and", "or")), plain).map(" ".join)
    return plain | pair | pair.map(lambda text: f"not ({text})")


@st.composite
def quantified(draw: st.DrawFn) -> str:
    """Return a condition on some or all items of a list."""
    where = draw(st.just("") | facts_of_items().map(lambda fact: f" if {fact}"))
    name = draw(st.sampled_from(("any", "all")))
    return f"{name}({draw(facts_of_items())} for i in claims{where})"


@st.composite
def comparisons(draw: st.DrawFn, depth: int) -> str:
    """Return a comparison of two numbers, a chain of two, or one of quotients."""
    left, middle, right = (draw(numbers(depth)) for _ in range(3))
    forms = ("{0} {1} {2}", "{0} {1} {2}", "{0} {1} {2} {1} {3}", "({0}) / years {1} {2}")
    return draw(st.sampled_from(forms)).format(left, draw(_RELATIONS), middle, right)


@st.composite
def conditions(draw: st.DrawFn, depth: int) -> str:
    """Return a condition."""
    shape = draw(st.integers(0, 6 if depth else 1))
    if shape < 2:
        return draw(facts() | comparisons(max(0, depth - 1)))
    if shape == 2:
        return f"not ({draw(conditions(depth - 1))})"
    parts = [draw(conditions(depth - 1)) for _ in range(draw(st.integers(2, 3)))]
    joined = draw(st.sampled_from((" and ", " or "))).join(parts)
    return f"({joined})" if shape < 5 else joined
