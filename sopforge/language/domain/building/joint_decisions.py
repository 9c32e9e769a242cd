"""Tables that give several fields at once: one decision for each, all under the same conditions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from sopforge.language.domain.building.gathering import Gathering, find_duplicates
from sopforge.language.domain.documents.model_schema import DecisionDocument, RuleDocument
from sopforge.language.domain.documents.yaml_documents import Path
from sopforge.language.domain.fields import Field
from sopforge.language.domain.rules import Decision, Together, collect_decision_inputs

Documents = Mapping[str, DecisionDocument]


class Builder(Protocol):
    """Builds the decision on one field of a document."""

    @property
    def gathering(self) -> Gathering:
        """The faults found so far."""

    @property
    def fields(self) -> Mapping[str, Field]:
        """The fields that can be decided."""

    def build_decision(
        self, name: str, document: DecisionDocument, shared: Together | None = None
    ) -> Decision | None:
        """Return the decision, None where it was refused."""


def build_together(
    builder: Builder, documents: Documents, name: str, document: DecisionDocument
) -> dict[str, Decision]:
    """Return the decisions on the fields that a table gives; none where it is not whole."""
    gathering, gives = builder.gathering, document.gives or ()
    before = len(gathering.faults)
    _check_shape(builder, documents, name, document)
    if len(gathering.faults) > before:
        return {}
    shared = Together(name, gives)
    found = {
        target: builder.build_decision(target, select_document(document, target), shared)
        for target in gives
    }
    # What is wrong with the table itself is found once for each field.
    gathering.faults[before:] = dict.fromkeys(gathering.faults[before:])
    built = {target: item for target, item in found.items() if item is not None}
    for target, decision in built.items():
        for read in sorted(collect_decision_inputs(decision) & set(gives)):
            message = f"'{target}' is decided from '{read}', but the same table gives '{read}'"
            gathering.add_fault(
                ("decisions", name),
                "cyclic-decisions",
                message,
                f"decide '{target}' in a later table",
            )
    return built if len(built) == len(gives) else {}


def select_document(document: DecisionDocument, target: str) -> DecisionDocument:
    """Return a table that gives several fields as the one that gives the target alone."""
    rules = document.rules and tuple(_select_rule(rule, target) for rule in document.rules)
    keys = 2 if isinstance(document.table, tuple) else 1
    rows = document.rows and _select_rows(document.rows, target, keys)
    return document.model_copy(update={"gives": None, "rules": rules, "rows": rows})


def list_faulty_results(document: DecisionDocument) -> Iterator[tuple[Path, object]]:
    """Yield the results that do not hold a value for each of the fields, with their places."""
    wanted = set(document.gives or ())
    for path, result in _iterate_results(document):
        if not isinstance(result, Mapping) or set(result) != wanted:
            yield path, result


def _check_shape(
    builder: Builder, documents: Documents, name: str, document: DecisionDocument
) -> None:
    gathering, path, gives = builder.gathering, ("decisions", name), document.gives or ()
    if name in builder.fields:
        message = (
            f"'{name}' is a field, but a table that gives several fields needs a name of its own"
        )
        gathering.add_fault(
            path, "duplicate-name", message, "rename the table so that it has no field's name"
        )
    is_ranked = document.hit == "priority"
    if document.value is not None or document.collect is not None or is_ranked:
        message = "a decision that gives several fields needs 'rules', or 'table' and 'rows'"
        gathering.add_fault(path, "decision-kind", message, "decide each field separately")
    for target in find_duplicates(gives):
        message = f"'gives' names '{target}' twice"
        gathering.add_fault((*path, "gives"), "duplicate-name", message, "remove one of them")
    for target in dict.fromkeys(gives):
        gathering.is_listed_name((*path, "gives"), target, builder.fields, "field")
        _check_decided_once(gathering, documents, name, target)
    for place, result in list_faulty_results(document):
        named = ", ".join(result) if isinstance(result, Mapping) else "one value"
        message = f"this result gives {named}, but the table gives {', '.join(gives)}"
        hint = (
            f"write a value for each field: {{{', '.join(f'{target}: ...' for target in gives)}}}"
        )
        gathering.add_fault((*path, *place), "result-fields", message, hint)


def _check_decided_once(gathering: Gathering, documents: Documents, name: str, target: str) -> None:
    others = [
        other
        for other, document in documents.items()
        if other != name and target in (document.gives or (other,))
    ]
    for other in others:
        message = f"both '{name}' and '{other}' decide '{target}'"
        gathering.add_fault(
            ("decisions", name, "gives"),
            "duplicate-name",
            message,
            "remove one of the two decisions",
        )


def _iterate_results(document: DecisionDocument) -> Iterator[tuple[Path, object]]:
    for index, rule in enumerate(document.rules or ()):
        key = "then" if rule.otherwise is None else "otherwise"
        # A rule without any result is a fault of its own.
        if getattr(rule, key) is not None:
            yield ("rules", index, key), getattr(rule, key)
    is_paired = isinstance(document.table, tuple)
    for label, row in (document.rows or {}).items():
        if is_paired and isinstance(row, Mapping):
            yield from ((("rows", label, other), entry) for other, entry in row.items())
        else:
            yield ("rows", label), row


def _select_rule(rule: RuleDocument, target: str) -> RuleDocument:
    changes = {
        key: result[target]
        for key in ("then", "otherwise")
        if isinstance(result := getattr(rule, key), Mapping)
    }
    return rule.model_copy(update=changes)


def _select_rows(rows: Mapping[str, object], target: str, keys: int) -> dict[str, object]:
    return {
        label: _select_rows(row, target, keys - 1)
        if keys > 1 and isinstance(row, Mapping)
        else row[target]
        for label, row in rows.items()
        if isinstance(row, Mapping)
    }
