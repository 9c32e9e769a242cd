"""The opening sections of an SOP, from the model, as far as an expert's draft has none of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sopforge.domain.fields import Field, Role
from sopforge.domain.model import DomainModel
from sopforge.rendering.sop_document import Line, Style
from sopforge.rendering.sop_draft import Section
from sopforge.rendering.sop_fields import definition_line
from sopforge.rendering.sop_references import PROCEDURE, to_section

DEFINITIONS = "Definitions"


def opening_sections(
    model: DomainModel, draft: Sequence[Section], background: str
) -> list[Section]:
    """Return the draft's sections with those that it lacks; definitions are completed."""
    written = {section.title.lower(): section for section in draft}
    own = {
        "Purpose": list(_purpose(model, background)) if not draft else [],
        "Scope": list(_scope(model)),
        "Roles": list(_roles()),
    }
    missing = [
        Section(title, lines)
        for title, lines in own.items()
        if lines and title.lower() not in written
    ]
    defined = written.get(DEFINITIONS.lower())
    known = [] if defined is None else [line.text.lower() for line in defined.lines]
    terms = [definition_line(item) for item in _defined(model) if not _is_known(item, known)]
    if defined is not None:
        completed = Section(defined.title, [*defined.lines, *terms])
        kept = [completed if section is defined else section for section in draft]
        return [*kept, *missing]
    further = [Section(DEFINITIONS, [_opening(), *terms])] if terms else []
    return [*draft, *missing, *further]


def _purpose(model: DomainModel, background: str) -> Iterator[Line]:
    yield Line(Style.PARAGRAPH, model.business_task, excused="draft")
    if background:
        yield Line(Style.PARAGRAPH, background, excused="draft")


def _scope(model: DomainModel) -> Iterator[Line]:
    name = model.case.name.replace("_", " ")
    label = model.fields[model.key].label
    yield Line(
        Style.PARAGRAPH,
        f"This procedure applies to every {name} that a task names by its {label}. Each task is"
        " one case; what was found in one case is not used in another.",
    )


def _roles() -> Iterator[Line]:
    yield Line(
        Style.BULLET,
        "The case worker carries out the steps, decides by the rules and states the results.",
    )
    yield Line(
        Style.BULLET,
        "The tools read the records, work values out and act; what they return is used as it is"
        " returned.",
    )


def _opening() -> Line:
    text = f"These are the values that {to_section(PROCEDURE)} finds out on its way."
    return Line(Style.PARAGRAPH, text)


def _defined(model: DomainModel) -> list[Field]:
    """Return what the tools that are called return, and the values that are worked out."""
    called = [model.tools[step.call] for step in model.steps.values() if step.call]
    returned = {name for tool in called for name in tool.returns}
    return [
        item
        for item in model.fields.values()
        if item.name in returned - {part.name for part in model.inputs}
        or (item.role is Role.DERIVED and item.description.lower() != item.label.lower())
    ]


def _is_known(item: Field, texts: Sequence[str]) -> bool:
    """Tell whether the expert has defined a term."""
    return any(text.startswith(f"{item.label.lower()}:") for text in texts)
