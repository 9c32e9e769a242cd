"""The names and texts that cases are drawn from, as a language model writes them, one by one.

A text that cannot stand in a record is left out with its reason, and costs no other. So is a free
text in whose words a second reader finds other facts than its author says that it presupposes. What
was given and what was left out is kept among the remarks of the domain, for reviewers.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from sopforge.authors.writers.repair import Ask
from sopforge.authors.writers.writing.presupposed_facts import (
    PresupposedFacts,
    describe_record,
    list_presupposable_fields,
    read_presupposed_facts,
)
from sopforge.errors import MaterialError
from sopforge.findings import Finding
from sopforge.language.domain.building.field_parts.labels import (
    describe_change_on_reading,
    describe_unreadable_label,
)
from sopforge.language.domain.documents.yaml_documents import read_document, write_document
from sopforge.language.domain.expressions.expressions import (
    Constant,
    collect_read_fields,
    iterate_parts,
)
from sopforge.language.domain.fields import Field, Role
from sopforge.language.domain.model import DomainModel, collect_deciding_expressions
from sopforge.language.domain.reading import read_domain
from sopforge.language.domain.values.types import EnumType, SetType, TextType
from sopforge.language.domain.values.unseen import describe_unfit_sign

FEWEST = 4
LONGEST_NAME, LONGEST_TEXT = 80, 400
PERSONAS = (
    ("hurried", "has no time, leaves words out"),
    ("thorough", "explains more than was asked"),
    ("annoyed", "has waited long, or been sent round"),
    ("helpful", "offers what may be needed"),
    ("new", "does it for the first time, and does not know the words of the trade"),
    ("second language", "writes in a language that is not their first"),
)
_DOMAIN = "domain.yaml"
_LISTS = ("pool", "free_text")
_SHOWN = 80
_SAMPLE = re.compile(
    r"[<>{}\[\]`]|lorem ipsum|\b(?:todo|tbd|xxx+|placeholder)\b"
    r"|^\s*(?:answer|output|result|decision|outcome|value)\s*:",
    re.IGNORECASE,
)
_INSTRUCTION = re.compile(
    r"\b(?:ignor\w*|disregard\w*|overrul\w*|overrid\w*|bypass\w*|instructions?|prompt"
    r"|step \d[\d.]*|as an ai|language model|ai assistant|(?:call|use|invoke|run) the tool"
    r"|follow the procedure)\b",
    re.IGNORECASE,
)
Texts: TypeAlias = Mapping[str, Sequence[str]]


def with_values(ask: Ask, text: str) -> str:
    """Return a domain with texts as people write them, where it has none of these yet.

    A domain that cannot be read is returned as it is.
    """
    try:
        model = read_domain(text, _DOMAIN)
    except MaterialError:
        return text
    whole: Any = read_document(text, _DOMAIN).value
    noted = {item["field"] for item in _get_value_remarks(whole)}
    listed = [name for name in _find_listed_fields(model) if name not in noted]
    if not listed:
        return text
    answer = ask("dataset_values", _build_question(model, listed))
    given: dict[str, list[Mapping[str, str]]] = {name: [] for name in listed}
    for item in answer["fields"]:
        given.get(item["field"], []).extend(item["values"])
    sifting = _Sifting(model)
    all_sifted = {name: sifting.sift_field(name, values) for name, values in given.items()}
    remarks = []
    for name, sifted in _compare_facts(ask, sifting.facts, all_sifted).items():
        remarks.append(_fill_field(whole, name, sifting.find_required_texts(name), sifted))
    whole["remarks"] = {
        **(whole.get("remarks") or {}),
        "values": [*_get_value_remarks(whole), *remarks],
    }
    return write_document(whole)


def with_values_kept(text: str, before: str, findings: Iterable[Finding]) -> str:
    """Return a repaired domain with the texts given before, where no finding is of these.

    A repair returns the whole document, and may shorten what it does not repair.
    """
    try:
        for document in (text, before):
            read_domain(document, _DOMAIN)
    except MaterialError:
        return text
    whole: Any = read_document(text, _DOMAIN).value
    earlier: Any = read_document(before, _DOMAIN).value
    found = " ".join(f"{item.where} {item.message}" for item in findings)
    fields, old = _collect_raw_fields(whole), _collect_raw_fields(earlier)
    for name in [item["field"] for item in _get_value_remarks(earlier)]:
        if name in fields and name in old and not re.search(rf"\b{re.escape(name)}\b", found):
            _restore_texts(whole, name, old[name])
    return text if whole == read_document(text, _DOMAIN).value else write_document(whole)


def _restore_texts(whole: Any, name: str, old: Mapping[str, Any]) -> None:  # noqa: ANN401 - parsed YAML
    item = _collect_raw_fields(whole)[name]
    key = next((key for key in _LISTS if key in item and key in old), None)
    if key is None or item[key] == old[key]:
        return
    item[key], repaired = old[key], item[key]
    if not _is_read(whole):
        item[key] = repaired


def _fill_field(
    whole: Any,  # noqa: ANN401 - parsed YAML
    name: str,
    always: Sequence[str],
    sifted: Sifted,
) -> dict[str, object]:
    """Put the texts of a field into a document if it is as sound so; return a remark on it."""
    item, left_out = _collect_raw_fields(whole)[name], list(sifted.left_out)
    key = next(key for key in _LISTS if key in item)
    before, kept = item[key], list(sifted.kept)
    reason = _find_shortage(sifted, min(FEWEST, len(before)))
    if reason:
        left_out += [(text, reason) for text in kept]
        kept = []
    else:
        # What rules compare with comes first: without it no case would ever meet them.
        texts = dict.fromkeys([*always, *kept])
        item[key] = [_build_entry(text, sifted.facts.get(text, "")) for text in texts]
    if kept and not _is_read(whole):
        item[key] = before
        left_out += [(text, "the domain cannot be read with these texts") for text in kept]
        kept = []
    remark: dict[str, object] = {"field": name, "given": sifted.given, "kept": len(kept)}
    people = Counter(sifted.personas[text] for text in kept if sifted.personas[text])
    remark |= {"personas": dict(sorted(people.items()))} if people else {}
    presupposing = sum(bool(sifted.facts[text]) for text in kept)
    remark |= {"presupposing": presupposing} if presupposing else {}
    remark |= {"left_out": [{"text": _format_text(t), "reason": why} for t, why in left_out]}
    return remark


@dataclass(frozen=True, slots=True)
class Sifted:
    """The texts that were given for a field: how many, which are good, and why the others are not.

    ``given`` is the number of both together; ``personas`` says who speaks in the good ones, and
    ``facts`` what each presupposes, "" for nothing.
    """

    kept: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...]
    personas: Mapping[str, str]
    facts: Mapping[str, str]

    @property
    def given(self) -> int:
        """How many texts there were."""
        return len(self.kept) + len(self.left_out)


def _find_shortage(sifted: Sifted, fewest: int) -> str:
    """Return why good texts are too few for a field all the same, "" if they are enough."""
    # So few texts would come again in nearly every task.
    if len(sifted.kept) < fewest:
        return "too few of the texts are good"
    if sifted.kept and all(sifted.facts[text] for text in sifted.kept):
        return "no text presupposes nothing, so that some record would have none"
    return ""


def _build_entry(text: str, when: str) -> str | dict[str, str]:
    """Return a text as a domain lists it, with what it presupposes."""
    return {"text": text, "when": when} if when else text


def _compare_facts(
    ask: Ask, facts: PresupposedFacts, all_sifted: Mapping[str, Sifted]
) -> dict[str, Sifted]:
    """Return what was sifted without the free texts that a second reader reads differently."""
    texts = [
        (name, text)
        for name, sifted in all_sifted.items()
        if _is_free(facts.model, name)
        for text in sifted.kept
    ]
    if not texts:
        return dict(all_sifted)
    found = read_presupposed_facts(ask, facts.model, texts)
    differing: dict[str, dict[str, str]] = {name: {} for name in all_sifted}
    for number, (name, text) in enumerate(texts, start=1):
        stated, read = all_sifted[name].facts[text], found.get(number, "")
        if not facts.is_alike(stated, read):
            differing[name][text] = (
                f"presupposes {read or 'nothing'} as another reads it,"
                f" and {stated or 'nothing'} as it was written"
            )
    return {name: _leave_out(sifted, differing[name]) for name, sifted in all_sifted.items()}


def _leave_out(sifted: Sifted, reasons: Mapping[str, str]) -> Sifted:
    kept = tuple(text for text in sifted.kept if text not in reasons)
    return replace(sifted, kept=kept, left_out=(*sifted.left_out, *reasons.items()))


def _is_free(model: DomainModel, name: str) -> bool:
    kind = model.fields[name].type
    return isinstance(kind, TextType) and kind.is_free


@dataclass(slots=True)
class _Sifting:
    """Looks at texts one by one; ``said`` are the free texts of all fields so far."""

    model: DomainModel
    said: set[str] = field(default_factory=set)
    facts: PresupposedFacts = field(init=False)

    def __post_init__(self) -> None:
        self.facts = PresupposedFacts(self.model)

    def sift_field(self, name: str, values: Iterable[Mapping[str, str]]) -> Sifted:
        item, is_free = self.model.fields[name], _is_free(self.model, name)
        seen = self.said if is_free else set[str]()
        known = dict(PERSONAS)
        kept: dict[str, str] = {}
        facts: dict[str, str] = {}
        left_out = []
        for value in values:
            text = value["text"].strip()
            when = value["presupposes"].strip() if is_free else ""
            reason = self.find_rejection_reason(text, when, is_free=is_free)
            if not reason and when:
                reason = self.facts.find_fault(name, when)
            # To readers of the tasks, other capitals, blanks or marks make no other text.
            likeness = "".join(filter(str.isalnum, text.casefold()))
            if not reason and text == item.missing:
                reason = "is the word for a missing value"
            if not reason and likeness in seen:
                reason = "stands there already"
            if reason:
                left_out.append((text, reason))
                continue
            seen.add(likeness)
            kept[text] = value["persona"] if value["persona"] in known else ""
            # What holds in every case need not be asked for.
            facts[text] = "" if self.facts.is_alike(when, "") else when
        return Sifted(tuple(kept), tuple(left_out), kept, facts)

    def find_required_texts(self, name: str) -> list[str]:
        """Return the texts of a field that stay, for rules or examples name them."""
        item, model = self.model.fields[name], self.model
        kind = item.type
        drawing = (one for other in model.fields.values() for one in other.sampling.expressions)
        read = iterate_parts(*collect_deciding_expressions(model), *model.constraints, *drawing)
        named = {node.value for node in read if isinstance(node, Constant)} | set(item.examples)
        return [text for text in kind.pool if text in named] if isinstance(kind, TextType) else []

    def find_rejection_reason(self, text: str, when: str, *, is_free: bool) -> str:
        """Return why a text cannot stand in a record of which something holds, "" if it can."""
        longest = LONGEST_TEXT if is_free else LONGEST_NAME
        if not any(map(str.isalnum, text)):
            return "is empty"
        if "\n" in text or "\r" in text:
            return "has a line break"
        if unfit := describe_unfit_sign(text, is_compared=not is_free):
            return unfit
        if len(text) > longest:
            return f"has more than {longest} characters"
        if changed := describe_change_on_reading(text) or (
            "" if is_free else describe_unreadable_label(text)
        ):
            return changed
        return self.find_wording_reason(text, when, is_free=is_free)

    def find_wording_reason(self, text: str, when: str, *, is_free: bool) -> str:
        """Return why what a text says cannot stand in a record, "" if it can."""
        model = self.model
        if _SAMPLE.search(text):
            return "looks like a sample of an answer, not like an entry"
        if found := _INSTRUCTION.search(text):
            return f"speaks to a reader: '{found[0]}'"
        outcomes = _collect_labels(model.outcomes)
        steps = [name for step in model.steps.values() for name in (step.id, step.title)]
        for kind, names in (("result", outcomes), ("tool", model.tools), ("step", steps)):
            if found := _compile_names_pattern(names, re.IGNORECASE).search(text):
                return f"names the {kind} '{found[0]}'"
        # A figure in prose could be taken for a fact of the case, and contradict a field.
        if is_free and any(map(str.isdigit, text)):
            return "has figures"
        if is_free and (
            found := _compile_names_pattern(self.list_fact_labels(when), re.NOFLAG).search(text)
        ):
            return f"states '{found[0]}', which a field of the record may hold otherwise"
        return ""

    def list_fact_labels(self, when: str) -> list[str]:
        """Return the labels of fields that records hold and whose values are listed.

        Those of fields that a condition is about are not among them.
        """
        read = self.facts.read(when) if when else ""
        stated = frozenset[str]() if isinstance(read, str) else collect_read_fields(read)
        fields = self.model.fields.values()
        held = _collect_labels(
            item for item in fields if item.role is not Role.OUTCOME and item.name not in stated
        )
        said = set(_collect_labels(self.model.fields[name] for name in stated))
        return [label for label in held if label not in said]


def _collect_labels(fields: Iterable[Field]) -> list[str]:
    kinds = [item.type for item in fields]
    return [x for kind in kinds if isinstance(kind, EnumType | SetType) for x in kind.values]


def _compile_names_pattern(names: Iterable[str], flags: re.RegexFlag) -> re.Pattern[str]:
    """Return a pattern that finds one of the names as words of their own."""
    # The longest first, for a pattern takes the first that fits: "paid late" before "paid".
    longest_first = sorted({name for name in names if len(name) > 1}, key=lambda n: (-len(n), n))
    return re.compile(
        rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first)) or '(?!)'})(?!\w)", flags
    )


def _build_question(model: DomainModel, listed: Sequence[str]) -> dict[str, object]:
    about = {
        name: list_presupposable_fields(model, name) for name in listed if _is_free(model, name)
    }
    return {
        "title": model.title,
        "business_task": model.business_task,
        "personas": [{"persona": name, "who": who} for name, who in PERSONAS],
        "ends": _list_ends(model),
        "record": describe_record(
            list({item.name: item for items in about.values() for item in items}.values())
        ),
        "fields": [
            {
                "field": name,
                "kind": "free text" if kind.is_free else "names",
                "about": model.fields[name].description,
                "now": list(kind.pool),
                **(
                    {"may_presuppose": ", ".join(item.name for item in about[name])}
                    if name in about
                    else {}
                ),
            }
            for name, kind in _find_listed_fields(model).items()
            if name in listed
        ],
    }


def _list_ends(model: DomainModel) -> list[dict[str, str]]:
    """Return the ends of the procedure, each with the titles of a shortest path there."""
    paths: dict[str, tuple[str, ...]] = {model.start: ()}
    waiting = deque([model.start])
    while waiting:
        step = model.steps[waiting.popleft()]
        targets = [edge.to for edge in (*step.edges, *step.refusals.values())]
        for to in [*([model.parts[step.do].start] if step.do else []), *targets]:
            if to not in paths:
                paths[to] = (*paths[step.id], step.title)
                waiting.append(to)
    ends = [step for step in model.steps.values() if step.end is not None]
    return [{"end": step.title, "by": "; ".join(paths.get(step.id, ()))} for step in ends]


def _find_listed_fields(model: DomainModel) -> dict[str, TextType]:
    """Return the fields whose texts are listed, with their types."""
    return {
        item.name: kind
        for item in model.fields.values()
        if isinstance(kind := item.type, TextType) and kind.pool
    }


def _get_value_remarks(whole: Any) -> list[Any]:  # noqa: ANN401 - parsed YAML
    remarks = whole.get("remarks") or {} if isinstance(whole, dict) else {}
    return list(remarks.get("values", ())) if isinstance(remarks, dict) else []


def _collect_raw_fields(whole: Any) -> dict[str, Any]:  # noqa: ANN401 - parsed YAML
    entities = whole["model"]["entities"].values()
    return {name: item for entity in entities for name, item in entity["fields"].items()}


def _is_read(whole: object) -> bool:
    try:
        read_domain(write_document(whole), _DOMAIN)
    except MaterialError:
        return False
    return True


def _format_text(text: str) -> str:
    """Return the beginning of a text, its odd characters escaped, as a document can hold it."""
    plain = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)
    return (plain[:_SHOWN] + "…" if len(plain) > _SHOWN else plain) or "(nothing)"
