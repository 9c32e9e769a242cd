"""``python -m benchmarks.complexity_doses``: what each complexity operator moves, dose by dose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from sopforge.artifacts.complexity.levels import OPERATORS
from sopforge.artifacts.complexity.profile import Figures, compute_figures
from sopforge.artifacts.complexity.variant import Operator, Variant
from sopforge.artifacts.rendering.sop.sop import render_sop
from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.language.domain.tasks import Task
from sopforge.pipeline.briefs.brief_files import load_brief
from sopforge.proof.dataset.coverage.drawing import redraw
from sopforge.proof.dataset.sampling.candidates import Candidate
from sopforge.proof.dataset.sampling.rows import DrawnRow
from sopforge.proof.dataset.tasks.writing import as_task

BRIEFS = tuple(
    Path(__file__).parents[1] / name
    for name in (
        "briefs/patient_intake.yaml",
        "tests/domains/orders.yaml",
        "tests/domains/warranty.yaml",
    )
)
DOSES = (0, 1, 2, 4, 8)
ROWS = 40
SEED = 7
_TEXT = frozenset({"sop_words", "sop_tokens", "sop_sentences", "sop_readability"})
_SPECS = frozenset({"tools", "tool_spec_tokens"})
MEASURES: Mapping[str, str] = {
    "cross_references": "references",
    "indirect_thresholds": "indirect_limits",
    "redundant_detail": "reminders",
    "redundant_rules": "redundant_rules",
    "superseded": "superseded_passages",
    "tangents": "tangents",
    "equivalent_tools": "tools_equivalent",
    "partial_tools": "tools_partial",
    "superseded_tools": "tools_superseded",
    "general_tools": "tools_general",
    "distractor_inputs": "distractor_inputs",
    "distractor_returns": "distractor_results",
}
"""The figure of the profile that each operator is there to move."""
SIZES: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(
        (
            "cross_references",
            "indirect_thresholds",
            "redundant_detail",
            "redundant_rules",
            "superseded",
            "tangents",
        ),
        _TEXT,
    ),
    **dict.fromkeys(("equivalent_tools", "partial_tools", "general_tools"), _SPECS),
    "superseded_tools": _SPECS | _TEXT,
    "distractor_inputs": _TEXT | {"inputs", "distractor_input_percent"},
    "distractor_returns": frozenset({"results", "distractor_result_percent", "tool_spec_tokens"}),
}
"""The sizes of what an operator puts something into, which grow with it."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A variant's figures, and its tasks with their rows."""

    figures: Figures
    tasks: tuple[Task, ...]
    rows: tuple[Mapping[str, object], ...]


def plain_variant(path: Path) -> Variant:
    """Return the plain variant of a brief."""
    brief = load_brief(path)
    return Variant(brief.model, render_sop(brief.model, brief.draft))


def measured(plain: Variant, operator: Operator, dose: int) -> Measured:
    """Return what a dose of one operator makes of a plain variant."""
    variant = operator.apply(plain, dose, SEED)
    drawn = _drawn(variant)
    tasks = tuple(as_task(variant.model, item, 20) for item in drawn)
    author = OfflineAuthor()
    specs = author.write_toolspecs(variant.model, author.write_openapi(variant.model, []))
    return Measured(
        compute_figures(variant, tasks, specs), tasks, tuple(item.row for item in drawn)
    )


def _drawn(variant: Variant) -> list[Candidate]:
    rows = [DrawnRow(f"task-{number}", f"fill:{number}", number, {}) for number in range(ROWS)]
    return [item for item in redraw(variant.model, SEED, rows) if item.walk.refusal is None]


def main() -> None:
    """Print a table for each brief: the measure of each operator at each dose, and the sizes."""
    for path in BRIEFS:
        plain = plain_variant(path)
        shown = Table(title=path.name, box=None, title_justify="left")
        for column in ("operator", "measure", *map(str, DOSES), "words", "spec tokens", "index"):
            shown.add_column(column)
        for operator in OPERATORS:
            found = [measured(plain, operator, dose).figures for dose in DOSES]
            measure = MEASURES[operator.name]
            shown.add_row(
                operator.name,
                measure,
                *(str(item[measure]) for item in found),
                *(
                    f"{found[0][name]} to {found[-1][name]}"
                    for name in ("sop_words", "tool_spec_tokens", "sop_readability")
                ),
            )
        Console(width=160).print(shown)


if __name__ == "__main__":
    main()
