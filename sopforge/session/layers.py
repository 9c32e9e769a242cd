"""What stands around the sessions of this benchmark domain: faults, queues, handbooks and more.

``environment.py`` beside this file reads it, and ``layers/layers.jsonl``, which has one layer on a
line, the innermost first. Each answers calls by itself or hands them on to what is inside of it. It
needs Python's standard library alone, and holds nothing of what is right.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal, InvalidOperation
from hashlib import sha256
from math import isqrt
from typing import Any, NamedTuple


class Reply(NamedTuple):
    """What a call is answered: a result, or a refusal's code with its words."""

    result: Any = None
    refusal: str = ""
    message: str = ""


Call = Callable[[str, dict[str, Any]], Reply]
FILE, STATEMENT = "fileCase", "statement"
CASE, NOTICES, LEFT = "case", "notices", "cases_left"
BAD = "invalid_parameter"
NUMBER, FREE, CLOSED, RESERVED = "file", "free", "closed", "reserved"
LOOK, NOTE, REOPEN = "getFileStatus", "noteForDesk", "reopenFile"
RESERVE, ENTER, RELEASE = "reserveFile", "enterResult", "releaseFile"
TAKES: Mapping[str, tuple[str, ...]] = {
    NOTE: ("desk",),
    REOPEN: ("reason",),
    ENTER: ("result", "value"),
}
BECOMES = {REOPEN: FREE, RESERVE: RESERVED, RELEASE: CLOSED}
SEPARATOR = "; "
QUERY, DOCUMENT = "query", "number"
MOST_HITS, FIRST_WORDS, SCALE = 8, 12, 10_000
IN_TITLE, IN_TEXT = 2, 1
FIRST_DAY, DAYS, LAG = date(2025, 1, 6).toordinal(), 300, 20
FAILED = {
    "busy": ("temporarily_unavailable", "the service is busy; nothing was done"),
    "late": ("no_answer_in_time", "the service did not answer in time; nothing was done"),
    "closed": ("out_of_service", "the service is closed; nothing was done"),
}


