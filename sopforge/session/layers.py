"""What stands around the sessions of this benchmark domain: faults, queues, handbooks and more.

``environment.py`` beside this file reads it, and ``layers/layers.jsonl``, which has one layer on a
line, the innermost first. Each answers calls by itself or hands them on to what is inside of it. It
needs Python's standard library alone, and holds nothing of what is right.

What a layer keeps between the calls of a session is a value, as the state of the session is.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from hashlib import sha256
from math import isqrt
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias, TypeVar

Reply: TypeAlias = tuple[Any, str, str]
"""What a call is answered: a result, or a refusal's code with its words."""
Given: TypeAlias = Mapping[str, Any]
Call: TypeAlias = Callable[[str, Given], Reply]
"""Returns what is answered within a layer."""
Answer: TypeAlias = Callable[[Any, str, Given], tuple[Any, Reply]]
"""Returns what is kept after a call, of what was kept before it, and the reply."""
Write: TypeAlias = Callable[[Any], str]
"""Returns a value as JSON text, as logs have it."""
Said = TypeVar("Said")
FILE, STATEMENT = "fileCase", "statement"
CASE, NOTICES, LEFT = "case", "notices", "cases_left"
BAD = "invalid_parameter"
NUMBER, FREE, CLOSED, RESERVED = "file", "free", "closed", "reserved"
OWN_DESK, NO_DESK, STATE, DESK = "this desk", "none", "state", "desk"
LOOK, NOTE, REOPEN = "getFileStatus", "noteForDesk", "reopenFile"
RESERVE, ENTER, RELEASE = "reserveFile", "enterResult", "releaseFile"
TAKES: Mapping[str, tuple[str, ...]] = {
    NOTE: (DESK,),
    REOPEN: ("reason",),
    ENTER: ("result", "value"),
}
BECOMES = {REOPEN: FREE, RESERVE: RESERVED, RELEASE: CLOSED}
SEPARATOR = "; "
ENTRY, VALUE, FOUND, ROWS = "entry", "value", "found", "rows"
TEXT, REPLY = "text", "reply"
QUERY, DOCUMENT, HITS = "query", "number", "hits"
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

    def __init__(self, data: Mapping[str, Any], write: Write) -> None:
        self.data = data
        self.write = write

    def find_inner(self, task: str) -> str:
        """Return the task that a task is without the layer."""
        return task

    def begin(self, task: str) -> Any:
        """Return what it keeps before the first call of a session of a task."""
        return task

    def answer(self, kept: Any, tool: str, given: Given, call: Call) -> tuple[Any, Reply]:
        """Return what it keeps after a call, and the reply."""
        return kept, call(tool, given)


class Refusals(Plain):
    """Requests that are those of other tasks, in other words."""

    def find_inner(self, task: str) -> str:
        """Return the task that a request is without the layer."""
        return str(self.data["inner"][task])


class Queue(Plain):
    """Several cases in one session; it keeps the task, and how many cases were filed."""

    def find_inner(self, task: str) -> str:
        """Return the task with which a session begins."""
        return str(self.data["plans"][task][0]["task"])

    def begin(self, task: str) -> tuple[str, int]:
        """Return that no case was filed."""
        return task, 0

    def answer(
        self, kept: tuple[str, int], tool: str, given: Given, call: Call
    ) -> tuple[tuple[str, int], Reply]:
        """Return what it keeps after a call, of which one files a case, and the reply."""
        task, filed = kept
        if tool != FILE:
            return kept, call(tool, given)
        if not isinstance(given.get(STATEMENT), str) or len(given) != 1:
            return kept, refuse("invalid_statement", f"{FILE} takes {STATEMENT}, a text")
        if filed == len(self.data["plans"][task]):
            return kept, refuse("no_case_open", "all cases of the session are filed")
        return (task, filed + 1), make_reply(self.bring(task, filed + 1))

    def bring(self, task: str, filed: int) -> dict[str, Any]:
        """Return the case that comes up after so many, or that none is left."""
        plan = self.data["plans"][task]
        if filed == len(plan):
            return {LEFT: 0, NOTICES: [], CASE: None}
        place = plan[filed]
        case = {name: place[name] for name in ("text", "entries", "is_correction")}
        notices = list(self.data["notices"][task][filed])
        return {LEFT: len(plan) - filed, NOTICES: notices, CASE: case}


