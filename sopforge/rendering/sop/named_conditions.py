"""Conditions that the brief names: the rules say them by that name, and the SOP defines each once.

"The donor is too young to give if the day of the visit is earlier than 17 years after the date of
birth" stands among the definitions, and a rule says "if the donor is too young to give".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from sopforge.domain.fields import Field, Role, Said, Sampling
from sopforge.domain.language.expressions import (
    Aggregate,
    Expression,
    Not,
    Read,
    iterate_parts,
    list_ordered_parts,
)
from sopforge.domain.model import DomainModel, collect_deciding_expressions
from sopforge.domain.values.types import BOOLEAN
from sopforge.logic.english import phrase_expression
from sopforge.logic.english_reader import (
    NotReadError,
    Vocabulary,
    build_vocabulary,
    read_condition,
)
from sopforge.logic.phrasing.denials import resolve_denials
from sopforge.logic.phrasing.idioms import unwrap_node
from sopforge.logic.phrasing.presence import drop_implied_presence
from sopforge.logic.phrasing.rebuilding import rebuild_node
from sopforge.logic.variants.changed_models import with_expressions
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.references import call_section
from sopforge.rendering.sop.sections.conditions import Case, render_conditional_sentence
from sopforge.rendering.sop.wording import Conjunction

DEFINED = "predicate "
"""What the lines of a definition state begins with this."""
NAMED_CONDITIONS = "In this procedure:"
_FILLERS = frozenset(
    re.findall(
        r"\w+",
        "a an and any are at before by earlier exceed exceeds for from greater has have if in is it"
        " later least less more most no not of on one or other than that the their there to was"
        " were with",
    )
)
"""Words that name nothing, and those of comparisons."""


@dataclass(frozen=True, slots=True)
class NamedCondition:
    """A condition of the rules with the clauses that stand for it and for its opposite."""

    name: str
    said: Said
    condition: Expression

    @property
    def fact(self) -> Read:
        """What stands for the condition where rules name it."""
        return Read(BOOLEAN, self.name)


def list_named_conditions(model: DomainModel) -> list[NamedCondition]:
    """Return the predicates of a model that its rules can name, each with one meaning.

    One that is about several things has a clause for none of them, and a clause that could be
    taken for another, or for a condition in the words of rules, is none.
    """
    found: dict[Expression, NamedCondition] = {}
    for predicate in model.predicates.values():
        conditions = [*dict.fromkeys(predicate.uses.values())]
        if predicate.said is None or len(conditions) != 1:
            continue
        (condition,) = conditions
        if not isinstance(unwrap_node(condition), Read | Not):
            item = NamedCondition(predicate.name, predicate.said, condition)
            found.setdefault(condition, item)
    clauses = [f"{clause} " for item in found.values() for clause in item.said.both]
    clauses += [f"{clause} " for field in model.fields.values() for clause in field.clauses]
    vocabulary = build_vocabulary(model)
    return [item for item in found.values() if _is_clear(model, item, clauses, vocabulary)]


def _is_clear(
    model: DomainModel, item: NamedCondition, clauses: Sequence[str], vocabulary: Vocabulary
) -> bool:
    """Return whether the clauses of a named condition can mean nothing else.

    ``clauses`` are those of all conditions and yes/no fields, each with a blank at its end.
    """
    own = (item.said.yes, item.said.no)
    is_alone = all(
        sum(other.startswith(f"{clause} ") or f"{clause} ".startswith(other) for other in clauses)
        == 1
        for clause in own
    )
    words = phrase_expression(_say_plainly(item.condition, model.fields), model.fields)
    has_meaning = any(_is_read(clause, vocabulary) for clause in own)
    is_of_list = any(isinstance(part, Aggregate) for part in iterate_parts(item.condition))
    is_repeated = not is_of_list and _is_repeated(item.said.yes, words)
    is_plain = _is_read(words, vocabulary) and not is_repeated
    return is_alone and is_plain and not has_meaning


def _is_read(words: str, vocabulary: Vocabulary) -> bool:
    try:
        read_condition(words, vocabulary)
    except NotReadError:
        return False
    return True


def _is_repeated(clause: str, words: str) -> bool:
    """Return whether a condition only says again what the clause for it says.

    >>> _is_repeated(
    ...     "the charge exceeds the reader's cost limit",
    ...     "the charge to the reader is more than the cost limit of the reader",
    ... )
    True
    """
    said = {*_split_words(clause), *_FILLERS}
    labels = re.findall('"([^"]+)"', words)
    has_figures = re.search(r"\d", words)
    is_label = bool(labels) and not has_figures and said.issuperset(_split_words(" ".join(labels)))
    return is_label or said.issuperset(_split_words(words))


def _split_words(text: str) -> list[str]:
    return re.findall(r"[\w-]+", text.lower().replace("'s", ""))


def name_conditions(model: DomainModel) -> DomainModel:
    """Return the model as its SOP says it: named conditions are yes/no fields of these names.

    It is for writing alone: nothing gives these fields a value.
    """
    named = list_named_conditions(model)
    if not named:
        return model
    known = {item.condition: item.fact for item in named}
    said = with_expressions(model, partial(_name_parts, known=known))
    return replace(said, fields=_add_facts(model, named))


def _name_parts(expression: Expression, known: Mapping[Expression, Read]) -> Expression:
    done: dict[int, tuple[Expression, Expression]] = {}
    for node in list_ordered_parts([expression]):
        done[id(node)] = (node, known.get(node) or rebuild_node(node, done))
    return done[id(expression)][1]


def say_by_names(
    model: DomainModel, condition: Expression
) -> tuple[Expression, Mapping[str, Field]]:
    """Return a condition with its named parts as facts, and the fields with these facts."""
    named = list_named_conditions(model)
    fields = _add_facts(model, named)
    said = _name_parts(condition, {item.condition: item.fact for item in named})
    return drop_implied_presence(said, fields), fields


def _add_facts(model: DomainModel, named: Sequence[NamedCondition]) -> dict[str, Field]:
    """Return the fields of a model with those that stand for named conditions."""
    return {**model.fields, **{item.name: _make_field(item) for item in named}}


def _make_field(item: NamedCondition) -> Field:
    # Of the session: a text lists no such field among those that it explains.
    return Field(
        name=item.name,
        label=item.said.yes,
        role=Role.SESSION,
        type=BOOLEAN,
        description="",
        missing="",
        primary=False,
        sampling=Sampling(),
        said=item.said,
    )


def render_named_conditions(model: DomainModel) -> Iterator[Line]:
    """Return the lines that define the named conditions of a model as ``name_conditions`` says it.

    ``model`` is as the brief has it; a condition that no rule reads is not defined.
    """
    said = name_conditions(model)
    named = list_named_conditions(model)
    meanings = {item.name: _build_meaning(said, item, named) for item in named}
    read = set(iterate_parts(*collect_deciding_expressions(said)))
    # A later one may read an earlier one, never the reverse.
    for item in reversed(named):
        if item.fact in read:
            read.update(iterate_parts(meanings[item.name]))
    used = [item for item in named if item.fact in read]
    if used:
        yield Line(Style.PARAGRAPH, NAMED_CONDITIONS)
    for item in used:
        case = Case(f"{DEFINED}{item.name}", meanings[item.name])
        yield from render_conditional_sentence(
            said, Style.BULLET, Conjunction.AFTER, [case], item.said.yes
        )


def add_pointers(model: DomainModel, lines: Sequence[Line]) -> list[Line]:
    """Return the lines of an SOP; the first rule to name a condition says where it is defined.

    "If the donor is too young to give (see section 4), go to step 6.5". ``model`` is as the brief
    has it.
    """
    section = _find_section(lines)
    clauses = {
        clause: item.name for item in list_named_conditions(model) for clause in item.said.both
    }
    if not section or not clauses:
        return list(lines)
    said = re.compile(rf"\b({'|'.join(map(re.escape, clauses))})(?=[,;.:]| and | or )")
    found, named = [], set[str]()
    for line in lines:
        text = line.text
        place = said.search(text) if _is_of_rule(line) else None
        if place is not None and clauses[place[1]] not in named:
            named.add(clauses[place[1]])
            text = f"{text[: place.end()]} (see {section}){text[place.end() :]}"
        found.append(replace(line, text=text))
    return found


def drop_pointers(lines: Sequence[Line]) -> list[Line]:
    """Return the lines without what says where a condition is defined; that must be right."""
    section = _find_section(lines)
    pointer = f" (see {section})"
    return [
        replace(line, text=line.text.replace(pointer, "")) if section else line for line in lines
    ]


def _is_of_rule(line: Line) -> bool:
    is_sentence = line.style in {Style.PARAGRAPH, Style.BULLET, Style.NESTED}
    return is_sentence and any(state.startswith(("rule ", "edge ")) for state in line.states)


def _find_section(lines: Iterable[Line]) -> str:
    """Return how references call the section that defines conditions, "" where none does."""
    heading = ""
    for line in lines:
        heading = line.text if line.style is Style.SECTION else heading
        if line.text == NAMED_CONDITIONS:
            return call_section(heading)
    return ""


def _build_meaning(
    said: DomainModel, item: NamedCondition, named: Sequence[NamedCondition]
) -> Expression:
    """Return what a named condition means, as its definition says it."""
    others = {other.condition: other.fact for other in named if other is not item}
    return _say_plainly(_name_parts(item.condition, others), said.fields)


def _say_plainly(condition: Expression, fields: Mapping[str, Field]) -> Expression:
    return drop_implied_presence(resolve_denials(condition), fields)


def list_known_sources(model: DomainModel) -> dict[str, str]:
    """Return, by the clauses of the named conditions, the source texts of what they mean."""
    vocabulary = build_vocabulary(model)
    found: dict[str, str] = {}
    for item in list_named_conditions(model):
        words = phrase_expression(_say_plainly(item.condition, model.fields), model.fields)
        source = read_condition(words, vocabulary)
        found |= {item.said.yes: source, item.said.no: f"(not {source})"}
    return found
