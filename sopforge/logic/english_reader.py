"""Reads the English of rules back into the expression language, from the wording alone.

It knows the labels, types, words for missing and units of a domain, and the words of relations and
functions; it knows nothing of the tree that the words were written from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from sopforge.domain.model import DomainModel
from sopforge.domain.types import BooleanType, ListType, NumberType, ValueType

RELATIONS = {
    "the same day as": "==",
    "not the same day as": "!=",
    "the same as": "==",
    "not the same as": "!=",
    "equal to": "==",
    "not equal to": "!=",
    "exactly": "==",
    "not": "!=",
    "less than": "<",
    "at most": "<=",
    "more than": ">",
    "at least": ">=",
    "before": "<",
    "on or before": "<=",
    "at or before": "<=",
    "after": ">",
    "on or after": ">=",
    "at or after": ">=",
}
OPERATIONS = {"plus": "+", "minus": "-", "times": "*"}
EXTREMES = {"smaller": "min", "larger": "max", "smallest": "min", "largest": "max"}
_LINKS = {
    "neither ": ("nor",),
    "none of ": ("or",),
    "all of ": ("and",),
    "at least one of ": ("or",),
    "": ("or", "and"),
}
BOUNDS = {"at most": "min", "at least": "max"}
COUNTED = ("exactly", "less than", "at most", "more than", "at least")
SPANS = ("days", "working days", "minutes")
LISTS = {"all of these hold": "and", "at least one of these holds": "or"}
LETTERS = "abcdefghijklmnopqrstuvwxyz"
MONTH_END = " (or the last day of the month reached, where it has no such day)"
WHOSE = "whose "
HALVES = " with halves away from zero"

Read = TypeVar("Read")


@dataclass(frozen=True, slots=True)
class LookUp:
    """A table by the labels of a field: what a brief writes as rows."""

    key: str
    entries: Mapping[str, Text]


Text: TypeAlias = str | LookUp


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of a domain: the names behind labels, and what a reader knows of fields.

    ``parts`` holds, by the name of a list, the names behind the labels of its items' fields;
    ``said``, by the clause that stands for it, the source text of a yes/no field or of its denial.
    """

    names: Mapping[str, str]
    types: Mapping[str, ValueType]
    parts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    missing: Mapping[str, str] = field(default_factory=dict)
    units: Iterable[str] = ()
    said: Mapping[str, str] = field(default_factory=dict)

    def kinds(self, label: str) -> list[ValueType]:
        """Return the types that a field of this label has in the items of lists."""
        found = []
        for name, parts in self.parts.items():
            kind = self.types[name]
            if isinstance(kind, ListType) and label in parts:
                found.append(kind.field(parts[label]))
        return [kind for kind in found if kind is not None]


def vocabulary_of(model: DomainModel) -> Vocabulary:
    """Return the words of a model that a reader of its texts knows."""
    numbers = [item.type for item in model.fields.values()]
    numbers += [item.constant.type for item in model.policy.values()]
    for kind in [*numbers]:
        numbers += [part for _, part in kind.fields] if isinstance(kind, ListType) else []
    return Vocabulary(
        names={item.label: name for name, item in model.fields.items()},
        types={name: item.type for name, item in model.fields.items()},
        parts={
            name: {item.part_label(part): part for part, _ in item.type.fields}
            for name, item in model.fields.items()
            if isinstance(item.type, ListType)
        },
        missing={name: item.missing for name, item in model.fields.items() if item.missing},
        said=_clauses(model),
        units={kind.unit for kind in numbers if isinstance(kind, NumberType) and kind.unit},
    )


def _clauses(model: DomainModel) -> dict[str, str]:
    said = [(name, item.said) for name, item in model.fields.items()]
    return {
        clause: source
        for name, words in said
        if words is not None
        for clause, source in ((words.yes, name), (words.no, f"(not {name})"))
    }


class NotReadError(ValueError):
    """The words are none of the English of rules."""


def read_condition(words: str, vocabulary: Vocabulary) -> str:
    """Return the source text of a condition."""
    return _Reader(words, vocabulary).all_of_it(_Reader.condition)


