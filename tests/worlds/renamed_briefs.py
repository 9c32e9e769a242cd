"""Briefs in other words: every name and label replaced by one that says nothing.

The renaming works on the plain YAML and knows nothing of how models are built or compared. It keeps
what it replaced, from which the alignment of the two briefs is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import yaml

Plain: TypeAlias = Any
"""What YAML holds."""
PROSE = frozenset({
    "description", "label", "title", "instruction", "says", "meaning", "unit", "said",
    "business_task", "task_context", "guidelines", "hand_to", "document", "sop", "dataset",
    "complexity", "package", "author", "draft_sop", "context", "domain", "role", "type", "hit",
    "collect", "pattern", "pool", "like", "free_text", "texts",
})  # fmt: skip
"""Keys below which nothing is renamed."""
_TOKEN = re.compile(r"'(?:[^']*)'|\"(?:[^\"]*)\"|[A-Za-z_][A-Za-z0-9_]*")
_RESERVED = frozenset({
    "and", "or", "not", "in", "if", "else", "for", "present", "well_formed", "round", "count",
    "sum", "min", "max", "any", "all", "abs", "average", "item", "missing", "default",
    "places", "as", "of", "to", "from", "yes", "no", "true", "false", "id", "when", "then",
    "is", "key", "fields", "kind", "table", "lookup", "compute", "action", "code", "source",
    "target", "call", "end", "do", "return", "refused", "edges", "decide", "with", "items",
    "values", "rules", "gives", "scored", "steps",
})  # fmt: skip


@dataclass
class Renamed:
    """A brief in other words: its text, and what became of each name and label."""

    text: str
    names: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    brief: Any = None

    def write_alignment(self, paths: Iterable[str] = ()) -> str:
        """Return the alignment of the renamed brief with the one that it was made from.

        ``paths`` lead from references to columns of tables, which are no fields of the case.
        """
        entities = self.brief["model"]["entities"]
        fields: dict[str, str] = {}
        outcomes: dict[str, Any] = {}
        found = [pair for entity in entities.values() for pair in entity["fields"].items()]
        tables = [
            entity["fields"] for name, entity in entities.items() if name in self.list_tables()
        ]
        columns = {name for table in tables for name in table}
        for name, item in found:
            if name not in columns:
                if item.get("role") in {"input", "observed", "secret"}:
                    fields[self.names[name]] = self.write_value(name, item, name)
                elif item.get("role") == "outcome" or self.is_scored(name, item):
                    outcomes[self.names[name]] = {"is": name, "labels": self.list_labels(item)}
        items = dict(found)
        for path in paths:
            new = ".".join(self.names.get(part, part) for part in path.split("."))
            fields[new] = self.write_value(path, items[path.rpartition(".")[2]], path)
        return yaml.safe_dump(
            {"format": 1, "fields": fields, "outcomes": outcomes}, sort_keys=False, width=1000
        )

    def list_tables(self) -> set[str]:
        """Return the entities that references of the case lead to by their table."""
        found = [
            item["to"]
            for entity in self.brief["model"]["entities"].values()
            for item in entity["fields"].values()
            if item.get("type") == "reference" and "to" in item
        ]
        return {str(name) for name in found}

    def is_scored(self, name: str, item: Any) -> bool:  # noqa: ANN401 - plain YAML
        """Return whether a value in between is scored."""
        decisions = self.brief["model"].get("decisions", {})
        by_decision = any(
            part.get("scored") and name in (part.get("gives") or [key])
            for key, part in decisions.items()
        )
        return bool(item.get("scored") or by_decision)

    def list_labels(self, item: Any) -> dict[str, str]:  # noqa: ANN401 - plain YAML
        """Return the old label for each new one of a field."""
        words = [*(item.get("values") or []), *([item["missing"]] if "missing" in item else [])]
        return {self.labels[word]: word for word in words if word in self.labels}

    def write_value(self, name: str, item: Any, read: str) -> str:  # noqa: ANN401 - plain YAML
        """Return the expression by which an old field is the new one."""
        if item["type"] == "enum":
            *first, last = item["values"]
            branches = [f"{self.labels[label]!r} if {read} == {label!r}" for label in first]
            return " else ".join([*branches, repr(self.labels[last])])
        if item["type"] == "set":
            parts = [f"([{self.labels[x]!r}] if {x!r} in {read} else [])" for x in item["values"]]
            return " | ".join(parts)
        if item["type"] == "list":
            parts = [
                f"{self.names[part]}={self.write_value(part, inner, f'i.{part}')}"
                for part, inner in item["items"].items()
            ]
            return f"[item({', '.join(parts)}) for i in {name}]"
        return read


def rename_brief(text: str, keep: Callable[[str], bool] = lambda _name: False) -> Renamed:
    """Return a brief with all its names and labels replaced, but for those to keep."""
    brief = yaml.load(text, Loader=_Loader)  # noqa: S506 - a safe loader
    made = Renamed("", brief=brief)
    model = brief["model"]
    # A word that is a name and a label stays as it is, for its place alone would say which it is.
    labels = set(collect_labels(model))
    for number, name in enumerate(dict.fromkeys(collect_names(model))):
        is_kept = keep(name) or name in _RESERVED | PROSE | labels
        made.names[name] = name if is_kept else f"n{number}"
    for number, label in enumerate(dict.fromkeys(collect_labels(model))):
        is_kept = keep(label) or label in made.names or label in _RESERVED
        made.labels[label] = label if is_kept else f"Value {number:03}"
    made.text = yaml.safe_dump(
        {**brief, "model": rename_part(model, made)}, sort_keys=False, allow_unicode=True, width=200
    )
    return made


class _Loader(yaml.SafeLoader):
    """Keeps yes, no, dates and decimals as they stand: texts."""


_Loader.yaml_implicit_resolvers = {
    letter: [pair for pair in pairs if pair[0] not in {
        "tag:yaml.org,2002:bool", "tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:float",
    }]
    for letter, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
}  # fmt: skip
_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"), list("tf"))


class _Decimal(str):
    """A decimal as it is written."""

    __slots__ = ()


_Loader.add_constructor("!decimal", lambda _loader, node: _Decimal(node.value))
_Loader.add_implicit_resolver("!decimal", re.compile(r"^-?[0-9]+\.[0-9]+$"), list("-0123456789"))
yaml.SafeDumper.add_representer(
    _Decimal, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:float", str(text))
)


def collect_names(model: Any) -> Iterator[str]:  # noqa: ANN401 - plain YAML
    """Yield the names that a model declares."""
    for entity in model["entities"].values():
        for name, item in entity["fields"].items():
            yield name
            yield from item.get("items", {})
    yield from model.get("policy", {})


def collect_labels(model: Any) -> Iterator[str]:  # noqa: ANN401 - plain YAML
    """Yield the labels of all enums and sets of a model, and its words for no value."""
    for entity in model["entities"].values():
        for item in entity["fields"].values():
            for part in (item, *item.get("items", {}).values()):
                yield from part.get("values", ())
                yield from (part[key] for key in ("missing", "empty") if key in part)


def rename_part(value: Any, made: Renamed) -> Any:  # noqa: ANN401 - plain YAML
    """Return a part of a model with its names and labels replaced."""
    if isinstance(value, dict):
        return {
            rename_key(key, made): rename_slots(inner, made)
            if key == "requests"
            else rename_clauses(inner, made)
            if key == "said"
            else inner
            if key in PROSE
            else rename_part(inner, made)
            for key, inner in value.items()
        }
    if isinstance(value, list):
        return [rename_part(inner, made) for inner in value]
    if not isinstance(value, str) or isinstance(value, _Decimal):
        return value
    if value in made.labels:
        return made.labels[value]
    return _TOKEN.sub(lambda found: rename_token(found[0], made), value)


def rename_clauses(clauses: Any, made: Renamed) -> Any:  # noqa: ANN401 - plain YAML
    """Return clauses under the labels as they are called now; those of yes and no stay.

    What was done on a day is no clause.
    """
    if isinstance(clauses, str):
        return clauses
    return {made.labels.get(label, label): clause for label, clause in clauses.items()}


def rename_slots(texts: list[str], made: Renamed) -> list[str]:
    """Return prose with the names in its braces replaced."""
    return [re.sub(r"(?<=\{)\w+(?=\})", lambda found: made.names[found[0]], text) for text in texts]


def rename_key(key: Any, made: Renamed) -> Any:  # noqa: ANN401 - plain YAML
    """Return a key as it is called now: a name, a label, or a path of names."""
    if not isinstance(key, str) or key in _RESERVED:
        return key
    if key in made.labels:
        return made.labels[key]
    return key if key in PROSE else ".".join(made.names.get(part, part) for part in key.split("."))


def rename_token(token: str, made: Renamed) -> str:
    """Return a word of an expression as it is called now; quoted, it is a label."""
    if token[0] in "'\"":
        return f"{token[0]}{made.labels.get(token[1:-1], token[1:-1])}{token[-1]}"
    return made.names.get(token, token)
