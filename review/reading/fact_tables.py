"""The limits and rules of a brief's model as tables whose cells can be changed, and as a patch."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeAlias
from urllib.parse import quote

from sopforge.language.domain.documents.yaml_documents import write_document
from sopforge.language.domain.reading import Brief
from sopforge.pipeline.briefs.regeneration import PatchText

Path: TypeAlias = tuple[str | int, ...]
Read: TypeAlias = Callable[[str], str | None]
"""Returns what was written into a field of a form, None where the form has no such field."""

SOURCE = "the tables"
_WHOLE = re.compile(r"-?\d+")
_FRACTION = re.compile(r"-?\d+\.\d+")
_TRUTH = {"yes": True, "no": False}


@dataclass(frozen=True, slots=True)
class Cell:
    """A value of the model that can be changed: where it is, what it is, and what to call it."""

    path: Path
    value: object
    called: str

    @property
    def name(self) -> str:
        """The name of its field in a form, with nothing in it that browsers write otherwise."""
        return f"fact:{'/'.join(quote(str(part), safe='') for part in self.path)}"

    @property
    def text(self) -> str:
        """The value as a person writes it."""
        if isinstance(self.value, bool):
            return "yes" if self.value else "no"
        return str(self.value)


@dataclass(frozen=True, slots=True)
class Table:
    """A table of facts; each row has words, and cells that can be changed."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str | Cell, ...], ...]


def build_fact_tables(brief: Brief) -> tuple[Table, ...]:
    """Return the limits, and each decision, of a brief that states a model; else nothing."""
    whole: Any = brief.document.value
    model = whole.get("model")
    if brief.built is None or not isinstance(model, dict):
        return ()
    return tuple(table for table in _iterate_tables(brief, model) if table.rows)


def patch_of_tables(brief: Brief, read: Read) -> PatchText | None:
    """Return the changes of a model that were written into the tables, None where none were."""
    whole: Any = brief.document.value
    changed, paths = deepcopy(whole.get("model")), list[Path]()
    for cell in _iterate_cells(build_fact_tables(brief)):
        text = read(cell.name)
        # A browser keeps no line ends in such a field.
        if text is not None and text.split() != cell.text.split():
            _put(changed, cell.path, _parse_value(text.strip(), cell.value))
            paths.append(cell.path)
    if not paths:
        return None
    patch: dict[str, Any] = {}
    for path in paths:
        _lay(patch, path, changed)
    return PatchText(write_document(patch), SOURCE)


def _iterate_cells(tables: tuple[Table, ...]) -> Iterator[Cell]:
    for table in tables:
        for row in table.rows:
            yield from (part for part in row if isinstance(part, Cell))


def _iterate_tables(brief: Brief, model: Mapping[str, Any]) -> Iterator[Table]:
    yield Table(
        "Limits",
        ("Limit", "Meaning", "Amount", "Unit"),
        tuple(_iterate_limit_rows(model.get("policy", {}))),
    )
    fields = brief.model.fields
    for name, decision in model.get("decisions", {}).items():
        title = fields[name].label if name in fields else name
        path: Path = ("decisions", name)
        if "rules" in decision:
            rows = _iterate_rule_rows(decision["rules"], (*path, "rules"), title)
            yield Table(title, ("Rule", "When", "Then"), tuple(rows))
        elif "rows" in decision:
            rows = _iterate_lookup_rows(decision["rows"], (*path, "rows"), title)
            yield Table(title, ("Case", "Value"), tuple(rows))
        elif "value" in decision:
            cell = Cell((*path, "value"), decision["value"], f"{title}: how it is calculated")
            yield Table(title, ("Calculated as",), ((cell,),))


def _iterate_limit_rows(policy: Mapping[str, Any]) -> Iterator[tuple[str | Cell, ...]]:
    for name, limit in policy.items():
        meaning = str(limit["meaning"])
        cell = Cell(("policy", name, "value"), limit["value"], meaning)
        yield name, meaning, cell, str(limit.get("unit", ""))


def _iterate_rule_rows(
    rules: Iterable[Mapping[str, Any]], path: Path, title: str
) -> Iterator[tuple[str | Cell, ...]]:
    for place, rule in enumerate(rules):
        called = f"{title}, rule {rule['id']}"
        result = "otherwise" if "otherwise" in rule else "then"
        when: str | Cell = "in all other cases"
        if "when" in rule:
            when = Cell((*path, place, "when"), rule["when"], f"{called}: when")
        then = _make_cell((*path, place, result), rule[result], f"{called}: then")
        yield str(rule["id"]), when, then


def _iterate_lookup_rows(
    rows: Mapping[str, object], path: Path, title: str
) -> Iterator[tuple[str | Cell, ...]]:
    for case, value in rows.items():
        if isinstance(value, dict):
            for other, inner in value.items():
                called = f"{case}, {other}"
                yield called, _make_cell((*path, case, other), inner, f"{title}: {called}")
        else:
            yield str(case), _make_cell((*path, case), value, f"{title}: {case}")


def _make_cell(path: Path, value: object, called: str) -> str | Cell:
    """Return a cell for a plain value; a list or a mapping is for the file."""
    is_plain = isinstance(value, str | int | bool | Decimal)
    return Cell(path, value, called) if is_plain else str(value)


def _parse_value(text: str, old: object) -> object:
    """Return what a text means in the place of a value: a text where that was one."""
    if isinstance(old, str):
        return text
    if isinstance(old, bool):
        return _TRUTH.get(text.lower(), text)
    if _WHOLE.fullmatch(text):
        return int(text)
    return Decimal(text) if _FRACTION.fullmatch(text) else text


def _put(model: Mapping[str, Any], path: Path, value: object) -> None:
    within: Any = model
    for part in path[:-1]:
        within = within[part]
    within[path[-1]] = value


def _lay(patch: dict[str, Any], path: Path, model: Mapping[str, Any]) -> None:
    """Put the value of a path in a model into a patch; of a list, which a patch replaces, all."""
    within: Any = model
    for place, part in enumerate(path, start=1):
        within = within[part]
        if place == len(path) or isinstance(within, list):
            patch[str(part)] = within
            return
        patch = patch.setdefault(str(part), {})
