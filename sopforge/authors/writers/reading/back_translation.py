"""Back-translation: a reader turns passages of an SOP into rules, which are proved the model's.

The reader sees one step or section at a time, what the SOP says of how rules are read, and the
names of fields and tools. It has seen neither the model nor the policy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sopforge.artifacts.rendering.sop.document import SopDocument, Statement, Style, join_lines
from sopforge.artifacts.rendering.sop.named_conditions import NAMED_CONDITIONS
from sopforge.artifacts.rendering.sop.references import DEFINITIONS
from sopforge.artifacts.rendering.sop.sections.terms import TERMS
from sopforge.authors.writers.language import load_domain_language
from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.authors.writers.reading.stated_rules import (
    TRANSITIONS,
    Answer,
    Rules,
    StatedRules,
    as_formula,
    label_edge,
    name_effect,
    name_end,
    name_guard,
    name_refusal,
    read_stated_rules,
)
from sopforge.authors.writers.repair import Ask, as_records
from sopforge.findings import Finding, Severity, make_error_finding, make_warning_finding
from sopforge.language.domain.expressions.expressions import AllOf, Constant
from sopforge.language.domain.fields import Field
from sopforge.language.domain.guards import list_guard_checks
from sopforge.language.domain.model import DomainModel, Step, Tool
from sopforge.language.domain.reading import Brief
from sopforge.language.domain.rules import Decision, Formula, HitPolicy, Rule, Table
from sopforge.language.domain.values.types import EnumType, ListType, NumberType, SetType
from sopforge.proof.solving.comparing.decisions import compare_decisions, describe_decided_value
from sopforge.proof.solving.questions import NoRow, Row

TEMPLATE = "back_translation"
_HEADINGS = frozenset({Style.SECTION, Style.STEP})


@dataclass(frozen=True, slots=True)
class SopPassage:
    """A step or section: its heading, its lines, and the writer's own paragraphs among them."""

    heading: Statement
    lines: tuple[Statement, ...]
    own: tuple[str, ...] = ()

    @property
    def number(self) -> str:
        """The number in its heading."""
        return self.heading.text.partition(" ")[0].rstrip(".")

    @property
    def title(self) -> str:
        """The heading without its number."""
        return self.heading.text.partition(" ")[2]

    @property
    def text(self) -> str:
        """The passage as the SOP shows it."""
        return SopDocument(join_lines((self.heading, *self.lines))).as_text()

    def list_stated_items(self, kind: str) -> list[str]:
        """Return the names of the model's items of a kind that its lines state."""
        items = [item.split(" ", 1) for line in self.lines for item in line.states]
        return list(dict.fromkeys(item[1] for item in items if item[0] == kind))


@dataclass(frozen=True, slots=True)
class OwnParagraph:
    """A paragraph of the writer's own, and what a reader took from it as a rule."""

    where: str
    text: str
    read_as: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReadBack:
    """What reading an SOP back came to: passages asked about, rules compared, what was found."""

    passages: int
    rules: int
    findings: tuple[Finding, ...]
    own: tuple[OwnParagraph, ...]


def read_back(ask: Ask, model: DomainModel, brief: Brief, document: SopDocument) -> ReadBack:
    """Ask about every step, and each section that states rules or has paragraphs of its own."""
    passages = _split_passages(model, brief, document)
    numbers = _index_step_numbers(passages)
    shared = _build_shared_values(model, passages)
    findings: list[Finding] = []
    own: list[OwnParagraph] = []
    rules = asked = 0
    for passage in passages:
        known = _collect_model_rules(model, passage, numbers)
        # Each question costs: where no rule is stated and nothing added, none is asked.
        if not (known or passage.own):
            continue
        stated = _ask_about_passage(ask, model, passage, shared, numbers.values())
        findings += _compare_passage(model, passage, stated, known)
        own += _iterate_own_paragraphs(passage, stated)
        asked, rules = asked + 1, rules + len(known)
    return ReadBack(asked, rules, tuple(findings), tuple(own))


# what is asked


def _split_passages(model: DomainModel, brief: Brief, document: SopDocument) -> list[SopPassage]:
    """Return the steps and sections with lines of their own."""
    # A paragraph without a rule may be derived as well; only what is not is the writer's own.
    derived = {line.text for line in OfflineAuthor().write_sop(model, brief).lines}
    starts = [n for n, line in enumerate(document.lines) if line.style in _HEADINGS]
    found = []
    for start, end in zip(starts, [*starts[1:], len(document.lines)], strict=True):
        lines = document.lines[start + 1 : end]
        own = tuple(line.text for line in lines if _is_own(line) and line.text not in derived)
        found.append(SopPassage(document.lines[start], lines, own))
    return found


def _is_own(line: Statement) -> bool:
    return line.style is Style.PARAGRAPH and not line.states and not line.excused


def _index_step_numbers(passages: Iterable[SopPassage]) -> dict[str, str]:
    """Return the numbers of the steps by their ids."""
    return {
        item.removeprefix("step "): passage.number
        for passage in passages
        if passage.heading.style is Style.STEP
        for item in passage.heading.states
    }


