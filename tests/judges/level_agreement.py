"""Makes a brief harder, and finds in what the harder text does not say what the plain one does.

The files of a level are written as its stage writes them, but without tasks, tools and records.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from benchmarks.complexity_doses import MEASURES
from sopforge.artifacts.complexity.document import render_variant_document
from sopforge.artifacts.complexity.levels import apply_doses
from sopforge.artifacts.complexity.profile import (
    Figures,
    compute_data_figures,
    compute_passage_figures,
    compute_tool_figures,
)
from sopforge.artifacts.complexity.setting import build_setting
from sopforge.artifacts.complexity.variant import Variant
from sopforge.artifacts.rendering.sop.alignment import with_text
from sopforge.artifacts.rendering.sop.document import SopDocument, Statement, Style
from sopforge.artifacts.rendering.sop.marks import ADDED
from sopforge.artifacts.rendering.sop.references import PROCEDURE, find_references
from sopforge.artifacts.rendering.sop.resolving import read_plainly, without_last_sections
from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.checks.levels import variant_passages
from sopforge.checks.levels.variants_keep_answers import build_variant_workspace
from sopforge.checks.sop.differences import Derived, derive_sop
from sopforge.harness.layers.text.read_steps import read_steps
from sopforge.language.domain.fields import Sampling
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import Brief
from sopforge.language.domain.rules import Table
from sopforge.language.english.terms import drop_names
from sopforge.pipeline.stages.making.level_texts import LevelTexts
from sopforge.pipeline.stages.sop import build_sop_files
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.sampling.sampling import sample_rows
from sopforge.proof.solving.logic_read import derive_logic
from sopforge.workspace import DOMAIN, Workspace, name_stage_files

LEVEL = "L3"
ROWS = 12
"""So many cases are walked by the words of each text."""


@dataclass(frozen=True)
class Plain:
    """The files of a brief's model and its SOP, and the variant in which nothing is put in."""

    workspace: Workspace
    variant: Variant

    def apply(self, doses: Mapping[str, int], seed: int) -> Variant:
        """Return the variant in which the operators are applied in these doses."""
        return apply_doses(self.variant, doses, seed)


def make_plain(brief: Brief, anew: Mapping[str, str] = MappingProxyType({})) -> Plain:
    """Return the plain files and the plain variant of a brief.

    ``anew`` are texts that a person has put in the place of others in the SOP.
    """
    author = OfflineAuthor()
    domain = Workspace(brief, {DOMAIN: author.write_domain(brief)})
    model = domain.model
    sop = author.write_sop(model, brief)
    text = sop.as_text()
    for before, after in anew.items():
        assert text.count(before) == 1, before
        text = text.replace(before, after)
    sop = with_text(sop, text) if anew else sop
    workspace = domain.with_stage("sop", build_sop_files(sop))
    parts = brief.parts
    texts = LevelTexts(brief, model, sop)
    setting = build_setting(model, parts.setting, parts.document)
    start = Variant(
        model,
        texts.derive(model),
        declared=setting,
        derive=texts.derive,
        document=workspace.files[DOMAIN],
    )
    return Plain(workspace, start)


def with_variant(plain: Workspace, variant: Variant) -> Workspace:
    """Return the plain files, and those of a variant as one of its levels."""
    domain = render_variant_document(plain.files[DOMAIN], variant.model)
    sop = name_stage_files("sop", build_sop_files(variant.sop))
    return plain.with_stage(f"complexity/{LEVEL}", {DOMAIN: domain, **sop})


def find_faults(plain: Plain, variant: Variant, doses: Mapping[str, int]) -> Iterator[str]:
    """Yield in what a variant is no harder version of the plain one."""
    level = with_variant(plain.workspace, variant)
    yield from find_noticed(level)
    if derive_logic(variant.model) != derive_logic(plain.variant.model):
        yield "what was put in decides"
    harder = build_variant_workspace(level, LEVEL)
    yield from _find_other_fields(harder.model, variant.model)
    yield from _find_other_statements(harder, variant)
    yield from _find_untrue_figures(plain.variant, variant, doses)
    yield from find_other_answers(variant.model, variant.sop, ROWS)


