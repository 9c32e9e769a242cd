"""What a person can do where no words change a stage, for no language model writes it."""

from __future__ import annotations

from sopforge.errors import Fault
from sopforge.language.domain.reading import Brief
from sopforge.pipeline.stages.editing.edits import EDITABLE
from sopforge.store.places import store_option


def make_unheeded_fault(brief: Brief, stage: str, place: str) -> Fault:
    """Return the fault of words to a stage that no words change, with what changes it."""
    domain = brief.parts.domain
    means = [
        f"{said}: {command}{store_option(place)}" for said, command in _list_means(brief, stage)
    ]
    message = f"no language model writes the {stage}, so a request in words cannot change it"
    return Fault("feedback-unheeded", message, f"{domain} {stage}", "; or ".join(means))


def _list_means(brief: Brief, stage: str) -> list[tuple[str, str]]:
    """Return what each command does that changes a stage, or leaves that to the brief's keeper."""
    domain, regenerate = brief.parts.domain, f"sopforge regenerate {brief.parts.domain}"
    if brief.built is not None:
        change = ("change the model in the brief", f"{regenerate} --model-patch FILE")
    else:
        change = ("add to the brief", f"{regenerate} --context TEXT")
    means = [change]
    if stage in EDITABLE:
        means.append((f"edit {EDITABLE[stage]} yourself", f"sopforge edit {domain} {stage}"))
    reject = "leave it to whoever keeps the brief, with your reasons"
    return [*means, (reject, f"sopforge reject {domain} {stage} --reason TEXT")]
