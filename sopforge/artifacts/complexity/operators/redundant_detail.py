"""SOP level: reminders, which repeat elsewhere what a step or section says.

A reminder quotes a statement whole and names where it stands, so that it is as true as the
statement itself. It stands at a step that has to do with it, if there is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sopforge.artifacts.complexity.last_sections import drop_last_sections
from sopforge.artifacts.complexity.passages import AddedPassage, Where, place_passages
from sopforge.artifacts.complexity.rules.conditional_statements import select_conditional_statements
from sopforge.artifacts.complexity.rules.rule_statements import stand_alone
from sopforge.artifacts.complexity.variant import Variant
from sopforge.artifacts.rendering.sop.document import Statement, Style
from sopforge.artifacts.rendering.sop.marks import REMINDER
from sopforge.artifacts.rendering.sop.references import PROCEDURE, format_heading_reference
from sopforge.language.domain.documents.schema import HarderLevel
from sopforge.language.domain.expressions.expressions import collect_all_read_fields
from sopforge.language.domain.model import DomainModel, Step
from sopforge.language.domain.rules import HitPolicy, Table, collect_decision_inputs
from sopforge.seeds import permute_index

_WORDINGS = (
    "{stem}; see {place}.",
    "As {place} states, {line}",
    "Under {place}, {line}",
    "{stem}, as set out in {place}.",
)
"""How a reminder says whose words it repeats, where the statement is true by itself."""
_WORDINGS_IN_ORDER = (
    "Unless an earlier rule in {place} applies, {line}",
    "In {place}, {stem}, unless an earlier rule there applies.",
)
"""How it does so where rules before the statement may apply instead."""
_MANNERS = len(_WORDINGS) * len(_WORDINGS_IN_ORDER)
_HERE = re.compile(r"\bthis (?:step|section|table)\b")
"""What a statement says of its own place, which means another one elsewhere."""


class RedundantDetail:
    """Puts in ``dose`` reminders of statements of rules, edges, formulas and checks."""

    name = "redundant_detail"
    level: HarderLevel = "L1"
    usual = 1
    follows: tuple[str, ...] = ("cross_references", "indirect_thresholds")
    is_of_model = False

    def apply(self, variant: Variant, dose: int, seed: int) -> Variant:
        found = list(_iterate_repeatable(variant)) if dose else []
        # Those that have to do with another step, if there are any.
        found = [item for item in found if _find_subject(variant.model, item[1].states[0])] or found
        chosen = []
        for number in range(dose if found else 0):
            heading, item = found[permute_index(number % len(found), len(found), seed, self.name)]
            wording = permute_index(number % _MANNERS, _MANNERS, seed, "wording")
            text = _phrase_reminder(heading, item, variant.model, wording)
            reminder = Statement(Style.PARAGRAPH, text, excused=REMINDER)
            subject = _find_subject(variant.model, item.states[0])
            where = Where(section=PROCEDURE, states=subject, apart_from=heading)
            chosen.append(AddedPassage(reminder, where))
        return place_passages(variant, self.name, chosen, seed)


def _phrase_reminder(heading: str, item: Statement, model: DomainModel, wording: int) -> str:
    """Return the passage that repeats a statement of the section or step with the given heading.

    One that stands after other rules is repeated with the words that they come first: alone it
    would say more than it does there.
    """
    known = _list_wordings(item, model)
    frame = known[wording % len(known)]
    stem = item.text.removesuffix(".")
    if not frame.startswith("{stem}"):
        stem = _lower_first(stem)
    place = format_heading_reference(heading)
    return frame.format(place=place, line=_lower_first(item.text), stem=stem)


def _list_wordings(item: Statement, model: DomainModel) -> Sequence[str]:
    if _is_after_others(item, model):
        return _WORDINGS_IN_ORDER
    if _is_fragment(item.text):
        return _WORDINGS[:1]
    is_transition = item.states[:1] and item.states[0].startswith("edge ")
    # Whose transition it is comes first: nobody should take it at another step.
    return [frame for frame in _WORDINGS if "{line}" in frame] if is_transition else _WORDINGS


def _is_after_others(item: Statement, model: DomainModel) -> bool:
    """Return whether a statement applies only where no rule or transition before it does."""
    kind, _, name = item.states[0].partition(" ") if item.states else ("", "", "")
    if kind == "rule":
        table = model.decisions.get(name.partition(".")[0])
        if not isinstance(table, Table) or table.hit is not HitPolicy.FIRST:
            return False
        return name != f"{table.target}.{table.rules[0].id}"
    steps = model.steps.values()
    return kind == "edge" and name in {edge.id for step in steps for edge in step.edges[1:]}


def _is_fragment(text: str) -> bool:
    """Return whether a statement is no sentence: an amount to add, or a code with its check."""
    return text[:1].isdigit() or ": " in text


def _lower_first(text: str) -> str:
    """Return a sentence as it stands inside another: a name in capitals stays."""
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def _find_subject(model: DomainModel, states: str) -> str:
    """Return the name of the step at which one would look for what a statement states, "" for none.

    An edge is of interest where it leads, a check of a tool where the tool is called, and how a
    value is decided at the first other step that reads it.
    """
    kind, _, name = states.partition(" ")
    owner = name.partition(".")[0]
    steps = model.steps.values()
    if kind == "edge":
        edges = [edge for step in steps for edge in step.edges]
        found = [edge.to for edge in edges if edge.id == name]
    elif kind == "guard":
        found = [step.id for step in steps if step.call == owner]
    else:
        others = (step for step in steps if owner not in step.decide)
        found = [step.id for step in others if owner in _collect_read(model, step)]
    return f"step {found[0]}" if found else ""


def _collect_read(model: DomainModel, step: Step) -> frozenset[str]:
    """Return the fields that a step passes to its tool, decides by, or chooses the next step by."""
    decided = (collect_decision_inputs(model.decisions[target]) for target in step.decide)
    conditions = [edge.when for edge in step.edges if edge.when is not None]
    taken = model.tools[step.call].takes if step.call else ()
    return frozenset().union(taken, *decided, collect_all_read_fields(conditions))


def _iterate_repeatable(variant: Variant) -> Iterator[tuple[str, Statement]]:
    """Return each statement of a condition or a formula, with the heading over it.

    Those in sections that levels have put last are left out: their rules belong elsewhere.
    """
    statements = drop_last_sections(variant.sop.statements)
    heading, said = "", select_conditional_statements(statements, variant.model)
    for item in statements:
        if item.style in {Style.SECTION, Style.STEP}:
            heading = item.text
        elif item in said and not _is_command(item) and not _HERE.search(item.text):
            yield heading, stand_alone(variant, item)


def _is_command(item: Statement) -> bool:
    """Return whether a statement has a value worked out: at a step that has none, nobody may."""
    is_decision = any(state.startswith("decision ") for state in item.states)
    return is_decision and item.style is Style.PARAGRAPH


OPERATOR = RedundantDetail()