def _find_other_fields(read: DomainModel, made: DomainModel) -> Iterator[str]:
    """Yield the fields that a document has not as in the model that it was made of.

    How values are drawn is none of what tasks and explanations say.
    """
    for name, item in made.fields.items():
        if replace(read.fields[name], sampling=Sampling()) != replace(item, sampling=Sampling()):
            yield f"the document has {read.fields[name]}, but it was made of {item}"


def find_noticed(workspace: Workspace) -> Iterator[str]:
    """Yield what the check of the levels' texts says."""
    for item in variant_passages.CHECK.examine(workspace):
        yield f"{item.id}: {item.message}\n{item.evidence}"


def _find_other_statements(level: Workspace, variant: Variant) -> Iterator[str]:
    """Yield the statements that only one of both texts has."""
    derived = derive_sop(level)
    wanted = [item for item in derived.document.statements if item.term is not None]
    wanted = [item for item in wanted if item.excused not in ADDED]
    resolved = _resolve(derived, variant.sop.statements)
    terms = [drop_names(item.term) for item in wanted if item.term is not None]
    for item in (item for item in resolved if item.term is not None):
        if item.term in terms:
            terms.remove(item.term)
        else:
            yield f"says more: {item.text}"
    # What the grammar does not read stands in the words of the plain text.
    texts = [item.text for item in resolved]
    for item in wanted:
        if item.term is not None and drop_names(item.term) in terms and item.text not in texts:
            yield f"is not said: {item.text}"


def _resolve(derived: Derived, statements: tuple[Statement, ...]) -> list[Statement]:
    words, references = derived.writer.words, find_references(statements, derived.writer.model)
    stored = [replace(item, kind="", term=None) for item in statements]
    read = zip(read_plainly(words, references, stored), without_last_sections(stored), strict=True)
    return [found for found, item in read if item.excused not in ADDED]


def _find_untrue_figures(
    plain: Variant, variant: Variant, doses: Mapping[str, int]
) -> Iterator[str]:
    """Yield where a profile names more or less as put in than is there, or more than was asked."""
    before, after = _compute_figures(plain), _compute_figures(variant)
    counts = variant.count_additions()
    for operator, name in MEASURES.items():
        made = int(str(after[name])) - int(str(before[name]))
        asked = doses.get(operator, 0)
        if made != counts[operator] or made > asked:
            yield f"{operator}: {counts[operator]} said, {made} there, {asked} asked for"


def _compute_figures(variant: Variant) -> Figures:
    return {
        **compute_passage_figures(variant),
        **compute_tool_figures(variant.model, ""),
        **compute_data_figures(variant),
    }


def find_other_answers(model: DomainModel, sop: SopDocument, count: int) -> Iterator[str]:
    """Yield cases that who walks by the words of a text, and by all of them, decides otherwise.

    Of a rule that has no words but is written in the rule language, none are to be read.
    """
    text = sop.as_text()
    read = read_steps(without_rules(model), text, find_main(sop)).model
    if "`" in text:
        return
    for row in sample_rows(model, 5, range(count)):
        right, walked = label_row(model, row), label_row(read, row)
        # A transition that was put in counts those after it on.
        if list_steps(walked.path) != list_steps(right.path) or walked.known != right.known:
            yield f"is decided otherwise: {dict(row)}"


def find_main(sop: SopDocument) -> int:
    """Return the number of the section in which the procedure begins."""
    titles = [item.text for item in sop.statements if item.style is Style.SECTION]
    return next(n for n, title in enumerate(titles, 1) if title == f"{n}. {PROCEDURE}")


def list_steps(path: Sequence[str]) -> list[str]:
    """Return the steps of a path."""
    return [edge.partition(".")[0] for edge in path]


def without_rules(model: DomainModel) -> DomainModel:
    """Return a model whose tables and steps have their last rule and transition alone."""
    decisions = {
        name: replace(item, rules=item.rules[-1:]) if isinstance(item, Table) else item
        for name, item in model.decisions.items()
    }
    steps = {name: replace(step, edges=step.edges[-1:]) for name, step in model.steps.items()}
    return replace(model, steps=steps, decisions=decisions)