class Plain:
    """A layer that hands on what it is given; others are made from it."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data

    def find_inner(self, task: str) -> str:
        """Return the task that a task is without the layer."""
        return task

    def wrap(self, task: str, call: Call) -> Call:  # noqa: ARG002 - others need it
        """Return how calls are answered in a new session of a task."""
        return call


class Refusals(Plain):
    """Requests that are those of other tasks, in other words."""

    def find_inner(self, task: str) -> str:
        """Return the task that a request is without the layer."""
        return str(self.data["inner"][task])


class Queue(Plain):
    """Several cases in one session."""

    def find_inner(self, task: str) -> str:
        """Return the task with which a session begins."""
        return str(self.data["plans"][task][0]["task"])

    def wrap(self, task: str, call: Call) -> Call:
        """Return how calls are answered, of which one files a case."""
        filed = 0

        def answer(tool: str, given: dict[str, Any]) -> Reply:
            nonlocal filed
            if tool != FILE:
                return call(tool, given)
            if not isinstance(given.get(STATEMENT), str) or len(given) != 1:
                return Reply(None, "invalid_statement", f"{FILE} takes {STATEMENT}, a text")
            if filed == len(self.data["plans"][task]):
                return Reply(None, "no_case_open", "all cases of the session are filed")
            filed += 1
            return Reply(self.bring(task, filed))

        return answer

    def bring(self, task: str, filed: int) -> dict[str, Any]:
        """Return the case that comes up after so many, or that none is left."""
        plan = self.data["plans"][task]
        if filed == len(plan):
            return {LEFT: 0, NOTICES: [], CASE: None}
        place = plan[filed]
        case = {name: place[name] for name in ("text", "entries", "is_correction")}
        return {LEFT: len(plan) - filed, NOTICES: self.data["notices"][task][filed], CASE: case}


class Writes(Plain):
    """Files, on which results are entered; their tools carry out whatever they are asked for."""

    def wrap(self, task: str, call: Call) -> Call:  # noqa: ARG002 - it is the same for all
        """Return how calls are answered, some of which are about files."""
        acts = {tool: act for act, tool in self.data["rules"]["tools"].items()}
        files: dict[str, dict[str, str]] = {}

        def answer(tool: str, given: dict[str, Any]) -> Reply:
            if tool not in acts:
                return call(tool, given)
            taken = (NUMBER, *TAKES.get(acts[tool], ()))
            if given.keys() != set(taken):
                return Reply(None, BAD, f"{tool} takes {', '.join(taken)}")
            number, *values = (as_text(given[name]) for name in taken)
            if number not in self.data["statuses"]:
                return Reply(None, "unknown_file", f"there is no file {number}")
            return self.apply(acts[tool], number, values, files)

        return answer

    def apply(
        self, act: str, number: str, values: list[str], files: dict[str, dict[str, str]]
    ) -> Reply:
        """Return the reply to an act about a file, which changes how it stands."""
        status = files.get(number, self.data["statuses"][number])
        if act == LOOK:
            return Reply({"state": status["standing"], "desk": status["desk"] or "none"})
        listed = {
            NOTE: self.data["desks"],
            REOPEN: [*self.data["rules"]["reasons"].values()],
            ENTER: self.data["results"],
        }
        if act in listed and values[0] not in listed[act]:
            return Reply(None, "not_on_list", f"there is no {TAKES[act][0]} {values[0]}")
        if act in BECOMES:
            desk = "this desk" if act == RESERVE else ""
            status = {"standing": BECOMES[act], "desk": desk}
        files[number] = status
        return Reply({"state": status["standing"]})


class Records(Plain):
    """A register of cases with near-duplicates, each of which leads to the record of another."""

    def wrap(self, task: str, call: Call) -> Call:
        """Return how calls are answered, some of which search; further cases are as stated."""
        came = 1

        def answer(tool: str, given: dict[str, Any]) -> Reply:
            nonlocal came
            if tool == self.data["tool"]:
                return self.search(task, given)
            key = self.find_near(given)
            if key is not None:
                return self.call_near(key, tool, given, call)
            reply = call(tool, given)
            brought = reply.result if tool == FILE and isinstance(reply.result, dict) else {}
            case = brought.get(CASE)
            if not isinstance(case, dict):
                return reply
            came += 1
            return Reply({**brought, CASE: self.state(task, came - 1, case)})

        return answer

    def state(self, task: str, number: int, case: Mapping[str, Any]) -> dict[str, Any]:
        """Return a case as its session states it."""
        partial = self.data["cases"][task][number]
        left = {n: cell for n, cell in case["entries"].items() if n not in partial["left_out"]}
        return {**case, "text": partial["text"], "entries": left}

    def search(self, task: str, given: Mapping[str, Any]) -> Reply:
        """Return the reply to a search in a session of a task."""
        name, tool, columns = given.get("entry"), self.data["tool"], self.data["columns"]
        if given.keys() != {"entry", "value"} or not isinstance(name, str):
            return Reply(None, BAD, f"{tool} takes entry and value")
        if name not in columns:
            known = ", ".join(columns)
            return Reply(None, BAD, f"the register has no {name}; it has {known}")
        value = given["value"]
        parts = value if isinstance(value, list) else [value]
        asked = SEPARATOR.join(as_plain(part).strip().casefold() for part in parts)
        own = self.data["own"].get(task, {})
        rows = ((row["key"], own.get(row["key"], row["cells"])) for row in self.data["rows"])
        found = [
            {self.data["key"]: key, **cells}
            for key, cells in rows
            if cells is not None and fits(columns[name], cells[name].casefold(), asked)
        ]
        return Reply({"found": len(found), "rows": found[: self.data["limit"]]})

    def find_near(self, given: Mapping[str, Any]) -> str | None:
        """Return the key of a near-duplicate among arguments, None where there is none."""
        texts = (value for value in given.values() if isinstance(value, str))
        return next((text for text in texts if text in self.data["near"]), None)

    def call_near(self, key: str, tool: str, given: Mapping[str, Any], call: Call) -> Reply:
        """Return the reply to a call about a near-duplicate: that of the case it leads to."""
        near = self.data["near"][key]
        other = near["leads_to"]
        meant = {name: other if value == key else value for name, value in given.items()}
        for name, entry in near["entries"].items() if tool in self.data["compared"] else ():
            if name in meant:
                meant[name] = exchange(entry, meant[name])
        reply = call(tool, meant)
        return Reply(
            rename(reply.result, other, key), reply.refusal, reply.message.replace(other, key)
        )


class User(Plain):
    """Cases that state less, and a requester who is asked for the rest."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__(data)
        self.phrases = {tuple(words.split(" ")): names for words, names in data["phrases"].items()}

    def wrap(self, task: str, call: Call) -> Call:
        """Return how calls are answered, some by the requester; further cases are as stated."""
        requests = self.data["cases"][task]
        came = 1
        asked: list[list[str]] = []

        def answer(tool: str, given: dict[str, Any]) -> Reply:
            nonlocal came
            if tool == self.data["tool"]:
                if given.keys() != {"text"} or not isinstance(given["text"], str):
                    return Reply(None, BAD, f"{tool} takes text, a text")
                asked.append(self.find_asked(given["text"]))
                return Reply({"reply": "\n".join(self.answer_asked(requests[came - 1], asked))})
            reply = call(tool, given)
            brought = reply.result if tool == FILE and isinstance(reply.result, dict) else {}
            case = brought.get(CASE)
            if not isinstance(case, dict):
                return reply
            came += 1
            asked.clear()
            stated = {name: requests[came - 1][name] for name in ("text", "entries")}
            return Reply({**brought, CASE: {**case, **stated}})

        return answer

    def find_asked(self, text: str) -> list[str]:
        """Return the fields that a text asks for, by the longest phrases in it."""
        words = tuple(self.data["plurals"].get(word, word) for word in split_label(text))
        found, place = set[str](), 0
        longest = max(map(len, self.phrases), default=0)
        while place < len(words):
            sizes = range(longest, 0, -1)
            size = next((n for n in sizes if words[place : place + n] in self.phrases), 0)
            found |= set(self.phrases.get(words[place : place + size], ()))
            place += size or 1
        return [name for name in self.data["unknown"] if name in found]

    def answer_asked(self, request: Mapping[str, Any], asked: list[list[str]]) -> list[str]:
        """Return the requester's words after the last of what he was asked for."""
        turning, now = request["turning"], asked[-1]
        has_turned = any(turning in names for names in asked[:-1])
        is_turning = not has_turned and turning in now
        known = request["after"] if has_turned or is_turning else request["before"]
        given = [known[name] for name in now if name in known]
        if given:
            return [*given, *(request["late"] if is_turning else ())]
        if now:
            return [self.data["unknown"][name] for name in now]
        idle = sum(not names for names in asked)
        insisting: list[str] = self.data["insisting"][idle - 1 : idle]
        return insisting or [self.data["closing"]]


