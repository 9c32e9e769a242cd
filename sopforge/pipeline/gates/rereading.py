"""Reading a finished SOP again: a language model that has not seen the model of the procedure.

Nothing of it is stored in an artifact. What was answered is on record as every answer is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from sopforge.artifacts.rendering.sop.document import read_sop
from sopforge.authors.providers.selection import AUTHORS
from sopforge.authors.providers.settings import Settings
from sopforge.authors.writers.asking import Asking
from sopforge.authors.writers.provider_asking import ProviderAsking
from sopforge.authors.writers.reading.back_translation import ReadBack, read_back
from sopforge.authors.writers.reading.independent_labels import (
    Agreement,
    choose_by_path,
    label_tasks,
)
from sopforge.authors.writers.repair import Ask
from sopforge.errors import Fault, MaterialError, StoreError
from sopforge.findings import Finding
from sopforge.language.domain.documents.schema import AuthorDocument
from sopforge.language.domain.reading import Brief
from sopforge.pipeline.stages.building.orders import name_files
from sopforge.pipeline.stages.pipeline import STAGES
from sopforge.store.course import find_current_version
from sopforge.store.digests import digest_files, digest_text
from sopforge.store.places import store_option
from sopforge.store.versions import DomainStore, Store, Version
from sopforge.workspace import SOP_TEXT, SOP_TRACE, TASKS, TOOLSPECS, Workspace

STAGE = "reread"
"""Under which calls stand in the ledger."""
_READ = ("dataset", "api", "toolspec")


@dataclass(frozen=True, slots=True)
class Reread:
    """What a reader made of an SOP: its labels, and its rules."""

    reader: str
    sop: str  # the digest of its text
    back: ReadBack
    labels: Agreement = field(default_factory=Agreement)
    is_labelled: bool = False

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All that was read otherwise, unclear or undecided."""
        return (*self.labels.find_disagreements(), *self.back.findings)

    def as_record(self) -> dict[str, object]:
        """Return the report as plain values, ready for JSON."""
        low, high = self.labels.interval
        labels = {
            "right": self.labels.right,
            "asked": len(self.labels.labelled),
            "interval_95": [round(low, 4), round(high, 4)],
            "paths": self.labels.paths,
            "all_paths": self.labels.all_paths,
        }
        return {
            "reader": self.reader,
            "sop_sha256": self.sop,
            "agreement": labels if self.is_labelled else None,
            "passages": self.back.passages,
            "rules": self.back.rules,
            "findings": [item.as_record() for item in self.findings],
            "own_paragraphs": [
                {"where": item.where, "text": item.text, "read_as": list(item.read_as)}
                for item in self.back.own
            ],
        }


def choose_reader(
    store: Store, brief: Brief, model: str, budget: Decimal | None, option: str = "--model"
) -> ProviderAsking:
    """Return who reads: the model named as ``provider:model``, else the brief's author.

    Raises:
        MaterialError: the text is not so formed, or neither names a language model.
    """
    writer = brief.parts.writer
    if model:
        writer = parse_reader(model, option)
    elif writer.name == "offline":
        message = "the brief's author is offline, so no language model can read the SOP"
        hint = "name a model: --model anthropic:claude-opus-5-5"
        raise MaterialError(Fault("reader-missing", message, "--model", hint))
    return ProviderAsking(writer, store.objects, brief.parts.domain, Settings(budget=budget))


def parse_reader(text: str, option: str = "--model") -> AuthorDocument:
    """Return the model that a text names as ``provider:model``.

    Raises:
        MaterialError: the text is not so formed.
    """
    provider, _, name = text.partition(":")
    is_name = bool(name.strip()) and name.isprintable()
    if provider not in AUTHORS or not is_name:
        message = f"{text!r} does not name a provider and a model"
        hint = f"write it as {AUTHORS[0]}:claude-opus-5-5; the providers are {', '.join(AUTHORS)}"
        raise MaterialError(Fault("reader-malformed", message, option, hint))
    return AuthorDocument.model_validate({"name": provider, "model": name})


def reread(asking: Asking, workspace: Workspace, most: int) -> Reread:
    """Have the SOP of a workspace read again: at most so many tasks, and all of its rules."""
    model, files = workspace.model, workspace.files

    def ask(template: str, values: Mapping[str, object]) -> Mapping[str, object]:
        return asking.ask(template, values, stage=STAGE)

    document = read_sop(files[SOP_TEXT], files[SOP_TRACE])
    is_labelled = most > 0 and {TASKS, TOOLSPECS} <= files.keys()
    labels = _compute_agreement(ask, workspace, most) if is_labelled else Agreement()
    back = read_back(ask, model, workspace.brief, document)
    digest = digest_text(files[SOP_TEXT])
    return Reread(asking.identity, digest, back, labels, is_labelled)


def _compute_agreement(ask: Ask, workspace: Workspace, most: int) -> Agreement:
    tasks = workspace.tasks
    chosen = choose_by_path(tasks, most)
    labelled = label_tasks(ask, workspace, chosen)
    return Agreement(
        labelled, len({task.path for task in chosen}), len({task.path for task in tasks})
    )


def reread_workspace(domain: DomainStore, brief: Brief) -> Workspace:
    """Return the SOP that counts, the model that it was made from, and what was made from that.

    The tasks are there if they are of the same model.

    Raises:
        MaterialError: there is no SOP yet.
        StoreError: the model that the SOP was made from is gone.
    """
    sop = find_current_version(domain, "sop")
    if sop is None:
        message = f"'{domain}' has no SOP yet"
        hint = f"make it first: sopforge continue {domain}{store_option(domain.place)}"
        raise MaterialError(Fault("sop-not-made", message, domain.place, hint))
    schema = next(
        (
            item
            for item in _list_best_first(domain, "schema")
            if _is_made_from(sop, name_files(item))
        ),
        None,
    )
    if schema is None:
        message = f"the store does not have the model from which SOP version {sop.number} was made"
        hint = "generate again, so that the SOP is made from a model in the store"
        raise StoreError(Fault("sop-outdated", message, sop.place, hint))
    files = {**name_files(schema), **name_files(sop)}
    for stage in (item for item in STAGES if item.name in _READ):
        needed = {
            name: text for name, text in files.items() if _get_stage_name(name) in stage.needs
        }
        found = [
            item for item in _list_best_first(domain, stage.name) if _is_made_from(item, needed)
        ]
        files |= name_files(found[0]) if found else {}
    return Workspace(brief, files)


def _list_best_first(domain: DomainStore, stage: str) -> list[Version]:
    """Return the versions of a stage: the one that counts, then the others from the newest on."""
    current, others = (
        find_current_version(domain, stage),
        domain.list_versions(stage)[::-1],
    )
    return [current, *(item for item in others if item != current)] if current else others


def _get_stage_name(name: str) -> str:
    return name.partition("/")[0]


def _is_made_from(version: Version, files: Mapping[str, str]) -> bool:
    return version.manifest.inputs.get("files") == digest_files(dict(files))
