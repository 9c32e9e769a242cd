"""The opening sections of an SOP, from the model, as far as an expert's draft has none of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sopforge.domain.model import DomainModel
from sopforge.logic.phrasing.grammar import conjugate_after, join_items, name_office
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.draft import Section
from sopforge.rendering.sop.frames import OTHER_STEPS, ROLE
from sopforge.rendering.sop.outdated_prose import filter_current_prose
from sopforge.rendering.sop.references import to_section, to_step_numbers
from sopforge.rendering.sop.sections.closing import ESCALATION, name_answering_office
from sopforge.rendering.sop.sections.fields import is_label_repeated
from sopforge.rendering.sop.wording import capitalize_text

ROLES = "Roles"
DEFINITIONS = "Definitions"
ANYBODY = "case worker"
"""Who carries out the steps where nothing says what such people are called."""
HEADS = frozenset(
    {
        *("desk", "team", "panel", "lead", "office", "board", "clerk", "unit", "department"),
        *("crew", "committee", "staff", "chief", "head", "nurse", "agent", "analyst"),
        *("assistant",),
    }
)
"""Words at the end of what an office or a person is called."""
PERSONS = ("er", "or", "ist", "ian", "ant", "man", "woman")
"""Endings of such words."""
_MOST_WORDS = 4
_TASKS = frozenset(
    {
        *("accept", "apply", "approve", "arrange", "assess", "assign", "audit", "authorise"),
        *("authorize", "book", "calculate", "check", "classify", "collect", "compare", "confirm"),
        *("decide", "determine", "diagnose", "dispatch", "enter", "establish", "evaluate"),
        *("examine", "grade", "grant", "handle", "identify", "inspect", "investigate", "judge"),
        *("manage", "measure", "pay", "prepare", "process", "receive", "register", "release"),
        *("renew", "resolve", "review", "route", "schedule", "screen", "select", "send", "settle"),
        *("sort", "take", "triage", "validate", "verify"),
    }
)
"""Verbs with which a task begins that is said as an order: "Settle the claims of passengers"."""


def complete_opening_sections(
    model: DomainModel,
    draft: Sequence[Section],
    background: str,
    owner: str,
    terms: Sequence[Line] = (),
) -> list[Section]:
    """Return the draft's sections with those that it lacks; its roles are completed.

    ``terms`` are definitions that stand after all others.
    """
    titles = [section.title.lower() for section in draft]
    own = {
        "Purpose": list(_render_purpose(model, background)) if not draft else [],
        "Scope": list(_render_scope(model)),
        ROLES: [*_render_roles(model, background), *_render_further_roles(model, owner, "")],
        DEFINITIONS: [*render_definitions(model), *terms],
    }
    missing = [
        Section(title, lines)
        for title, lines in own.items()
        if lines and title.lower() not in titles
    ]
    return [*(_complete_section(model, section, owner, terms) for section in draft), *missing]


def _complete_section(
    model: DomainModel, section: Section, owner: str, terms: Sequence[Line]
) -> Section:
    """Add to the roles of a draft those that it does not name, and to its definitions terms."""
    if section.title.lower() == DEFINITIONS.lower():
        return Section(section.title, [*section.lines, *terms])
    if section.title.lower() != ROLES.lower():
        return section
    named = " ".join(line.text for line in section.lines)
    return Section(section.title, [*section.lines, *_render_further_roles(model, owner, named)])


def phrase_purpose(task: str) -> str:
    """Return a task as the purpose of a procedure.

    >>> phrase_purpose("Settle the claims of passengers.")
    'This procedure sets out how to settle the claims of passengers.'
    >>> phrase_purpose("Release of parcels.")
    'Release of parcels.'
    """
    first, _, others = task.lower().partition(" ")
    if first not in _TASKS or others.startswith("of "):
        return task
    return f"This procedure sets out how to {task[:1].lower()}{task[1:]}"


def _render_purpose(model: DomainModel, background: str) -> Iterator[Line]:
    yield Line(Style.PARAGRAPH, phrase_purpose(model.business_task), excused="draft")
    if background:
        texts = filter_current_prose(model, background)
        yield from (Line(Style.PARAGRAPH, text, excused="draft") for text in texts)


def _render_scope(model: DomainModel) -> Iterator[Line]:
    name = model.case.name.replace("_", " ")
    label = model.fields[model.key].label
    one = "" if name == "case" else " one case and is"
    yield Line(
        Style.PARAGRAPH,
        f"This procedure applies to every {name}. Each {name} is{one} identified by its {label}."
        " Treat each case separately; do not carry findings over from another case.",
    )


def find_workers(background: str) -> str:
    """Return one of those with whom what the brief says of the work begins: "Desk clerks work"."""
    words = background.split()[:_MOST_WORDS]
    for place, word in enumerate(words):
        single = word.removesuffix("s").lower()
        if word.endswith("s") and (single in HEADS or single.endswith(PERSONS)):
            return " ".join([*words[:place], single]).lower()
    return ""


def _render_roles(model: DomainModel, background: str) -> Iterator[Line]:
    roles = list(dict.fromkeys(step.by for step in model.steps.values() if step.by))
    if len(roles) > 1:
        yield from _render_shared_steps(model, roles)
        return
    role = roles[0] if roles else find_workers(background) or ANYBODY
    text = f"The {role} carries out the steps, applies the rules and reports the results."
    yield Line(Style.BULLET, text)


def _render_shared_steps(model: DomainModel, roles: Sequence[str]) -> Iterator[Line]:
    """Return which role carries out which steps; the one with the longest list has the others."""
    steps = [step for part in ("", *model.parts) for step in model.list_steps_in(part)]
    named = {
        role: to_step_numbers(model, [step.id for step in steps if step.by == role])
        for role in roles
    }
    longest = max(roles, key=lambda role: len(named[role]))
    if all(step.by for step in steps) and named[longest].count(",") > 1:
        del named[longest]
        named[longest] = OTHER_STEPS
    for role, carried in named.items():
        verb = conjugate_after(role, "carries")
        yield Line(Style.BULLET, ROLE.render(office=role, verb=verb, carried=carried))


def render_definitions(model: DomainModel) -> Iterator[Line]:
    """Return what the procedure's own terms mean: those of its results, as the brief has them."""
    for item in model.outcomes:
        if not is_label_repeated(item, model.case.name):
            text = f"{capitalize_text(item.label)}: {item.description}."
            yield Line(Style.BULLET, text)


def _render_further_roles(model: DomainModel, owner: str, named: str) -> Iterator[Line]:
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
        yield Line(Style.BULLET, text)
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
        yield Line(Style.BULLET, f"{capitalize_text(answers)}{role} takes over {cases}.")
