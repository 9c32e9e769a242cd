"""The one form of each term: what people say in one manner is built as one tree.

A model and a sentence come to the same term because both are built here: a comparison has what is
known of it on the right, a distance of days is counted from the earlier one, a share of a hundred
is a share, and a figure has the unit of what it stands beside.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from decimal import Decimal
from functools import reduce
from string import ascii_uppercase
from types import MappingProxyType
from typing import Any

from sopforge.language.domain.expressions.calendars import MINUTES_AN_HOUR
from sopforge.language.domain.fields import Field
from sopforge.language.domain.values.kinds.duration import HOURS_AND_MINUTES
from sopforge.language.domain.values.types import (
    BooleanType,
    ListType,
    NumberType,
    SetType,
)
from sopforge.language.english.nouns import is_percent
from sopforge.language.english.terms import (
    LITERALS,
    MIRRORED,
    OF_ONE_ENTRY,
    OPPOSITES,
    ROUNDED,
    Term,
    drop_names,
    find_lists,
    map_parts,
    walk_term,
)
from sopforge.language.english.units import COUNTED, COUNTS, Units

_SOME = {(">", "0"), (">=", "1"), ("!=", "0")}
_NONE = {("==", "0"), ("<", "1"), ("<=", "0")}
_REACHING = {"greatest": {">", ">="}, "least": {"<", "<="}}
_OF_LISTS = frozenset({"items", "all", "sum", *OF_ONE_ENTRY, "average", "percentage", "select"})
_SAME_UNIT = frozenset({"+", "-", "min", "max"})
_TWELVE = "12"
_ADDED = ("add_days", "add_months", "add_minutes", "add_hours", "add_full_days")
OF_TIMES = frozenset({"minutes", "hours", "full_days"})
"""In what times lie after others: hours are counted in minutes, and full days end at the time."""
_LEAVES = frozenset({"field", "part", "number", "label"})
_ARITHMETIC = frozenset({"+", "-", "*", "/"})
CLAUSES = frozenset({"if", "min", "max", *ROUNDED, "sum", "average", "percentage", *OF_ONE_ENTRY})
"""Numbers whose words are long: a sum of them is a list."""
_ALIKE = {"and": "or", "or": "and"}
UNMADE = frozenset(
    {"total", "ladder", "when", "holds", "records", "notes", "raises", "one", "zero", "let"}
)
"""Heads of patterns alone: what is built of them has another head."""
HUNDRED: Term = ("number", "100", "", "")


class Forms(Units):
    """Builds terms over the fields of a domain."""

    def __init__(
        self,
        fields: Mapping[str, Field],
        facts: Container[str] = (),
        limits: Mapping[str, Term] = MappingProxyType({}),
    ) -> None:
        super().__init__(fields, facts, limits)
        self._has_several_lists = sum(isinstance(x.type, ListType) for x in fields.values()) > 1
        self.builders: Mapping[str, Callable[..., Term | None]] = {
            **dict.fromkeys(OPPOSITES, self.relate),
            **dict.fromkeys(_ALIKE, self.join),
            **dict.fromkeys(_SAME_UNIT, self.unify),
            "*": self.multiply,
            "/": self.divide,
            "if": self.decide,
            **dict.fromkeys(_ADDED, self.move_day),
            "add_workdays": self.move_workday,
            "not": lambda _, part: self.negate(part),
            "one_of": self.choose,
            **dict.fromkeys((*OF_ONE_ENTRY, "average"), self.settle_default),
            "total": self.add_up,
            "ladder": self.descend,
            "when": lambda _, asked, value: self.decide("if", asked, value, _make_figure("0")),
            "one": lambda _, like: self.settle_unit(_make_figure("1"), like),
            "zero": lambda _, like: self.settle_unit(_make_figure("0"), like),
            "holds": lambda _, fact: ("sets", *_split_answer(fact)),
            "records": lambda _, fact: ("writes", *_split_answer(fact)),
            "notes": lambda _, fact, asked, __: ("writes", _split_answer(fact)[0], asked),
            "raises": lambda _, fact, asked: ("writes", fact, self.join("or", fact, asked)),
            "any": lambda _, items, value: self.find_some(items, value),
            "let": self.put_in,
            "sets": self.give,
            "writes": self.give,
        }

    def make(self, head: str, *parts: Any) -> Term | None:  # noqa: ANN401 - terms, texts and None
        """Return the term of a head and parts in its one form.

        None where an entry of a list would have what entries of another one have.
        """
        if not (_is_of_one_list(*parts) if head in _OF_LISTS else self._are_of_one_list(parts)):
            return None
        build = self.builders.get(head)
        return (head, *parts) if build is None else build(head, *parts)

    def _are_of_one_list(self, parts: Iterable[Any]) -> bool:
        """Return whether no part is of an entry of another list than the others.

        Lists may call what their entries have by the same name: of words that name it ten times,
        there would be a thousand meanings.
        """
        if not self._has_several_lists:
            return True
        terms = (part for part in parts if isinstance(part, tuple) and isinstance(part[0], str))
        return len(frozenset[str]().union(*map(find_lists, terms))) <= 1

    # numbers of one unit

    def unify(self, head: str, *parts: Term) -> Term:
        """Return a sum, a choice or an extreme whose figures have the unit of the others."""
        start = 1 if head == "if" else 0
        asked, sides = parts[:start], parts[start:]
        unit = next((x for part in sides if (x := self.find_unit(part))), "")
        is_plain = any(is_percent(self.find_unit(x)) or x[0] in COUNTS for x in sides)
        if head in {"+", "-"} and is_plain:
            return (head, *map(_drop_unit, sides))
        like: Term = ("number", "", unit, "")
        settled = [self.settle_unit(part, like) for part in sides]
        if head in {"min", "max"} and settled[0][0] in _LEAVES and settled[-1][0] not in _LEAVES:
            settled = [*settled[1:], settled[0]]
        return (head, *asked, *settled)

    def add_up(self, _: str, *parts: Term) -> Term:
        """Return the sum of several numbers."""
        return reduce(lambda x, y: self.unify("+", x, y), parts)

    def descend(self, _: str, *cases: Term) -> Term | None:
        """Return the value of the first case that applies; the last one is for all others."""
        *above, last = cases
        if last[1] is not None or any(case[1] is None for case in above):
            return None
        value: Term = last[2]
        for _, asked, then in reversed(above):
            value = self.decide("if", asked, then, value)
        return value

    def unmake(self, head: str, term: Term) -> tuple[Any, ...] | None:  # noqa: C901, PLR0911 - one case per head
        """Return of what a term can be built with a head, None where it cannot."""
        match head, term:
            case "total", ("+", left, right):
                return (*(self.unmake("total", left) or (left,)), right)
            case "let", _:
                return self._name_parts(term)
            case "ladder", ("if", asked, value, rest):
                below = self.unmake("ladder", rest) or (("case", None, rest),)
                return (("case", asked, value), *below)
            case "when", ("if", asked, value, ("number", "0", *_)):
                return (asked, value)
            case ("one", ("number", "1", *_)) | ("zero", ("number", "0", *_)):
                return ()
            case ("holds", ("sets", field, ("label", word))) | (
                "records",
                ("writes", field, ("label", word)),
            ) if self.is_answer(field):
                return (field if word == "yes" else ("not", field),)
            case "notes", ("writes", field, asked) if self.is_answer(field) and asked[0] != "label":
                return (field, asked, ("not", field))
            case "raises", ("writes", field, ("or", *parts)) if (
                self.is_answer(field) and field in parts
            ):
                return (field, self.join("or", *(x for x in parts if x != field)))
            case _:
                return None

    def put_in(self, _: str, value: Term, *bound: Term) -> Term:
        """Return a value with what letters in it stand for."""
        known = {("letter", letter): part for _, letter, part in bound}

        def change(term: Term) -> Term:
            changed = map_parts(term, change)
            return known.get(term) or (term if changed == term else self.make(*changed) or term)

        return change(value)

    def _name_parts(self, value: Term) -> tuple[Term, ...] | None:
        """Return a number with letters for its long parts, and these; None if not several."""
        letters: dict[Term, str] = {}

        def change(term: Term) -> Term:
            if term[0] in _ARITHMETIC or (term is value and term[0] in ROUNDED):
                return map_parts(term, change)
            if term[0] not in CLAUSES:
                return term
            return ("letter", letters.setdefault(term, ascii_uppercase[len(letters)]))

        changed = change(value)
        bound = [("bound", letter, part) for part, letter in letters.items()]
        return (changed, *bound) if len(bound) > 1 and changed[0] not in {"+", "letter"} else None

    def settle_default(
        self, head: str, items: Term, value: Term, default: Term, *places: str
    ) -> Term:
        """Return a value of entries, such as the least, whose default has the unit of it."""
        return (head, items, value, self.settle_unit(default, value), *places)

    def give(self, head: str, item: Term, value: Term) -> Term | None:
        """Return that a field has a value, None where that is a set and the field none."""
        is_other = isinstance(self.find_type(item), SetType) and value[0] == "label"
        is_set = not isinstance(self.find_type(item), SetType) and value[0] == "labels"
        return None if is_other or is_set else (head, item, value)

    # choices and days

    def decide(self, head: str, asked: Term, then: Term, otherwise: Term) -> Term:
        """Return a choice; between yes and no it is its condition."""
        if (then, otherwise) == (("label", "yes"), ("label", "no")):
            return asked
        return self.unify(head, asked, then, otherwise)

    def move_day(self, head: str, day: Term, count: Term) -> Term:
        """Return a day or time so long after another; 12 months are a year, 60 minutes an hour."""
        unit = head.removeprefix("add_")
        if count[0] == "negative" and count[1][0] == "number":
            (_, figure, *rest), count = count[1], ()
            count = ("number", figure[1:] if figure.startswith("-") else f"-{figure}", *rest)
        if count[0] == "*" and unit == "months":
            years = next((x for x in count[1:] if x[0] == "number" and x[1] != _TWELVE), None)
            if years is not None and any(x[:2] == ("number", _TWELVE) for x in count[1:]):
                count, unit = years, "years"
        if count[0] != "number" or not count[1].lstrip("-").isdigit():
            return (head, day, count)
        side, figure = "earlier" if count[1].startswith("-") else "later", count[1].lstrip("-")
        if unit in {"minutes", "hours"}:
            minutes = int(figure) * (MINUTES_AN_HOUR if unit == "hours" else 1)
            figure, unit = str(minutes), "hours" if minutes >= MINUTES_AN_HOUR else "minutes"
        return (side, day, figure, unit)

    def move_workday(self, head: str, day: Term, count: Term, calendar: str) -> Term:
        """Return the day by which so many working days of a calendar are over."""
        is_known = count[0] == "number" and count[1].isdigit()
        return (head, day, ("number", count[1], "", "") if is_known else count, calendar)

    # numbers

    def multiply(self, _: str, left: Term, right: Term) -> Term:
        """Return a product; twice a number has the 2 first, and a percentage is a plain number."""
        if _is_number(right, "2") and not _is_number(left, "2"):
            left, right = right, left
        left, right = self.take_plainly(left), self.take_plainly(right)
        (base, exponent), (other, further) = map(_split_power, (left, right))
        is_same = drop_names(base) == drop_names(other)
        return ("power", base, str(exponent + further)) if is_same else ("*", left, right)

    def take_plainly(self, factor: Term) -> Term:
        """Return a factor as a number; what is in percent is marked as one."""
        if factor[0] == "number":
            return ("number", factor[1], "", factor[3]) if is_percent(factor[2]) else factor
        is_rate = factor[0] in {"field", "part"} and is_percent(self.find_unit(factor))
        return ("plainly", factor) if is_rate else factor

    def divide(self, _: str, left: Term, right: Term) -> Term:
        """Return a quotient, which by a hundred is a share of what is in percent."""
        share = self.split_share(left) if right[:3] == HUNDRED[:3] else None
        return share or ("/", self.take_plainly(left), self.take_plainly(right))

    def split_share(self, product: Term) -> Term | None:
        """Return a hundredth of a product as a share, None for another product."""
        if product[0] != "*":
            return None
        for factor, whole in ((product[2], product[1]), (product[1], product[2])):
            percent, change = self._split_percent(factor)
            if percent is not None and whole[0] != "number":
                return ("share", whole, percent, change)
        return None

    def _split_percent(self, factor: Term) -> tuple[Term | None, str]:
        match factor:
            case ("number", figure, unit, *_):
                is_plain = not unit and figure != "100"
                return (_as_percent(factor), "") if is_plain or is_percent(unit) else (None, "")
            case ("plainly", rate):
                return rate, ""
            case (("+" | "-") as sign, ("number", "100", *_), ("number", *_) as percent):
                return _as_percent(percent), sign
            case (("+" | "-") as sign, ("number", "100", *_), (("field" | "part"), *_) as rate):
                return (rate, sign) if is_percent(self.find_unit(rate)) else (None, "")
            case _:
                return None, ""

    # conditions

    def relate(self, relation: str, left: Term, right: Term) -> Term:
        """Return a comparison."""
        is_turned = _is_known(left) and not _is_known(right)
        if is_turned or (left[0], right[0]) == ("field", "part"):
            left, right, relation = right, left, MIRRORED[relation]
        if left[0] == "field" and right[0] == "label" and self._is_missing(left[1], right[1]):
            return ("not", ("given", left)) if relation == "==" else ("given", left)
        if isinstance(self.find_type(left), BooleanType) and right[0] == "label":
            is_yes = (relation == "==") is (right[1] == "yes")
            return left if is_yes else ("not", left)
        if left[0] == "minutes" and right[0] == "number" and right[2] == HOURS_AND_MINUTES:
            # What is known to be a duration is said as one: 72 hours, not 4320 minutes.
            return self.relate(relation, left[2], self.move_day("add_minutes", left[1], right))
        left, right = self.settle_unit(left, right), self.settle_unit(right, left)
        return (
            self._relate_days(relation, left, right)
            or self._relate_shares(relation, left, right)
            or self._relate_counts(relation, left, right)
            or self._relate_least(relation, left, right)
            or (relation, left, right)
        )

    def _is_missing(self, name: str, label: str) -> bool:
        """Return whether a word stands for no value of a field."""
        item = self.fields.get(name)
        return item is not None and item.missing == label != ""

    def _relate_days(self, relation: str, left: Term, right: Term) -> Term | None:
        """Return how far two days lie apart, or in which order, None for other comparisons."""
        for day, other, order in ((left, right, relation), (right, left, MIRRORED[relation])):
            if day[0] in {"later", "earlier"} and day[3] in {"days", "minutes"}:
                sign = "-" if day[0] == "earlier" else ""
                count: Term = ("number", f"{sign}{day[2]}", "", "")
                return self.relate(MIRRORED[order], (day[3], day[1], other), count)
        if left[0] in {"later", "earlier"} and right[0] not in {"later", "earlier"}:
            return (MIRRORED[relation], right, left)
        if left[0] not in COUNTED or right[0] != "number":
            return None
        if right[1].startswith("-"):
            turned = (left[0], left[2], left[1], *left[3:])
            return self.relate(MIRRORED[relation], turned, _negate_figure(right))
        if right[1] == "0" and left[0] != "workdays":
            return self.relate(relation, left[2], left[1])
        return None

    def _relate_shares(self, relation: str, left: Term, right: Term) -> Term | None:
        """Return a comparison with so many percent of a number, held as products of a hundred."""
        for one, other, order in ((left, right, relation), (right, left, MIRRORED[relation])):
            share = self.split_share(other)
            if share is not None and one[0] == "*" and HUNDRED[:3] in (one[1][:3], one[2][:3]):
                part = one[1] if one[2][:3] == HUNDRED[:3] else one[2]
                if _is_known(part):
                    return self.relate(MIRRORED[order], share, part)
                return self.relate(order, part, share)
        return None

    def _relate_counts(self, relation: str, left: Term, right: Term) -> Term | None:
        """Return whether there is something, None for other comparisons."""
        if right[0] != "number":
            return None
        test = (relation, right[1])
        if left[0] in {"size", "count"} and test in _SOME | _NONE:
            some: Term = ("some", left[1])
            return some if test in _SOME else ("not", some)
        return self._relate_extreme(relation, left, right)

    def _relate_extreme(self, relation: str, left: Term, right: Term) -> Term | None:
        """Return that some entry reaches a limit, where the largest or smallest is compared."""
        reaching = _REACHING.get(left[0], set())
        if (
            not reaching
            or relation in {"==", "!="}
            or left[3][0] != "number"
            or left[2][0] != "part"
        ):
            return None
        asked = relation if relation in reaching else OPPOSITES[relation]
        if _holds(asked, left[3][1], right[1]):
            return None
        some = self.find_some(left[1], self.relate(asked, left[2], right))
        return some if asked == relation else ("not", some)

    def _relate_least(self, relation: str, left: Term, right: Term) -> Term | None:
        """Return how a number lies to its least value: what is not 0 is more than 0.

        Of whole numbers, what is at least 1 is more than 0, too.
        """
        kind = self.find_type(left)
        if left[0] != "field" or right[0] != "number" or not isinstance(kind, NumberType):
            return None
        if kind.places and self.fields[left[1]].missing:
            return None
        above = Decimal(right[1]) - Decimal(kind.minimum).scaleb(-kind.places)
        if above == 1 and not kind.places and relation in {">=", "<"}:
            lower = (*right[:1], str(int(right[1]) - 1), *right[2:])
            return (">" if relation == ">=" else "==", left, lower)
        said = {"!=": ">", "<=": "=="}.get(relation)
        return (said, left, right) if said and not above else None

    def join(self, head: str, *parts: Term) -> Term:
        """Return conditions of which all hold, or at least one; groups of a kind are one.

        Neighbours that ask for members of one set ask for all of them, or for any.
        """
        flat = [x for part in parts for x in (part[1:] if part[0] == head else (part,))]
        joined: list[Term] = []
        for part in flat:
            both = _join_members(head, joined[-1], part) if joined else None
            joined[-1:] = [both] if both else [*joined[-1:], part]
        return joined[0] if len(joined) == 1 else (head, *joined)

    def choose(self, _: str, subject: Term, labels: Term) -> Term:
        """Return that a label is one of several."""
        if len(labels) == 2:  # noqa: PLR2004 - its head and a label
            return ("==", subject, ("label", labels[1]))
        return ("one_of", subject, labels)

    def negate(self, term: Term) -> Term:  # noqa: PLR0911 - one case per head
        """Return the opposite of a condition, said of each of its facts."""
        match term:
            case ("not", inner):
                return inner  # type: ignore[no-any-return]  # a term
            case (("and" | "or") as head, *parts):
                return self.join(_ALIKE[head], *map(self.negate, parts))
            case (relation, left, right) if relation in OPPOSITES:
                return self.relate(OPPOSITES[relation], left, right)
            case ("all", items, value):
                return self.find_some(items, self.negate(value))
            case ("if", asked, then, otherwise):
                return ("if", asked, self.negate(then), self.negate(otherwise))
            case ("table", key, *entries):
                return ("table", key, *(("entry", x[1], self.negate(x[2])) for x in entries))
            case ("label", ("yes" | "no") as word):
                return ("label", "no" if word == "yes" else "yes")
            case _:
                return ("not", term)

    def find_some(self, items: Term, value: Term | None) -> Term:
        """Return that some entry meets a condition besides that of the entries."""
        _, name, where = items
        both = [x for x in (where, value) if x is not None]
        return ("some", ("items", name, self.join("and", *both) if both else None))


def _make_figure(figure: str) -> Term:
    return ("number", figure, "", "")


def _split_answer(fact: Term) -> tuple[Term, Term]:
    """Return a yes/no field and the answer that a fact says it has."""
    return (fact[1], ("label", "no")) if fact[0] == "not" else (fact, ("label", "yes"))


def _join_members(head: str, first: Term, second: Term) -> Term | None:
    """Return that a set has members, or lacks them, of which two conditions ask it."""
    if first[0] == second[0] == "not":
        other = _join_members(_ALIKE[head], first[1], second[1])
        return other and ("not", other)
    whole = {"and": "includes_all", "or": "includes_any"}[head]
    if second[0] != "includes" or first[0] not in {"includes", whole} or first[1] != second[1]:
        return None
    return (whole, first[1], ("labels", *first[2][1:], second[2][1]))


def _is_of_one_list(items: Term | str, *parts: Any) -> bool:  # noqa: ANN401 - terms, texts and None
    name = items[1] if isinstance(items, tuple) else items
    terms = (part for part in parts if isinstance(part, tuple))
    return all(x[1] == name for part in terms for x in walk_term(part) if x[0] == "part")


def _is_known(term: Term) -> bool:
    return term[0] in LITERALS


def _is_number(term: Term, figure: str) -> bool:
    return term[0] == "number" and term[1:] == (figure, "", "")


def _split_power(term: Term) -> tuple[Term, int]:
    """Return a number and how often it is multiplied by itself in a term."""
    match term:
        case ("power", base, exponent):
            return base, int(exponent)
        case _:
            return term, 1


def _drop_unit(term: Term) -> Term:
    return ("number", term[1], "", term[3]) if term[0] == "number" else term


def _as_percent(term: Term) -> Term:
    return ("number", term[1], "percent", term[3])


def _negate_figure(term: Term) -> Term:
    figure = term[1]
    return (*term[:1], figure[1:] if figure.startswith("-") else f"-{figure}", *term[2:])


def _holds(relation: str, left: str, right: str) -> bool:
    first, second = Decimal(left), Decimal(right)
    return {
        ">=": first >= second,
        ">": first > second,
        "<=": first <= second,
        "<": first < second,
    }[relation]