class Writes(Plain):
    """Files, on which results are entered; their tools carry out whatever they are asked for.

    It keeps how the files stand that were changed.
    """

    def begin(self, task: str) -> dict[str, Any]:  # noqa: ARG002 - it is the same for all
        """Return that no file was changed."""
        return {}

    def answer(
        self, kept: Mapping[str, Any], tool: str, given: Given, call: Call
    ) -> tuple[Mapping[str, Any], Reply]:
        """Return what it keeps after a call, some of which are about files, and the reply."""
        acts = {name: act for act, name in self.data["rules"]["tools"].items()}
        if tool not in acts:
            return kept, call(tool, given)
        taken = (NUMBER, *TAKES.get(acts[tool], ()))
        if given.keys() != set(taken):
            return kept, refuse(BAD, f"{tool} takes {', '.join(taken)}")
        number, *values = (write_text(given[name], self.write) for name in taken)
        if number not in self.data["statuses"]:
            return kept, refuse("unknown_file", f"there is no file {number}")
        status = kept.get(number, self.data["statuses"][number])
        after, reply = self.apply(acts[tool], values, status)
        return (kept if after == status else {**kept, number: after}), reply

    def apply(
        self, act: str, values: Sequence[str], status: Mapping[str, str]
    ) -> tuple[Mapping[str, str], Reply]:
        """Return how a file stands after an act about it, and the reply."""
        if act == LOOK:
            shown = {STATE: str(status["standing"]), DESK: status["desk"] or NO_DESK}
            return status, make_reply(shown)
        listed = {
            NOTE: self.data["desks"],
            REOPEN: [*self.data["rules"]["reasons"].values()],
            ENTER: self.data["results"],
        }
        if act in listed and values[0] not in listed[act]:
            return status, refuse("not_on_list", f"there is no {TAKES[act][0]} {values[0]}")
        if act in BECOMES:
            status = {"standing": BECOMES[act], DESK: OWN_DESK if act == RESERVE else ""}
        return status, make_reply({STATE: str(status["standing"])})


class Records(Plain):
    """A register of cases with near-duplicates, each of which leads to the record of another.

    It keeps the task, and how many cases came up.
    """

    def begin(self, task: str) -> tuple[str, int]:
        """Return that the first case came up."""
        return task, 1

    def answer(
        self, kept: tuple[str, int], tool: str, given: Given, call: Call
    ) -> tuple[tuple[str, int], Reply]:
        """Return what it keeps after a call, some of which search; further cases are as stated."""
        task, came = kept
        if tool == self.data["tool"]:
            return kept, self.search(task, given)
        key = self.find_near(given)
        reply = call(tool, self.resolve_arguments(tool, given))
        if key is not None:
            return kept, rename_reply(reply, self.data["near"][key]["leads_to"], key)
        case = find_case(tool, reply)
        if case is None:
            return kept, reply
        partial = self.data["cases"][task][came]
        left = {n: cell for n, cell in case["entries"].items() if n not in partial["left_out"]}
        shown = {**case, "text": partial["text"], "entries": left}
        return (task, came + 1), make_reply({**reply[0], CASE: shown})

    def search(self, task: str, given: Given) -> Reply:
        """Return the reply to a search in a session of a task."""
        name, tool, columns = given.get(ENTRY), self.data["tool"], self.data["columns"]
        if given.keys() != {ENTRY, VALUE} or not isinstance(name, str):
            return refuse(BAD, f"{tool} takes {ENTRY} and {VALUE}")
        if name not in columns:
            return refuse(BAD, f"the register has no {name}; it has {', '.join(columns)}")
        value = given[VALUE]
        parts = value if isinstance(value, list) else [value]
        # As Python writes it, a number with all of its places.
        plain = (self.write(part) if isinstance(part, float) else str(part) for part in parts)
        asked = SEPARATOR.join(part.strip().casefold() for part in plain)
        own = self.data["own"].get(task, {})
        rows = ((row["key"], own.get(row["key"], row["cells"])) for row in self.data["rows"])
        found = [
            {self.data["key"]: key, **cells}
            for key, cells in rows
            if cells is not None and fits(columns[name], cells[name].casefold(), asked)
        ]
        return make_reply({FOUND: len(found), ROWS: found[: self.data["limit"]]})

    def find_near(self, given: Given) -> str | None:
        """Return the key of a near-duplicate among arguments, None where there is none."""
        texts = (value for value in given.values() if isinstance(value, str))
        return next((text for text in texts if text in self.data["near"]), None)

    def resolve_arguments(self, tool: str, given: Given) -> Given:
        """Return the arguments of a call as the tools get them."""
        key = self.find_near(given)
        if key is None:
            return given
        is_compared = tool in self.data["compared"]
        near = self.data["near"][key]
        return resolve_near(near, key, given, self.write if is_compared else None)


