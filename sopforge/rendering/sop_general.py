"""Sentences of an SOP that hold for a whole section: which words of the text prevail, and how."""

from __future__ import annotations

from collections.abc import Iterator

from sopforge.domain.model import DomainModel
from sopforge.domain.types import ListType, SetType

FOR_INFORMATION = "What follows is for information only; it changes no rule."
_AS_STATED = (
    "An entry whose form is given here may be malformed, that is, of another form. Take such an"
    " entry exactly as the task states it: never correct it, nor guess what was meant, not even"
    " where it is plain to see."
)
_RESULTS = (
    "Close with a statement of all results. Put each result into an XML element of its own,"
    " named exactly as below, with nothing in it but the value, without quotation marks."
)
_SCORED = (
    "State these intermediate values in the same way. Leave out what the steps that the"
    " case went through did not call for."
)


def general_sentences(model: DomainModel) -> list[str]:
    """Return the sentences that every SOP of the model holds word for word."""
    return [
        *input_rules(model),
        *general_rules(model),
        *refusal_rules(model),
        *result_rules(),
        *(scored_rules() if model.scored else ()),
    ]


def input_rules(model: DomainModel) -> Iterator[str]:
    """Return how the entries of a task are read."""
    opening = "The task states the following entries."
    if any(isinstance(item.type, SetType) for item in model.inputs):
        opening += " Several values in one entry are separated by semicolons."
    if any(isinstance(item.type, ListType) for item in model.inputs):
        opening += " A list stands in brackets as JSON, and is given to a tool in this form."
    yield opening
    if model.malformable:
        yield _AS_STATED


def general_rules(model: DomainModel) -> Iterator[str]:
    """Return what holds for all steps."""
    yield "Where another passage of this document differs from this section, this section prevails."
    if any(len(step.edges) > 1 for step in model.steps.values()):
        yield (
            "Where several ways lead on from a step, take the first one whose condition holds, in"
            " the order in which they stand."
        )
    if any(tool.effects for tool in model.tools.values()):
        yield (
            "A rule uses each value as a tool last returned it: what an action changes on file"
            " counts for a rule only once a tool has returned it. The changes of one action are"
            " worked out from the values before it."
        )


def refusal_rules(model: DomainModel) -> Iterator[str]:
    """Return what to do where a tool refuses."""
    correct = "correct them and call again."
    if model.malformable:
        correct = (
            "correct your own mistakes and call again, but what the task states is handed over as"
            " it stands."
        )
    yield (
        "A tool refuses a call whose entries are malformed, whose key no record has, or, where it"
        f" only looks things up, whose entries do not agree with the record; {correct}"
    )
    if any(tool.guard for tool in model.tools.values()):
        yield (
            f"{_expected(model)} for one of the reasons below means that an earlier step went"
            " wrong: go back to it."
        )


def _expected(model: DomainModel) -> str:
    if any(step.refusals for step in model.steps.values()):
        return "Where a step names the way after a refusal, take it; any other refusal"
    return "A refusal"


def result_rules() -> Iterator[str]:
    """Return the form of an answer, in words."""
    yield _RESULTS


def scored_rules() -> Iterator[str]:
    """Return which intermediate values an answer states."""
    yield _SCORED
