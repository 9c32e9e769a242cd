"""The folder of a run: a flat row for each attempt, and apart from it what was said and called.

A row is appended once the log of its attempt is there: an attempt without a row never was. What a
kill tore is dropped when the folder is opened again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import Field, asdict, dataclass, fields
from decimal import Decimal
from hashlib import sha256
from math import isfinite
from pathlib import Path
from typing import Any, Self

from filelock import FileLock, Timeout
from pydantic import TypeAdapter

from sopforge.authors.providers.totals import CutOff
from sopforge.errors import Fault, MaterialError, describe_system_error
from sopforge.harness.environment.events import Called, Event, Reply, Said, read_event, write_log
from sopforge.harness.grading.grades import Attempt, Grade, Stop
from sopforge.seeds import make_stream
from sopforge.session.environment import replace_surrogates
from sopforge.store.places import S3

ROWS, LOGS, PACKAGES, LOCK = "rows.jsonl", "logs.jsonl", "packages.json", "run.lock"
ASKED = "asked.jsonl"
_HEAD = '{"key": "'
"""How a line of a log begins."""
SEEDS = 2**31
"""How many seeds there are to draw from."""


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

    @property
    def session_seed(self) -> int:
        """The seed of its session: that of the run, in later epochs one drawn by it."""
        if not self.epoch:
            return self.seed
        return make_stream(self.seed, "epoch", self.epoch).draw_below(SEEDS, 0)


@dataclass(frozen=True, slots=True)
class Spent:
    """What an attempt took of a model: turns and tokens, and in US dollars what they cost.

    ``cost`` is None where no model was asked, or a price is not known. It leaves out the calls that
    were ``cut_off``, or whose tokens the provider did not count: these cost at most
    ``cut_off_most``, but for those whose price is not known.
    """

    turns: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None
    cut_off: int = 0
    cut_off_most: float = 0.0
    cut_off_unpriced: int = 0

    def describe_cut_off(self) -> str:
        """Return in words what may have been billed beside the cost, nothing where nothing was."""
        most = Decimal(str(self.cut_off_most))
        return CutOff(self.cut_off, most, self.cut_off_unpriced).describe("call")


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
        asked = _ASKED.validate_json(_write_fields(fields(Asked), record), strict=True)
        spent = _SPENT.validate_json(_write_fields(fields(Spent), record), strict=True)
        grade = _GRADE.validate_json(_write_fields(fields(Grade), record), strict=True)
        stop, says, seconds = record["stop"], record["says"], record["seconds"]
        if not (isinstance(stop, str) and isinstance(says, str) and isfinite(seconds)):
            raise TypeError("how it ended is said in texts, and took seconds")
        return cls(asked, stop, says, seconds, grade, spent)


def sum_spent(rows: Iterable[Row]) -> Spent:
    """Return what attempts took together; the cost is None where no price is known at all."""
    spent = [row.spent for row in rows]
    known = [item.cost for item in spent if item.cost is not None]
    return Spent(
        turns=sum(item.turns for item in spent),
        tokens_in=sum(item.tokens_in for item in spent),
        tokens_out=sum(item.tokens_out for item in spent),
        cost=sum(known) if known else None,
        cut_off=sum(item.cut_off for item in spent),
        cut_off_most=sum(item.cut_off_most for item in spent),
        cut_off_unpriced=sum(item.cut_off_unpriced for item in spent),
    )


def _write_fields(known: Iterable[Field[Any]], record: Mapping[str, Any]) -> str:
    """Return what a record has of some fields; older ones lack those that have a default."""
    found = {item.name: record[item.name] for item in known if item.name in record}
    # Half of a character, which rows of earlier runs have, is no JSON to a strict reader.
    return replace_surrogates(json.dumps(found, ensure_ascii=False))


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number of a row")


_ASKED, _SPENT, _GRADE = TypeAdapter(Asked), TypeAdapter(Spent), TypeAdapter(Grade)


def name_place(name: str, store: str) -> tuple[str, str]:
    """Return how a package is found from any working directory: its name, and the store."""
    folder = Path(name)
    place = store if store.startswith(S3) else str(Path(store).absolute())
    return (str(folder.absolute()) if folder.exists() else name), place


@dataclass(frozen=True, slots=True)
class Attempted:
    """What was said and called in an attempt, and its final text, None if there was none."""

    events: tuple[Event, ...]
    answer: str | None


class RunFolder:
    """Rows and logs of attempts, in a folder that may have some already."""

    def __init__(self, folder: Path, *, is_read: bool = False) -> None:
        """Open a folder, which is made if there is none; one that ``is_read`` stays as it is.

        Raises:
            MaterialError: it cannot be made, or what is in it is none of ours.
        """
        self.folder = folder
        try:
            if not is_read:
                folder.mkdir(parents=True, exist_ok=True)
                for name in (ROWS, LOGS, ASKED):
                    drop_torn_line(folder / name)
        except OSError as cause:
            message, hint = describe_system_error(cause, "folder")
            raise MaterialError(Fault("run-folder-unusable", message, str(folder), hint)) from cause
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
            message, hint = (
                "another command is writing to it",
                "wait until it ends, or name another folder",
            )
            fault = Fault("run-folder-in-use", message, str(self.folder), hint)
            raise MaterialError(fault) from cause

    def has(self, asked: Asked) -> bool:
        """Return whether an attempt is over already; one that a provider broke off is not."""
        return asked.key in self.rows and self.rows[asked.key].stop != Stop.PROVIDER

    def add(self, row: Row, attempt: Attempt) -> None:
        """Append the log of an attempt, then its row."""
        head = {"key": row.asked.key, "answer": attempt.answer}
        append_line(self.folder / LOGS, write_log(head, attempt.events))
        append_line(self.folder / ROWS, json.dumps(row.as_record(), ensure_ascii=False))
        self.rows[row.asked.key] = row

    def note_asked(self, asked: Iterable[Asked]) -> None:
        """Note which attempts are asked for: without a row, they are yet to be made."""
        known = {item.key for item in read_asked(self.folder)}
        lines = [json.dumps(asdict(item)) for item in asked if item.key not in known]
        if lines:
            append_line(self.folder / ASKED, "\n".join(lines))

    def note_package(self, digest: str, named: str, store: str, mapping: str = "") -> None:
        """Note by what name a package of the rows was found, in which store, with what mapping."""
        noted = {**read_noted_packages(self.folder), digest: NotedPackage(named, store, mapping)}
        text = json.dumps({key: asdict(item) for key, item in noted.items()}, indent=2)
        fresh = self.folder / f"{PACKAGES}.new"
        fresh.write_text(f"{text}\n", encoding="utf-8")
        fresh.replace(self.folder / PACKAGES)

    def _iterate_rows(self) -> Iterator[Row]:
        file = self.folder / ROWS
        if not file.is_file():
            return
        with file.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if not line.endswith(b"\n"):
                    # Torn by a kill, or being written.
                    return
                try:
                    yield Row.from_record(json.loads(line.decode(), parse_constant=_refuse))
                except (ValueError, KeyError, TypeError, RecursionError) as cause:
                    where = f"{file}, line {number}"
                    hint = "name another folder, or restore the file"
                    fault = Fault(
                        "run-row-malformed", "the line is not a row of a run", where, hint
                    )
                    raise MaterialError(fault) from cause


def read_asked(folder: Path) -> list[Asked]:
    """Return the attempts that were asked for, as far as a run noted them."""
    file = folder / ASKED
    if not file.is_file():
        return []
    found = []
    for line in file.read_bytes().splitlines():
        # A line that is torn or no attempt says nothing.
        with suppress(ValueError, RecursionError):
            found.append(_ASKED.validate_json(line, strict=True))
    return found


@dataclass(frozen=True, slots=True)
class NotedPackage:
    """By what name a package was asked for, the store it was looked for in, and its mapping."""

    named: str
    store: str
    mapping: str = ""

    def is_reached_by(self, store: str) -> bool:
        """Return whether the package is found on this machine, or in a store that the user names.

        No other address is gone to: whoever wrote the folder of a run would see who reads it, and
        get requests that are signed with the reader's key.
        """
        if self.named.startswith(S3):
            return store.startswith(S3) and f"{self.named}/".startswith(f"{store.rstrip('/')}/")
        return not self.store.startswith(S3) or self.store == store


def read_noted_packages(folder: Path) -> dict[str, NotedPackage]:
    """Return the packages that a run noted, by their digests; none of a file that is damaged."""
    try:
        found = json.loads((folder / PACKAGES).read_text(encoding="utf-8"))
        noted = {digest: NotedPackage(**item) for digest, item in found.items()}
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return {}
    texts = [text for item in noted.values() for text in (item.named, item.store, item.mapping)]
    return noted if all(isinstance(text, str) for text in texts) else {}


def iterate_logs(folder: Path, keys: Container[str]) -> Iterator[tuple[str, Attempted]]:
    """Return the logs of some attempts, by their keys; what is no whole log is passed over."""
    file = folder / LOGS
    if not file.is_file():
        return
    with file.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            # The key comes first, and a long log is not read for it.
            key = line[len(_HEAD) :].partition('"')[0]
            if line.startswith(_HEAD) and key in keys:
                with suppress(ValueError, KeyError, TypeError, ArithmeticError, RecursionError):
                    yield key, _read_log(json.loads(line, parse_float=Decimal))


def _read_log(log: Mapping[str, Any]) -> Attempted:
    events, answer = tuple(map(read_event, log["events"])), log["answer"]
    called = [event for event in events if isinstance(event, Called)]
    said = [event for event in events if isinstance(event, Said)]
    texts = [text for event in said for text in (event.text, event.reply)]
    texts += [text for event in called for text in (event.tool, *_list_words(event.reply))]
    if not all(isinstance(text, str) for text in (*texts, answer or "")):
        raise TypeError("what is said, and how it is refused, is text")
    if not all(isinstance(event.arguments, dict) for event in called):
        raise TypeError("arguments have names")
    return Attempted(events, answer)


def _list_words(reply: Reply) -> tuple[str, str]:
    return reply.refusal, reply.message


def append_line(file: Path, line: str) -> None:
    """Append a line to a file."""
    # In one write, so that what another process appends stands before or after it.
    with file.open("ab", buffering=0) as found:
        # Half of a pair of characters becomes its escape, which JSON reads as the same again.
        found.write(line.encode("utf-8", "backslashreplace") + b"\n")


def drop_torn_line(file: Path) -> None:
    """Cut off what follows the last line end: a kill left it."""
    if not file.exists():
        return
    data = file.read_bytes()
    whole = data.rfind(b"\n") + 1
    if whole < len(data):
        os.truncate(file, whole)
