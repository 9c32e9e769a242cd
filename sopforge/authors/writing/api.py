"""API and toolspecs as a language model words them: structure is derived, descriptions are its.

After the last round each text that still has errors is taken back to the derived one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from sopforge.authors.repair import Ask, Repair, Review, as_records
from sopforge.domain.documents.yaml_documents import write_document
from sopforge.domain.guards import list_guard_checks
from sopforge.domain.model import DomainModel, Tool
from sopforge.findings import Finding
from sopforge.logic.english import phrase_expression
from sopforge.rendering.api.arguments import iterate_operations, read_api
from sopforge.rendering.api.json_schema import name_schema
from sopforge.rendering.api.toolspecs import PARAMETERS
from sopforge.rendering.refusal_codes import list_refusal_codes

_API, _SPECS = "openapi.yaml", "toolspecs.json"
Worded = Mapping[str, Any]
Parsed: TypeAlias = Any
"""A parsed document."""


def write_openapi(
    ask: Ask, model: DomainModel, derived: str, review: Review, repair: Repair
) -> str:
    """Return the API document with summaries and descriptions in the model's words."""
    if repair.is_over:
        written = read_api(repair.files[_API])
        return write_document(_revert_errors(written, read_api(derived), repair.errors))
    values = {
        "title": model.title,
        "business_task": model.business_task,
        "document": derived,
        "refusals": list_refusals(model),
        "feedback": as_records(review.feedback),
        **_build_earlier_values(_API, read_api, derived, review, repair),
    }
    # What is not worded again stays as it was worded last.
    document = _read_last_words(_API, read_api, derived, _find_last(_API, review, repair))
    answer = ask("api_texts", values)
    document["info"]["description"] = _normalize_spaces(answer["description"])
    tools, fields = _index_by(answer["tools"], "tool"), _index_by(answer["fields"], "field")
    for operation in iterate_operations(document):
        found = tools.get(operation["operationId"])
        if found is not None:
            operation |= {
                name: _normalize_spaces(found[name]) for name in ("summary", "description")
            }
    # A field that may be missing has two schemas, which say the same of it.
    schemas = document["components"]["schemas"]
    for item in (model.fields[name] for name in fields if name in model.fields):
        for name in {name_schema(item, with_missing=how) for how in (True, False)} & set(schemas):
            schemas[name]["description"] = _normalize_spaces(fields[item.name]["description"])
    return write_document(document)


def write_toolspecs(
    ask: Ask, model: DomainModel, derived: str, review: Review, repair: Repair
) -> str:
    """Return the toolspecs with descriptions of the model's; what parameters are stays said."""
    if repair.is_over:
        written = json.loads(repair.files[_SPECS])
        return _as_json(_revert_errors(written, json.loads(derived), repair.errors))
    values = {
        "document": derived,
        "refusals": list_refusals(model),
        "feedback": as_records(review.feedback),
        **_build_earlier_values(_SPECS, json.loads, derived, review, repair),
    }
    plain = {entry["toolSpec"]["name"]: entry["toolSpec"] for entry in json.loads(derived)}
    specs = _read_last_words(_SPECS, json.loads, derived, _find_last(_SPECS, review, repair))
    tools = _index_by(ask("toolspec_texts", values)["tools"], "tool")
    for spec in (entry["toolSpec"] for entry in specs):
        found = tools.get(spec["name"])
        if found is None:
            continue
        _, mark, kinds = plain[spec["name"]]["description"].partition(PARAMETERS)
        spec["description"] = (
            f"{_normalize_spaces(found['description']).rstrip('.')}. {mark}{kinds}"
        )
        parameters = _index_by(found["parameters"], "name")
        for name, part in spec["inputSchema"]["json"]["properties"].items():
            if name in parameters:
                part["description"] = _normalize_spaces(parameters[name]["description"])
    return _as_json(specs)


def _find_last(file: str, review: Review, repair: Repair) -> str:
    """Return a file as it was worded last: in the round before, else as reviewers saw it."""
    return repair.files.get(file, "") if repair.round else review.files.get(file, "")


def _build_earlier_values(
    file: str, read: Callable[[str], Parsed], derived: str, review: Review, repair: Repair
) -> dict[str, object]:
    """Return what is asked with of earlier wordings: the last one, and one that was not kept."""
    kept = _read_last_words(file, read, derived, _find_last(file, review, repair))
    tried = repair.dropped.files.get(file, "")
    dropped = _read_last_words(file, read, derived, tried) if tried else kept
    return {
        "before": _list_changed_texts(kept, read(derived)),
        "findings": repair.list_findings(),
        "dropped": _list_changed_texts(dropped, kept),
        "dropped_findings": repair.dropped.list_findings(),
    }


def _read_last_words(file: str, read: Callable[[str], Parsed], derived: str, last: str) -> Parsed:
    """Return the derived document in the words of an earlier one, as far as it has the same parts.

    The model may have changed since that one was written: only its words are taken over.
    """
    document = read(derived)
    if not last:
        return document
    worded = _take_over_words(document, read(last))
    return _restore_parameters(worded, document) if file == _SPECS else worded


