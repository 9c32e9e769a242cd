"""What an SOP says of requests that are not carried out, and requests in words, read back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sopforge.harness.layers.refusals.requests import (
    HANDLING,
    REFUSE,
    Request,
    RequestKind,
    RequestRules,
    write_ask,
    write_escalate,
)
from sopforge.harness.layers.text.sections import find_section
from sopforge.language.domain.model import DomainModel

TITLE = "Requests that are not carried out"
_SENDERS = re.compile(r"^- Sent by: .* entitled: (.+)\.$", re.MULTILINE)
_STARTS = {
    RequestKind.SENDER: "- Sent by:",
    RequestKind.LACKING: "- Not stated:",
    RequestKind.OPEN: "- Stated twice:",
    RequestKind.CONTRADICTION: "- Other than on file:",
}
_SENT = re.compile(r"^Sent by: (.+)$", re.MULTILINE)
_AGAIN = re.compile(r"^Once more, the request states the .+ \((\w+)\): \"(.*)\"\.$", re.MULTILINE)
_CLAIM = re.compile(r"^On file, says the request: the .+ \((\w+)\) is \"(.*)\"\.$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Besides:
    """What a request says beside its entries."""

    sender: str
    claimed: dict[str, str]
    again: dict[str, str]


def write_rules(rules: RequestRules) -> Iterator[str]:
    """Yield what an SOP says of requests, line by line."""
    yield (
        "Look at the request before and while the case is decided. These points go before all that"
        " this document says elsewhere: where one of them applies, the procedure ends there,"
        " whatever step it has come to. None of its tools is called any more for the case, nothing"
        f" is changed, and the statement has the one element {HANDLING}, as XML, in the place of"
        f" all results. The first that applies counts; where none does, there is no {HANDLING}."
    )
    if RequestKind.SENDER in rules.kinds:
        yield (
            f"{_STARTS[RequestKind.SENDER]}"
            " if the request names an office that sent it, and that office"
            f' is not entitled, the {HANDLING} is "{REFUSE}"; a request that names none is not'
            f" refused for that. These offices are entitled: {', '.join(rules.senders)}."
        )
    if RequestKind.LACKING in rules.kinds:
        yield (
            f"{_STARTS[RequestKind.LACKING]}"
            " if the request does not state one of the entries that this"
            f' document asks for, the {HANDLING} is "{write_ask("NAME")}", with the name of the'
            " entry, which is the word at the beginning of its line in the list of entries."
        )
    if RequestKind.OPEN in rules.kinds:
        yield (
            f"{_STARTS[RequestKind.OPEN]}"
            " if the request states an entry once more, with another value, it"
            f' is open which of the two is meant, and the {HANDLING} is "{write_ask("NAME")}", with'
            " the name that the request has in brackets. The same value twice makes no difference."
        )
    if RequestKind.CONTRADICTION in rules.kinds:
        yield (
            f"{_STARTS[RequestKind.CONTRADICTION]}"
            " if the request says what is on file, and the look-up"
            " that the procedure makes returns another value of that name, in a result that may be"
            f' used, the {HANDLING} is "{write_escalate("NAME")}", with the name that the request'
            " has in brackets. If no look-up of the case returns it, what the request says of it"
            " makes no difference."
        )


def read_rules(sop: str) -> RequestRules | None:
    """Return what an SOP says of requests, None where it says nothing of them."""
    section = find_section(sop, TITLE)
    if section is None:
        return None
    lines = section.split("\n")
    kinds = {
        kind for kind, start in _STARTS.items() if any(item.startswith(start) for item in lines)
    }
    senders = _SENDERS.search(section)
    return RequestRules(frozenset(kinds), tuple(senders[1].split(", ")) if senders else ())


def write_besides(model: DomainModel, request: Request) -> str:
    """Return what a request says beside its entries, as lines at the end of its text."""
    labels = {
        name: model.offered.fields[field].label
        for tool in model.offered.tools.values()
        for field, name in tool.results.items()
    }
    lines = [f"Sent by: {request.sender}"] if request.sender else []
    lines += [
        f'Once more, the request states the {model.fields[name].label} ({name}): "{cell}".'
        for name, cell in request.again.items()
    ]
    lines += [
        f'On file, says the request: the {labels[name]} ({name}) is "{cell}".'
        for name, cell in request.claimed.items()
    ]
    return "".join(f"\n{line}" for line in lines)


def read_besides(text: str) -> Besides:
    """Return what the text of a request says beside its entries."""
    sent = _SENT.search(text)
    claimed, again = (dict(pattern.findall(text)) for pattern in (_CLAIM, _AGAIN))
    return Besides(sent[1] if sent else "", claimed, again)
