"""Conditions: facts, comparisons and memberships, alone or joined."""

from __future__ import annotations

from collections.abc import Callable

from sopforge.logic.english_reader.entries import Entries
from sopforge.logic.english_reader.scanner import NotReadError

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
COUNTED = ("exactly", "less than", "at most", "more than", "at least")
LISTS = {"all of these hold": "and", "at least one of these holds": "or"}
LETTERS = "abcdefghijklmnopqrstuvwxyz"
_LINKS = {
    "neither ": ("nor",),
    "none of ": ("or",),
    "all of ": ("and",),
    "at least one of ": ("or",),
    "": ("or", "and"),
}


class Conditions(Entries):
    """Reads conditions by the words of their relations."""

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
