"""Models whose rules and transitions come from the words of an SOP, to be compared with its own."""

from __future__ import annotations

from dataclasses import replace

from sopforge.artifacts.rendering.sop.document import SopDocument, Style
from sopforge.artifacts.rendering.sop.references import PROCEDURE
from sopforge.artifacts.rendering.sop.writer import Writer
from sopforge.harness.layers.text.read_steps import ReadSteps, read_steps
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.rules import Table

_HEADINGS = {Style.TITLE, Style.SECTION, Style.STEP}


def read_model(model: DomainModel, document: SopDocument) -> ReadSteps:
    """Return what is read of a text into a model that has hardly a rule of its own."""
    main = find_main_section(document)
    return read_steps(without_rules(model), document.as_text(), main, Writer(model))


def find_main_section(document: SopDocument) -> int:
    """Return the number of the section in which the procedure begins."""
    titles = [x.text for x in document.statements if x.style is Style.SECTION]
    return next(n for n, title in enumerate(titles, 1) if title.endswith(f". {PROCEDURE}"))


def without_rules(model: DomainModel) -> DomainModel:
    """Return a model whose tables and steps have their last rule and transition alone."""
    decisions = {
        name: replace(item, rules=item.rules[-1:]) if isinstance(item, Table) else item
        for name, item in model.decisions.items()
    }
    steps = {name: replace(step, edges=step.edges[-1:]) for name, step in model.steps.items()}
    return replace(model, steps=steps, decisions=decisions)


def list_unread(document: SopDocument) -> tuple[str, ...]:
    """Return the sentences of steps that are none of the grammar: calls, and where to go on."""
    found, is_within = list[str](), False
    for item in document.statements:
        if item.style in _HEADINGS:
            is_within = item.style is Style.STEP
        elif is_within and not item.kind:
            found.append(item.text)
    return tuple(found)
