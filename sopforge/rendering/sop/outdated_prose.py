"""Sentences of the brief's prose that contradict the model: a limit with the value that it had.

Only what is certain counts as outdated: one figure with a unit, in a sentence that speaks of one
policy constant of that unit and that no rule knows; or a label that a field named with it lacks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from sopforge.domain.fields import Field
from sopforge.domain.language.expressions import Compare, Constant, Read, iterate_parts
from sopforge.domain.model import DomainModel, PolicyConstant, collect_deciding_expressions
from sopforge.domain.values.types import EnumType, NumberType, require_integer, to_cell
from sopforge.logic.phrasing.grammar import format_figure, format_quantity
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.draft import Section
from sopforge.rendering.sop.draft_pointers import LEANS, split_sentences

_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_AMBIGUOUS = re.compile(r"\b\d{1,3}\.\d{3}\b")  # five thousand to some, five to others
_WORD = re.compile(r"[^\W\d_]{3,}")
_EMPTY_WORDS = frozenset(
    re.findall(
        r"\w+",
        "above amount below beyond each every from have highest least less lowest more most much"
        " must number only over shall such than that their then there these this those until value"
        " which with within without all and any are but can day days for has her his its may nor"
        " not one per the too was who you",
    )
)
_EARLIER = re.compile(r"\b(?:earlier|former|formerly|previous|previously|until|used to|was|were)\b")
_LEAST_WORDS = 2
_SPAN = re.compile(rf"(?:{_NUMBER})\s*(?:and|or|to|[-\u2013])\s*(?:{_NUMBER})")
_BOUNDING = (
    "above|after|at least|at most|below|beyond|exceeds?|fewer than|less than|more than|older than"
    "|over|under|up to|within|younger than"
)


@dataclass(frozen=True, slots=True)
class Outdated:
    """A sentence of the brief's prose, and what it contradicts."""

    sentence: str
    reason: str


def find_outdated_sentences(model: DomainModel, text: str) -> list[Outdated]:
    """Return the sentences of a text that contradict the model and on which no other leans."""
    sentences = split_sentences(text)
    next_sentences = [*sentences[1:], ""]
    found = []
    for sentence, following in zip(sentences, next_sentences, strict=True):
        reason = _explain_contradiction(model, sentence)
        if reason and not LEANS.match(following):
            found.append(Outdated(sentence, reason))
    return found


def find_other_limits(model: DomainModel, text: str) -> list[Outdated]:
    """Return the sentences of a text that name a limit of the model with another number."""
    judged = [
        (sentence, _explain_other_limit(model, sentence)) for sentence in split_sentences(text)
    ]
    return [Outdated(sentence, reason) for sentence, reason in judged if reason]


def _explain_other_limit(model: DomainModel, sentence: str) -> str:
    if _EARLIER.search(sentence.lower()) or _SPAN.search(sentence):
        return ""
    return _explain_other_value(model, sentence) or _explain_other_bound(model, sentence)


def filter_current_sections(model: DomainModel, sections: Iterable[Section]) -> list[Section]:
    """Return a draft's sections without outdated sentences; a section of nothing else goes too."""
    kept = []
    for section in sections:
        lines = [part for line in section.lines for part in _filter_line(model, line)]
        if lines or not section.lines:
            kept.append(Section(section.title, lines))
    return kept


def filter_current_prose(model: DomainModel, text: str) -> list[str]:
    """Return a paragraph without outdated sentences: what stood before each, and after it."""
    gone = {item.sentence for item in find_outdated_sentences(model, text)}
    if not gone:
        return [text]
    runs: list[list[str]] = [[]]
    for sentence in split_sentences(text):
        if sentence in gone:
            runs.append([])
        else:
            runs[-1].append(sentence)
    return [" ".join(run) for run in runs if run]


def _filter_line(model: DomainModel, line: Line) -> Iterator[Line]:
    if line.style is Style.ROW:  # what its neighbours say with it is unknown
        yield line
        return
    yield from (replace(line, text=text) for text in filter_current_prose(model, line.text))


def _explain_contradiction(model: DomainModel, sentence: str) -> str:
    """Return what a sentence contradicts, "" where that is not certain."""
    if _EARLIER.search(sentence.lower()):
        return ""
    return _explain_other_value(model, sentence) or _explain_unknown_label(model, sentence)


# figures


def _explain_other_value(model: DomainModel, sentence: str) -> str:
    if _AMBIGUOUS.search(sentence):
        return ""
    for unit in dict.fromkeys(_get_unit(item) for item in model.policy.values()):
        figures = _find_figures(sentence, unit) if unit else []
        if len(figures) != 1 or figures[0] in _collect_numbers(model):
            continue
        name = _find_mentioned_constant(model, sentence, unit)
        if name:
            item = model.policy[name]
            said, now = f"{figures[0]:f}", format_quantity(_format_constant(item.constant), unit)
            return f"it says {said} {unit}, and {name} ({item.meaning}) is {now}"
    return ""