def _take_over_words(derived: Parsed, last: Parsed) -> Parsed:
    match derived, last:
        case dict(), dict():
            return {name: _take_over_part(name, derived, last) for name in derived}
        case list(), list():
            known = {_name_entry(part, n): part for n, part in enumerate(last)}
            named = [(part, _name_entry(part, n)) for n, part in enumerate(derived)]
            return [_take_over_words(part, known.get(name, part)) for part, name in named]
        case _:
            return derived


def _take_over_part(name: str, derived: Parsed, last: Parsed) -> Parsed:
    part, other = derived[name], last.get(name)
    if name in {"example", "examples"}:
        return part
    if name in {"summary", "description"} and isinstance(part, str) and isinstance(other, str):
        return other
    return _take_over_words(part, other)


def _restore_parameters(specs: Parsed, derived: Parsed) -> Parsed:
    """Return toolspecs with the derived words on parameters after those on the tool."""
    for entry, plain in zip(specs, derived, strict=True):
        spec = entry["toolSpec"]
        words = spec["description"].partition(PARAMETERS)[0]
        _, mark, kinds = plain["toolSpec"]["description"].partition(PARAMETERS)
        spec["description"] = f"{words.strip()} {mark}{kinds}"
    return specs


def _list_changed_texts(written: Parsed, before: Parsed, place: str = "") -> list[dict[str, str]]:
    """Return the texts of a document that another one has in other words, each with its place."""
    match written:
        case dict() if isinstance(before, dict):
            pairs = [(name, part, before.get(name)) for name, part in written.items()]
        case list() if isinstance(before, list) and len(before) == len(written):
            # An entry of toolspecs is known by its tool, and no reader counts them.
            pairs = [(_name_entry(part, n), part, before[n]) for n, part in enumerate(written)]
        case str() if written != before:
            return [{"place": place, "text": written}]
        case _:
            return []
    return [
        found
        for name, part, other in pairs
        for found in _list_changed_texts(part, other, f"{place}, {name}" if place else str(name))
    ]


def _name_entry(part: Parsed, number: int) -> str:
    spec = part.get("toolSpec", part) if isinstance(part, dict) else {}
    return str(spec.get("name", number))


def list_refusals(model: DomainModel) -> list[dict[str, str]]:
    """Return the refusals of all tools: the code, what it means, and what a guard checks."""
    return [
        {
            "tool": tool.name,
            "code": code,
            "refused_because": said,
            **({"answered_only_if": checks[code]} if code in checks else {}),
        }
        for tool in model.offered.tools.values()
        for checks in [_phrase_checks(model.offered, tool)]
        for code, said in list_refusal_codes(model.offered, tool).items()
    ]


def _phrase_checks(model: DomainModel, tool: Tool) -> dict[str, str]:
    """Return what a tool checks before it answers, by the codes of its refusals."""
    found: dict[str, list[str]] = {}
    for check in list_guard_checks(tool.guard):
        words = phrase_expression(check.test, model.fields)
        found.setdefault(check.refusal, []).append(words)
    return {code: "; and ".join(words) for code, words in found.items()}


def _revert_errors(written: Parsed, derived: Parsed, errors: Sequence[Finding]) -> Parsed:
    """Return a document with the derived words where there were errors; all of them where unclear.

    An error shows the text that it is about as its evidence.
    """
    refused = frozenset(item.evidence for item in errors)
    # An error that shows none of the texts may be about any of them.
    if refused <= set(_iterate_texts(written)):
        return _revert_refused(written, derived, refused)
    return derived


def _revert_refused(written: Parsed, derived: Parsed, refused: frozenset[str]) -> Parsed:
    """Return a document in which derived texts stand in the place of refused ones."""
    match written:
        case dict():
            # A refused text that has no derived one is left out as a whole.
            kept = [
                name for name in written if name in derived or not _is_in(written[name], refused)
            ]
            return {
                name: _revert_refused(written[name], derived.get(name), refused) for name in kept
            }
        case list():
            pairs = zip(written, derived, strict=True)
            return [_revert_refused(one, other, refused) for one, other in pairs]
        case str() if written in refused:
            return derived
        case _:
            return written


def _is_in(part: Parsed, refused: frozenset[str]) -> bool:
    return isinstance(part, str) and part in refused


def _iterate_texts(document: Parsed) -> Iterator[str]:
    match document:
        case dict():
            yield from (text for part in document.values() for text in _iterate_texts(part))
        case list():
            yield from (text for part in document for text in _iterate_texts(part))
        case str():
            yield document
        case _:
            pass


def _as_json(specs: Parsed) -> str:
    return json.dumps(specs, indent=2, ensure_ascii=False) + "\n"


def _normalize_spaces(text: str) -> str:
    return " ".join(text.split())


def _index_by(items: Sequence[Worded], key: str) -> dict[str, Worded]:
    return {item[key]: item for item in items}
