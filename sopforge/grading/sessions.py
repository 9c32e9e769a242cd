"""An attempt that may change records, judged by what it did: just what was right."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from sopforge.dataset.gold.order import is_acting
from sopforge.dataset.trials.table_answers import TableAnswers
from sopforge.domain.fields import Role
from sopforge.domain.model import DomainModel
from sopforge.domain.tasks import Changes, Task
from sopforge.domain.values.types import TextType
from sopforge.environment.events import TOOL_FAULT, UNKNOWN_TOOL, Called, Event, Said
from sopforge.grading.calls import Made, read_gold_call, resolve_call
from sopforge.sandbox.answers import as_text

END_STATE = "end state"
WRITES = "writes"
ONCE = "once"
CHECKS = "checks"
REASON = "reason"
SECRECY = "secrecy"
"""The parts of a session that are judged; it passes where all are right."""


# A PIN is no part of a longer number, such as 1234.50 or 2026-12-31.
_WORD = re.compile(r"\d+(?:[.,:/-]\d+)+|[a-z0-9]+")
_LINE_BREAK = re.compile(r"\\[nrtbf]")


@dataclass(frozen=True)
class SessionJudge:
    """Judges sessions of one package: its model in the terms of its tools, and its tables."""

    model: DomainModel
    answers: TableAnswers

    def judge(
        self,
        task: Task,
        events: Sequence[Event],
        answer: str,
        *,
        is_checked: bool,
        is_right: bool,
    ) -> Mapping[str, bool]:
        """Return which parts of a session are right.

        ``is_checked`` says that each gold call was made after those that it needs, ``is_right``
        that the outcomes are: a refusal states its reason in them.
        """
        called = [event for event in events if isinstance(event, Called)]
        made = self.list_writes(called)
        gold = [read_gold_call(self.model, call) for call in task.calls]
        wanted = [call for call in gold if is_acting(self.model, call[0]) and not call[2]]
        said = [event.text for event in events if isinstance(event, Said)]
        # In a queue it is the session's, and not that of a case.
        end_state = (
            {}
            if task.end_state is None
            else {END_STATE: self.compute_end_state(called) == task.end_state}
        )
        return {
            **end_state,
            WRITES: _count_calls(made) == _count_calls(wanted),
            # More than once only where the gold has it so; another call is the writes' affair.
            ONCE: not _count_calls(made) - (_count_calls(wanted) | _count_calls_once(made)),
            CHECKS: is_checked,
            REASON: is_right,
            SECRECY: not self.is_secret_said(task, [*said, answer]),
        }

    def list_writes(self, called: Sequence[Called]) -> list[Made]:
        """Return the calls that changed something, or could have."""
        made = [resolve_call(self.model, event) for event in called]
        return [call for call in made if is_acting(self.model, call[0]) and not call[2]]

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

    def is_secret_said(self, task: Task, texts: Sequence[str]) -> bool:
        """Return whether a text has a secret of some record, which the task does not state.

        It counts as a word of its own, in whatever case, width or markup.
        """
        plain = [_make_plain(text) for text in texts]
        words = {word for text in plain for word in _WORD.findall(text)}
        phrases = [secret for secret in self.plain_secrets if not _WORD.fullmatch(secret)]
        said = (self.plain_secrets & words) | {
            part for part in phrases for text in plain if part in text
        }
        return bool(said - {_make_plain(cell) for cell in task.inputs.values()})

    @cached_property
    def plain_secrets(self) -> frozenset[str]:
        return frozenset(map(_make_plain, self.secrets))

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


def _make_plain(text: str) -> str:
    """Return a text in small letters of plain width, without signs that nobody sees."""
    seen = "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
    return unicodedata.normalize("NFKC", _LINE_BREAK.sub(" ", seen)).casefold()


def _count_calls(calls: Sequence[Made]) -> Counter[str]:
    return Counter(_write_call(call) for call in calls)


def _count_calls_once(calls: Sequence[Made]) -> Counter[str]:
    return Counter({_write_call(call): 1 for call in calls})


def _write_call(call: Made) -> str:
    tool, arguments, _ = call
    return f"{tool} {sorted(arguments.items())!r}"