def _build_shared_values(model: DomainModel, passages: Sequence[SopPassage]) -> dict[str, object]:
    """Return what is asked with for every passage; the SOP's own words say how rules are read."""
    said = [line.text for p in passages if p.title == TERMS for line in p.lines]
    steps = {p.number.partition(".")[0] for p in passages if p.heading.style is Style.STEP}
    opening = [line.text for p in passages if p.number in steps for line in p.lines]
    return {
        "operators": load_domain_language()["operators"],
        "fields": [_build_field_record(item) for item in model.fields.values()],
        "tools": [_build_tool_record(tool) for tool in model.tools.values()],
        "calendars": as_records(model.calendars),
        "conventions": "\n".join([*opening, *_list_named_conditions(passages), *said]),
    }


def _list_named_conditions(passages: Iterable[SopPassage]) -> list[str]:
    """Return the definitions of what rules name in a clause: "the patient is a minor"."""
    defined = [line.text for p in passages if p.title == DEFINITIONS for line in p.lines]
    return defined[defined.index(NAMED_CONDITIONS) :] if NAMED_CONDITIONS in defined else []


def _build_field_record(item: Field) -> dict[str, object]:
    """Return what a reader needs to name a field and its values, and nothing of rules."""
    found: dict[str, object] = {
        "name": item.name,
        "label": item.label,
        "type": item.type.noun,
    }
    match item.type:
        case EnumType(values=values):
            found["values"] = list(values)
        case SetType(values=values, empty=empty):
            found |= {"values": list(values), "where it is empty": empty}
        case NumberType(unit=unit) if unit:
            found["unit"] = unit
        case ListType(fields=parts, empty=empty):
            found["where it is empty"] = empty
            found["items"] = [
                {"name": name, "label": item.label_part(name), "type": kind.noun}
                for name, kind in parts
            ]
        case _:
            pass
    if item.missing:
        found["where it is missing"] = item.missing
    return found | _build_clause_record(item)


def _build_clause_record(item: Field) -> dict[str, object]:
    """Return what the rules say of a field in clauses of its own, if they do."""
    if item.said:
        return {"said": {"yes": item.said.yes, "no": item.said.no}}
    if item.label_clauses:
        return {"said": {words.label: words.said.yes for words in item.label_clauses}}
    return {"said": item.amount_clause.say("...")} if item.amount_clause else {}


def _build_tool_record(tool: Tool) -> dict[str, object]:
    return {"name": tool.name, "takes": list(tool.takes), "returns": list(tool.returns)}


def _ask_about_passage(
    ask: Ask,
    model: DomainModel,
    passage: SopPassage,
    shared: Mapping[str, object],
    steps: Iterable[str],
) -> StatedRules:
    """Return what a reader makes of a passage; what is no rule goes back to the reader once."""
    values = {**shared, "passage": passage.text, "before": [], "findings": []}
    first = ask(TEMPLATE, values)
    stated = read_stated_rules(model, first, steps)
    if not stated.unreadable:
        return stated
    findings = [item.as_record() for item in stated.unreadable]
    again: Answer = ask(TEMPLATE, {**values, "before": [dict(first)], "findings": findings})
    return read_stated_rules(model, again, steps)


# what the model holds


def _collect_model_rules(
    model: DomainModel, passage: SopPassage, numbers: Mapping[str, str]
) -> dict[str, Rules]:
    """Return the model's rules that a passage is to state, by what they are about."""
    if passage.heading.style is Style.STEP:
        ids = [name for name, number in numbers.items() if number == passage.number]
        return {} if not ids else _collect_step_rules(model, model.steps[ids[0]], numbers)
    formulas = [name for name in passage.list_stated_items("decision") if name in model.decisions]
    tools = dict.fromkeys(name.partition(".")[0] for name in passage.list_stated_items("guard"))
    found: dict[str, Rules] = {name: model.decisions[name] for name in formulas}
    for tool in [model.tools[name] for name in tools if name in model.tools]:
        found.update(_collect_guard_rules(tool))
    return found


def _collect_step_rules(
    model: DomainModel, step: Step, numbers: Mapping[str, str]
) -> dict[str, Rules]:
    found: dict[str, Rules] = {name: model.decisions[name] for name in step.decide}
    if step.edges:
        found[TRANSITIONS] = tuple(
            (
                edge.when,
                label_edge(numbers[edge.to], edge.bound, numbers[edge.then] if edge.then else None),
            )
            for edge in step.edges
        )
    for code, edge in step.refusals.items():
        found[name_refusal(code)] = ((None, label_edge(numbers[edge.to])),)
    for name, value in (model.tools[step.call].effects if step.call else {}).items():
        found[name_effect(name)] = as_formula("", value)
    for name, constant in (step.end or {}).items():
        found[name_end(name)] = as_formula("", constant)
    return found


def _collect_guard_rules(tool: Tool) -> dict[str, Rules]:
    found: dict[str, Formula] = {}
    for check in list_guard_checks(tool.guard):
        name = name_guard(tool.name, check.refusal)
        before = found.get(name)
        test = AllOf((before.value, check.test)) if before else check.test
        found[name] = as_formula(name, test)
    return dict(found)


