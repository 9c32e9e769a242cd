"""Conditions that hold together or of which one holds, and labels that stand together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from sopforge.domain.language.expressions import AllOf, AnyOf, Compare, Expression, Not
from sopforge.logic.english.dates import Dates
from sopforge.logic.phrasing.brackets import (
    as_operand,
    as_side,
    bracket_if_open,
    find_joining_word,
    format_joint,
    is_group,
    is_lettered,
)
from sopforge.logic.phrasing.grammar import find_clause_subject, join_items, join_lettered
from sopforge.logic.phrasing.idioms import (
    find_membership,
    find_period,
    find_range,
    find_run_distance,
    list_runs,
    unwrap_node,
)

_TWO = 2
_FEW = 4
_ABOUT = re.compile('(the ([^"()]+?) )(is|are|exceeds?) ')
_UNCLEAR = re.compile(r"[,;]|\bif\b|\bfor (?:which|every)\b")


class Groups(Dates):
    """Phrases conditions joined by "and" or "or", in a row or as a list."""

    def visit_all_of(self, node: AllOf, operands: Sequence[str]) -> str:  # noqa: ARG002 - flattened
        return self.phrase_group(node, "all of these hold")

    def visit_any_of(self, node: AnyOf, operands: Sequence[str]) -> str:  # noqa: ARG002 - flattened
        return self.phrase_group(node, "at least one of these holds")

    def phrase_group(self, node: AllOf | AnyOf, opening: str) -> str:
        """Return two conditions with a word between them, more as a list."""
        if (limits := find_range(node)) is not None:
            return self.phrase_range(*limits, format_joint(node))
        parts = list_runs(node)
        if not is_lettered(node):
            joint, words = format_joint(node), [self.phrase_beside(part, node) for part in parts]
            return joint.join(words if "," in joint else self.drop_subjects(words))
        items = [self.phrase_item(part, node) for part in parts]
        held = [bracket_if_open(part[0], item) for part, item in zip(parts, items, strict=True)]
        return f"{opening}: {join_lettered(held)}"

    def drop_subjects(self, facts: Sequence[str]) -> list[str]:
        """Return facts in a row; one about what the fact before it is about does not name it."""
        kept = list(facts[:1])
        for before, fact in pairwise(facts):
            found, after = _ABOUT.match(before), _ABOUT.match(fact)
            is_same = found and after and found[1] == after[1] and self.is_label(found[2])
            rest = fact.removeprefix(found[1]) if is_same and found else fact
            kept.append(rest if rest != fact else self.drop_clause_subject(before, fact))
        return kept

    def drop_clause_subject(self, before: str, clause: str) -> str:
        """Return a clause without whom it is about, where the clause before it says so."""
        subject = find_clause_subject(clause)
        are_clauses = {before, clause} <= self.clauses
        is_same = subject and find_clause_subject(before) == subject
        if not (are_clauses and is_same) or self.is_label(subject.removeprefix("the ")):
            return clause
        return clause.removeprefix(f"{subject} ")

    def phrase_range(self, first: Compare, second: Compare, joint: str) -> str:
        """Return between which limits a number is, or outside which; it is named once."""
        subject = f"{as_side(first.left, self.phrase(first.left))} {self.choose_verb(first.left)} "
        lower, upper = map(self.phrase_limit, (first, second))
        if lower.endswith(" or later") or upper.endswith(" or earlier"):
            return f"{lower}{joint}{upper}"
        return f"{lower}{joint}{upper.removeprefix(subject)}"

    def phrase_limit(self, limit: Compare) -> str:
        """Return how a number lies to a limit, by the name of the number."""
        return self.phrase(limit)

    def phrase_beside(self, part: Sequence[Expression], group: AllOf | AnyOf) -> str:
        """Return a condition, or what neighbours say in one phrase, beside another."""
        first, *others = part
        return (
            self.phrase_run(part, group) if others else bracket_if_open(first, self.phrase(first))
        )

    def phrase_item(self, part: Sequence[Expression], group: AllOf | AnyOf) -> str:
        """Return a condition, or what neighbours say in one phrase, by itself."""
        first, *others = part
        return self.phrase_run(part, group) if others else self.phrase(first)

    def phrase_line(self, condition: Expression) -> str:
        """Return a condition alone in a line: a few facts stand in a row, without letters."""
        inner, words = unwrap_node(condition), self.phrase(condition)
        parts = list_runs(inner) if isinstance(inner, AllOf | AnyOf) else []
        if not isinstance(inner, AllOf | AnyOf) or (len(parts) <= _TWO and not is_lettered(inner)):
            return words
        items = [self.phrase_item(part, inner) for part in parts]
        is_mixed = any(is_group(part) for part, *others in parts if not others)
        # A comma inside of a fact would not show where the next one begins.
        unclear = items if is_mixed else items[:-1]
        if len(parts) > (_TWO if is_mixed else _FEW) or any(map(_UNCLEAR.search, unclear)):
            return words
        return f"{', '.join(items[:-1])}, {find_joining_word(inner)} {items[-1]}"

    def phrase_run(self, part: Sequence[Expression], group: AllOf | AnyOf) -> str:
        """Return what neighbours say: members of one set, a distance of two days, a period."""
        distance, period = find_run_distance(part), find_period(part)
        if distance is not None:
            return self.phrase_distance(distance)
        return self.phrase_period(*period) if period else self.phrase_members(part, group)

    def phrase_period(self, first: Compare, last: Compare) -> str:
        """Return between which days a day lies."""
        subject = as_side(first.left, self.phrase(first.left))
        days = f"{self.phrase(first.right)} and {self.phrase(last.right)}"
        return f"{subject} {self.choose_verb(first.left)} between {days} inclusive"

    def phrase_members(self, part: Sequence[Expression], group: AllOf | AnyOf) -> str:
        """Return what is asked of several members of one set."""
        found = [test for test in map(find_membership, part) if test is not None]
        operand = found[0].operand
        is_plural = self.choose_verb(operand) == "are"
        verb = "include" if is_plural else "includes"
        labels = [f'"{test.member}"' for test in found]
        is_denied = isinstance(unwrap_node(part[0]), Not)
        asked = phrase_none_of(labels) if is_denied else _phrase_members(labels, group)
        if is_denied and isinstance(group, AnyOf):
            # A set that lacks the one or the other may have one of them.
            verb = f"{'do' if is_plural else 'does'} not include"
            asked = f"{'both' if len(labels) == _TWO else 'all of'} {join_items(labels)}"
        return f"{as_operand(operand, self.phrase(operand))} {verb} {asked}"


def phrase_one_of(options: Sequence[str]) -> str:
    """Return what a label is where it is one of several."""
    return join_items(list(options), "or")


def phrase_none_of(options: Sequence[str], alone: str = "") -> str:
    """Return what a label is where it is none of several, or what a set has none of."""
    if len(options) == _TWO:
        return f"neither {' nor '.join(options)}"
    opening = "none of " if len(options) > _TWO else alone
    return f"{opening}{join_items(list(options), 'or')}"


def _phrase_members(labels: Sequence[str], group: AllOf | AnyOf) -> str:
    """Return all members that a set has, or those of which it has one at least."""
    if isinstance(group, AllOf):
        opening = "all of" if len(labels) > _TWO else "both"
        return f"{opening} {join_items(list(labels), 'and')}"
    opening = "at least one of " if len(labels) > _TWO else ""
    return f"{opening}{join_items(list(labels), 'or')}"