class User(Plain):
    """Cases that state less, and a requester who is asked for the rest.

    It keeps the task, how many cases came up, and what was asked for at the last of them.
    """

    def __init__(self, data: Mapping[str, Any], write: Write) -> None:
        super().__init__(data, write)
        self.phrases = {tuple(words.split(" ")): names for words, names in data["phrases"].items()}

    def begin(self, task: str) -> tuple[Any, ...]:
        """Return that the first case came up, and nothing was asked for."""
        return task, 1, ()

    def answer(
        self, kept: tuple[Any, ...], tool: str, given: Given, call: Call
    ) -> tuple[tuple[Any, ...], Reply]:
        """Return what it keeps after a call, some to the requester; further cases are as stated."""
        task, came, asked = kept
        requests = self.data["cases"][task]
        if tool == self.data["tool"]:
            if given.keys() != {TEXT} or not isinstance(given[TEXT], str):
                return kept, refuse(BAD, f"{tool} takes {TEXT}, a text")
            asked = (*asked, self.find_asked(given[TEXT]))
            words = (self.data[name] for name in ("unknown", "insisting", "closing"))
            said = "\n".join(answer_asked(requests[came - 1], asked, *words))
            return (task, came, asked), make_reply({REPLY: said})
        reply = call(tool, given)
        case = find_case(tool, reply)
        if case is None:
            return kept, reply
        stated = {name: requests[came][name] for name in ("text", "entries")}
        return (task, came + 1, ()), make_reply({**reply[0], CASE: {**case, **stated}})

    def find_asked(self, text: str) -> list[str]:
        """Return the fields that a text asks for, in declared order."""
        found = find_asked(self.phrases, self.data["plurals"], text)
        return [name for name in self.data["unknown"] if name in found]


