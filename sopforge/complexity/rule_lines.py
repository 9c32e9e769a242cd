"""Lines that state a rule or a transition, and how one with another condition is said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from sopforge.complexity.conditional_lines import select_conditional_lines
from sopforge.complexity.last_sections import drop_last_sections
from sopforge.complexity.limit_names import with_limits_named
from sopforge.complexity.variant import Variant
from sopforge.domain.fields import Field
from sopforge.domain.language.expressions import AnyOf, Expression, collect_named_constants
from sopforge.domain.model import DomainModel
from sopforge.domain.rules import Table
from sopforge.logic.english import phrase_expression, phrase_line
from sopforge.logic.phrasing.idioms import flatten_group, unwrap_node
from sopforge.logic.phrasing.presence import drop_implied_presence
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.frames import ANY_HOLDS
from sopforge.rendering.sop.named_conditions import NAMED_CONDITIONS, drop_pointers, say_by_names
from sopforge.rendering.sop.sections.conditions import is_listed

_FORMS = {
    re.compile(r'(?P<result>"[^"]+") if .+'): "{result} if {condition}.",
    re.compile(r"If .+, (?:then )?(?P<result>go to step \d[^)]*\))\."): "If {condition}, {result}.",
}
"""Lines with one condition and what they give, and how one with another condition says it."""
_LONGEST = 220


@dataclass(frozen=True, slots=True)
class RuleLine:
    """A line of the procedure that states one rule or transition: its condition and result."""

    line: Line
    condition: Expression
    result: str
    form: str

    @property
    def states(self) -> str:
        """The rule or edge that it states."""
        return self.line.states[0]

    def write_like(self, condition: str, result: str, excused: str) -> Line:
        """Return a line of the same form with another condition, which states nothing."""
        text = self.form.format(result=result, condition=condition)
        return replace(self.line, text=text, states=(), excused=excused)


def collect_rule_lines(variant: Variant) -> list[RuleLine]:
    """Return the lines of one sentence that state a rule or a transition, in order."""
    found = []
    lines = drop_last_sections(variant.sop.lines)
    for line in select_conditional_lines(lines, variant.model):
        condition = find_condition(variant.model, line.states[0])
        for form, said in _FORMS.items():
            match = form.fullmatch(line.text)
            if match is not None and condition is not None:
                found.append(RuleLine(line, condition, match["result"], said))
    return found


def collect_alternatives(variant: Variant) -> list[RuleLine]:
    """Return the lines that state alternatives with one result, which is the line above them."""
    found, opening = [], ""
    lines = drop_last_sections(variant.sop.lines)
    for line, plain in zip(lines, drop_pointers(lines), strict=True):
        if line.style is not Style.NESTED:
            opening = line.text
        elif ANY_HOLDS in opening.lower() and not line.excused and line.states:
            condition = _find_alternative(variant, line, plain.text)
            if condition is not None:
                found.append(RuleLine(line, condition, opening, "{condition};"))
    return found


def _find_alternative(variant: Variant, line: Line, text: str) -> Expression | None:
    """Return the condition that a line of a list states, None where it says it in other words.

    ``text`` is that of the line without pointers to definitions. That of a rule for several fields
    is none of one list.
    """
    items = [name for name in line.states if name.startswith(("rule ", "edge "))]
    condition = find_condition(variant.model, line.states[0])
    if condition is None or len(items) != 1:
        return None
    whole = unwrap_node(condition)
    parts = [condition, *(flatten_group(whole) if isinstance(whole, AnyOf) else ())]
    said = text.rstrip(";.")
    return next((part for part in parts if phrase_line(*_say(variant, part)) == said), None)


def find_condition(model: DomainModel, name: str) -> Expression | None:
    """Return the condition of a rule or an edge as traces name it, None where it has none."""
    kind, _, rest = name.partition(" ")
    if kind == "rule":
        target, _, rule = rest.partition(".")
        table = model.decisions[target]
        rules = table.rules if isinstance(table, Table) else ()
        return next((item.when for item in rules if item.id == rule), None)
    edges = (edge for step in model.steps.values() for edge in step.edges)
    return next((edge.when for edge in edges if edge.id == rest), None)


def phrase_condition(
    variant: Variant, condition: Expression, known: Iterable[str] = (), *, is_line: bool = False
) -> str:
    """Return a condition as a sentence has it, "" where that is long or gives a limit away.

    ``known`` are the limits that stand there with another value. One that ``is_line`` stands alone
    in a line of a list; elsewhere, what a procedure would put in a list of its own has no words.
    """
    phrase = phrase_line if is_line else phrase_expression
    said = "" if is_listed(condition) and not is_line else phrase(*_say(variant, condition))
    named = collect_named_constants(condition).difference(known)
    shown = with_limits_named(said, sorted(named), variant)
    is_short = len(shown) <= _LONGEST and "(a)" not in shown and ":" not in shown
    return shown if is_short else ""


def _say(variant: Variant, condition: Expression) -> tuple[Expression, Mapping[str, Field]]:
    """Return a condition as the rules of the SOP say it, and the fields that its words need."""
    if any(line.text == NAMED_CONDITIONS for line in variant.sop.lines):
        return say_by_names(variant.model, condition)
    fields = variant.model.fields
    return drop_implied_presence(condition, fields), fields
