"""Two files with a model each, compared as readings of one brief, for people and for programs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sopforge.cli.out_files import write_out
from sopforge.cli.output import make_console, print_json, say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import Console

    from sopforge.comparing.aligning.alignment import Open
    from sopforge.comparing.asking.questions import Question, View
    from sopforge.comparing.comparison import Comparison
    from sopforge.domain.model import DomainModel

_ENDINGS = (".yaml", ".yml")


def is_reading(text: str) -> bool:
    """Return whether an argument names a file with a model, and no run."""
    return text.endswith(_ENDINGS) or Path(text).is_file()


def compare_files(
    files: tuple[Path, Path], names: Path | None, write_names: Path | None, *, as_json: bool
) -> bool:
    """Print what two readings decide otherwise; return whether they are not proved alike."""
    from sopforge.briefs.brief_files import read_users_file
    from sopforge.comparing.aligning.alignment import read_alignment, write_alignment
    from sopforge.comparing.aligning.matching import match_models
    from sopforge.comparing.asking.composing import BothSources
    from sopforge.comparing.comparison import Verdict, compare_readings

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
    if as_json:
        print_json({"files": [str(path) for path in files], **found.as_record()})
    else:
        _show(found, files)
    return found.verdict is not Verdict.ALIKE


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
    from sopforge.briefs.brief_files import load_brief, read_users_file
    from sopforge.comparing.asking.grounds import read_sources
    from sopforge.domain.documents.yaml_documents import read_document
    from sopforge.domain.reading import read_domain

    text = read_users_file(path, "brief-not-found", str(path))
    value = read_document(text, str(path)).value
    parts = value if isinstance(value, dict) else {}
    is_brief = "task_context" in parts or ("remarks" not in parts and "dataset" in parts)
    model = load_brief(path).model if is_brief else read_domain(text, str(path))
    return _Reading(model, read_sources(parts.get("remarks")))


def _show(found: Comparison, files: tuple[Path, Path]) -> None:
    screen = make_console()
    for number, question in enumerate(found.questions, start=1):
        _show_question(screen, number, question, files)
    for item in found.open:
        _show_open(screen, item)
    for label in found.only_ours:
        say(screen, f"only {files[0]} gives the {label}; it was not compared", "yellow")
    for name, count in found.census.unheld.items():
        say(
            screen,
            f"{count} sampled case{'s' * (count != 1)} cannot occur in {files[1]}: check its"
            f" {name}",
            "yellow",
        )
    say(screen, f"{found.verdict}; {found.census.held} sampled cases compared", "bold")
    if found.questions and found.is_whole:
        say(screen, "It is proved that there is no other difference.")


def _show_question(
    screen: Console, number: int, question: Question, files: tuple[Path, Path]
) -> None:
    say(screen, f"{number}. {question.text}", "bold")
    say(screen, f"   {question.id}; it affects {question.share:.2%} of sampled cases", "dim")
    for path, view, offered in zip(
        files, (question.first, question.second), question.offered, strict=True
    ):
        _show_view(screen, path, view)
        say(screen, f"     to give this answer: {offered}")
    say(screen, "")


def _show_view(screen: Console, path: Path, view: View) -> None:
    decided = "; ".join(f"{label}: {value}" for label, value in view.decides.items())
    say(screen, f"   {path}: {decided}", "cyan")
    for reason in view.because:
        say(screen, f"     {reason}")
    for sentence in view.sources:
        say(screen, f'     the brief: "{sentence}"')


def _show_open(screen: Console, item: Open) -> None:
    say(screen, f"no match found for {item.kind} {item.name} ({item.label})", "yellow")
    for candidate in item.candidates:
        say(screen, f"  perhaps {item.name}: {candidate}")
