"""What an attempt did to tables, and what nobody may say of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from sopforge.harness.environment.events import TOOL_FAULT, UNKNOWN_TOOL, Called
from sopforge.language.domain.fields import Role
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.tasks import Changes
from sopforge.language.domain.values.types import TextType
from sopforge.proof.dataset.trials.table_answers import TableAnswers
from sopforge.sandbox.answers import as_text
from sopforge.session.score import make_plain


@dataclass(frozen=True)
class SessionJudge:
    """Judges sessions of one package: its model in the terms of its tools, and its tables."""

    model: DomainModel
    answers: TableAnswers

    def compute_end_state(self, called: Sequence[Called]) -> Changes:
        """Return what the tables hold after the calls that an agent made.

        The model answers them anew: what it says is proved to be what the tools say.
        """
        state = self.answers.begin()
        for event in called:
            tool = self.model.tools.get(event.tool)
            if tool is not None and event.reply.refusal not in {UNKNOWN_TOOL, TOOL_FAULT}:
                # Numbers as tools are given them, and not as exact decimals.
                given = json.loads(as_text(dict(event.arguments)))
                _, state = self.answers.answer(tool, given, state)
        return self.answers.describe_changes(state)

    @cached_property
    def plain_secrets(self) -> frozenset[str]:
        """All secrets as they are looked for in texts."""
        return frozenset(map(make_plain, self.secrets))

    @cached_property
    def secrets(self) -> frozenset[str]:
        """All secret texts of all records; a label or a number is said for other reasons too."""
        names = {
            item.name
            for item in self.model.fields.values()
            if item.role is Role.SECRET and isinstance(item.type, TextType)
        }
        return frozenset(
            str(value)
            for records in self.answers.records.values()
            for record in records.values()
            for name, value in record.items()
            if name in names and value is not None
        )
