"""What a procedure is for, in sentences that bind nobody."""

from __future__ import annotations

from sopforge.language.domain.model import DomainModel
from sopforge.language.english.nouns import join_items, name_office
from sopforge.language.english.prose.binding import may_bind, split_sentences


def describe_purpose(model: DomainModel) -> str:
    """Return what is given of the purpose; if nothing is, the sentence made of the model."""
    return find_given_purpose(model) or make_purpose(model)


def find_given_purpose(model: DomainModel) -> str:
    """Return the sentences of the business task that cannot be rules."""
    sentences = split_sentences(model.business_task)
    return " ".join(item for item in sentences if not may_bind(item))


def make_purpose(model: DomainModel) -> str:
    """Return a sentence of the title, the case and the roles."""
    case = model.case.name.replace("_", " ")
    roles = dict.fromkeys(step.by for step in model.steps.values() if step.by)
    workers = f" by {join_items([name_office(role) for role in roles])}" if roles else ""
    return (
        f'This procedure, "{model.title}", describes how each {case} is handled{workers}, and which'
        " results are reported."
    )
