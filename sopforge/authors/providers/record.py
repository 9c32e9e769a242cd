"""The record of answers: each kept under the content of its question, so that none is paid twice.

What decides the answer is in the key; keys, addresses, timeouts and retries are not.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from typing import Any

from sopforge.authors.providers.completion import Block, Completion, Request, StopReason, Usage
from sopforge.authors.providers.structured_answers import assess_completion
from sopforge.errors import Fault, ProviderError, StoreError
from sopforge.store.digests import digest_value, is_as_written, with_digest
from sopforge.store.objects import Objects, make_damage_error, read_text

FORMAT = 2
# Counted up where the same question would no longer be put to a model in the same words.
KEY_VERSION = 1
MOST_DIFFERENCES = 5


@dataclass(frozen=True, slots=True)
class Question:
    """A request and the form of the API that it is put in: what an answer is kept under."""

    family: str
    request: Request

    @property
    def content(self) -> dict[str, Any]:
        """The question as JSON; what caches repeat is left out, for it changes no answer."""
        request = self.request
        return {
            "key_version": KEY_VERSION,
            "family": self.family,
            "model": request.model,
            "system": _list_texts(request.system),
            "messages": [
                {"role": message.role, "texts": _list_texts(message.blocks)}
                for message in request.messages
            ],
            "schema": request.schema,
            "max_tokens": request.max_tokens,
            "effort": request.effort,
            "replicate": request.replicate,
        }

    @property
    def key(self) -> str:
        """The SHA-256 of the content."""
        return digest_value(self.content)


class CompletionRecord:
    """Answers below a prefix; with ``is_replay_only`` a question without one is an error."""

    def __init__(self, objects: Objects, prefix: str = "", *, is_replay_only: bool = False) -> None:
        self._objects = objects
        self._prefix = prefix
        self.is_replay_only = is_replay_only

    def lock_question(self, key: str) -> AbstractContextManager[None]:
        """Let one worker at a time, of any process, ask the question of this key."""
        # However long: an answer may take half an hour, and whoever gave up would pay for another.
        return self._objects.hold_lock(self._name_entry(key), wait=math.inf)

    def is_question_open(self, key: str) -> bool:
        """Return whether somebody alive asks a question now, or waits for whoever does."""
        return self._objects.is_locked(self._name_entry(key))

    def find(self, question: Question) -> Completion | None:
        """Return the answer on record, refused and truncated ones included, or nothing.

        Raises:
            ProviderError: there is none, and only those on record are wanted.
            StoreError: the entry is damaged.
        """
        name = self._name_entry(question.key)
        if self._objects.read(name) is not None:
            return self._read_completion(name)
        if self.is_replay_only:
            raise ProviderError(self._make_missing_fault(question))
        return None

    def find_faults(self) -> list[Fault]:
        """Return what is wrong with the entries, one by one."""
        found = list[Fault]()
        for name in self._objects.list_names(self._prefix):
            try:
                self._read_completion(name)
            except StoreError as refused:
                found += refused.faults
        return found

    def keep(
        self, question: Question, completion: Completion, origin: Mapping[str, object]
    ) -> None:
        """Write an answer; ``origin`` says how it was made: call, stage, template, model."""
        answer = asdict(completion)
        del answer["value"]  # It is read from the text.
        entry = {
            "format": FORMAT,
            "key": question.key,
            "outcome": assess_completion(question.request, completion),
            "origin": origin,
            "question": question.content,
            "completion": answer,
        }
        text = json.dumps(with_digest(entry), indent=1, ensure_ascii=False) + "\n"
        # In the place of any: whoever paid for the same at once must not fail with the answer in
        # hand.
        self._objects.replace(self._name_entry(question.key), text.encode())

    def _name_entry(self, key: str) -> str:
        return f"{self._prefix}{key[:2]}/{key}.json"

    def _make_missing_fault(self, question: Question) -> Fault:
        wanted = dict(_iterate_leaves(question.content, ""))
        names = self._objects.list_names(self._prefix)
        near = [
            (_find_differing_paths(wanted, self._read_question(name)), _parse_key(name))
            for name in names
        ]
        message = f"no answer to question {question.key[:12]} is recorded"
        if near:
            fields, key = min(near, key=lambda item: (len(item[0]), item[1]))
            more = len(fields) - MOST_DIFFERENCES
            shown = ", ".join(fields[:MOST_DIFFERENCES]) + (f" and {more} more" if more > 0 else "")
            message += f"; the nearest, {key[:12]}, differs in {shown}"
        hint = (
            "run once without replay-only, so that the model answers; or restore the record"
            " from a copy"
        )
        return Fault(
            "completion-not-recorded", message, f"{self._objects.place}/{self._prefix}", hint
        )

    def _read_question(self, name: str) -> dict[str, object]:
        return dict(_iterate_leaves(self._read_entry(name).get("question"), ""))

    def _read_completion(self, name: str) -> Completion:
        entry = self._read_entry(name)
        try:
            found = dict(entry["completion"])
            usage = None if found["usage"] is None else Usage(**found.pop("usage"))
            return Completion(**{**found, "usage": usage, "stop": StopReason(found["stop"])})
        except (KeyError, TypeError, ValueError) as cause:
            raise self._make_damaged_error(
                name, f"the entry has another content than SOPForge wrote: {cause}"
            ) from cause

    def _read_entry(self, name: str) -> dict[str, Any]:
        try:
            entry = json.loads(read_text(self._objects, name))
        except ValueError as cause:
            raise self._make_damaged_error(name, str(cause)) from cause
        if not isinstance(entry, dict) or entry.get("format") != FORMAT:
            raise self._make_damaged_error(name, f"it is not an entry of format {FORMAT}")
        if not is_as_written(entry) or entry.get("key") != _parse_key(name):
            raise self._make_damaged_error(
                name, "the entry was changed after it was written, or moved"
            )
        return entry

    def _make_damaged_error(self, name: str, message: str) -> StoreError:
        hint = "restore the entry; or delete it, so that the question is asked again"
        return make_damage_error(self._objects, name, message, hint)


def _list_texts(blocks: Sequence[Block]) -> list[str]:
    return [block.text for block in blocks]


def _iterate_leaves(value: Any, path: str) -> Iterator[tuple[str, object]]:  # noqa: ANN401 - JSON
    """Yield each value in a JSON value with its path, as in ``messages[0].texts[1]``."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _iterate_leaves(part, f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from _iterate_leaves(part, f"{path}[{index}]")
    else:
        yield path, value


def _find_differing_paths(wanted: Mapping[str, object], found: Mapping[str, object]) -> list[str]:
    missing = object()
    paths = dict.fromkeys([*wanted, *found])
    return [path for path in paths if wanted.get(path, missing) != found.get(path, missing)]


def _parse_key(name: str) -> str:
    return name.rpartition("/")[2].removesuffix(".json")
