"""A brief in prose that two played readers understand otherwise, and who is asked about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import yaml

from sopforge.authors.writers.model_author import ModelAuthor
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.pipeline.briefs.brief_files import keep_brief, load_latest_brief
from sopforge.pipeline.stages.pipeline import Progress, advance
from sopforge.store.opening import open_store
from sopforge.store.versions import Store, Version
from tests.unit.authors.test_model_author import (
    AROUND,
    MODEL_TEXT,
    PLAYERS,
    Answer,
    Played,
    Player,
    written,
)
from tests.unit.authors.test_second_reading import SECOND, aligned

RIGHT, WRONG = "kind != 'Film'", "kind != 'Film' and kind != 'Reference'"
"""What is said of films, and what the first reader has made of it."""
MISREAD = MODEL_TEXT.replace(RIGHT, WRONG)
CLEAR = SECOND.replace("value: 4", "value: 3")
CITED = [
    {
        "says": "Up to 3 days late it is tolerated, unless a film was lent",
        "items": ["policy.free", "decisions.judgement.B"],
    }
]


@dataclass
class Questioned:
    """A store, and the readers of its one domain; ``edits`` is what the first one is asked for."""

    store: Store
    change: tuple[str, str] = (WRONG, RIGHT)
    edits: list[list[str]] = field(default_factory=list)
    judge: Player = lambda _: {"cases": []}
    model: str = MISREAD
    reading: str = CLEAR
    first: Played = field(init=False)
    second: Played = field(init=False)

    def __post_init__(self) -> None:
        players = {**PLAYERS, "domain_model": written(self.model), "edit_document": self.edit}
        self.first = Played({**players, "repair_findings": lambda values: values})
        read = {"model": self.reading, "sources": CITED}
        readers = {"second_reading": lambda _: read, "align_readings": aligned}
        self.second = Played({**readers, "clause_judge": self.judge})

    def edit(self, values: Mapping[str, Any]) -> Answer:
        """Change what the remarks ask for, as the first reader does."""
        self.edits.append([item["text"] for item in values["remarks"]])
        return {"document": values["document"].replace(*self.change)}

    def advance(self) -> Progress:
        """Take the newest brief as far as it comes."""
        brief = load_latest_brief(self.store.get_domain("fees"))
        author = replace(ModelAuthor(brief.parts.writer, self.first), second=self.second)
        return advance(self.store, brief, author=author)

    @property
    def calls(self) -> int:
        """How often the readers have been asked anything."""
        return len(self.first.asked) + len(self.second.asked)

    @property
    def newest(self) -> Version:
        """The newest version of the schema."""
        return self.store.get_domain("fees").list_versions("schema")[-1]

    @property
    def brief(self) -> Brief:
        """The brief as it is kept now."""
        return load_latest_brief(self.store.get_domain("fees"))


def ask_two_readers(folder: Path, **changes: object) -> Questioned:
    """Return a store in which the schema waits, with a question about films and other items."""
    return ask_readers(Questioned(open_store(folder)), **changes)


def ask_readers(found: Questioned, **changes: object) -> Questioned:
    """Let readers write a schema, which waits with their questions."""
    author = {"name": "anthropic", "model": "played", "rounds": 2, "readers": 2}
    brief = read_brief(yaml.safe_dump({**AROUND, "author": author, **changes}), "fees.yaml")
    keep_brief(found.store, brief)
    found.advance()
    return found