class Faults(Plain):
    """Calls that fail as a schedule says, and results with days beside their values."""

    def wrap(self, task: str, call: Call) -> Call:
        """Return how calls are answered, some of which fail."""
        made: dict[str, int] = {}

        def answer(tool: str, given: dict[str, Any]) -> Reply:
            name = name_call(tool, given)
            fault = self.find_fault(task, name, made.get(name, 0))
            made[name] = made.get(name, 0) + 1
            if fault is not None and fault["kind"] in FAILED:
                return Reply(None, *FAILED[fault["kind"]])
            meant = self.tools.get(tool, tool)
            return self.change(task, meant, name, call(meant, given), fault)

        return answer

    @property
    def tools(self) -> dict[str, str]:
        """The tool of each stand-in."""
        stand_ins: Mapping[str, str] = self.data["recovery"]["stand_ins"]
        return {other: tool for tool, other in stand_ins.items()}

    def find_fault(self, task: str, name: str, made: int) -> Mapping[str, Any] | None:
        """Return what goes wrong at a call after so many equal ones."""
        schedule = self.data["schedules"].get(task, {"faults": {}})
        for fault in schedule["faults"].get(name, []):
            if fault["times"] is None or made < fault["times"]:
                found: Mapping[str, Any] = fault
                return found
            made -= fault["times"]
        return None

    def change(
        self, task: str, tool: str, name: str, reply: Reply, fault: Mapping[str, Any] | None
    ) -> Reply:
        """Return a reply with the days of a look-up, and with what a fault does to it."""
        if reply.refusal or tool not in self.data["lookups"] or not isinstance(reply.result, dict):
            return reply
        result, recovery = dict(reply.result), self.data["recovery"]
        lag = draw(LAG, self.data["seed"], "lag", task, name)
        changed = FIRST_DAY + draw(DAYS, self.data["seed"], "changed", task, name)
        copied = changed + lag
        if fault is not None:
            kept = {key: value for key, value in result.items() if key not in fault["left_out"]}
            result = {key: fault["values"].get(key, value) for key, value in kept.items()}
            copied = changed - 1 - lag if fault["kind"] == "stale" else copied
        days = {recovery["copied"]: copied, recovery["changed"]: changed}
        return Reply(
            {**result, **{key: date.fromordinal(day).isoformat() for key, day in days.items()}}
        )


