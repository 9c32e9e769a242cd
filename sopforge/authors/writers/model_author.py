"""The model author: a language model writes, and repairs what the checks find.

It asks by the templates in ``prompt_templates/`` and puts the answers into the form that the
stages expect. What it writes is no truer for that: the same checks judge it as everything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import Any

from sopforge.artifacts.complexity.material import Material
from sopforge.artifacts.rendering.sop.document import SopDocument
from sopforge.authors.providers.watching import Watch, ignore_event
from sopforge.authors.writers.asking import Asking
from sopforge.authors.writers.asking_together import ask_together
from sopforge.authors.writers.author import Author
from sopforge.authors.writers.estimating import Estimating, Question
from sopforge.authors.writers.language import (
    load_account_rules,
    load_domain_language,
    load_tool_rules,
)
from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.authors.writers.patching import Changing
from sopforge.authors.writers.repair import (
    NOT_TRIED,
    NOTHING_FOUND,
    NOTHING_SAID,
    Attempt,
    Repair,
    Review,
)
from sopforge.authors.writers.writing import api as written_api
from sopforge.authors.writers.writing import domain as written_domain
from sopforge.authors.writers.writing import material as written_material
from sopforge.authors.writers.writing import tools as written_tools
from sopforge.authors.writers.writing.clause_judging import ClauseJudging
from sopforge.authors.writers.writing.material import MaterialWriting
from sopforge.authors.writers.writing.rows import RowWriting
from sopforge.authors.writers.writing.second_reading import SecondReading
from sopforge.authors.writers.writing.sop import SopWriting
from sopforge.findings import Finding
from sopforge.language.domain.documents.schema import AuthorDocument
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import Brief
from sopforge.language.domain.tasks import GoldCall
from sopforge.proof.dataset.coverage.drawing import draw_example_calls
from sopforge.proof.dataset.tasks.writing import make_gold_call
from sopforge.store.digests import digest_value

TEMPLATES: Mapping[str, tuple[str, ...]] = {
    "schema": (
        "domain_model",
        "dataset_values",
        "dataset_value_facts",
        "edit_document",
        "repair_findings",
    ),
    "second": ("second_reading", "align_readings", "clause_judge"),
    "sop": ("sop_section",),
    "dataset": ("dataset_rows",),
    "api": ("api_texts",),
    "toolspec": ("toolspec_texts",),
    "tools": ("tool_code", "edit_document", "repair_findings"),
    "complexity": (written_material.TEMPLATE,),
}
"""The templates by which each stage is written; ``second`` are those of a second reader."""
_REPAIR = "repair_findings"
_SENT_BACK = ("findings", "faults", "rejected")
"""The parameters by which templates are given what was wrong with an earlier answer."""
NO_NAMES: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class ModelAuthor:
    """Writes with a language model what its settings say, and all else as the offline author."""

    settings: AuthorDocument
    asking: Asking
    stage: str = ""
    review: Review = NOTHING_SAID
    repair: Repair = NOTHING_FOUND
    applies_feedback: bool = True
    watch: Watch = ignore_event
    second: Asking | None = None
    remarks: list[Finding] = field(default_factory=list, compare=False)

    @property
    def name(self) -> str:
        """The name in manifests."""
        return f"{self.settings.name} {self.settings.model}"

    @property
    def identity(self) -> str:
        """The model, its settings, and the templates of the stage."""
        versions = [
            f"{name} {self.asking.compute_template_digest(name)}" for name in TEMPLATES[self.stage]
        ]
        # They are asked with, and stand in no template.
        pages = digest_value([load_domain_language(), load_account_rules(), load_tool_rules()])
        parts = [self.asking.identity, f"{self.settings.rounds} rounds", f"pages {pages}"]
        if self.second is not None and self.stage == "schema":
            # Left out where there is none, as in the keys of versions that were made without one.
            parts.append(f"second reader {self.second.identity}")
            versions += [
                f"{name} {self.second.compute_template_digest(name)}"
                for name in TEMPLATES["second"]
            ]
        return "; ".join([*parts, *versions])

    def choose_stage_author(
        self, stage: str, feedback: Sequence[str], before: Mapping[str, str] | None = None
    ) -> Author:
        if stage in self.settings.stages:
            review = Review(tuple(feedback), dict(before or {}))
            return replace(self, stage=stage, review=review, remarks=[])
        return OfflineAuthor()

    def choose_reviser(
        self,
        files: Mapping[str, str],
        findings: Sequence[Finding],
        dropped: Attempt = NOT_TRIED,
    ) -> Author | None:
        # Taking words back to the derived ones asks nobody, and so is no round of its own.
        most = self.settings.rounds + (self.stage in _WORDED)
        is_derived = self.stage == "complexity" and written_material.FILE not in files
        # Rows went back as often as they may when they were written; labels are not the model's.
        if self.repair.round == most or is_derived or self.stage == "dataset":
            return None
        number, rounds = self.repair.round + 1, self.settings.rounds
        repair = Repair(number, rounds, dict(files), tuple(findings), dropped)
        errors, others = len(repair.errors), len(repair.list_findings()) - len(repair.errors)
        counts = {"round": repair.round, "rounds": repair.rounds}
        self.watch(
            {
                "event": "goes-back",
                "stage": self.stage,
                **counts,
                "errors": errors,
                "warnings": others,
            }
        )
        return replace(self, repair=repair, remarks=[])

    def list_remarks(self) -> list[Finding]:
        return list(self.remarks)

    def write_domain(self, brief: Brief) -> str:
        changing = Changing(self._ask, self.remarks)
        return written_domain.write_domain(self._ask, changing, brief, self.review, self.repair)

    def write_second_reading(self, brief: Brief, domain: str) -> Mapping[str, str]:
        if self.second is None or self.stage != "schema":
            return {}
        before = self.repair.files or self.review.files
        writing = SecondReading(self._ask_second, brief, self.settings.rounds, before)
        return {**writing.write_files(domain), **self._judge_clauses(brief, domain, before)}

    def _judge_clauses(
        self, brief: Brief, domain: str, before: Mapping[str, str]
    ) -> Mapping[str, str]:
        if self.second is None:
            return {}
        ask_all = partial(ask_together, self._ask_second, at_once=self.second.concurrency)
        return ClauseJudging(ask_all, brief, before).write_files(domain)

    def write_sop(self, model: DomainModel, brief: Brief) -> SopDocument:
        writing = self._build_sop_writing(model, brief)
        return writing.revise(self.repair) if self.repair.round else writing.write_first()

    def write_rows(self, model: DomainModel, brief: Brief) -> str:
        if self.stage != "dataset":
            return OfflineAuthor().write_rows(model, brief)
        feedback, rounds = self.review.feedback, self.settings.rounds
        return RowWriting(self._ask_all, model, brief, feedback, rounds).build_row_book()

    def write_openapi(self, model: DomainModel, examples: Iterable[GoldCall]) -> str:
        derived = OfflineAuthor().write_openapi(model, examples)
        return written_api.write_openapi(self._ask, model, derived, self.review, self.repair)

    def write_toolspecs(self, model: DomainModel, openapi: str) -> str:
        return written_api.write_toolspecs(self._ask, model, openapi, self.review, self.repair)

    def write_tools(self, model: DomainModel) -> str:
        changing = Changing(self._ask, self.remarks)
        return written_tools.write_tools(self._ask, changing, model, self.review, self.repair)

    def write_material(
        self, model: DomainModel, sop: SopDocument, wanted: Mapping[str, int]
    ) -> Material:
        rounds, feedback = self.settings.rounds, self.review.feedback
        writing = MaterialWriting(self._ask, model, sop.as_text(), wanted, rounds, feedback)
        return writing.revise(self.repair) if self.repair.round else writing.write_first()

    def write_tool_tests(self, model: DomainModel, cases: Iterable[GoldCall]) -> str:
        return OfflineAuthor().write_tool_tests(model, cases)

    def sample_sop(self, model: DomainModel, brief: Brief) -> tuple[SopDocument, SopDocument]:
        """Return a section of the SOP, for a look before all is paid for, and the SOP with it.

        Sections that are not asked for with it are as they are derived.
        """
        return self._build_sop_writing(model, brief).write_sample()

    def _build_sop_writing(self, model: DomainModel, brief: Brief) -> SopWriting:
        derived = OfflineAuthor().write_sop(model, brief)
        return SopWriting(self._ask_all, model, brief, derived, self.review)

    def estimate_questions(
        self, model: DomainModel, brief: Brief, domain: str, names: Mapping[str, int] = NO_NAMES
    ) -> list[Question]:
        """Return the questions after the written ``domain``: the stages', and a round of repairs.

        A round of repair is taken to write the whole stage again. ``names`` are how many names of
        the trade the levels want.
        """
        counting = Estimating(self.asking)
        judging = Estimating(self.second, to_second=True) if self.second else None
        calls = draw_example_calls(model, brief.parts.dataset).values()
        examples = [make_gold_call(model, call) for call in calls]
        document = OfflineAuthor().write_openapi(model, examples)
        for stage in self.settings.stages:
            writer = replace(
                self, asking=counting, second=judging, stage=stage, repair=NOTHING_FOUND
            )
            match stage:
                case "api":
                    document = writer.write_openapi(model, examples)
                case "toolspec":
                    writer.write_toolspecs(model, document)
                case _:
                    writer._write_by_model(model, brief, domain, names)  # noqa: SLF001 - its own
        return [*(judging.questions if judging else ()), *counting.questions]

    def _write_by_model(
        self, model: DomainModel, brief: Brief, domain: str, names: Mapping[str, int]
    ) -> None:
        """Write what a stage makes of the model alone, and repair what is repaired separately."""
        repairing = replace(
            self, repair=Repair(1, self.settings.rounds, _make_sound_files(model, domain))
        )
        match self.stage:
            case "schema":
                self._judge_clauses(brief, domain, {})
                repairing.write_domain(brief)
            case "sop":
                self.write_sop(model, brief)
            case "dataset":
                self.write_rows(model, brief)
            case "tools":
                self.write_tools(model)
                repairing.write_tools(model)
            case "complexity":
                self.write_material(model, OfflineAuthor().write_sop(model, brief), names)
            case _:
                raise ValueError(self.stage)

    def _ask_all(
        self, questions: Sequence[tuple[str, Mapping[str, object]]]
    ) -> list[Mapping[str, Any]]:
        return ask_together(self._ask, questions, self.asking.concurrency)

    def _ask_second(self, template: str, values: Mapping[str, object]) -> Mapping[str, Any]:
        asking, repair = self.second or self.asking, self._number_repair(template, values)
        return asking.ask(template, values, stage=self.stage, repair=repair)

    def _ask(self, template: str, values: Mapping[str, object]) -> Mapping[str, Any]:
        repair = self._number_repair(template, values)
        return self.asking.ask(template, values, stage=self.stage, repair=repair)

    def _number_repair(self, template: str, values: Mapping[str, object]) -> int:
        """Return the round in which a question sends something back, 0 if it sends nothing.

        A round of repair may ask something for the first time, such as texts for a new field, and
        a first writing may send back what could not be read.
        """
        # An estimate asks for corrections of what nothing was found in yet.
        is_sent_back = template == _REPAIR or any(values.get(name) for name in _SENT_BACK)
        return max(1, self.repair.round) if is_sent_back else 0


def _make_sound_files(model: DomainModel, domain: str) -> Mapping[str, str]:
    """Return files as they would go back, so that their size is known."""
    return {"domain.yaml": domain, "tools.py": OfflineAuthor().write_tools(model)}


_WORDED = frozenset({"sop", "api", "toolspec", "complexity"})