def _explain_other_bound(model: DomainModel, sentence: str) -> str:
    """Return how a sentence bounds a field differently from the rules, which name no constant."""
    found = []
    for name, bounds in _collect_bounds(model).items():
        item = model.fields[name]
        unit = item.type.unit if isinstance(item.type, NumberType) else ""
        named = _split_words(item.label, unit)
        figures = (
            _find_figures(sentence, unit) if unit and named <= _split_words(sentence, unit) else []
        )
        if named and len(figures) == 1 and figures[0] not in _collect_numbers(model):
            is_bound = re.search(rf"\b(?:{_BOUNDING})\s+(?:{_NUMBER})(?![\w,]|\.\d)", sentence)
            if is_bound and not _AMBIGUOUS.search(sentence):
                known = " or ".join(
                    format_quantity(_format_constant(bound), unit) for bound in bounds
                )
                said = format_quantity(f"{figures[0]:f}", unit)
                found.append(f"it says {said}, and rules compare the {item.label} with {known}")
    return found[0] if len(found) == 1 else ""


def _collect_bounds(model: DomainModel) -> dict[str, list[Constant]]:
    """Return the numbers without a name with which rules compare a field."""
    found: dict[str, dict[Constant, None]] = {}
    for part in iterate_parts(*collect_deciding_expressions(model)):
        match part:
            case Compare(left=Read(field=name), right=Constant(name="") as bound):
                found.setdefault(name, {})[bound] = None
            case _:
                pass
    return {name: list(bounds) for name, bounds in found.items() if name in model.fields}


def _get_unit(item: PolicyConstant) -> str:
    kind = item.constant.type
    return kind.unit if isinstance(kind, NumberType) else ""


def _format_constant(constant: Constant) -> str:
    kind = constant.type
    if isinstance(kind, NumberType):
        return format_figure(kind, require_integer(constant.value))
    return to_cell(kind, constant.value)


def _find_figures(sentence: str, unit: str) -> list[Decimal]:
    """Return the figures that stand before a unit, or right after it."""
    forms = {unit, unit.removesuffix("s"), *({"%", "per cent"} if unit == "percent" else ())}
    names = "|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True))
    before = rf"(?<![\w.,])({_NUMBER})[ -]?(?:{names})(?!\w)"
    after = rf"(?<!\w)(?:{names}) ({_NUMBER})(?![\w,]|\.\d)"
    found = [*re.findall(before, sentence), *re.findall(after, sentence)]
    return [Decimal(text.replace(",", "")) for text in found]


def _collect_numbers(model: DomainModel) -> frozenset[Decimal]:
    """Return the numbers that rules, limits and ranges of the model know."""
    numbers = [item.constant for item in model.policy.values()]
    numbers += [
        part
        for part in iterate_parts(*collect_deciding_expressions(model))
        if isinstance(part, Constant)
    ]
    values = {
        Decimal(require_integer(item.value)).scaleb(-item.type.places)
        for item in numbers
        if isinstance(item.type, NumberType)
    }
    kinds = [item.type for item in model.fields.values() if isinstance(item.type, NumberType)]
    ends = {
        Decimal(end).scaleb(-kind.places) for kind in kinds for end in (kind.minimum, kind.maximum)
    }
    return frozenset(values | ends)


def _find_mentioned_constant(model: DomainModel, sentence: str, unit: str) -> str:
    """Return the one constant of a unit whose meaning a sentence states in most of its words."""
    said = _split_words(sentence, unit)
    shares: dict[str, int] = {}
    for name, item in model.policy.items():
        meaning = _split_words(item.meaning, unit)
        shared = len(meaning & said)
        if _get_unit(item) == unit and shared >= _LEAST_WORDS and 2 * shared >= len(meaning):
            shares[name] = shared
    best = [name for name, shared in shares.items() if shared == max(shares.values())]
    return best[0] if len(best) == 1 else ""


def _split_words(text: str, unit: str) -> frozenset[str]:
    stems = {word.removesuffix("s") for word in _WORD.findall(text.lower())}
    return frozenset(stems - _EMPTY_WORDS - {unit.lower().removesuffix("s")})


# labels


def _explain_unknown_label(model: DomainModel, sentence: str) -> str:
    for item in model.fields.values():
        labels = _list_labels(item)
        said = re.search(
            rf'\bthe {re.escape(item.label)} (?:is|are) (?:not )?"([^"]+)"', sentence, re.IGNORECASE
        )
        if labels and said and said[1] not in labels and not _is_label_shared(model, item):
            return f"the {item.label} cannot be '{said[1]}': it is one of {', '.join(labels)}"
    return ""


def _list_labels(item: Field) -> Sequence[str]:
    words = [item.missing] if item.missing else []
    return [*item.type.values, *words] if isinstance(item.type, EnumType) else []


def _is_label_shared(model: DomainModel, item: Field) -> bool:
    """Return whether another field's words end a sentence about this one too."""
    return any(
        other.name != item.name and other.label.endswith(item.label)
        for other in model.fields.values()
    )
