"""Every template is used, and can be filled from every brief that ships."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from sopforge.authors.estimating import Estimating, Question
from sopforge.authors.model_author import TEMPLATES, ModelAuthor
from sopforge.domain.schema import AuthorDocument
from sopforge.findings import error
from sopforge.prompts.templates import load_template, template_names
from sopforge.stages.briefs import load_brief

BRIEFS = sorted((Path(__file__).parents[2] / "briefs").glob("*.yaml"))
STAGES = ("schema", "sop", "dataset", "api", "toolspec", "tools")
SETTINGS = AuthorDocument(name="anthropic", model="m", stages=STAGES)
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

    asked = {question.template for question in author.estimated(stated.model, brief)}
    filled = asked | {question.template for question in asking.questions}

    listed = brief.facts_text.count("pool:") + brief.facts_text.count("free_text:")
    assert filled == set(template_names()) - (set() if listed else {"dataset_values"})


def test_each_template_belongs_to_a_stage() -> None:
    assert set(template_names()) == {name for names in TEMPLATES.values() for name in names}
