"""Every template is used, and can be filled from every brief that ships."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, get_args

import pytest

from sopforge.artifacts.complexity.levels import count_missing_names
from sopforge.authors.prompts.templates import list_template_names, load_template
from sopforge.authors.providers.completion import Request
from sopforge.authors.sources.items import list_items
from sopforge.authors.writers.model_author import TEMPLATES, ModelAuthor
from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.authors.writers.reading import (
    back_translation,
    complexity_rating,
    edited_lines,
    independent_labels,
)
from sopforge.findings import make_error_finding
from sopforge.language.domain.documents.schema import AuthorDocument, WrittenStage
from sopforge.pipeline.briefs.brief_files import load_brief
from sopforge.proof.dataset.records import write_records
from sopforge.proof.dataset.sampling.filling import label_rows
from sopforge.proof.dataset.tasks.writing import as_task
from sopforge.workspace import Workspace
from tests.judges.second_readers import RightReader
from tests.unit.authors.test_second_reading import SECOND

BRIEFS = sorted((Path(__file__).parents[2] / "briefs").glob("*.yaml"))
SETTINGS = AuthorDocument(name="anthropic", model="m", stages=get_args(WrittenStage))
READ = {back_translation.TEMPLATE, independent_labels.TEMPLATE}
OF_EDITS = {edited_lines.TEMPLATE}
FOUND = (
    make_error_finding("a-code", "something is wrong", where="domain.yaml:3", evidence="a = 1"),
)


@dataclass(slots=True)
class Filling:
    """Fills each template, and answers the domain with what the brief states."""

    facts: str = ""
    sources: list[Mapping[str, Any]] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)
    identity = "nobody"
    concurrency = 1

    def compute_template_digest(self, template: str) -> str:
        return load_template(template).digest

    def find_recorded_answer(
        self, template: str, values: Mapping[str, object]
    ) -> tuple[Request, None]:
        request = load_template(template).build_request(values, model="m")
        texts = [block.text for message in request.messages for block in message.blocks]
        assert all(text.strip() for text in texts)
        self.asked.add(template)
        return request, None

    def ask(
        self, template: str, values: Mapping[str, Any], *, stage: str, repair: int = 0
    ) -> Mapping[str, Any]:
        assert stage == "schema", repair
        self.find_recorded_answer(template, values)
        match template:
            case "domain_model":
                return {"model": self.facts, **NOTHING_SAID, "sources": self.sources}
            case "dataset_values":
                return {"fields": [write_texts(item) for item in values["fields"]]}
            case "second_reading":
                return {"model": SECOND, "sources": []}
            case "align_readings":
                return {"fields": [], "outcomes": [], "lacking": []}
            case "dataset_value_facts" | "clause_judge":
                return {"texts": [], "cases": []}
            case _:
                return {"document": values["document"]}


NOTHING_SAID: Mapping[str, Any] = {
    name: [] for name in ("sources", "set_aside", "assumptions", "contradictions")
}


def write_texts(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return some plain texts for a field."""
    said = {"persona": "", "end": "", "presupposes": ""}
    texts = [{"text": f"With {word} regards.", **said} for word in ("kind", "warm", "many", "best")]
    return {"field": item["field"], "values": texts}


@pytest.mark.parametrize("path", BRIEFS, ids=lambda path: str(path.stem))
def test_every_template_is_filled_from_every_brief(path: Path) -> None:
    stated = load_brief(path)
    cited = {"says": stated.parts.business_task, "items": list(list_items(stated.model))}
    brief, asking = replace(stated, built=None), Filling(stated.facts_text, [cited])
    author = ModelAuthor(SETTINGS, asking, second=asking)
    schema = author.choose_stage_author("schema", ["Say more."])
    domain = schema.write_domain(brief)
    assert schema.write_second_reading(brief, domain)
    author.choose_stage_author("schema", ["Say more."], {"domain.yaml": domain}).write_domain(brief)
    again = schema.choose_reviser({"domain.yaml": domain}, FOUND)
    assert again is not None
    again.write_domain(brief)

    names = count_missing_names(brief.parts)
    author.estimate_questions(stated.model, brief, domain, names)

    written = {name for names in TEMPLATES.values() for name in names}
    free, pools = (brief.facts_text.count(key) for key in ("free_text:", "pool:"))
    lacking = (set() if free else {"dataset_value_facts"}) | (
        set() if free + pools else {"dataset_values"}
    )
    lacking |= set() if any(names.values()) else {"trade_names"}
    assert asking.asked == written - lacking


@pytest.mark.parametrize("path", BRIEFS, ids=lambda path: str(path.stem))
def test_what_a_second_reader_is_asked_is_filled_from_every_brief(path: Path) -> None:
    brief, asked = load_brief(path), list[str]()
    model, reader = brief.model, RightReader(load_brief(path))

    def ask(template: str, values: Mapping[str, object]) -> Mapping[str, Any]:
        Filling().find_recorded_answer(template, values)
        asked.append(template)
        return reader(values) if template == back_translation.TEMPLATE else {"tasks": []}

    drawn = label_rows(model, 1, range(7))
    tasks = [as_task(model, candidate, 20) for candidate in drawn]
    records = write_records(model, (candidate.row for candidate in drawn))
    files = {
        "schema/domain.yaml": OfflineAuthor().write_domain(brief),
        "sop/sop.txt": OfflineAuthor().write_sop(model, brief).as_text(),
        "toolspec/toolspecs.json": "[]",
        **{f"dataset/{name}": text for name, text in records.items()},
    }
    found = independent_labels.label_tasks(ask, Workspace(brief, files), tasks)
    back_translation.read_back(ask, model, brief, OfflineAuthor().write_sop(model, brief))

    assert {len(item.differing) for item in found} == {len(model.outcomes)}
    assert set(asked) == READ
    assert len(asked) > len(model.steps) / 2


@pytest.mark.parametrize("path", BRIEFS, ids=lambda path: str(path.stem))
def test_what_a_rater_is_asked_is_filled_from_every_brief(path: Path) -> None:
    brief = load_brief(path)
    sop = OfflineAuthor().write_sop(brief.model, brief).as_text()

    def ask(template: str, values: Mapping[str, object]) -> Mapping[str, Any]:
        Filling().find_recorded_answer(template, values)
        assert (template, values["sop"]) == (complexity_rating.TEMPLATE, sop)
        return {"score": 3, "why": "It has limits."}

    assert complexity_rating.rate_complexity(ask, sop, "[]").score == 3


def test_each_template_belongs_to_a_stage_a_reader_or_a_rater() -> None:
    written = {name for names in TEMPLATES.values() for name in names}
    assert set(list_template_names()) == written | READ | OF_EDITS | {complexity_rating.TEMPLATE}