class Handbook(Plain):
    """The SOP as documents that are searched and opened, and tools that they alone describe."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__(data)
        self.documents = {item["number"]: item for item in data["documents"]}
        self.own = {item["name"]: item for item in data["tools"]}
        self.others = {item["other"]: item for item in data["tools"]}
        self.index: dict[str, dict[int, int]] = {}
        for number, item in self.documents.items():
            for text, place in ((item["text"], IN_TEXT), (item["title"], IN_TITLE)):
                for word in split_words(text):
                    self.index.setdefault(word, {})[number] = place

    def wrap(self, task: str, call: Call) -> Call:  # noqa: ARG002 - as the others
        """Return how calls are answered, of which some look into the handbook."""
        page = self.data["page"]

        def answer(tool: str, given: dict[str, Any]) -> Reply:
            if tool == page["search"]:
                return self.find(given)
            if tool == page["open"]:
                return self.open(given)
            if tool in self.own:
                return call(self.own[tool]["tool"], given)
            if tool in self.others:
                other = self.others[tool]
                return self.change(other, call(other["tool"], given), given)
            return call(tool, given)

        return answer

    def find(self, given: dict[str, Any]) -> Reply:
        """Return which documents fit some words best: those that share rare ones with them."""
        query = given.get(QUERY)
        if not isinstance(query, str) or len(given) != 1:
            message = f"{self.data['page']['search']} takes {QUERY}, a text"
            return Reply(None, "invalid_query", message)
        scores: dict[int, int] = {}
        for word in set(split_words(query)):
            found = self.index.get(word, {})
            worth = isqrt(SCALE * len(self.documents) // len(found)) if found else 0
            for number, place in found.items():
                scores[number] = scores.get(number, 0) + worth * place
        best = sorted(scores, key=lambda number: (-scores[number], number))[:MOST_HITS]
        return Reply({"hits": [self.describe(number) for number in best]})

    def describe(self, number: int) -> dict[str, Any]:
        """Return what a search shows of a document."""
        words = self.documents[number]["text"].split()
        begins = " ".join(words[:FIRST_WORDS]) + (" ..." if len(words) > FIRST_WORDS else "")
        return {DOCUMENT: number, "title": self.documents[number]["title"], "begins": begins}

    def open(self, given: dict[str, Any]) -> Reply:
        """Return a document."""
        number = given.get(DOCUMENT)
        if not isinstance(number, int) or isinstance(number, bool) or len(given) != 1:
            message = f"{self.data['page']['open']} takes {DOCUMENT}, a whole number"
            return Reply(None, "unknown_document", message)
        if number not in self.documents:
            return Reply(None, "unknown_document", f"there is no document {number}")
        shown = (DOCUMENT, "title", "holds", "text", "refers_to")
        return Reply({name: self.documents[number][name] for name in shown})

    def change(self, other: Mapping[str, Any], reply: Reply, given: dict[str, Any]) -> Reply:
        """Return a reply with what another desk's records show in the place of its values."""
        if not isinstance(reply.result, dict):
            return reply
        call, result = name_call(other["tool"], given), dict(reply.result)
        for name, value in reply.result.items():
            values = [item for item in other["values"].get(name, []) if item != value]
            if values:
                result[name] = values[draw(len(values), self.data["seed"], "aged", call, name)]
        return Reply(result)


