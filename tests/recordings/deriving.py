"""A model that answers from what the offline author makes: a prose brief, and its model in facts.

A folder with ``model.yaml`` beside its ``brief.yaml`` has no recorded answers. Whatever is asked of
it, in whatever words, is answered from that model: by its facts, its SOP, its tools and its tasks.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from sopforge.artifacts.rendering.tools.module import render_tools
from sopforge.authors.prompts.templates import load_template
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.proof.dataset.sampling.candidates import Candidate
from sopforge.proof.dataset.sampling.filling import label_rows
from sopforge.store.opening import open_store
from tests.judges.second_readers import RightReader
from tests.recordings.accounts import make_account
from tests.recordings.playing import HERE, PREVAILS
from tests.servers.model_server import Act, Say, Seen
from tests.worlds.renamed_briefs import Renamed, rename_brief

Values: TypeAlias = Mapping[str, Any]
Answer: TypeAlias = Mapping[str, Any]
REVIEWED = "# As the reviewer asked for it.\n"
DRAWN = 600
_OUT_OF_FORM = Say('{"something": "else"}')
# What a model may add, and need not.
NOTHING_ADDED: Mapping[str, Answer] = {
    "sop_section": {"sections": []},
    "api_texts": {"summaries": []},
    "toolspec_texts": {"summaries": []},
    "trade_names": {"roles": [], "systems": [], "papers": []},
}


def derived() -> list[Path]:
    """Return the folders of all prose briefs that are answered from a model."""
    return sorted(path.parent for path in HERE.glob("*/model.yaml"))


@dataclass
class DerivingModel:
    """Answers each question rightly; the first one of each template out of form before that."""

    folder: Path
    store: Path
    asked: dict[str, tuple[str, Values]] = field(default_factory=dict)
    begun: set[str] = field(default_factory=set)

    @cached_property
    def brief(self) -> Brief:
        """The brief with its model."""
        texts = [(self.folder / name).read_text("utf-8") for name in ("brief.yaml", "model.yaml")]
        return read_brief("\n".join(texts), "brief.yaml")

    @cached_property
    def renamed(self) -> Renamed:
        """The same model in other words, as a second reader might write it."""
        return rename_brief((self.folder / "model.yaml").read_text("utf-8"))

    @cached_property
    def drawn(self) -> list[Candidate]:
        """Cases of the model."""
        return list(label_rows(self.brief.model, 5, range(DRAWN)))

    def note(self, template: str, values: Values) -> None:
        """Note what is asked next, by the words in which it arrives."""
        request = load_template(template).build_request(values, model="any")
        blocks = [*request.system, *request.messages[0].blocks]
        self.asked["".join(block.text for block in blocks)] = template, values

    def answer(self, seen: Seen) -> Act:
        """Answer a question that was noted."""
        template, values = self.asked["".join(_list_texts(seen.body))]
        if template not in self.begun:
            self.begun.add(template)
            return _OUT_OF_FORM
        return Say(json.dumps(self._choose_player(template)(values)))

    def _choose_player(self, template: str) -> Callable[[Values], Answer]:
        players: Mapping[str, Callable[[Values], Answer]] = {
            "domain_model": self._write_model,
            "edit_document": self._edit,
            "dataset_values": self._write_values,
            "dataset_value_facts": self._read_facts,
            "dataset_rows": self._write_rows,
            "tool_code": lambda _: {"module": render_tools(self.brief.model)},
            "back_translation": RightReader(self.brief),
            "edited_lines": read_rightly,
            "independent_labelling": self._label,
            "second_reading": lambda _: {"model": self.renamed.text, "sources": []},
            "align_readings": self._align,
            "clause_judge": say_nothing,
            "complexity_rating": lambda _: {"why": "Limits rest on each other.", "score": 4},
        }
        return players.get(template) or (lambda _: NOTHING_ADDED[template])

    def _write_model(self, values: Values) -> Answer:
        del values
        return {"model": self.brief.facts_text, **make_account(self.brief)}

    def _align(self, values: Values) -> Answer:
        """Return what is the same of what is asked for."""
        del values
        known = yaml.safe_load(self.renamed.write_alignment())
        outcomes = [
            {
                "theirs": name,
                "ours": item["is"],
                "labels": [{"theirs": new, "ours": old} for new, old in item["labels"].items()],
            }
            for name, item in known["outcomes"].items()
        ]
        fields = [{"theirs": name, "expression": said} for name, said in known["fields"].items()]
        return {"fields": fields, "outcomes": outcomes, "lacking": []}

    def _edit(self, values: Values) -> Answer:
        document = values["document"]
        replacements = []
        if REVIEWED not in document:
            end = _find_unique_end(document)
            replacements = [{"find": end, "replace": f"{end.rstrip()}\n{REVIEWED}"}]
        return {"replacements": replacements, "document": "", "not_applied": []}

    def _write_values(self, values: Values) -> Answer:
        """Return the free texts that there are, each as one that presupposes nothing."""
        said = {"persona": "", "end": "", "presupposes": ""}
        return {
            "fields": [
                {"field": item["field"], "values": [{"text": text, **said} for text in item["now"]]}
                for item in values["fields"]
                if item["kind"] == "free text"
            ]
        }

    def _read_facts(self, values: Values) -> Answer:
        return {"texts": [{"text": item["text"], "presupposes": ""} for item in values["texts"]]}

    def _write_rows(self, values: Values) -> Answer:
        """Return cases on the paths that are asked for, as far as there are any."""
        names = [item["field"] for item in values["fields"]]
        return {"paths": [self._write_path_rows(path, names) for path in values["paths"]]}

    def _write_path_rows(self, path: Values, names: Iterable[str]) -> Answer:
        model, asked = self.brief.model, [item["step"] for item in path["steps"]]
        found = [
            {
                "cells": [
                    {"field": name, "text": model.fields[name].format_cell(row[name])}
                    for name in names
                ]
            }
            for row in (case.row for case in self.drawn if self._name_steps(case) == asked)
        ]
        return {"path": path["path"], "rows": found[: path["cases"]]}

    def _name_steps(self, case: Candidate) -> list[str]:
        steps = self.brief.model.steps
        return [steps[node].title for node in case.walk.path if node in steps]

    def _label(self, values: Values) -> Answer:
        """Return the outcomes of tasks as the dataset has them."""
        domain = self.brief.parts.domain
        files = open_store(self.store).get_domain(domain).list_versions("dataset")[-1].files
        tasks = {
            task["task_id"]: task for task in map(json.loads, files["tasks.jsonl"].splitlines())
        }
        return {"tasks": [_label_task(tasks[item["task"]]) for item in values["tasks"]]}


def say_nothing(values: Values) -> Answer:
    """Return that no passage says anything of its cases, as a passage on what a business does."""
    cases = [case["id"] for item in values["passages"] for case in item["cases"]]
    nothing = {"why": "It names no rule.", "result": "", "excluded": []}
    return {"cases": [{"case": name, **nothing} for name in cases]}


def read_rightly(values: Values) -> Answer:
    """Return the statement that the one reworded line makes."""
    said = [
        {
            "id": item["id"],
            "differs": "",
            "says": next(
                known["id"]
                for known in item["statements"]
                if known["text"].startswith(PREVAILS) and "this section prevails" in known["text"]
            ),
        }
        for item in values["sentences"]
    ]
    return {"sentences": said}


def _find_unique_end(document: str) -> str:
    """Return the shortest last lines of a document that stand in it once."""
    lines = document.splitlines(keepends=True)
    ends = ("".join(lines[-count:]) for count in range(1, len(lines) + 1))
    return next(end for end in ends if end.strip() and document.count(end) == 1)


def _label_task(task: Mapping[str, Any]) -> Answer:
    outcomes = [{"name": name, "value": value} for name, value in task["outcomes"].items()]
    return {"task": task["task_id"], "steps": [], "outcomes": outcomes, "unclear": []}


def _list_texts(body: Mapping[str, Any]) -> Iterable[str]:
    for part in (body["system"], body["messages"][0]["content"]):
        yield from [part] if isinstance(part, str) else [block["text"] for block in part]
