"""Every template is used, and can be filled from every brief that ships."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from sopforge.authors import back_translation, independent_labels
from sopforge.authors.estimating import Estimating, Question
from sopforge.authors.model_author import TEMPLATES, ModelAuthor
from sopforge.authors.offline import OfflineAuthor
from sopforge.complexity.levels import most_asked
from sopforge.dataset.filling import labelled
from sopforge.dataset.records import write_records
from sopforge.dataset.writing import as_task
from sopforge.domain.schema import AuthorDocument
from sopforge.findings import error
from sopforge.prompts.templates import load_template, template_names
from sopforge.providers.budget import estimate_prompt
from sopforge.stages.briefs import load_brief
from sopforge.workspace import Workspace
from tests.second_readers import RightReader

BRIEFS = sorted((Path(__file__).parents[2] / "briefs").glob("*.yaml"))
SETTINGS = AuthorDocument(name="anthropic", model="m")
READ = {back_translation.TEMPLATE, independent_labels.TEMPLATE}
FOUND = (error("a-code", "something is wrong", where="domain.yaml:3", evidence="a = 1"),)


@dataclass(slots=True)
class Filling(Estimating):
    """Fills each template, and answers the domain with what the brief states."""

    facts: str = ""

    def ask(self, template: str, values: Mapping[str, object], *, stage: str) -> Mapping[str, Any]:
        request = load_template(template).request(values, model=self.model)
        texts = [block.text for message in request.messages for block in message.blocks]
        assert all(text.strip() for text in texts)
        match template:
            case "domain_model":
                answer: Mapping[str, Any] = {
                    "assumptions": [],
                    "contradictions": [],
                    "model": self.facts,
                }
            case "dataset_values":
                answer = {"fields": []}
            case "repair_findings" | "edit_document":
                answer = {"document": values["document"]}
            case _:
                return Estimating.ask(self, template, values, stage=stage)
        self.questions.append(Question(stage, template, 1, 1))
        return answer


@pytest.mark.parametrize("path", BRIEFS, ids=lambda path: str(path.stem))
def test_every_template_is_filled_from_every_brief(path: Path) -> None:
    stated = load_brief(path)
    brief, asking = replace(stated, built=None), Filling("m", facts=stated.facts_text)
    author = ModelAuthor(SETTINGS, asking)
    schema = author.for_stage("schema", ["Say more."])
    domain = schema.write_domain(brief)
    author.for_stage("schema", ["Say more."], {"domain.yaml": domain}).write_domain(brief)
    again = schema.revising({"domain.yaml": domain}, FOUND)
    assert again is not None
    again.write_domain(brief)

    doses = most_asked(brief.parts.complexity)
    asked = {question.template for question in author.estimated(stated.model, brief, doses)}
    filled = asked | {question.template for question in asking.questions}

    written = {name for names in TEMPLATES.values() for name in names}
    listed = brief.facts_text.count("pool:") + brief.facts_text.count("free_text:")
    assert filled == written - (set() if listed else {"dataset_values"})


@pytest.mark.parametrize("path", BRIEFS, ids=lambda path: str(path.stem))
def test_what_a_second_reader_is_asked_is_filled_from_every_brief(path: Path) -> None:
    brief, asking = load_brief(path), Filling("m")
    model, reader = brief.model, RightReader(load_brief(path))

    def ask(template: str, values: Mapping[str, object]) -> Mapping[str, Any]:
        request = load_template(template).request(values, model="m")
        asking.questions.append(Question("reread", template, estimate_prompt(request), 1))
        return reader(values) if template == back_translation.TEMPLATE else {"tasks": []}

    drawn = labelled(model, 1, range(7))
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
    assert {question.template for question in asking.questions} == READ
    assert len(asking.questions) > len(model.steps) / 2


def test_each_template_belongs_to_a_stage_or_to_a_reader() -> None:
    written = {name for names in TEMPLATES.values() for name in names}
    assert set(template_names()) == written | READ
