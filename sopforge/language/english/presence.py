"""What words say of a value by comparing it: that it is there.

"The dose is at most 50 mg" says that there is a dose. So a test for that beside the comparison need
not be said, and a comparison in a text has it although no word says so. Only such comparisons say
so as nobody reads differently: of a value that is missing one may well hold that it "is not" a
label, that a list has fewer than two entries, or that two missing values are the same.
"""

from __future__ import annotations

from collections.abc import Mapping

from sopforge.language.domain.fields import Field
from sopforge.language.english.forms import Forms
from sopforge.language.english.terms import OF_ONE_ENTRY, OPPOSITES, ROUNDED, Term, map_parts

_WORKED_OUT = frozenset(
    {"+", "-", "*", "/", "share", "abs", "negative", "plainly", "date_of", "days"}
    | {"hour_of", "weekday_of", *ROUNDED, "remainder", "power"}
    | {"minutes", "workdays", "later", "earlier", "add_days", "add_months"}
    | {"add_workdays"}
    | {"add_minutes", "add_hours", "add_full_days"}
)
_ABOUT_ONE = frozenset({"one_of", "includes", "includes_all", "includes_any", "within"})
_ABOUT_ENTRIES = frozenset({"items", "all", "sum", *OF_ONE_ENTRY, "average", "select"})
_TESTS = frozenset({"given", "well_formed"})
_NONE: frozenset[str] = frozenset()


class Presence:
    """Tests for a value that the words of conditions over some fields imply."""

    def __init__(self, forms: Forms) -> None:
        self.forms = forms
        self.fields: Mapping[str, Field] = forms.fields

    def drop_implied(self, term: Term) -> Term:
        """Return a term without the tests that its other words imply."""
        if term[0] in _ABOUT_ENTRIES:
            return term
        changed = map_parts(term, self.drop_implied)
        if changed[0] != "and":
            return changed
        others = (x for x in changed[1:] if x[0] != "given")
        sure = _NONE.union(*map(self.find_implied, others))
        kept = [x for x in changed[1:] if x[0] != "given" or x[1][1] not in sure]
        return self.forms.join("and", *kept)

    def add_implied(self, term: Term) -> Term:
        """Return a term as its words are meant: with each test that they imply."""
        if term[0] in _ABOUT_ENTRIES or term[0] in _TESTS:
            return term
        inner = term[1] if term[0] == "not" else term
        is_fact = inner[0] in {*OPPOSITES, *_ABOUT_ONE, "among", "field"}
        changed = term if is_fact else map_parts(term, self.add_implied)
        tests = [("given", ("field", name)) for name in sorted(self.find_by_fact(term))]
        return self.forms.join("and", *tests, changed) if tests else changed

    def find_implied(self, condition: Term) -> frozenset[str]:
        """Return the fields that are there wherever the words of a condition are true."""
        match condition:
            case ("given", ("field", name)):
                return self._keep_optional(name)
            case ("and", *parts):
                return _NONE.union(*map(self.find_implied, parts))
            case ("or", first, *others):
                return self.find_implied(first).intersection(*map(self.find_implied, others))
            case _:
                return self.find_by_fact(condition)

    def find_by_fact(self, fact: Term) -> frozenset[str]:
        """Return the fields that one fact is about, where it says that they are there."""
        match fact:
            case ("not", ("field", name)):
                # A clause, such as "no appeal was lodged", may be true of a missing answer too.
                item = self.fields.get(name)
                return self._keep_optional(name) if item and item.said is None else _NONE
            case ("==", left, right):
                first, second = self.find_needed(left), self.find_needed(right)
                return _NONE if first and second else first | second
            case (("<" | "<=" | ">" | ">=" | "among"), left, right):
                return self.find_needed(left) | self.find_needed(right)
            case ("within", _, value) | (_, value, _) if fact[0] in _ABOUT_ONE:
                return self.find_needed(value)
            case ("field", name) if self._is_answer(name):
                return self._keep_optional(name)
            case _:
                return _NONE

    def find_needed(self, value: Term) -> frozenset[str]:
        """Return the fields that may be missing and that a value is worked out of in any case."""
        if value[0] == "field":
            return self._keep_optional(value[1])
        if value[0] not in _WORKED_OUT:
            return _NONE
        return _NONE.union(*(self.find_needed(x) for x in value[1:] if isinstance(x, tuple)))

    def _is_answer(self, name: str) -> bool:
        return self.forms.is_answer(("field", name))

    def _keep_optional(self, name: str) -> frozenset[str]:
        item = self.fields.get(name)
        return frozenset({name}) if item is not None and item.missing else _NONE
