"""What models replied in attempts that are not over: a run that was killed pays for none again."""

from __future__ import annotations

import json
from collections.abc import Container
from pathlib import Path

from sopforge.errors import Fault, MaterialError
from sopforge.evaluation.runs.rows import append_line, drop_torn_line

REPLIES = "replies.jsonl"


class Replies:
    """Replies by attempt and turn, in a file that grows with each."""

    def __init__(self, folder: Path, over: Container[str]) -> None:
        """Read what was replied in the attempts of a folder but those that are ``over``.

        Raises:
            MaterialError: a line is none of ours.
        """
        self.file = folder / REPLIES
        drop_torn_line(self.file)
        self.kept: dict[tuple[str, int, str], str] = {}
        if not self.file.exists():
            return
        with self.file.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                try:
                    record = json.loads(line)
                    asked = record["key"], record["turn"], record["asked"]
                    if asked[0] not in over:
                        self.kept[asked] = json.dumps(record["output"])
                except (ValueError, KeyError, TypeError) as cause:
                    raise MaterialError(_make_fault(f"{self.file}, line {number}")) from cause

    def find(self, key: str, turn: int, asked: str) -> str | None:
        """Return the reply to what was asked at a turn of an attempt, as JSON."""
        return self.kept.get((key, turn, asked))

    def add(self, key: str, turn: int, asked: str, output: str) -> None:
        """Append a reply, which is JSON."""
        head = json.dumps({"key": key, "turn": turn, "asked": asked})
        append_line(self.file, f'{head.removesuffix("}")}, "output": {output}}}')


def _make_fault(where: str) -> Fault:
    hint = "name another folder, or restore the file; without it, you pay for these replies again"
    return Fault("run-reply-malformed", "the file is not a reply of a model", where, hint)