def read_value(words: str, vocabulary: Vocabulary) -> Text:
    """Return the source text of a number, a date or a label, or a look-up."""
    return _Reader(words, vocabulary).all_of_it(_Reader.value)


def read_branch(words: str, vocabulary: Vocabulary) -> tuple[str, str]:
    """Return the source texts of a value and of the condition behind "if"."""
    return _Reader(words, vocabulary).all_of_it(_Reader.branch)


def read_truth(words: str, vocabulary: Vocabulary) -> str:
    """Return the source text of what is yes or no by a condition."""
    found = re.fullmatch(r'\(?"yes" if (.+), otherwise "no"\)?', words)
    if found is None:
        raise NotReadError(words)
    return read_condition(found[1], vocabulary)


class _Reader:
    """A recursive descent over one text; a method that does not fit leaves the place as it was."""

    def __init__(self, words: str, vocabulary: Vocabulary) -> None:
        self.words = words
        self.vocabulary = vocabulary
        self.place = 0
        self.pronouns: dict[int, str] = {}
        self.known: dict[tuple[str, int], tuple[object, int] | None] = {}
        self.parts = {label: label for parts in vocabulary.parts.values() for label in parts}
        self.units = sorted(
            {form for unit in (*SPANS, *vocabulary.units) for form in _forms(unit)}, key=len
        )

    def all_of_it(self, rule: Callable[[_Reader], Read]) -> Read:
        found = rule(self)
        if self.place != len(self.words):
            raise NotReadError(f"{self.words!r} is read up to {self.words[self.place :]!r}")
        return found

    # steps

    def take(self, words: str) -> None:
        if not self.words.startswith(words, self.place):
            raise NotReadError(f"{words!r} is not at {self.words[self.place :]!r}")
        self.place += len(words)

    def sees(self, words: str) -> bool:
        if self.words.startswith(words, self.place):
            self.place += len(words)
            return True
        return False

    def match(self, pattern: str) -> re.Match[str]:
        found = re.compile(pattern).match(self.words, self.place)
        if found is None:
            raise NotReadError(f"{pattern!r} is not at {self.words[self.place :]!r}")
        self.place = found.end()
        return found

    def one_of(self, *rules: Callable[[], Read]) -> Read:
        """Return what the first rule that fits gives."""
        start = self.place
        for rule in rules:
            try:
                return rule()
            except NotReadError:
                self.place = start
        raise NotReadError(f"nothing fits at {self.words[start:]!r}")

    def once(self, name: str, rule: Callable[[], Read]) -> Read:
        """Return what a rule gives at this place, which is worked out once."""
        key = (name, self.place)
        if key not in self.known:
            try:
                self.known[key] = (rule(), self.place)
            except NotReadError:
                self.known[key] = None
        known = self.known[key]
        if known is None:
            raise NotReadError(f"no {name} at {self.words[key[1] :]!r}")
        found, self.place = known
        return found  # type: ignore[return-value]  # kept under the rule's own name

    def quoted(self) -> str:
        return self.match(r'"([^"]*)"')[1]

    def bracketed(self, rule: Callable[[], Read]) -> Read:
        self.take("(")
        found = rule()
        self.take(")")
        return found

    # conditions

    def condition(self) -> str:
        return self.once("condition", self.joined)

    def joined(self) -> str:
        """Return facts in a list, or joined by "and" or "or", at two levels with a comma."""
        for opening, word in LISTS.items():
            if self.sees(f"{opening}: "):
                return f"({f' {word} '.join(self.lettered())})"
        return self.joined_by(", ", lambda: self.joined_by(" ", self.fact))

    def joined_by(self, gap: str, rule: Callable[[], str]) -> str:
        """Return parts of one kind joined by "and" alone, or by "or" alone."""
        parts = [rule()]
        for word in ("and", "or"):
            while self.goes_on(f"{gap}{word} ", rule, parts):
                pass
            if len(parts) > 1:
                return f"({f' {word} '.join(parts)})"
        return parts[0]

    def goes_on(self, words: str, rule: Callable[[], str], parts: list[str]) -> bool:
        """Add what a rule gives behind some words; the place stays where it gives nothing."""
        start = self.place
        if not self.sees(words):
            return False
        try:
            parts.append(rule())
        except NotReadError:
            self.place = start
            return False
        return True

    def lettered(self) -> list[str]:
        """Return the facts of "(a) one; (b) another; (c) a third"."""
        parts = []
        for letter in LETTERS:
            self.take(f"({letter}) ")
            parts.append(self.condition())
            if not self.sees("; "):
                break
        return parts

    def fact(self) -> str:
        rules = (
            self.said,
            self.denial,
            self.group,
            self.every,
            self.holding,
            self.membership,
            self.marked,
            self.formed,
            self.label,
            self.apart,
            self.compared,
        )
        return self.once("fact", lambda: self.one_of(*rules))

    def said(self) -> str:
        """Return the yes/no field, or its denial, that a clause of its own stands for."""
        return self.name(self.vocabulary.said)

    def group(self) -> str:
        return self.bracketed(self.condition)

    def denial(self) -> str:
        self.take("it is not the case that ")
        return f"(not {self.bracketed(self.condition)})"

    def membership(self) -> str:
        """Return what is asked of the members of a set."""
        subject = self.operand()
        if self.match(" (includes? |does not include |do not include )")[1].startswith("do"):
            return f"({self.quoted()!r} not in {subject})"
        how = self.match("neither |none of |all of |at least one of |")[0]
        members, word = self.options(*_LINKS[how])
        if not word and how:
            raise NotReadError(self.words)
        is_denied = how in {"neither ", "none of "}
        tests = [f"({item!r} {'not ' * is_denied}in {subject})" for item in members]
        joint = "and" if is_denied else word
        return f"({f' {joint} '.join(tests)})" if joint else tests[0]

    def marked(self) -> str:
        """Return a yes/no field whose label has a verb of its own."""
        if self.match("the (entry|case) ")[1] == "entry":
            subject = f"entry.<{self.name(self.parts)}>"
        else:
            subject = self.name(self.vocabulary.names)
        self.take(": ")
        return self.is_label(subject, self.quoted(), is_denied=False)

    def formed(self) -> str:
        """Return whether an input has the form that it is to have."""
        subject = self.field()
        form = self.match(" (?:is|are) (malformed|well formed)")[1]
        return (
            f"well_formed({subject})" if form == "well formed" else f"(not well_formed({subject}))"
        )

    def label(self) -> str:
        """Return a relation to quoted words: a label, a word for missing, or yes and no."""
        subject = self.side()
        self.match(" (is|are) ")
        how = self.match("one of |none of |neither |not |")[0]
        options, _ = self.options("nor" if how == "neither " else "or")
        if len(options) > 1 or how in {"one of ", "none of "}:
            word = "not in" if how in {"none of ", "neither "} else "in"
            return f"({subject} {word} [{', '.join(map(repr, options))}])"
        (option,) = options
        return self.is_label(subject, option, is_denied=how == "not ")

    def options(self, *words: str) -> tuple[list[str], str]:
        """Return quoted words, and which of some words stands before the last of them."""
        found, word = [self.quoted()], ""
        while self.words.startswith(', "', self.place):
            self.take(", ")
            found.append(self.quoted())
        for joint in words:
            if self.words.startswith(f' {joint} "', self.place):
                self.take(f" {joint} ")
                found.append(self.quoted())
                word = joint
        return found, word

    def is_label(self, subject: str, option: str, *, is_denied: bool) -> str:
        if option == self.vocabulary.missing.get(subject):
            return f"present({subject})" if is_denied else f"(not present({subject}))"
        if self.is_truth(subject):
            return f"(not {subject})" if (option == "no") != is_denied else subject
        return f"({subject} {'!=' if is_denied else '=='} {option!r})"

    def is_truth(self, subject: str) -> bool:
        part = re.fullmatch("entry.<(.+)>", subject)
        known = [self.vocabulary.types.get(subject)]
        kinds = known if part is None else self.vocabulary.kinds(part[1])
        return any(isinstance(kind, BooleanType) for kind in kinds)

    def compared(self) -> str:
        left = self.side()
        self.match(" (is|are) ")
        words = "|".join(sorted(RELATIONS, key=len, reverse=True))
        relation = RELATIONS[self.match(f"({words}) ")[1]]
        return f"({left} {relation} {self.side()})"

    def apart(self) -> str:
        """Return how many days a day lies before another, or after it."""
        day = self.operand()
        self.match(" (is|are) ")
        relation = RELATIONS[self.match(f"({'|'.join(COUNTED)}) ")[1]]
        count, side = self.match(r"(\d+) days? (before|after) ").groups()
        days = (day, self.operand()) if side == "before" else (self.operand(), day)
        return f"(days_between({', '.join(days)}) {relation} {count})"

    def every(self) -> str:
        self.take("for every entry in ")
        name = self.field()
        where = self.one_of(self.where, str)
        self.take(", ")
        fold = f"{self.condition()} for entry in {name}{where}"
        return f"(all({self.of_list(fold, name)}))"

    def holding(self) -> str:
        """Return that a list holds entries that meet a condition, or how many of them."""
        name = self.field()
        self.match(" holds? ")
        if self.sees("an entry") or self.words.startswith("no entry", self.place):
            word = "not any" if self.sees("no entry") else "any"
            fold = f"{self.where().removeprefix(' if ')} for entry in {name}"
            return f"({word}({self.of_list(fold, name)}))"
        relation = RELATIONS[self.match(f"({'|'.join(COUNTED)}) ")[1]]
        number = self.number()
        self.match(" (entry|entries)")
        fold = f"entry for entry in {name}{self.where()}"
        return f"(count({self.of_list(fold, name)}) {relation} {number})"

    # values

    def value(self) -> Text:
        rules: tuple[Callable[[], Text], ...] = (self.looked_up, self.clause)
        return self.one_of(*rules)

    def looked_up(self) -> LookUp:
        cells = dict([self.cell()])
        while self.sees(", "):
            cells.update([self.cell()])
        self.take(" and ")
        cells.update([self.cell()])
        self.take(", by ")
        key = self.field()
        if not self.sees(" and "):
            return LookUp(key, {first: entry for (first, _), entry in cells.items()})
        other = self.field()
        rows: dict[str, dict[str, Text]] = {}
        for (first, second), entry in cells.items():
            rows.setdefault(first, {})[second] = entry
        return LookUp(key, {first: LookUp(other, row) for first, row in rows.items()})

    def cell(self) -> tuple[tuple[str, str], str]:
        found = self.one_of(self.decided, self.side)
        self.take(" for ")
        return (self.quoted(), self.quoted() if self.sees(" with ") else ""), found

    def decided(self) -> str:
        self.take('("yes" if ')
        found = self.condition()
        self.take(', otherwise "no")')
        return found

    def clause(self) -> str:
        """Return what stands alone or in brackets only."""
        rules = (
            self.average,
            self.rounded,
            self.bounded,
            self.outermost_entry,
            self.chosen_count,
            self.chosen_sum,
            self.extreme,
            self.choice,
        )
        return self.once("clause", lambda: self.one_of(*rules))

    def choice(self) -> str:
        then = self.side()
        if not self.sees(" if "):
            return then
        start = self.place
        condition = self.condition_on(then)
        self.take(", ")
        if self.sees("otherwise "):
            return f"({then} if {condition} else {self.choice()})"
        return f"({then} if {condition} else {self.going_on(self.subject(start))})"

    def branch(self) -> tuple[str, str]:
        then = self.side()
        self.take(" if ")
        return then, self.condition_on(then)

    def condition_on(self, value: str) -> str:
        """Return a condition in which "it" or "they" is the value that it decides on."""
        if re.compile("(it is|they are) ").match(self.words, self.place):
            self.pronouns[self.place] = value
        return self.condition()

    def pronoun(self) -> str:
        """Return what "it" or "they" at the beginning of a condition stands for."""
        if self.place not in self.pronouns:
            raise NotReadError(self.words)
        value = self.pronouns[self.place]
        self.match("it|they")
        return value

    def going_on(self, subject: str) -> str:
        """Return a choice whose condition is about the label that another was about."""
        then = self.side()
        self.match(" if (it is|they are) (one of )?")
        options, _ = self.options("or")
        condition = f"({subject} in [{', '.join(map(repr, options))}])"
        if len(options) == 1:
            condition = self.is_label(subject, options[0], is_denied=False)
        self.take(", ")
        rest = self.choice() if self.sees("otherwise ") else self.going_on(subject)
        return f"({then} if {condition} else {rest})"

    def subject(self, start: int) -> str:
        """Return the field that a condition at a place begins with."""
        place, self.place = self.place, start
        found = self.field()
        self.place = place
        return found

    def bounded(self) -> str:
        """Return a number that constants bound."""
        found = self.one_of(self.chosen_count, self.side, self.in_brackets)
        gap = ", but "
        while self.sees(gap):
            name = BOUNDS[self.match("(at most|at least) ")[1]]
            found = f"{name}({found}, {self.operand()})"
            gap = " and "
        if gap == ", but ":
            raise NotReadError(self.words)
        return found

    def average(self) -> str:
        self.take("the average of ")
        inner = f"({self.over(self.where, str)})"
        places = self.places()
        return f"average({inner}, places={places}, default={self.default()})"

    def rounded(self) -> str:
        fraction = self.one_of(self.divided, self.side)
        return f"round({fraction}, {self.places()})"

    def divided(self) -> str:
        dividend = self.operand()
        self.take(" divided by ")
        return f"{dividend} / {self.operand()}"

    def places(self) -> str:
        found = self.match(rf", rounded to (?:a whole number|(\d) decimal places?){HALVES}")
        return found[1] or "0"

    def side(self) -> str:
        """Return what may stand beside a comparison without brackets."""
        rules = (self.spanned, self.shifted, self.absolute, self.total, self.chained)
        return self.once("side", lambda: self.one_of(*rules))

    def chained(self) -> str:
        """Return words joined by one operation, or one alone."""
        if self.sees("minus "):
            return f"(-{self.operand()})"
        found = self.operand()
        for word, sign in OPERATIONS.items():
            if self.words.startswith(f" {word} ", self.place):
                while self.sees(f" {word} "):
                    found = f"({found} {sign} {self.operand()})"
                break
        return found

    def operand(self) -> str:
        """Return what may stand anywhere without brackets."""
        rules = (
            self.in_brackets,
            self.named_label,
            self.moment,
            self.number,
            self.day,
            self.size,
            self.part,
            self.pronoun,
            self.field,
        )
        return self.once("operand", lambda: self.one_of(*rules))

    def in_brackets(self) -> str:
        return self.bracketed(self.clause)

    def named_label(self) -> str:
        return repr(self.quoted())

    def moment(self) -> str:
        return repr(self.match(r"\d{4}-\d\d-\d\d( \d\d:\d\d)?")[0])

    def number(self) -> str:
        found = self.match(r"-?\d+(\.\d+)?")[0]
        for unit in reversed(self.units):
            if re.compile(rf" {re.escape(unit)}(?!\w)").match(self.words, self.place):
                self.take(f" {unit}")
                break
        return f"({found})" if found.startswith("-") else found

    def spanned(self) -> str:
        what = self.match(r"the number of (days|minutes|working days of the calendar (\w+)) from ")
        start = self.operand()
        self.take(" to ")
        end = self.operand()
        if what[2]:
            return f"workdays_between({start}, {end}, {what[2]})"
        return f"{what[1]}_between({start}, {end})"

    def shifted(self) -> str:
        self.take("the day ")
        amount = self.one_of(lambda: self.match(r"\d+")[0], lambda: self.bracketed(self.clause))
        unit, way = self.match(" (day|month)s? (before|after) ").groups()
        sign = "-" if way == "before" else ""
        day = self.operand()
        if unit == "month":
            self.take(MONTH_END)
        return f"add_{unit}s({day}, {sign}{amount})"

    def extreme(self) -> str:
        word = self.match("the (smaller|larger|smallest|largest) of ")[1]
        parts = [self.operand()]
        while word.endswith("est") and self.sees(", "):
            parts.append(self.operand())
        self.take(" and ")
        parts.append(self.operand())
        return f"{EXTREMES[word]}({', '.join(parts)})"

    def absolute(self) -> str:
        self.take("the absolute value of ")
        return f"abs({self.operand()})"

    def day(self) -> str:
        self.take("the calendar day of ")
        return f"date_of({self.operand()})"

    # lists

    def size(self) -> str:
        self.take("the number of entries in ")
        name = self.one_of(self.part, self.field)
        is_list = isinstance(self.vocabulary.types.get(name), ListType)
        return f"count(entry for entry in {name})" if is_list else f"count({name})"

    def chosen_count(self) -> str:
        self.take("the number of entries in ")
        name = self.field()
        return f"count({self.of_list(f'entry for entry in {name}{self.where()}', name)})"

    def total(self) -> str:
        self.take("the sum of ")
        return f"sum({self.over(str)})"

    def chosen_sum(self) -> str:
        self.take("the sum of ")
        return f"sum({self.over(self.where)})"

    def outermost_entry(self) -> str:
        word = self.match("the (smallest|largest) value of ")[1]
        inner = f"({self.over(self.where, str)})"
        return f"{EXTREMES[word]}({inner}, default={self.default()})"

    def over(self, *rests: Callable[[], str]) -> str:
        """Return what is taken of each item of a list, and of which items by one of the rests."""
        value = self.one_of(self.part_of, self.value_over)
        name = self.field()
        return self.of_list(f"{value} for entry in {name}{self.one_of(*rests)}", name)

    def part_of(self) -> str:
        """Return a field of each item."""
        self.take("the ")
        found = f"entry.<{self.name(self.parts)}>"
        self.take(" of the entries in ")
        return found

    def value_over(self) -> str:
        """Return what is worked out for each item."""
        found = self.side()
        self.take(" over the entries in ")
        return found

    def of_list(self, fold: str, name: str) -> str:
        """Return a fold with the names that labels have in the items of its list."""
        names = self.vocabulary.parts.get(name, {})
        labels = re.findall("entry.<([^>]+)>", fold)
        if not set(labels) <= set(names):
            raise NotReadError(f"the items of {name} have not all of {labels}")
        return re.sub("entry.<([^>]+)>", lambda found: f"entry.{names[found[1]]}", fold)

    def where(self) -> str:
        if self.sees(" for which "):
            return f" if {self.condition()}"
        facts = [self.whose(" ")]
        while self.words.startswith(", whose ", self.place):
            facts.append(self.whose(", "))
        if self.words.startswith(" and whose ", self.place):
            facts.append(self.whose(" and "))
        return f" if {' and '.join(facts)}"

    def whose(self, gap: str) -> str:
        """Return a fact about an entry."""
        self.take(gap)
        if not self.words.startswith(WHOSE, self.place):
            raise NotReadError(self.words)
        return self.fact()

    def default(self) -> str:
        self.take(", or ")
        found = self.operand()
        self.take(" if there is no such entry")
        return found

    # names

    def part(self) -> str:
        self.match(f"the entry's |{WHOSE}")
        return f"entry.<{self.name(self.parts)}>"

    def field(self) -> str:
        self.take("the ")
        return self.name(self.vocabulary.names)

    def name(self, names: Mapping[str, str]) -> str:
        for label in sorted(names, key=len, reverse=True):
            if re.compile(rf"{re.escape(label)}(?!\w)").match(self.words, self.place):
                self.take(label)
                return names[label]
        raise NotReadError(f"no label at {self.words[self.place :]!r}")


def _forms(unit: str) -> list[str]:
    """Return a unit as it may stand behind a figure, in the singular too."""
    endings = (("s", ""), ("es", ""), ("ies", "y"))
    singular = [unit.removesuffix(end) + new for end, new in endings if unit.endswith(end)]
    return [form for form in (unit, *singular) if form]
