"""Conditions: facts, comparisons and memberships, alone or joined."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import count, product
from string import ascii_lowercase

from sopforge.domain.fields import AmountClause
from sopforge.domain.values.types import ListType, NumberType
from sopforge.logic.english_reader.entries import AMOUNTS, ORDERED, Entries
from sopforge.logic.english_reader.names import WHOSE
from sopforge.logic.english_reader.scanner import NotReadError
from sopforge.logic.phrasing.grammar import STATES, find_clause_subject, name_age

_TIMES = {"earlier than": "<", "no later than": "<=", "later than": ">", "no earlier than": ">="}
RELATIONS = {
    "the same day as": "==",
    "not the same day as": "!=",
    "the same as": "==",
    "not the same as": "!=",
    "equal to": "==",
    "not equal to": "!=",
    "exactly": "==",
    "not exactly": "!=",
    "not": "!=",
    "less than": "<",
    "at most": "<=",
    "more than": ">",
    "at least": ">=",
    "below": "<",
    "above": ">",
    "before": "<",
    **_TIMES,
    "on or before": "<=",
    "at or before": "<=",
    "after": ">",
    "on or after": ">=",
    "at or after": ">=",
}
_FEWER = "fewer than"
_ORDERS = (
    *("less than", "at most", "more than", "at least", "below", "above"),
    *("on or before", "on or after", "before", "after"),
    *("earlier than", "later than", "no earlier than", "no later than"),
)
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
COUNTED = ("exactly", "less than", "at most", "more than", "at least")
_AMOUNT_ORDERS = {word: word for word in (*COUNTED, "not exactly")} | {
    "over": "more than",
    "under": "less than",
    "up to": "at most",
    "no more than": "at most",
    "no less than": "at least",
}
LISTS = {"all of these hold": "and", "at least one of these holds": "or"}
_TWO = 2
_VERB = re.compile("(?:is|are|was|were|has|have|had|does|do|did|may|can|needs?|exceeds?) ")
_LINKS = {
    "neither ": ("nor",),
    "none of ": ("or",),
    "all of ": ("and",),
    "both ": ("and",),
    "at least one of ": ("or",),
    "": ("or", "and"),
}


class Conditions(Entries):
    """Reads conditions by the words of their relations."""

    def read_condition(self) -> str:
        return self.read_once("condition", self.read_joined)

    def read_joined(self) -> str:
        """Return facts in a list, or joined by "and" or "or", at two levels with a comma."""
        for opening, word in LISTS.items():
            if self.try_take(f"{opening}: "):
                return f"({f' {word} '.join(self.read_lettered_list())})"
        return self.read_first_match(
            self.read_enumeration,
            lambda: self.read_joined_parts(", ", self.read_row),
        )

    def read_row(self) -> str:
        """Return facts joined by one word; one may go on about what the one before is about."""
        subject = ""

        def read_next() -> str:
            nonlocal subject
            if subject and _VERB.match(self.words, self.position):
                return self.read_fact_about(subject)
            subject = self.find_subject()
            return self.read_fact()

        return self.read_joined_parts(" ", read_next)

    def find_subject(self) -> str:
        """Return the field that a fact begins with, in words, or whom a clause is about.

        "" where it begins with neither.
        """
        start = self.position
        try:
            self.read_field()
            return self.words[start : self.position]
        except NotReadError:
            self.position = start
            return self.find_clause_subject()
        finally:
            self.position = start

    def find_clause_subject(self) -> str:
        """Return whom or what a clause is about that comes next, "" where none does."""
        start = self.position
        try:
            self.read_own_clause()
        except NotReadError:
            return ""
        return find_clause_subject(self.words[start : self.position])

    def read_fact_about(self, subject: str) -> str:
        """Return a fact whose words begin with its verb."""
        inner = type(self)(f"{subject} {self.words[self.position :]}", self.vocabulary)
        found = inner.read_fact()
        self.advance(self.position + inner.position - len(subject) - 1)
        return found

    def read_enumeration(self) -> str:
        """Return three or more facts of which only the last has a word: "this, that, and more"."""
        start = self.position
        parts = [self.read_fact()]
        while self.try_next_part(", ", self.read_fact, parts):
            pass
        if len(parts) == 1:
            raise NotReadError(self.words)
        word = self.match_pattern(",? (and|or) ")[1]
        parts.append(self.read_fact())
        # Inside other words, what stands after a comma may belong to them.
        if start or self.position != len(self.words):
            raise NotReadError(self.words)
        return f"({f' {word} '.join(parts)})"

    def read_joined_parts(self, gap: str, rule: Callable[[], str]) -> str:
        """Return parts of one kind joined by "and" alone, or by "or" alone."""
        parts = [rule()]
        for word in ("and", "or"):
            while self.try_next_part(f"{gap}{word} ", rule, parts):
                pass
            if len(parts) > 1:
                return f"({f' {word} '.join(parts)})"
        return parts[0]

    def try_next_part(self, words: str, rule: Callable[[], str], parts: list[str]) -> bool:
        """Add what a rule gives after some words; the place stays where it gives nothing."""
        start = self.position
        if not self.try_take(words):
            return False
        try:
            parts.append(rule())
        except NotReadError:
            self.position = start
            return False
        return True

    def read_lettered_list(self) -> list[str]:
        """Return the facts of "(a) one; (b) another; (c) a third"."""
        parts = []
        for letters in _iterate_letters():
            self.take(f"({letters}) ")
            parts.append(self.read_condition())
            if not self.try_take("; "):
                break
        return parts

    def read_fact(self) -> str:
        # Days apart, "at most 5 days before", begin as a comparison with 5 does. A relation to a
        # quoted word comes earlier too: the word for a missing value is no label to compare with.
        rules = (
            self.read_own_clause,
            self.read_amount_clause,
            self.read_event,
            self.read_denial,
            self.read_group,
            self.read_every_entry,
            self.read_every_item,
            self.read_holding,
            self.read_there,
            self.read_one_holding,
            self.read_total_of_items,
            self.read_things_left,
            self.read_some_item,
            self.read_membership,
            self.read_limits,
            self.read_inclusion,
            self.read_among,
            self.read_verb_fact,
            self.read_form,
            self.read_label_relation,
            self.read_given,
            self.read_in_common,
            self.read_counted,
            self.read_age,
            self.read_days_before,
            self.read_distance_in_time,
            self.read_days_on_one_side,
            self.read_distance,
            self.read_period,
            self.read_share,
            self.read_share_beside,
            self.read_comparison,
        )
        return self.read_once("fact", lambda: self.read_first_match(*rules))

    def read_own_clause(self) -> str:
        """Return the yes/no field, or its denial, that a clause of its own stands for."""
        return self.read_label(self.vocabulary.said)

    def read_amount_clause(self) -> str:
        """Return what a clause says of a number beside a figure: "the patient is 18 years old"."""
        for clause, label in self.vocabulary.amounts.items():
            found = _match_amount_clause(clause, self.words, self.position)
            if found is None:
                continue
            subject = f"the {label} is {_AMOUNT_ORDERS[found['order']]}"
            if not clause.after:
                self.advance(found.end("order"))
                return self.read_after(subject, lambda inner: inner.read_comparison())
            inner = type(self)(f"{subject} {found['amount']}", self.vocabulary)
            compared = inner.read_comparison()
            if inner.position == len(inner.words):
                self.advance(found.end())
                return compared
        raise NotReadError(self.words)

    def read_event(self) -> str:
        """Return what a clause says of a day on which something begins or ends."""
        self.take("the ")
        label = self.read_label(self.vocabulary.events)
        return self.read_after(f"the {label} is", lambda inner: inner.read_fact())

    def read_group(self) -> str:
        return self.read_bracketed(self.read_condition)

    def read_denial(self) -> str:
        self.take("it is not the case that ")
        return f"(not {self.read_first_match(self.read_group, self.read_own_clause)})"

    def read_membership(self) -> str:
        """Return what is asked of the members of a set."""
        subject = self.read_operand()
        verb = self.match_pattern(" (includes? |does not include |do not include )")[1]
        if verb.startswith("do"):
            return self.read_not_included(subject)
        how = self.match_pattern("neither |none of |all of |both |at least one of |")[0]
        members, word = self.read_options(*_LINKS[how])
        if (not word and how) or (how == "both " and len(members) != _TWO):
            raise NotReadError(self.words)
        is_denied = how in {"neither ", "none of "}
        tests = [f"({item!r} {'not ' * is_denied}in {subject})" for item in members]
        joint = "and" if is_denied else word
        return f"({f' {joint} '.join(tests)})" if joint else tests[0]

    def read_not_included(self, subject: str) -> str:
        """Return that a set lacks a label, or one at least of several that it is to have."""
        how = self.match_pattern("both |all of |")[0]
        members, word = self.read_options("and") if how else ([self.read_quoted()], "")
        if how and not (word and (len(members) == _TWO) == (how == "both ")):
            raise NotReadError(self.words)
        return f"({' or '.join(f'({item!r} not in {subject})' for item in members)})"

    def read_limits(self) -> str:
        """Return that a set has nothing, or something, besides some labels."""
        subject = self.read_operand()
        word = self.match_pattern(" includes? (nothing|something) besides ")[1]
        members, _ = self.read_options("and")
        found = f"({subject} <= [{', '.join(map(repr, members))}])"
        return found if word == "nothing" else f"(not {found})"

    def read_inclusion(self) -> str:
        """Return that all of a set, or not all of it, lies in another one."""
        is_denied = self.match_pattern("(not )?all of ")[1]
        part = self.read_operand()
        self.match_pattern(" (is|are) among ")
        found = f"({part} <= {self.read_operand()})"
        return f"(not {found})" if is_denied else found

    def read_among(self) -> str:
        """Return that a label is a member of a set, or none."""
        subject = self.read_side()
        word = self.match_pattern(" (?:is|are) (not )?among ")[1]
        return f"({subject} {'not in' if word else 'in'} {self.read_operand()})"

    def read_verb_fact(self) -> str:
        """Return a yes/no field whose label has a verb of its own."""
        if self.match_pattern("the (entry|case) ")[1] == "entry":
            subject = f"entry.<{self.read_label(self.parts)}>"
        else:
            subject = self.read_label(self.vocabulary.names)
        self.take(": ")
        return self.is_label(subject, self.read_quoted(), is_denied=False)

    def read_form(self) -> str:
        """Return whether an input has the form that it is to have."""
        subject = self.read_field()
        form = self.match_pattern(" (?:is|are) (malformed|well formed)")[1]
        return (
            f"well_formed({subject})" if form == "well formed" else f"(not well_formed({subject}))"
        )

    def read_label_relation(self) -> str:
        """Return a relation to quoted words: a label, a word for missing, or yes and no."""
        subject = self.read_side()
        self.match_pattern(" (is|are) ")
        how = self.match_pattern("one of |none of |neither |not |")[0]
        options, _ = self.read_options("nor" if how == "neither " else "or")
        if how == "not " and len(options) > 1:
            raise NotReadError(self.words)  # it may mean neither, or any other than all of them
        if len(options) > 1 or how in {"one of ", "none of "}:
            word = "not in" if how in {"none of ", "neither "} else "in"
            return f"({subject} {word} [{', '.join(map(repr, options))}])"
        (option,) = options
        return self.is_label(subject, option, is_denied=how == "not ")

    def read_comparison(self) -> str:
        left = self.read_side()
        relation = self.read_relation(RELATIONS, bare=r"-?\d")
        compared = self.read_compared(left)
        if relation == "==" and (word := self.match_pattern(" or (earlier|later)|")[1]):
            return f"({left} {'<=' if word == 'earlier' else '>='} {compared})"
        found = [f"({left} {relation} {compared})"]
        # "is at least 2 points and less than 5": the second relation has the subject of the first.
        joint = re.compile(rf" (and|or) (?=(?:{'|'.join(_ORDERS)}) )")
        word = ""
        while next_joint := joint.match(self.words, self.position):
            if word not in {"", next_joint[1]}:
                break
            word = next_joint[1]
            self.advance(next_joint.end())
            order = self.match_pattern(f"({'|'.join(_ORDERS)}) ")[1]
            found.append(f"({left} {RELATIONS[order]} {self.read_compared(left)})")
        return f"({f' {word} '.join(found)})" if word else found[0]

    def read_compared(self, subject: str) -> str:
        """Return what a value is compared with: a figure has no other unit than the value."""
        start = self.position
        found = self.read_side()
        self.require_unit(subject, start)
        return found

    def read_relation(self, known: Mapping[str, str], bare: str) -> str:
        """Return a relation after its verb; what fits ``bare`` right after the verb is equal."""
        verb = self.match_pattern(" (is|are|differs? from|exceeds?) ")[1]
        if verb not in {"is", "are"}:
            return "!=" if verb.startswith("differ") else ">"
        words = "|".join(sorted(known, key=len, reverse=True))
        found = self.match_pattern(f"({words}) |(?={bare})")[1]
        return known[found] if found else "=="

    def read_share(self) -> str:
        """Return what a number is beside so many percent of another."""
        part = self.read_side()
        relation = self.read_relation(RELATIONS, bare=r"\d")
        share = self.read_percentage()
        if self.words.startswith(" (rounded to ", self.position):
            raise NotReadError(self.words)  # a number of its own, which a sum may begin with
        return f"(({part} * 100) {relation} {share})"

    def read_share_beside(self) -> str:
        """Return what so many percent of a number are beside another number."""
        share = self.read_percentage()
        relation = self.read_relation(RELATIONS, bare=r"\d")
        whole, start = share.removeprefix("(").partition(" * ")[0], self.position
        other = self.read_side()
        # Of an amount in EUR, a share is one in EUR.
        self.require_unit(whole, start)
        return f"({share} {relation} ({other} * 100))"

    def read_given(self) -> str:
        """Return that a field has a value."""
        subject = self.read_field()
        given = " (?:(?:is|are) (not )?given|(?:has|have) (not )?been set)"
        is_denied = any(self.match_pattern(given).groups())
        if subject not in self.vocabulary.missing:
            raise NotReadError(f"{subject} is always given")
        return f"(not present({subject}))" if is_denied else f"present({subject})"

    def read_counted(self) -> str:
        """Return how many entries a set or a list has."""
        entries = self.read_operand()
        relation = self.read_entry_count()
        return f"({self.count_entries_of(entries)} {relation})"

    def read_in_common(self) -> str:
        """Return that two sets share nothing, something, or so many entries."""
        first = self.read_operand()
        self.take(" and ")
        found = f"count({first} & {self.read_operand()})"
        if word := self.match_pattern(" have (nothing|something) in common|")[1]:
            return f"({found} {'== 0' if word == 'nothing' else '>= 1'})"
        relation = self.read_entry_count()
        self.take(" in common")
        return f"({found} {relation})"

    def read_entry_count(self) -> str:
        """Return the relation and the number of "has fewer than 3 entries"."""
        relations = "|".join((*COUNTED, _FEWER))
        words, number = self.match_pattern(
            rf" (?:has|have) (no|at least one|(?:{relations}) (\d+)) (?:entry|entries)"
        ).groups()
        known = {"no": "== 0", "at least one": ">= 1"}.get(words)
        word = words.removesuffix(f" {number}").replace(_FEWER, "less than")
        return known or f"{RELATIONS[word]} {number}"

    def read_distance(self) -> str:
        """Return how far a day or time lies before another, or after it.

        "At most" and "less than" also hold in the other order, unless the words exclude it.
        """
        subject = self.read_operand()
        relation = self.read_relation(RELATIONS, bare=r"\d")
        count, unit, calendar, side = self.match_pattern(
            r"(\d+) (working day|day|minute|month|year)s?(?: of the calendar (\w+))?"
            r" (before|after) "
        ).groups()
        other = self.read_operand()
        start, end = (subject, other) if side == "before" else (other, subject)
        between = self.build_distance(unit, calendar, start, end)
        found = f"({between} {relation} {count})"
        if unit in {"month", "year"}:
            count = f"{count} * 12" if unit == "year" else count
            sign, word = ("-", relation) if side == "before" else ("", _MIRRORED[relation])
            found = f"(add_months({other}, {sign}{count}) {word} {subject})"
        opposite = "after" if side == "before" else "before"
        if self.try_take(f" (but not {opposite} it)"):
            return f"({found} and ({start} <= {end}))"
        self.match_pattern(rf"(?: \(or {opposite} it\))?")
        return found

    def read_days_on_one_side(self) -> str:
        """Return that a day is another one or lies up to so far before it, or after it."""
        subject = self.read_operand()
        self.match_pattern(" (?:is|are) on ")
        other = self.read_operand()
        far, count, unit, calendar, side = self.match_pattern(
            r" or (up to|at most|less than) (\d+) (working day|day)s?(?: of the calendar (\w+))?"
            r" (before|after) it"
        ).groups()
        start, end = (subject, other) if side == "before" else (other, subject)
        relation = "<" if far == "less than" else "<="
        between = self.build_distance(unit, calendar, start, end)
        return f"(({start} <= {end}) and ({between} {relation} {count}))"

    def read_age(self) -> str:
        """Return how old somebody is on a day."""
        self.match_pattern("the (?=age)")
        names = self.vocabulary.names
        ages = {age: name for label, name in names.items() if (age := name_age(label))}
        birth = self.read_label(ages)
        self.take(" on ")
        day = self.read_operand()
        words, count = self.match_pattern(r" is (less than|at least) (\d+) years?").groups()
        return f"({day} {RELATIONS[words]} add_months({birth}, {count} * 12))"

    def read_distance_in_time(self) -> str:
        """Return whether a day or time is earlier or later than one so far from another."""
        subject = self.read_operand()
        words, count, unit, calendar, side = self.match_pattern(
            r" (?:is|are) ((?:no )?(?:earlier|later) than) (\d+)"
            r" (working day|day|minute|month|year)s?(?: of the calendar (\w+))? (before|after) "
        ).groups()
        other, relation = self.read_operand(), _TIMES[words]
        if unit in {"month", "year"}:
            months = f"{count} * 12" if unit == "year" else count
            sign = "-" if side == "before" else ""
            return f"({subject} {relation} add_months({other}, {sign}{months}))"
        if side == "before":
            between = self.build_distance(unit, calendar, subject, other)
            return f"({between} {_MIRRORED[relation]} {count})"
        return f"({self.build_distance(unit, calendar, other, subject)} {relation} {count})"

    def read_days_before(self) -> str:
        """Return that a day is one of so many before another, or the other itself.

        Of a day that always lies so it is only said how far away.
        """
        subject = self.read_operand()
        count = self.match_pattern(r" (?:is|are) (?:with)?in the (\d+) days? before ")[1]
        other = self.read_operand()
        is_on_it = self.try_take(" or on it")
        between = f"({self.build_distance('day', None, subject, other)} <= {count})"
        relation = "<=" if is_on_it else "<"
        if part := re.fullmatch("entry.<(.+)>", subject):
            return f"({between}{ORDERED.format(label=part[1], relation=relation, other=other)})"
        return f"(({subject} {relation} {other}) and {between})"

    def read_period(self) -> str:
        """Return that a day lies between two days, both of them included."""
        day = self.read_side()
        self.match_pattern(" (?:is|are) between ")
        first = self.read_operand()
        self.take(" and ")
        last = self.read_operand()
        self.take(" inclusive")
        return f"(({day} >= {first}) and ({day} <= {last}))"

    def build_distance(self, unit: str, calendar: str | None, start: str, end: str) -> str:
        """Return the source text of the time between two days or times."""
        if unit == "working day":
            return f"workdays_between({start}, {end}, {calendar or self.vocabulary.calendar})"
        return f"{unit}s_between({start}, {end})"

    def read_every_item(self) -> str:
        """Return one condition on every item: "the price of every line is", "every line is"."""
        if self.try_take("every "):
            name = self.read_label(self.vocabulary.items)
            fact = self.read_clause_of_item()
        else:
            self.take("the ")
            label = self.read_label(self.parts)
            self.take(" of every ")
            name = self.read_label(self.vocabulary.items)
            fact = self.read_after(f"{WHOSE}{label}", lambda inner: inner.read_fact())
        return f"(all({self.resolve_item_labels(f'{fact} for entry in {name}', name)}))"

    def read_every_entry(self) -> str:
        self.take("for every entry in ")
        name = self.read_field()
        where = self.read_first_match(self.read_filter, str)
        self.take(", ")
        aggregate = f"{self.read_condition()} for entry in {name}{where}"
        return f"(all({self.resolve_item_labels(aggregate, name)}))"

    def read_holding(self) -> str:
        """Return that a list holds entries that meet a condition, or how many of them."""
        name = self.read_field()
        self.match_pattern(" holds? ")
        if self.try_take("an entry") or self.words.startswith("no entry", self.position):
            word = "not any" if self.try_take("no entry") else "any"
            aggregate = f"{self.read_filter().removeprefix(' if ')} for entry in {name}"
            return f"({word}({self.resolve_item_labels(aggregate, name)}))"
        relation = RELATIONS[self.match_pattern(f"({'|'.join(COUNTED)}) ")[1]]
        number = self.read_number()
        self.match_pattern(" (entry|entries)")
        aggregate = f"entry for entry in {name}{self.read_filter()}"
        return f"(count({self.resolve_item_labels(aggregate, name)}) {relation} {number})"

    def read_there(self) -> str:
        """Return that there are so many of the items of a list, maybe of those with a condition."""
        self.match_pattern("there (is|are) ")
        relations = "|".join((*COUNTED, _FEWER))
        how, relation, number = self.match_pattern(
            rf"(an(?=other )|(?:an?|no|at least one|({relations}) (\d+|one))(?= )) ?"
        ).groups()
        known = {"no": "== 0"}.get(how, ">= 1")
        if relation:
            order = RELATIONS[relation.replace(_FEWER, "less than")]
            known = f"{order} {number.replace('one', '1')}"
        name = self.read_label({**self.vocabulary.counted, **self.vocabulary.items})
        if isinstance(self.vocabulary.types[name], NumberType):
            return f"({name} {known})"
        is_list = isinstance(self.vocabulary.types[name], ListType)
        verbs = [f" {verb} " for verb in self.vocabulary.verbs]
        starts = (" whose ", " that ", " for which ", " with a", " of the ", *verbs)
        where = self.read_filter() if self.words.startswith(starts, self.position) else ""
        if where and not is_list:
            raise NotReadError(f"{name} is no list")
        listed = f"entry for entry in {name}{where}"
        entries = self.resolve_item_labels(listed, name) if is_list else name
        return f"(count({entries}) {known})"

    def read_one_holding(self) -> str:
        """Return that one of the items, or none, has something of a kind or so much of it."""
        relation = ">= 1" if self.match_pattern("(any|at least one|no) ")[1] != "no" else "== 0"
        name = self.read_label(self.vocabulary.items)
        fact = self.read_first_match(
            self.read_had_label,
            partial(self.read_amount_of_entry, " has"),
            self.read_clause_of_item,
        )
        entries = self.resolve_item_labels(f"entry for entry in {name} if {fact}", name)
        return f"(count({entries}) {relation})"

    def read_total_of_items(self) -> str:
        """Return how much some items have together: "have a total cost of more than 5 EUR"."""
        self.take("the ")
        name = self.read_label(self.vocabulary.items)
        where = self.read_filter()
        self.take(" have a total ")
        label = self.read_label(self.parts)
        order = self.match_pattern(f" of ({'|'.join(AMOUNTS)}) ")[1]
        limit = self.read_compared(f"entry.<{label}>")
        total = f"sum(entry.<{label}> for entry in {name}{where})"
        return f"({self.resolve_item_labels(total, name)} {AMOUNTS[order]} {limit})"

    def read_clause_of_item(self) -> str:
        """Return what a clause says of an item: "comes from a barred farm"."""
        self.take(" ")
        return self.read_after("that ", lambda inner: inner.read_label(inner.vocabulary.item_facts))

    def read_had_label(self) -> str:
        """Return which label an item has: 'has the medium "Oil" or "Ink"'."""
        self.take(" has the ")
        label = self.read_label(self.parts)
        self.take(" ")
        return self.read_after(f"{WHOSE}{label} is ", lambda inner: inner.read_labels_of_item())

    def read_labels_of_item(self) -> str:
        subject = self.read_entry_field()
        self.take(" is ")
        options, _ = self.read_options("or")
        if len(options) == 1:
            return f"({subject} == {options[0]!r})"
        return f"({subject} in [{', '.join(map(repr, options))}])"

    def read_after(self, words: str, rule: Callable[[Conditions], str]) -> str:
        """Return what a rule gives that reads some words before those that come next."""
        rest = self.words[self.position :]
        inner = type(self)(f"{words}{rest}", self.vocabulary)
        found = rule(inner)
        self.advance(self.position + inner.position - len(words))
        return found

    def read_things_left(self) -> str:
        """Return that there is one of some things, or none: "no papers are missing"."""
        how = self.match_pattern("(one or more|any|at least one|some|no) ")[1]
        known = {**self.vocabulary.counted, **self.vocabulary.items}
        said = {
            f"{form} {be} {still}{state}": name
            for words, name in known.items()
            for first, _, thing in (words.partition(" "),)
            if thing and first in STATES
            for form in (thing, f"{thing}s")
            for be in ("is", "are")
            for still in ("", "still ")
            for state in (first, *_ALSO.get(first, ()))
        }
        name = self.read_label(said)
        relation = "== 0" if how == "no" else ">= 1"
        if isinstance(self.vocabulary.types[name], NumberType):
            return f"({name} {relation})"
        is_list = isinstance(self.vocabulary.types[name], ListType)
        return f"(count({f'entry for entry in {name}' if is_list else name}) {relation})"

    def read_some_item(self) -> str:
        """Return what is asked of one of the items: "the fee of any line is 0 EUR"."""
        self.take("the ")
        label = self.read_label(self.parts)
        self.match_pattern(" of (any|at least one) ")
        name = self.read_label(self.vocabulary.items)
        # What follows is said of an entry, as after "whose".
        fact = self.read_after(f"{WHOSE}{label}", lambda inner: inner.read_fact())
        entries = self.resolve_item_labels(f"entry for entry in {name} if {fact}", name)
        return f"(count({entries}) >= 1)"


_ALSO = {"missing": ("not given",)}
"""What else is read for such a word."""


def _match_amount_clause(clause: AmountClause, words: str, start: int) -> re.Match[str] | None:
    """Return a clause on a number with its amount, None where none comes next."""
    rest = rf" {re.escape(clause.after)}(?![\w'-])" if clause.after else ""
    order, amount = "|".join(_AMOUNT_ORDERS), r"-?\d[\d.]*(?: (?!and |or )\S+?)*?"
    form = rf"{re.escape(clause.before)} (?P<order>{order}) (?P<amount>{amount}){rest}"
    return re.compile(form).match(words, start)


def _iterate_letters() -> Iterator[str]:
    """Return a, b, ... z, aa, ab, ..., by which the parts of a list are numbered."""
    for length in count(1):
        yield from map("".join, product(ascii_lowercase, repeat=length))
