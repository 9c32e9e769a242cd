"""The folder of a run: a flat row for each attempt, and apart from it what was said and called.

A row is appended once the log of its attempt is there: an attempt without a row never was. What a
kill tore is dropped when the folder is opened again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from filelock import FileLock, Timeout

from sopforge.environment.events import write_events
from sopforge.errors import Fault, MaterialError
from sopforge.evaluation.grading.grades import Attempt, Divergence, Grade, Stop

ROWS, LOGS, LOCK = "rows.jsonl", "logs.jsonl", "run.lock"


@dataclass(frozen=True, slots=True)
class Asked:
    """What makes an attempt another one than all others: its row is known by a digest of these.

    ``settings`` are all that decides what an agent does beside its name.
    """

    package: str
    digest: str
    task: str
    agent: str
    seed: int
    epoch: int = 0
    settings: str = ""

    @property
    def key(self) -> str:
        """A digest of all of it but the package's name, which a copy may change."""
        parts = {**asdict(self), "package": ""}
        return sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Spent:
    """What an attempt took of a model: turns and tokens, and in US dollars what they cost.

    ``cost`` is None where no model was asked, or a price is not known.
    """

    turns: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None


NOTHING_SPENT = Spent()


@dataclass(frozen=True, slots=True)
class Row:
    """One attempt: what was asked for, how it ended, its grade, and what it took."""

    asked: Asked
    stop: str
    says: str
    seconds: float
    grade: Grade
    spent: Spent = NOTHING_SPENT

    def as_record(self) -> dict[str, object]:
        """Return it as flat JSON; the path is the names of its steps."""
        return {
            "key": self.asked.key,
            **asdict(self.asked),
            "stop": self.stop,
            "says": self.says,
            "seconds": round(self.seconds, 4),
            **asdict(self.spent),
            **asdict(self.grade),
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        """Return the row of a record that ``as_record`` made."""
        grade = {field.name: record[field.name] for field in fields(Grade)}
        grade |= {"divergence": Divergence(grade["divergence"]), "path": tuple(grade["path"])}
        asked = Asked(**{field.name: record[field.name] for field in fields(Asked)})
        spent = Spent(**{item.name: record[item.name] for item in fields(Spent)})
        return cls(asked, record["stop"], record["says"], record["seconds"], Grade(**grade), spent)


def sum_spent(rows: Iterable[Row]) -> Spent:
    """Return what attempts took together; the cost is None where no price is known at all."""
    spent = [row.spent for row in rows]
    known = [item.cost for item in spent if item.cost is not None]
    return Spent(
        turns=sum(item.turns for item in spent),
        tokens_in=sum(item.tokens_in for item in spent),
        tokens_out=sum(item.tokens_out for item in spent),
        cost=sum(known) if known else None,
    )


class RunFolder:
    """Rows and logs of attempts, in a folder that may have some already."""

    def __init__(self, folder: Path) -> None:
        """Open a folder, which is made if there is none.

        Raises:
            MaterialError: it cannot be made, or what is in it is none of ours.
        """
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for name in (ROWS, LOGS):
                drop_torn_line(folder / name)
        except OSError as cause:
            fault = Fault(
                "run-folder-unusable",
                f"it cannot be used: {cause.strerror}",
                str(folder),
                "name another folder",
            )
            raise MaterialError(fault) from cause
        self.rows = {row.asked.key: row for row in self._iterate_rows()}

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Keep others from adding to the folder meanwhile: both would make the same attempts.

        Raises:
            MaterialError: somebody else adds to it.
        """
        try:
            with FileLock(self.folder / LOCK, timeout=0):
                yield
        except Timeout as cause:
            message, hint = "another command adds to it", "wait for it, or name another folder"
            fault = Fault("run-folder-in-use", message, str(self.folder), hint)
            raise MaterialError(fault) from cause

    def has(self, asked: Asked) -> bool:
        """Return whether an attempt is over already; one that a provider broke off is not."""
        return asked.key in self.rows and self.rows[asked.key].stop != Stop.PROVIDER

    def add(self, row: Row, attempt: Attempt) -> None:
        """Append the log of an attempt, then its row."""
        head = json.dumps({"key": row.asked.key, "answer": attempt.answer}, ensure_ascii=False)
        # The events as they are written: read as JSON, numbers would lose their places.
        log = f'{head.removesuffix("}")}, "events": {write_events(attempt.events)}}}'
        append_line(self.folder / LOGS, log)
        append_line(self.folder / ROWS, json.dumps(row.as_record(), ensure_ascii=False))
        self.rows[row.asked.key] = row

    def _iterate_rows(self) -> Iterator[Row]:
        file = self.folder / ROWS
        if not file.exists():
            return
        with file.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                try:
                    yield Row.from_record(json.loads(line))
                except (ValueError, KeyError, TypeError) as cause:
                    where = f"{file}, line {number}"
                    hint = "name another folder, or restore the file"
                    fault = Fault("run-row-malformed", "it is no row of a run", where, hint)
                    raise MaterialError(fault) from cause


def append_line(file: Path, line: str) -> None:
    """Append a line to a file."""
    # In one write, so that what another process appends stands before or after it.
    with file.open("ab", buffering=0) as found:
        found.write(line.encode() + b"\n")


def drop_torn_line(file: Path) -> None:
    """Cut off what follows the last line end: a kill left it."""
    if not file.exists():
        return
    data = file.read_bytes()
    whole = data.rfind(b"\n") + 1
    if whole < len(data):
        os.truncate(file, whole)
