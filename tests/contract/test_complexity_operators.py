"""What each operator promises: no answer changes, and the text says what it said."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import pytest

from sopforge.artifacts.complexity import levels
from sopforge.artifacts.complexity.document import render_variant_document
from sopforge.artifacts.complexity.levels import DOSES, OPERATORS, apply_doses, apply_level
from sopforge.artifacts.complexity.operators import distractor_inputs, equivalent_tools, superseded
from sopforge.artifacts.complexity.variant import Addition, Operator, Variant
from sopforge.artifacts.rendering.sop.document import Statement, Style
from sopforge.artifacts.rendering.sop.marks import (
    ADDED,
    DISTRACTOR,
    LIMIT,
    REDUNDANT,
    REFERENCE,
    REMINDER,
    SIDE,
    SUPERSEDED,
    TANGENTIAL,
)
from sopforge.artifacts.rendering.sop.references import find_references
from sopforge.artifacts.rendering.sop.resolving import read_plainly, without_last_sections
from sopforge.artifacts.rendering.sop.sop import render_sop
from sopforge.artifacts.rendering.sop.writer import Writer
from sopforge.language.domain.fields import AmountClause
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_domain
from sopforge.language.domain.tasks import Task
from sopforge.language.english.words import phrase_expression
from sopforge.proof.dataset.coverage.drawing import redraw
from sopforge.proof.dataset.sampling.rows import DrawnRow
from sopforge.proof.dataset.tasks.writing import as_task
from sopforge.proof.solving.logic_read import derive_logic
from sopforge.workspace import DOMAIN, Workspace
from tests.worlds.small_models import parcel

EACH_OPERATOR = pytest.mark.parametrize(
    "operator", OPERATORS, ids=lambda operator: str(operator.name)
)
SMALL = parcel()
HEADINGS = {Style.TITLE, Style.SECTION, Style.STEP}
PASSAGES = {REDUNDANT, SUPERSEDED, TANGENTIAL, REMINDER, REFERENCE, LIMIT}
# What the limits of the shipped brief may have been: round, near, within what is compared.
EARLIER = {
    "age of majority": {"15 years", "20 years"},
    "minimum lifestyle score for a moderate lifestyle risk": {"1 point", "3 points"},
    "minimum lifestyle score for a high lifestyle risk": {"4 points", "6 points"},
    "minimum clinical risk index for a moderate overall risk": {"5 points", "7 points"},
    "minimum clinical risk index for a high overall risk": {"12 points", "16 points"},
    "age from which the lower limit for high risk applies": {"60 years", "80 years"},
    "minimum clinical risk index for a high overall risk in seniors": {"8 points", "12 points"},
    "minimum remaining prescription benefit": {"40 USD", "60 USD"},
    "maximum copay tier that the clinic accepts": {"3"},
    "waiting period for new out-of-network coverage": {"25 days", "35 days"},
}


@pytest.fixture(params=["small", "shipped"])
def plain(request: pytest.FixtureRequest) -> Variant:
    """Return a plain variant: of the small model, or of the shipped brief."""
    if request.param == "small":
        return Variant(SMALL, render_sop(SMALL, ""))
    sound: Workspace = request.getfixturevalue("sound")
    derive = partial(render_sop, draft=sound.brief.draft)
    return Variant(sound.model, derive(sound.model), derive=derive)


def tasks_of(model: DomainModel, seed: int = 7) -> list[Task]:
    """Return the first rows as tasks, without those that a tool refuses."""
    drawn = redraw(model, seed, [DrawnRow(f"task-{n}", f"fill:{n}", n, {}) for n in range(60)])
    return [as_task(model, task, 20) for task in drawn if task.walk.refusal is None]


def bare(task: Task, model: DomainModel) -> Task:
    """Return a task without its inputs, and of its calls only what the tools of a model return."""
    calls = [
        replace(call, result={n: v for n, v in call.result.items() if n in model.fields})
        for call in task.calls
    ]
    return replace(task, inputs={}, text="", calls=tuple(calls))


@EACH_OPERATOR
def test_an_operator_leaves_every_answer_path_and_call_as_it_was(
    operator: Operator, plain: Variant
) -> None:
    before = tasks_of(plain.model)
    after = tasks_of(operator.apply(plain, 4, 7).model)

    assert len(before) > 10
    assert [bare(task, plain.model) for task in after] == [
        bare(task, plain.model) for task in before
    ]
    for task, harder in zip(before, after, strict=True):
        assert dict(task.inputs).items() <= dict(harder.inputs).items()


@EACH_OPERATOR
def test_an_operator_leaves_rules_steps_and_policy_alone(
    operator: Operator, plain: Variant
) -> None:
    model = operator.apply(plain, 4, 7).model

    assert model.decisions == plain.model.decisions
    assert model.steps == plain.model.steps
    assert model.policy == plain.model.policy
    assert derive_logic(model) == derive_logic(plain.model)
    for name, tool in plain.model.tools.items():
        same = replace(model.tools[name], returns=tool.returns)
        assert same == tool
        assert model.tools[name].returns[: len(tool.returns)] == tool.returns


@EACH_OPERATOR
def test_an_operator_keeps_every_statement_of_the_text(operator: Operator, plain: Variant) -> None:
    variant = apply_doses(plain, {operator.name: 8}, 7)
    # Of a changed model, the plain text says what else its tools return.
    text = plain.sop if variant.model is plain.model else plain.derive(variant.model)
    further = {f"field {x.name}" for x in variant.model.inputs if x not in plain.model.inputs}
    wanted = [x for x in text.statements if further.isdisjoint(x.states)]

    kept = [item for item in resolve(variant) if item.excused != DISTRACTOR]
    assert list(map(mean, kept)) == list(map(mean, resolve_text(variant, wanted)))


def test_a_tool_under_another_name_has_no_checks_of_its_own_in_the_text() -> None:
    plain = Variant(SMALL, render_sop(SMALL, ""))
    variant = apply_doses(plain, {equivalent_tools.OPERATOR.name: 9}, 7)

    assert len(variant.model.tools) == len(SMALL.tools) + 9
    assert variant.sop.as_text() == plain.sop.as_text()


def resolve(variant: Variant) -> list[Statement]:
    """Return the statements of a text as they are meant, without those beside its rules."""
    return resolve_text(variant, variant.sop.statements)


def resolve_text(variant: Variant, statements: Sequence[Statement]) -> list[Statement]:
    bare = [replace(item, kind="", term=None) for item in statements]
    references = find_references(statements, variant.model)
    read = read_plainly(Writer(variant.model).words, references, bare)
    return [item for item in read if item.excused not in ADDED]


def mean(item: Statement) -> object:
    """Return what a statement means: what is read, or its words."""
    return item.style, item.text if item.term is None else item.term


def test_another_seed_gives_another_variant(plain: Variant) -> None:
    assert apply_level(plain, "L3", 7) != apply_level(plain, "L3", 8)


@EACH_OPERATOR
def test_an_operator_adds_more_with_each_dose_and_reports_it(
    operator: Operator, plain: Variant
) -> None:
    start = replace(plain, added=(Addition("another", "earlier"),))

    none, *made = (operator.apply(start, dose, 7) for dose in range(4))

    assert (none.added, none.sop, none.limits) == (start.added, plain.sop, plain.limits)
    assert set(none.model.tools) == set(plain.model.tools)
    assert none.model.inputs == plain.model.inputs
    sizes = [size(variant) - size(plain) for variant in made]
    assert 0 < sizes[0] <= sizes[1] <= sizes[2]
    assert [variant.count_additions()[operator.name] for variant in made] == sizes
    assert {variant.added[0] for variant in made} == {*start.added}
    # Equal seeds give equal variants.
    assert operator.apply(start, 3, 7) == made[2]


def size(variant: Variant) -> int:
    """Count what can be added: passages, tools, inputs and results."""
    statements = variant.sop.statements
    passages = [item for item in statements if item.excused in PASSAGES]
    sides = [x for x in statements if x.excused == SIDE and x.style is Style.PARAGRAPH]
    called = {step.call for step in variant.model.steps.values()}
    results = sum(len(t.returns) for t in variant.model.tools.values() if t.name in called)
    return (
        len(passages) + len(sides) + len(variant.model.tools) + len(variant.model.inputs) + results
    )


def test_a_distractor_is_listed_as_an_input_is() -> None:
    plain = Variant(SMALL, render_sop(SMALL, ""))

    variant = apply_doses(plain, {distractor_inputs.OPERATOR.name: 2}, 7)
    lines = [item.text for item in variant.sop.statements]

    (colour,) = [line for line in lines if line.startswith("colour: colour of the paper; one of")]
    (contents,) = [line for line in lines if line.startswith("contents: contents;")]
    titles = [lines.index(title) for title in ("5. Inputs", "6. Main procedure")]
    assert titles[0] < min(lines.index(colour), lines.index(contents))
    assert max(lines.index(colour), lines.index(contents)) < titles[1]


def test_a_variant_can_be_written_and_read_back(sound: Workspace) -> None:
    plain = Variant(sound.model, render_sop(sound.model, ""))
    model = apply_level(plain, "L3", 7).model

    again = read_domain(render_variant_document(sound.files[DOMAIN], model), "domain.yaml")

    assert again.tools == model.tools
    assert again.entities == model.entities
    assert list(again.tools) == list(model.tools)
    assert {item.name: item.type for item in again.inputs} == {
        item.name: item.type for item in model.inputs
    }
    assert again.decisions == model.decisions


def test_the_words_of_fields_are_those_that_the_document_of_a_level_gives_them(
    sound: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    age = sound.model.fields["patient_age"]
    guest = replace(age, name="guest", label="the duration", amount_clause=None)
    said = replace(age, amount_clause=AmountClause("somebody is", "old"))
    model = replace(sound.model, fields={**sound.model.fields, "patient_age": said})

    class Rival:
        """Adds a number that the clause may be of as well."""

        name, is_of_model = "rival", True

        def apply(self, variant: Variant, *_: int) -> Variant:
            fields = {**variant.model.fields, "guest": guest}
            return replace(variant, model=replace(variant.model, fields=fields))

    monkeypatch.setattr(levels, "OPERATORS", (Rival(),))
    plain = Variant(model, render_sop(model, ""), document=sound.files[DOMAIN])
    made = apply_doses(plain, {}, 7)

    again = read_domain(render_variant_document(sound.files[DOMAIN], made.model), "domain.yaml")
    clauses = {name: item.amount_clause for name, item in made.model.fields.items()}
    assert clauses == {name: item.amount_clause for name, item in again.fields.items()}
    assert clauses["patient_age"] is None


def test_what_people_send_states_added_inputs_too(sound: Workspace) -> None:
    plain = Variant(sound.model, render_sop(sound.model, ""))
    model = apply_level(plain, "L3", 7).model

    again = read_domain(render_variant_document(sound.files[DOMAIN], model), "domain.yaml")

    assert len(again.requests) == len(sound.model.requests) > 0
    for text, written in zip(again.requests, sound.model.requests, strict=True):
        below = text.removeprefix(written.strip())
        assert re.findall(r"\n[A-Z][\w -]*: \{(\w+)\}", below) == [
            item.name for item in model.inputs if item not in sound.model.inputs
        ]


def test_levels_build_on_each_other(sound: Workspace) -> None:
    plain = Variant(sound.model, render_sop(sound.model, ""))

    counts = [len(apply_level(plain, level, 7).added) for level in ("L0", "L1", "L2", "L3")]

    first, second, third = (sum(DOSES[level].values()) for level in ("L1", "L2", "L3"))
    assert counts == [0, first, first + second, first + second + third]


def test_a_superseded_value_is_never_the_one_in_force(sound: Workspace) -> None:
    plain = Variant(sound.model, render_sop(sound.model, ""))
    made = superseded.OPERATOR.apply(plain, 64, 7).sop.statements
    said = [item.text for item in made if item.excused == SUPERSEDED]
    in_force = {
        item.meaning: phrase_expression(item.constant, {}) for item in sound.model.policy.values()
    }

    named = {text: found for text in said if (found := find_meaning(text))}
    for text, meaning in named.items():
        assert any(has_amount(value, text) for value in EARLIER[meaning]), text
        assert not has_amount(in_force[meaning], text), text
    assert len(set(named.values())) > 5


def find_meaning(text: str) -> str:
    """Return the longest meaning of a limit that a text names: one begins as another does."""
    return max((name for name in EARLIER if name in text.lower()), key=len, default="")


def has_amount(amount: str, text: str) -> bool:
    return re.search(rf"(?<![\w.-]){re.escape(amount)}(?!\w)", text) is not None


def test_each_slip_in_a_last_section_or_in_what_leads_there_is_noticed(plain: Variant) -> None:
    """A figure, a name or a letter that is another: the text then says something else."""
    made = apply_doses(plain, {"cross_references": 4, "indirect_thresholds": 6}, 7)
    bound = list(map(mean, resolve(made)))
    slips = list(iterate_slips(made.sop.statements))

    assert bound == list(map(mean, resolve(plain)))
    assert len(slips) > 20
    for text, changed in slips:
        assert list(map(mean, resolve_text(made, changed))) != bound, text


def iterate_slips(
    statements: Sequence[Statement],
) -> Iterator[tuple[str, tuple[Statement, ...]]]:
    """Yield the text with one figure or name of a limit or a reference changed."""
    moved = statements[len(without_last_sections(statements)) :]
    for place, item in enumerate(statements):
        spots = r"(?<=\(see section )\d+(?=\))|\w+(?= \(see section \d+\))"
        spots = r"\d+|\w+(?=\W*$)" if item.excused == REFERENCE or item in moved else spots
        # The figure, whether it is more or less than another limit, and the limits' names.
        spots = r"\d+|\b(?:more|less)\b|\w+(?=:)|\w+$" if item.excused == LIMIT else spots
        for found in re.finditer(spots, item.text) if item.style not in HEADINGS else ():
            others = {"more": "less", "less": "more"}
            other = others.get(found[0], f"{found[0]}Z")
            other = str(int(found[0]) + 70) if found[0].isdigit() else other
            text = item.text[: found.start()] + other + item.text[found.end() :]
            yield text, (*statements[:place], replace(item, text=text), *statements[place + 1 :])