class Faults(Plain):
    """Calls that fail as a schedule says, and results with days beside their values.

    It keeps the task, and how often each call was made.
    """

    def begin(self, task: str) -> tuple[str, Mapping[str, int]]:
        """Return that no call was made."""
        return task, {}

    def answer(
        self, kept: tuple[str, Mapping[str, int]], tool: str, given: Given, call: Call
    ) -> tuple[tuple[str, Mapping[str, int]], Reply]:
        """Return what it keeps after a call, some of which fail, and the reply."""
        (task, made), name = kept, name_call(self.write, tool, given)
        times = made.get(name, 0)
        kept = task, {**made, name: times + 1}
        fault = self.find_fault(task, name, times)
        if fault is not None and fault["kind"] in FAILED:
            return kept, refuse(*FAILED[fault["kind"]])
        meant = self.tools.get(tool, tool)
        return kept, self.change(task, meant, name, call(meant, given), fault)

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
        result, refusal, _ = reply
        if refusal or tool not in self.data["lookups"] or not isinstance(result, dict):
            return reply
        recovery = self.data["recovery"]
        lag = draw(LAG, self.data["seed"], "lag", task, name)
        changed = FIRST_DAY + draw(DAYS, self.data["seed"], "changed", task, name)
        copied = changed + lag
        if fault is not None:
            kept = {key: value for key, value in result.items() if key not in fault["left_out"]}
            result = {key: fault["values"].get(key, value) for key, value in kept.items()}
            copied = changed - 1 - lag if fault["kind"] == "stale" else copied
        days = {recovery["copied"]: copied, recovery["changed"]: changed}
        return make_reply(
            {**result, **{key: date.fromordinal(day).isoformat() for key, day in days.items()}}
        )


class Handbook(Plain):
    """The SOP as documents that are searched and opened, and tools that they alone describe."""

    def __init__(self, data: Mapping[str, Any], write: Write) -> None:
        super().__init__(data, write)
        self.documents = {item["number"]: item for item in data["documents"]}
        self.own = {item["name"]: item for item in data["tools"]}
        self.others = {item["other"]: item for item in data["tools"]}
        texts = ((item["number"], item["title"], item["text"]) for item in data["documents"])
        self.index = index_texts(texts)

    def answer(self, kept: Any, tool: str, given: Given, call: Call) -> tuple[Any, Reply]:
        """Return what it keeps after a call, some about the handbook, and the reply."""
        page = self.data["page"]
        if tool == page["search"]:
            return kept, self.find(given)
        if tool == page["open"]:
            return kept, self.open(given)
        if tool in self.own:
            return kept, call(self.own[tool]["tool"], given)
        if tool in self.others:
            other = self.others[tool]
            reply = call(other["tool"], given)
            return kept, show_aged(other, reply, given, self.data["seed"], self.write)
        return kept, call(tool, given)

    def find(self, given: Given) -> Reply:
        """Return which documents fit some words best: those that share rare ones with them."""
        query = given.get(QUERY)
        if not isinstance(query, str) or len(given) != 1:
            return refuse("invalid_query", f"{self.data['page']['search']} takes {QUERY}, a text")
        found = rank_texts(self.index, len(self.documents), query, MOST_HITS)
        return make_reply({HITS: [self.describe(number) for number in found]})

    def describe(self, number: int) -> dict[str, Any]:
        """Return what a search shows of a document."""
        words = self.documents[number]["text"].split()
        begins = " ".join(words[:FIRST_WORDS]) + (" ..." if len(words) > FIRST_WORDS else "")
        return {DOCUMENT: number, "title": self.documents[number]["title"], "begins": begins}

    def open(self, given: Given) -> Reply:
        """Return a document."""
        number = given.get(DOCUMENT)
        if not isinstance(number, int) or isinstance(number, bool) or len(given) != 1:
            message = f"{self.data['page']['open']} takes {DOCUMENT}, a whole number"
            return refuse("unknown_document", message)
        if number not in self.documents:
            return refuse("unknown_document", f"there is no document {number}")
        return make_reply(show_document(self.documents[number]))


LAYERS: Mapping[str, Callable[[Mapping[str, Any], Write], Plain]] = {
    "ambiguity": Plain,
    "refusals": Refusals,
    "queue": Queue,
    "writes": Writes,
    "records": Records,
    "user": User,
    "faults": Faults,
    "documents": Handbook,
}


def read_layers(text: str, write: Write) -> list[Plain]:
    """Return the layers of a file, the innermost first."""
    lines = [json.loads(line) for line in text.split("\n") if line]
    return [_find_layer(line["layer"])(line["data"], write) for line in lines]


