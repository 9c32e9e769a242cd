"""The dossier of a stage: one self-contained page on which a reviewer can base a decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby

from jinja2 import Environment, PackageLoader, StrictUndefined

from review.dataset_page import dataset_page
from sopforge.domain.fields import Field
from sopforge.domain.model import DomainModel
from sopforge.domain.reading import read_domain
from sopforge.domain.rules import Formula, Table
from sopforge.errors import MaterialError
from sopforge.logic.english import english
from sopforge.rendering.own_words import OWN_WORDS
from sopforge.rendering.sop_document import SopDocument, read_sop
from sopforge.store.decisions import GateState
from sopforge.store.versions import Version
from sopforge.workspace import DOMAIN


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A rule in words."""

    id: str
    when: str
    then: str


@dataclass(frozen=True, slots=True)
class DecisionTable:
    """A decision as a reviewer reads it: rules in order, or one sentence."""

    name: str
    description: str
    how: str
    rows: tuple[RuleRow, ...]


def render_dossier(version: Version, state: GateState) -> str:
    """Return the page as HTML; all text of the artifact is escaped, so that it stays text."""
    environment = Environment(
        loader=PackageLoader("review"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    files = version.files
    stage, name = version.manifest.stage, DOMAIN.partition("/")[2]
    model = _readable(files[name], name) if stage == "schema" else None
    return environment.get_template("dossier.html.j2").render(
        manifest=version.manifest,
        number=version.number,
        state=state.value,
        findings=version.manifest.findings,
        files=files,
        passages=passages(files) if stage == "sop" else [],
        fields=list(model.fields.values()) if model else [],
        type_of=describe_type,
        dataset=dataset_page(files) if stage == "dataset" else None,
        decisions=decision_tables(model) if model else [],
    )


def _readable(text: str, source: str) -> DomainModel | None:
    """Return the model, or nothing where what was written is none; its findings say why."""
    try:
        return read_domain(text, source)
    except MaterialError:
        return None


def passages(files: Mapping[str, str]) -> list[tuple[str, bool]]:
    """Return the text of an SOP in parts, each with whether it is a language model's own."""
    lines = read_sop(files["sop.txt"], files["trace.json"]).lines
    parts = groupby(lines, key=lambda line: line.excused == OWN_WORDS)
    return [(SopDocument(tuple(part)).as_text(), is_own) for is_own, part in parts]


def decision_tables(model: DomainModel) -> list[DecisionTable]:
    """Return every decision of a model in words."""
    return [
        _table(model, decision) if isinstance(decision, Table) else _formula(model, decision)
        for decision in model.decisions.values()
    ]


def describe_type(item: Field) -> str:
    """Return a field's type and range in words."""
    kind = item.type
    name = type(kind).__name__.removesuffix("Type").lower()
    values = getattr(kind, "values", ())
    if values:
        return f"{name}: {', '.join(values)}"
    low = getattr(kind, "minimum", None)
    if low is None:
        return name
    unit = f" {kind.unit}" if getattr(kind, "unit", "") else ""  # type: ignore[union-attr]
    return f"{name} from {item.cell(low)} to {item.cell(kind.maximum)}{unit}"  # type: ignore[union-attr]


def _table(model: DomainModel, table: Table) -> DecisionTable:
    rows = tuple(
        RuleRow(
            rule.id,
            english(rule.when, model.fields) if rule.when else "in every other case",
            english(rule.then, model.fields),
        )
        for rule in table.rules
    )
    how = "the first that applies" if table.hit.value == "first" else "exactly one applies"
    return DecisionTable(table.target, table.description, how, rows)


def _formula(model: DomainModel, formula: Formula) -> DecisionTable:
    words = english(formula.value, model.fields)
    row = RuleRow("", "always", words)
    return DecisionTable(formula.target, formula.description, "worked out", (row,))