LAYERS: Mapping[str, Callable[[Mapping[str, Any]], Plain]] = {
    "ambiguity": Plain,
    "refusals": Refusals,
    "queue": Queue,
    "writes": Writes,
    "records": Records,
    "user": User,
    "faults": Faults,
    "documents": Handbook,
}


def read_layers(text: str) -> list[Plain]:
    """Return the layers of a file, the innermost first."""
    lines = [json.loads(line) for line in text.split("\n") if line]
    return [LAYERS[line["layer"]](line["data"]) for line in lines]


def begin(layers: list[Plain], task: str, call: Call) -> Call:
    """Return how calls are answered in a new session of a task with all layers around it."""
    tasks = []
    for layer in reversed(layers):
        tasks.append(task)
        task = layer.find_inner(task)
    for layer, own in zip(layers, reversed(tasks), strict=True):
        call = layer.wrap(own, call)
    return call


def split_words(text: str) -> list[str]:
    """Return the words of a text in lower case, numbers included."""
    return re.findall(r"[a-z0-9]+", text.lower())


def split_label(text: str) -> tuple[str, ...]:
    """Return the words of a label or a message, in small letters."""
    words = re.findall(r"[^\W_]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text))
    return tuple(word.lower() for word in words)


def draw(limit: int, *key: object) -> int:
    """Return a number from 0 to ``limit`` - 1, the same for the same key."""
    text = "|".join(map(str, key))
    return int(sha256(text.encode()).hexdigest()[:12], 16) % limit


def as_text(value: Any) -> str:
    """Return a value as a text: members of a list as a cell has them, all else as JSON."""
    if isinstance(value, list):
        return SEPARATOR.join(map(as_text, value))
    return value if isinstance(value, str) else write_json(value)


def as_plain(value: Any) -> str:
    """Return a value as Python writes it, a number with all of its places."""
    return str(Decimal(repr(value))) if isinstance(value, float) else str(value)


def fits(matching: str, cell: str, given: str) -> bool:
    """Return whether a cell has a value, however that is written."""
    cell, given = (unicodedata.normalize("NFC", text) for text in (cell, given))
    if cell == given:
        return True
    if matching == "number":
        return read_number(cell) is not None and read_number(cell) == read_number(given)
    return matching == "set" and split(cell) == split(given)


def read_number(text: str) -> Decimal | None:
    """Return the number that a text is, None where it is none."""
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def split(text: str) -> set[str]:
    """Return the members of a set that a cell has."""
    return {part.strip() for part in text.split(SEPARATOR.strip())}


def exchange(entry: Mapping[str, str], given: Any) -> Any:
    """Return what a value of a near-duplicate is in the record to which it leads."""
    if write_json(given) == entry["shown"]:
        return json.loads(entry["held"])
    # What only the other record has is no value of this case.
    return json.loads(entry["shown"]) if write_json(given) == entry["held"] else given


def rename(value: Any, old: str, new: str) -> Any:
    """Return a value in which one text stands for another one wherever that is all of a text."""
    if isinstance(value, dict):
        return {name: rename(item, old, new) for name, item in value.items()}
    if isinstance(value, list):
        return [rename(item, old, new) for item in value]
    return new if value == old else value


def name_call(tool: str, given: Any) -> str:
    """Return the name by which equal calls of a tool go."""
    return f"{tool} {write_json(given)}"


def write_json(value: Any) -> str:
    """Return a value as JSON text, with keys in order, and numbers with all of their places."""
    if isinstance(value, dict):
        parts = (f"{write_json(name)}: {write_json(value[name])}" for name in sorted(value))
        return f"{{{', '.join(parts)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(write_json, value))}]"
    if isinstance(value, float):
        return str(Decimal(repr(value)))
    return json.dumps(value, ensure_ascii=False)
