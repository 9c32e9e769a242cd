"""Of models with one mistake of the closed list, in other words: one question if any case turns.

Whether any does is asked of the solver about the two models under one set of names, which knows
nothing of alignments, causes and questions.
"""

from __future__ import annotations

import pytest

from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.logic.walking import Walk
from sopforge.proof.comparing.comparison import Comparison, ReadingsVerdict, compare_readings
from sopforge.proof.dataset.mutants.mutants import Mutant, derive_mutants
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.solving.comparing.models import compare_models
from sopforge.proof.solving.questions import NoRow
from sopforge.proof.solving.questions import Row as Witness
from tests.worlds.readings import Pair, renamed_pair

FILES = (
    "tests/domains/stays.yaml",
    "tests/domains/lending.yaml",
    "tests/domains/dispatch.yaml",
    "tests/briefs/fees.yaml",
    "tests/domains/permits.yaml",
)
EACH = 8


def draw_mutants(model: DomainModel, count: int) -> list[Mutant]:
    """Return some mutants, evenly of all; those that change what fields are, are left out."""
    found = [mutant for mutant in derive_mutants(model) if mutant.model.fields is model.fields]
    return found[len(found) // count // 2 :: max(1, len(found) // count)][:count]


@pytest.mark.parametrize("file", FILES)
def test_a_mistake_is_one_question_if_any_case_turns_on_it(file: str) -> None:
    pair = renamed_pair(file)
    verdicts = set()

    for mutant in draw_mutants(pair.theirs, EACH):
        known = compare_models(pair.theirs, mutant.model).answer
        found = compare_readings(pair.ours, mutant.model, pair.alignment, count=1_000)
        verdicts.add(found.verdict)
        if isinstance(known, NoRow):
            assert found.verdict is ReadingsVerdict.ALIKE, mutant.words
        elif isinstance(known, Witness):
            assert len(found.questions) == 1, mutant.words
            assert found.is_whole, mutant.words
            assert_decided_differently(Pair(pair.ours, mutant.model, pair.alignment), found)

    assert ReadingsVerdict.DIFFERENT in verdicts


def format_answer(item: Field, walked: Walk) -> str:
    """Return what a case is answered; nothing where it comes to no end."""
    ended = walked.refusal is None and not walked.undecided
    return item.format_cell(walked.known.get(item.name)) if ended else ""


def assert_decided_differently(pair: Pair, found: Comparison) -> None:
    """Assert that the walks of both models come to the cells that the question names."""
    (question,) = found.questions
    walks = label_row(pair.ours, question.rows[0]), label_row(pair.theirs, question.rows[1])
    labels = {item.label: item.name for item in pair.ours.fields.values()}
    partners = {item.name: name for name, item in pair.alignment.outcomes.items()}
    for label in question.first.decides:
        name = labels[label]
        item, other = pair.ours.fields[name], pair.theirs.fields[partners[name]]
        meant = pair.alignment.outcomes[other.name].labels
        ours = format_answer(item, walks[0])
        theirs = format_answer(other, walks[1])
        assert ours != meant.get(theirs, theirs)
