"""The record of answers: each kept under the content of its question, so that none is paid twice.

What decides the answer is in the key; keys, addresses, timeouts and retries are not.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock

from sopforge.errors import Fault, ProviderError, StoreError
from sopforge.providers.completion import Block, Completion, Request, StopReason, Usage
from sopforge.providers.structured import outcome_of
from sopforge.store.digests import digest_of
from sopforge.store.files import read_text, replace_file

FORMAT = 1
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
            "system": _texts(request.system),
            "messages": [
                {"role": message.role, "texts": _texts(message.blocks)}
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
        return digest_of(self.content)


class CompletionRecord:
    """A folder of answers; with ``is_replay_only`` a question without an answer is an error."""

    def __init__(self, folder: Path, *, is_replay_only: bool = False) -> None:
        self._folder = folder
        self._is_replay_only = is_replay_only

    @contextmanager
    def held(self, key: str) -> Iterator[None]:
        """Let one worker at a time, of any process, ask the question of this key."""
        locks = self._folder / ".locks"
        locks.mkdir(parents=True, exist_ok=True)
        with FileLock(locks / f"{key}.lock"):
            yield

    def find(self, question: Question) -> Completion | None:
        """Return the answer on record, refused and truncated ones included, or nothing.

        Raises:
            ProviderError: there is none, and only those on record are wanted.
            StoreError: the entry is damaged.
        """
        path = self._path(question.key)
        if path.exists():
            return _read_completion(path)
        if self._is_replay_only:
            raise ProviderError(self._missing(question))
        return None

    def keep(self, question: Question, completion: Completion, told: Mapping[str, object]) -> None:
        """Write an answer; ``told`` says about its making what is no part of the key."""
        answer = asdict(completion)
        del answer["value"]  # It is read from the text.
        entry = {
            "format": FORMAT,
            "outcome": outcome_of(question.request, completion),
            "told": told,
            "question": question.content,
            "completion": answer,
        }
        text = json.dumps(entry, indent=1, ensure_ascii=False) + "\n"
        replace_file(self._path(question.key), text)

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"

    def _missing(self, question: Question) -> Fault:
        wanted = dict(_leaves(question.content, ""))
        entries = sorted(self._folder.glob("[0-9a-f][0-9a-f]/*.json"))
        near = [(_differing(wanted, _question_of(path)), path.stem) for path in entries]
        message = f"no answer to question {question.key[:12]} is on record"
        if near:
            fields, key = min(near, key=lambda item: (len(item[0]), item[1]))
            more = len(fields) - MOST_DIFFERENCES
            shown = ", ".join(fields[:MOST_DIFFERENCES]) + (f" and {more} more" if more > 0 else "")
            message += f"; the nearest, {key[:12]}, differs in {shown}"
        hint = "run once without replay-only, which asks the model, or restore the record"
        return Fault("completion-not-recorded", message, str(self._folder), hint)


def _texts(blocks: Sequence[Block]) -> list[str]:
    return [block.text for block in blocks]


def _leaves(value: Any, path: str) -> Iterator[tuple[str, object]]:  # noqa: ANN401 - JSON
    """Yield each value in a JSON value with its path, as in ``messages[0].texts[1]``."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _leaves(part, f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from _leaves(part, f"{path}[{index}]")
    else:
        yield path, value


def _differing(wanted: Mapping[str, object], found: Mapping[str, object]) -> list[str]:
    missing = object()
    paths = dict.fromkeys([*wanted, *found])
    return [path for path in paths if wanted.get(path, missing) != found.get(path, missing)]


def _question_of(path: Path) -> dict[str, object]:
    return dict(_leaves(_read_entry(path).get("question"), ""))


def _read_completion(path: Path) -> Completion:
    entry = _read_entry(path)
    try:
        found = dict(entry["completion"])
        usage = None if found["usage"] is None else Usage(**found.pop("usage"))
        return Completion(**{**found, "usage": usage, "stop": StopReason(found["stop"])})
    except (KeyError, TypeError, ValueError) as cause:
        raise _damaged(path, f"it is not what was written: {cause}") from cause


def _read_entry(path: Path) -> dict[str, Any]:
    try:
        entry = json.loads(read_text(path))
    except ValueError as cause:
        raise _damaged(path, str(cause)) from cause
    if not isinstance(entry, dict) or entry.get("format") != FORMAT:
        raise _damaged(path, f"it is no entry of format {FORMAT}")
    return entry


def _damaged(path: Path, message: str) -> StoreError:
    hint = "restore the entry, or delete it, and the question will be asked anew"
    return StoreError(Fault("store-damaged", message, str(path), hint))