def _find_layer(name: str) -> Callable[[Mapping[str, Any], Write], Plain]:
    """Return what plays a layer: of this file, else the class ``Layer`` of its own beside it."""
    if name in LAYERS:
        return LAYERS[name]
    path = Path(__file__).with_name(name_module(name))
    module = ModuleType(path.stem)
    exec(compile(path.read_bytes(), str(path), "exec", dont_inherit=True), vars(module))
    found: Callable[[Mapping[str, Any], Write], Plain] = vars(module)["Layer"]
    return found


def name_module(layer: str) -> str:
    """Return the file of a layer that is none of these, beside this one."""
    return f"layer_{layer}.py"


def surround(layers: Sequence[Plain], task: str, answer: Answer) -> tuple[Any, Answer]:
    """Return what all layers keep before the first call of a session, and what answers its calls.

    Within them, ``answer`` keeps nothing.
    """
    begun = []
    for layer in reversed(layers):
        begun.append(layer.begin(task))
        task = layer.find_inner(task)
    kept: Any = None
    for layer, own in zip(layers, reversed(begun), strict=True):
        kept, answer = (own, kept), wrap(layer, answer)
    return kept, answer


def wrap(layer: Plain, answer: Answer) -> Answer:
    """Return what answers calls with a layer around what answers them within."""

    def answer_around(kept: Any, tool: str, given: Given) -> tuple[Any, Reply]:
        own, within = kept

        def call(tool: str, given: Given) -> Reply:
            nonlocal within
            within, reply = answer(within, tool, given)
            return reply

        own, reply = layer.answer(own, tool, given, call)
        return (own, within), reply

    return answer_around


def refuse(code: str, message: str) -> Reply:
    """Return a refusal."""
    return None, code, message


def make_reply(result: Any) -> Reply:
    """Return a reply that is no refusal."""
    return result, "", ""


def find_case(tool: str, reply: Reply) -> Mapping[str, Any] | None:
    """Return the case that the reply to a call brings, None where it brings none."""
    result, _, _ = reply
    case = result.get(CASE) if tool == FILE and isinstance(result, dict) else None
    return case if isinstance(case, dict) else None


