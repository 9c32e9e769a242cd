"""The opening sections of an SOP, from the model, as far as an expert's draft has none of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sopforge.artifacts.rendering.sop.document import Statement, Style
from sopforge.artifacts.rendering.sop.draft import PURPOSE, SCOPE, Section
from sopforge.artifacts.rendering.sop.references import DEFINITIONS, to_section, to_step_numbers
from sopforge.artifacts.rendering.sop.sections.closing import ESCALATION, name_answering_office
from sopforge.artifacts.rendering.sop.sections.fields import is_label_repeated
from sopforge.language.domain.model import DomainModel
from sopforge.language.english.nouns import conjugate_after, join_items, name_office
from sopforge.language.english.prose.purpose import find_given_purpose, make_purpose

ROLES = "Roles"
ANYBODY = "case worker"
"""Who carries out the steps where nothing says what such people are called."""


def complete_opening_sections(
    model: DomainModel,
    draft: Sequence[Section],
    owner: str,
    terms: Sequence[Statement] = (),
    *,
    worker: str = "",
) -> list[Section]:
    """Return the draft's sections with those that it lacks; its roles are completed.

    ``terms`` are definitions that stand after all others, and the ``worker`` carries out each step
    that does not say who does. A draft without a purpose gets none, unless it has its scope alone.
    """
    titles = [section.title.lower() for section in draft]
    is_opened = any(title != SCOPE.lower() for title in titles)
    own = {
        SCOPE: list(_render_scope(model)),
        ROLES: [*_render_roles(model, worker), *_render_further_roles(model, owner, "")],
        DEFINITIONS: [*render_definitions(model), *terms],
    }
    missing = [
        Section(title, lines)
        for title, lines in own.items()
        if lines and title.lower() not in titles
    ]
    return [
        *([] if is_opened else [Section(PURPOSE, [_render_purpose(model)])]),
        *(_complete_section(model, section, owner, terms) for section in draft),
        *missing,
    ]


def _complete_section(
    model: DomainModel, section: Section, owner: str, terms: Sequence[Statement]
) -> Section:
    """Add to the roles of a draft those that it does not name, and to its definitions terms."""
    if section.title.lower() == DEFINITIONS.lower():
        return Section(section.title, [*section.statements, *terms])
    if section.title.lower() != ROLES.lower():
        return section
    named = " ".join(item.text for item in section.statements)
    return Section(
        section.title, [*section.statements, *_render_further_roles(model, owner, named)]
    )


def _render_purpose(model: DomainModel) -> Statement:
    given = find_given_purpose(model)
    if given:
        return Statement(Style.PARAGRAPH, given, excused="draft")
    return Statement(Style.PARAGRAPH, make_purpose(model))


def _render_scope(model: DomainModel) -> Iterator[Statement]:
    name = model.case.name.replace("_", " ")
    label = model.fields[model.key].label
    its = "the" if " of the " in label else "its"
    one = "" if name == "case" else " one case and is"
    yield Statement(
        Style.PARAGRAPH,
        f"This procedure applies to every {name}. Each {name} is{one} identified by {its} {label}."
        " Treat each case separately; do not carry findings over from another case.",
    )


def _render_roles(model: DomainModel, worker: str) -> Iterator[Statement]:
    roles = {step.id: step.by or worker for step in model.steps.values()}
    if len(set(filter(None, roles.values()))) > 1:
        yield from _render_shared_steps(model, roles)
        return
    role = next(filter(None, roles.values()), ANYBODY)
    text = f"The {role} carries out the steps, applies the rules and reports the results."
    yield Statement(Style.BULLET, text)


def _render_shared_steps(model: DomainModel, roles: Mapping[str, str]) -> Iterator[Statement]:
    """Return which role carries out which steps; the one with the longest list has the others."""
    steps = [step.id for part in ("", *model.parts) for step in model.list_steps_in(part)]
    named = {
        role: to_step_numbers(model, [step for step in steps if roles[step] == role])
        for role in dict.fromkeys(filter(None, roles.values()))
    }
    longest = max(named, key=lambda role: len(named[role]))
    if all(roles.values()) and named[longest].count(",") > 1:
        del named[longest]
        named[longest] = "all other steps"
    for role, carried in named.items():
        verb = conjugate_after(role, "carries")
        text = f"{capitalize_text(name_office(role))} {verb} out {carried}."
        yield Statement(Style.BULLET, text)


def render_definitions(model: DomainModel) -> Iterator[Statement]:
    """Return what the procedure's own terms mean: those of its results, as the brief has them."""
    for item in model.outcomes:
        if not is_label_repeated(item, model.case.name):
            text = f"{capitalize_text(item.label)}: {item.description}."
            yield Statement(Style.BULLET, text)


def capitalize_text(text: str) -> str:
    """Return a text with its first letter as a capital."""
    return text[:1].upper() + text[1:]


def _render_further_roles(model: DomainModel, owner: str, named: str) -> Iterator[Statement]:
    """Return the roles to which the text hands cases, as far as they are not named yet."""
    known = named.lower()
    place = f", as set out in {to_section(ESCALATION)}"
    offices = [
        name_office(office)
        for office in model.hand_overs
        if office.lower() not in known and office.lower() != owner.lower()
    ]
    if offices:
        verb = "take" if len(offices) > 1 else conjugate_after(offices[0], "takes")
        cases = f"the cases listed in {to_section(ESCALATION)}"
        text = f"{capitalize_text(join_items(offices))} {verb} over {cases}."
        yield Statement(Style.BULLET, text)
        place = ""
    answers = name_answering_office(owner)
    if answers.removeprefix("the ").lower() not in known:
        # "The responsible person is responsible" would say it twice.
        verb = "answers" if "responsible" in owner else "is responsible"
        role = f" {verb} for this procedure and" if owner else ""
        stuck = "any case in which a step cannot be carried out"
        cases = f"{stuck}{place}"
        if owner in model.hand_overs:
            cases = f"the cases listed in {to_section(ESCALATION)} and {stuck}"
        yield Statement(Style.BULLET, f"{capitalize_text(answers)}{role} takes over {cases}.")
