"""Two files with a model each, compared as readings of one brief, for people and for programs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from sopforge.cli.out_files import write_out
from sopforge.cli.output import Parts, Result
from sopforge.cli.screens.question_view import lay_out_view

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sopforge.language.domain.model import DomainModel
    from sopforge.proof.comparing.asking.questions import Question
    from sopforge.proof.comparing.comparison import Comparison


def compare_files(files: tuple[Path, Path], names: Path | None, write_names: Path | None) -> Result:
    """Return what two readings decide otherwise; it is a finding if they are not proved alike."""
    from sopforge.pipeline.briefs.brief_files import read_users_file
    from sopforge.proof.comparing.aligning.alignment import read_alignment, write_alignment
    from sopforge.proof.comparing.aligning.matching import match_models
    from sopforge.proof.comparing.asking.composing import BothSources
    from sopforge.proof.comparing.comparison import ReadingsVerdict, compare_readings

    first, second = (_read_reading(path) for path in files)
    given = None
    if names is not None:
        text = read_users_file(names, "names-not-found", str(names))
        given = read_alignment(text, str(names), first.model, second.model)
    alignment = match_models(first.model, second.model, given)
    if write_names is not None:
        write_out(write_names, write_alignment(alignment, second.model))
    sources = BothSources(first.sources, second.sources)
    found = compare_readings(first.model, second.model, alignment, sources)
    record = {"files": [str(path) for path in files], **found.as_record()}
    is_alike = found.verdict is ReadingsVerdict.ALIKE
    return Result(record, _lay_out(found, files), has_findings=not is_alike)


@dataclass(frozen=True, slots=True)
class _Reading:
    """A model, and the sentences of the brief that its items rest on."""

    model: DomainModel
    sources: Mapping[str, Sequence[str]]


def _read_reading(path: Path) -> _Reading:
    """Return the model of a brief or of a domain document.

    Raises:
        MaterialError: the file is missing or has faults, or states no model.
    """
    from sopforge.language.domain.documents.yaml_documents import read_document
    from sopforge.language.domain.reading import read_domain
    from sopforge.pipeline.briefs.brief_files import load_brief, read_users_file
    from sopforge.proof.comparing.asking.grounds import read_sources

    text = read_users_file(path, "brief-not-found", str(path))
    value = read_document(text, str(path)).value
    parts = value if isinstance(value, dict) else {}
    is_brief = "task_context" in parts or ("remarks" not in parts and "dataset" in parts)
    model = load_brief(path).model if is_brief else read_domain(text, str(path))
    return _Reading(model, read_sources(parts.get("remarks")))


def _lay_out(found: Comparison, files: tuple[Path, Path]) -> Parts:
    for number, question in enumerate(found.questions, start=1):
        yield from _lay_out_question(number, question, files)
    for item in found.open:
        yield Text(f"no match found for {item.kind} {item.name} ({item.label})", "yellow")
    for label in found.only_ours:
        yield Text(f"only {files[0]} gives the {label}; it was not compared", "yellow")
    for name, count in found.census.unheld.items():
        yield Text(
            f"{count} sampled case{'s' * (count != 1)} cannot occur in {files[1]}: check its"
            f" {name}",
            "yellow",
        )
    yield Text(f"{found.verdict}; {found.census.held} sampled cases compared", "bold")
    if found.questions and found.is_whole:
        yield "It is proved that there is no other difference."


def _lay_out_question(number: int, question: Question, files: tuple[Path, Path]) -> Parts:
    yield Text(f"{number}. {question.text}", "bold")
    yield Text(f"   {question.id}; it affects {question.share:.2%} of sampled cases", "dim")
    for path, view, offered in zip(
        files, (question.first, question.second), question.offered, strict=True
    ):
        yield from lay_out_view(f"{path}:", view)
        yield f"      to give this answer: {offered}"
    yield ""