def show_document(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return what whoever opens a document reads."""
    shown = {name: document[name] for name in (DOCUMENT, "title", "holds", "text")}
    return {**shown, "refers_to": list(document["refers_to"])}


def show_aged(
    other: Mapping[str, Any], reply: Reply, given: Given, seed: int, write: Write
) -> Reply:
    """Return a reply with what another desk's records show in the place of its values."""
    result, _, _ = reply
    if not isinstance(result, dict):
        return reply
    call, shown = name_call(write, other["tool"], given), dict(result)
    for name, value in result.items():
        values = [item for item in other["values"].get(name, []) if item != value]
        if values:
            shown[name] = values[draw(len(values), seed, "aged", call, name)]
    return make_reply(shown)


def resolve_near(
    near: Mapping[str, Any], key: str, given: Given, write: Write | None
) -> dict[str, Any]:
    """Return the arguments of a call about a near-duplicate as one about the case it leads to.

    With ``write`` they are compared with its record: those that agree with the register agree with
    the record, and all others do not.
    """
    meant = {name: near["leads_to"] if value == key else value for name, value in given.items()}
    for name, entry in near["entries"].items() if write else ():
        if name in meant and write:
            meant[name] = exchange(entry, meant[name], write)
    return meant


def exchange(entry: Mapping[str, str], given: Any, write: Write) -> Any:
    """Return what a value of a near-duplicate is in the record to which it leads."""
    if write(given) == entry["shown"]:
        return json.loads(entry["held"])
    # What only the other record has is no value of this case.
    return json.loads(entry["shown"]) if write(given) == entry["held"] else given


def rename_reply(reply: Reply, old: str, new: str) -> Reply:
    """Return a reply about one case as one about another."""
    result, refusal, message = reply
    return rename(result, old, new), refusal, message.replace(old, new)


def rename(value: Any, old: str, new: str) -> Any:
    """Return a value in which one text stands for another one wherever that is all of a text."""
    if isinstance(value, dict):
        return {name: rename(item, old, new) for name, item in value.items()}
    if isinstance(value, list):
        return [rename(item, old, new) for item in value]
    return new if value == old else value


def answer_asked(
    request: Mapping[str, Any],
    asked: Sequence[Sequence[str]],
    unknown: Mapping[str, Said],
    insisting: Sequence[Said],
    closing: Said,
) -> list[Said]:
    """Return what a requester says after the last of what he was asked for.

    ``request`` has what he says of each entry before and after he is asked for the one that is
    turning, and what he comes up with late, once.
    """
    turning, now = request["turning"], asked[-1]
    has_turned = any(turning in names for names in asked[:-1])
    is_turning = not has_turned and turning in now
    known = request["after"] if has_turned or is_turning else request["before"]
    given = [known[name] for name in now if name in known]
    if given:
        return [*given, *(request["late"] if is_turning else ())]
    if now:
        return [unknown[name] for name in now]
    idle = sum(not names for names in asked)
    return [*insisting[idle - 1 : idle]] or [closing]


def find_asked(
    phrases: Mapping[tuple[str, ...], Iterable[str]], plurals: Mapping[str, str], text: str
) -> set[str]:
    """Return the fields that a text asks for, by the longest phrases in it."""
    words = tuple(plurals.get(word, word) for word in split_label(text))
    found, place = set[str](), 0
    longest = max(map(len, phrases), default=0)
    while place < len(words):
        size = next((n for n in range(longest, 0, -1) if words[place : place + n] in phrases), 0)
        found |= set(phrases.get(words[place : place + size], ()))
        place += size or 1
    return found


def split_label(text: str) -> tuple[str, ...]:
    """Return the words of a label or a message, in small letters.

    >>> split_label("Paying_accounts, openedDays and addresses")
    ('paying', 'accounts', 'opened', 'days', 'and', 'addresses')
    """
    words = re.findall(r"[^\W_]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text))
    return tuple(word.lower() for word in words)


def split_words(text: str) -> list[str]:
    """Return the words of a text in lower case, numbers included."""
    return re.findall(r"[a-z0-9]+", text.lower())


def index_texts(texts: Iterable[tuple[int, str, str]]) -> dict[str, dict[int, int]]:
    """Return for each word the numbers of the texts that have it, with more for their titles.

    Texts are given by their numbers, titles and words.
    """
    index: dict[str, dict[int, int]] = {}
    for number, title, text in texts:
        for words, place in ((text, IN_TEXT), (title, IN_TITLE)):
            for word in split_words(words):
                index.setdefault(word, {})[number] = place
    return index


def rank_texts(
    index: Mapping[str, Mapping[int, int]], size: int, query: str, most: int
) -> list[int]:
    """Return the numbers of the texts that fit a query best, at most so many, the best first.

    ``size`` is how many texts there are. Of texts that fit alike, the lower number comes first.
    """
    scores: dict[int, int] = {}
    for word in set(split_words(query)):
        found = index.get(word, {})
        worth = isqrt(SCALE * size // len(found)) if found else 0
        for number, place in found.items():
            scores[number] = scores.get(number, 0) + worth * place
    return sorted(scores, key=lambda number: (-scores[number], number))[:most]


def draw(limit: int, *key: object) -> int:
    """Return a number from 0 to ``limit`` - 1, the same for the same key."""
    text = "|".join(map(str, key))
    return int(sha256(text.encode()).hexdigest()[:12], 16) % limit


def write_text(value: Any, write: Write) -> str:
    """Return a value as a text: members of a list as a cell has them, all else as JSON."""
    if isinstance(value, list):
        return SEPARATOR.join(write_text(item, write) for item in value)
    return value if isinstance(value, str) else write(value)


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


def name_call(write: Write, tool: str, given: Given) -> str:
    """Return the name by which equal calls of a tool go."""
    return f"{tool} {write(given)}"