# what differs


def _compare_passage(
    model: DomainModel, passage: SopPassage, stated: StatedRules, known: Mapping[str, Rules]
) -> Iterator[Finding]:
    """Return where a reader understands a passage differently from the model."""
    _add_next_step(passage, stated, known)
    where, failed = passage.heading.text, {item.name for item in stated.unreadable}
    for item in stated.unreadable:
        message = f"{item.name}: the reader's rule cannot be read: {item.message}"
        hint = "reword the passage in plainer words, or name a model that writes the language"
        yield make_error_finding(
            "reread-unreadable",
            message,
            where=where,
            hint=_quote_sentences(stated, item.name, hint),
        )
    for name in [name for name in known if name not in stated.rules and name not in failed]:
        message = f"{name}: the reader finds no such rule in the passage"
        hint = "state the rule where the step is described"
        yield make_error_finding("reread-not-read", message, where=where, hint=hint)
    for name in stated.rules:
        held = known.get(name) or model.decisions.get(name)
        if held is None:
            message = f"{name}: the reader finds a rule that the model does not have here"
            hint = _quote_sentences(
                stated, name, "reword the passage so that it does not read as a rule"
            )
            yield make_error_finding("reread-added", message, where=where, hint=hint)
        else:
            yield from _compare_rule(model, where, name, stated, held)
    for sentence, why in stated.unclear:
        yield Finding("reread-unclear", Severity.NOTE, sentence, where, hint=why)


def _add_next_step(passage: SopPassage, stated: StatedRules, known: Mapping[str, Rules]) -> None:
    """Add the transition that no step states: all cases that it sends nowhere go on to the next."""
    section, _, place = passage.number.partition(".")
    said, held = stated.rules.get(TRANSITIONS, ()), known.get(TRANSITIONS, ())
    if not place.isdigit() or not isinstance(said, tuple) or not isinstance(held, tuple):
        return
    following = (None, label_edge(f"{section}.{int(place) + 1}"))
    if all(when is not None for when, _ in said) and held[-1:] == (following,):
        stated.rules[TRANSITIONS] = (*said, following)


def _compare_rule(
    model: DomainModel, where: str, name: str, stated: StatedRules, held: Rules
) -> Iterator[Finding]:
    """Return that a rule is read otherwise, with a row and both answers, or is undecided."""
    left, right = _as_decisions(stated.rules[name], held)
    answer = compare_decisions(model, left, right)
    if isinstance(answer, NoRow):
        return
    if isinstance(answer, Row):
        read, meant = describe_decided_value(left, answer), describe_decided_value(right, answer)
        what = f"the reader understands {read}, but the model says {meant}"
        if read == meant:
            what = "the reader decides differently for cases in which a value is missing"
        hint = _quote_sentences(
            stated, name, "reword the passage so that only the model's meaning is possible"
        )
        case = str(answer) or "every case"
        yield make_error_finding(
            "reread-differs", f"{name}: {what}", where=where, evidence=case, hint=hint
        )
        return
    message = f"{name}: it is undecided whether the reader's rule and the model's rule agree"
    hint = (
        "narrow the ranges (min, max) of the fields that the rule reads, or compare the two"
        " rules yourself"
    )
    yield make_warning_finding(
        "reread-undecided", message, where=where, hint=_quote_sentences(stated, name, hint)
    )


def _as_decisions(stated: Rules, held: Rules) -> tuple[Decision, Decision]:
    """Return two rules of one kind as decisions of one type; of transitions, where they lead."""
    if not isinstance(stated, tuple) or not isinstance(held, tuple):
        return stated, held  # type: ignore[return-value]  # equal names are of one kind
    labels = EnumType(tuple(dict.fromkeys(label for _, label in (*held, *stated))))

    def build_table(transitions: tuple[tuple[object, str], ...]) -> Table:
        rules = [
            Rule(f"W{n}", when, Constant(labels, labels.values.index(label)))  # type: ignore[arg-type]
            for n, (when, label) in enumerate(transitions)
        ]
        return Table("", HitPolicy.FIRST, tuple(rules), "")

    return build_table(stated), build_table(held)


def _quote_sentences(stated: StatedRules, name: str, hint: str) -> str:
    """Return a hint after the sentences that the reader quotes for a rule."""
    quoted = dict.fromkeys(
        " ".join(text.split()) for text in stated.sentences.get(name, ()) if text
    )
    sentences = "; ".join(f'"{text}"' for text in quoted)
    return f"{sentences}: {hint}" if quoted else hint


def _iterate_own_paragraphs(passage: SopPassage, stated: StatedRules) -> Iterator[OwnParagraph]:
    """Return the writer's own paragraphs, each with what the reader quotes it for."""
    for text in passage.own:
        names = [
            name
            for name, quoted in stated.sentences.items()
            if any(_is_part(sentence, text) for sentence in quoted)
        ]
        yield OwnParagraph(passage.heading.text, text, tuple(names))


def _is_part(sentence: str, text: str) -> bool:
    short, whole = (" ".join(part.split()).casefold() for part in (sentence, text))
    return bool(short) and short in whole
