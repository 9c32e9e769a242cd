"""SOP level: rules that stand in a section of their own, to which steps and rules refer."""

from __future__ import annotations

from dataclasses import replace

from sopforge.artifacts.complexity.last_sections import make_last_heading
from sopforge.artifacts.complexity.rules.rule_statements import collect_rule_statements, stand_alone
from sopforge.artifacts.complexity.variant import Variant
from sopforge.artifacts.rendering.sop.document import Statement, Style
from sopforge.artifacts.rendering.sop.marks import REFERENCE
from sopforge.artifacts.rendering.sop.resolving import RULES_SECTION
from sopforge.language.domain.documents.schema import HarderLevel
from sopforge.language.domain.model import DomainModel
from sopforge.language.english.statements import MANNERS
from sopforge.language.english.terms import Term
from sopforge.seeds import draw_below, permute_items

BREADTH = 4
"""So many rules are moved at most; a larger dose moves them on, so that references lead further."""


class CrossReferences:
    """Puts ``dose`` references between steps and rules; the rules keep what they say.

    A rule that gives its value alone names its field there.
    """

    name = "cross_references"
    level: HarderLevel = "L1"
    usual = 2
    follows: tuple[str, ...] = ()
    is_of_model = False

    def apply(self, variant: Variant, dose: int, seed: int) -> Variant:
        moved = _choose_statements(variant, seed)
        if not dose or not moved:
            return variant
        statements = list(variant.sop.statements)
        heading = make_last_heading(statements, RULES_SECTION)
        statements.append(heading)
        texts = []
        for number in range(1, dose + 1):
            rule = moved[(number - 1) % len(moved)]
            # A larger dose comes to the same rules again: each then stands in that section, where
            # a pointer takes its place, so that references lead on from part to part.
            alone = stand_alone(variant, rule)
            place = statements.index(alone if number > len(moved) else rule)
            part = f"{heading.text.partition('.')[0]}.{number}"
            manner = draw_below(MANNERS, seed, "pointer", number)
            pointer = _make_pointer(variant, statements[place], part, manner)
            if pointer is None:
                continue
            title = _choose_title(rule, variant.model)
            statements[place] = pointer
            named = f"{part} {title[:1].upper()}{title[1:]}"
            statements += [Statement(Style.STEP, named), alone]
            texts.append(f"section {part}: {alone.text}")
        if not texts:
            return variant
        return variant.with_statements(statements).with_added(self.name, *texts)


def _make_pointer(variant: Variant, item: Statement, part: str, manner: int) -> Statement | None:
    """Return what stands in the place of a statement: its result, and where to read on."""
    match item.term:
        case ("rule", result, _) | ("goes", _, result) | ("answers", _, result):
            term: Term = ("points", part, result)
        case _:
            return None
    kind = f"{item.kind} by pointer {manner}"
    made = variant.state(item.style, kind, term, excused=REFERENCE)
    return made and replace(made, kind=item.kind)


def _choose_statements(variant: Variant, seed: int) -> list[Statement]:
    """Return rules and edges in a keyed order: those that can be pointed to, and stand once."""
    every = variant.sop.statements
    found = [
        item.statement
        for item in collect_rule_statements(variant)
        if every.count(item.statement) == 1
        and _make_pointer(variant, item.statement, "1.1", 0) is not None
        and (
            item.statement.kind == "edge" or stand_alone(variant, item.statement) != item.statement
        )
    ]
    return permute_items(found, seed, "reference")[:BREADTH]


def _choose_title(item: Statement, model: DomainModel) -> str:
    """Return what a rule or an edge is about: the value that it decides, or the step it leaves."""
    kind, _, name = item.states[0].partition(" ")
    owner = name.rpartition(".")[0]
    return model.fields[owner].label if kind == "rule" else model.steps[owner].title


OPERATOR = CrossReferences()
