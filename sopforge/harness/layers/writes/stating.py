"""The rules of files as a section of the SOP, and read back from one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sopforge.harness.layers.text.sections import UnreadableTextError, find_section
from sopforge.harness.layers.writes.rules import ANY_VALUE, Act, FilingRules
from sopforge.language.domain.model import DomainModel
from sopforge.session.layers import FILE

TITLE = "Results on file"
_LOOK = re.compile(r"^- Look first: call (\w+) with the file of the case\.", re.MULTILINE)
_FREE = re.compile(
    r'^- "free": reserve the file with (\w+), enter the results with (\w+), and release the file'
    r" with (\w+), which closes it\.$",
    re.MULTILINE,
)
_RESERVED = re.compile(r'^- "reserved": .+ put the file on the list of that desk', re.MULTILINE)
_NOTE = re.compile(r"the list of that desk with (\w+), once;", re.MULTILINE)
_CLOSED = re.compile(
    r'^- "closed": reopen the file with (\w+) and the reason code that the list below has for the'
    r" .+ \((\w+)\), as it is filed\.",
    re.MULTILINE,
)
_RESULT = re.compile(r'^- (\w+)(?:; left out if "([^"]*)")?$', re.MULTILINE)
_REASON = re.compile(r'^- (?:any|"([^"]*)"): (\w+)$', re.MULTILINE)


def write_filing(model: DomainModel, rules: FilingRules, *, has_queue: bool) -> Iterator[str]:
    """Yield what an SOP says of files, line by line."""
    tools, key = rules.tools, model.fields[model.key].label
    primary = f"{model.fields[rules.primary].label} ({rules.primary})"
    yield (
        f"Each case has a file, whose number is the {key} of the case. Once all results of a case"
        " are known, and before they are stated, they are entered on its file. The tools for files"
        " carry out whatever they are asked for and check none of these rules, and nothing that"
        " was changed on a file can be taken back."
    )
    yield (
        f"- Look first: call {tools[Act.LOOK]} with the file of the case. It returns how the file"
        " stands (state) and which desk has reserved it (desk). Do so before anything is changed,"
        " and anew for each case. What comes next depends on the state:"
    )
    yield (
        f'- "free": reserve the file with {tools[Act.RESERVE]}, enter the results with'
        f" {tools[Act.ENTER]}, and release the file with {tools[Act.RELEASE]}, which closes it."
    )
    yield (
        '- "reserved": another desk is at work on the file. Enter nothing, and neither reserve nor'
        f" release it; put the file on the list of that desk with {tools[Act.NOTE]}, once; that"
        " desk enters the results."
    )
    yield (
        f'- "closed": reopen the file with {tools[Act.REOPEN]} and the reason code that the list'
        f" below has for the {primary}, as it is filed. Then go on as with a free file."
    )
    left_out = (
        " One that is stated with the words beside it was determined by no step, and is left out."
        if any(rules.results.values())
        else ""
    )
    yield (
        "These results are entered, in this order, each once and with the value with which it is"
        f" stated.{left_out} Where no results are stated at all, nothing is done about the file:"
    )
    for name, undetermined in rules.results.items():
        yield f"- {name}" + (f'; left out if "{undetermined}"' if undetermined else "")
    yield (
        "An entry is final. Enter no other result, change nothing on the file of another case, and"
        " change nothing on a file once it is released. Then state the results as this document"
        " says elsewhere."
    )
    if has_queue:
        yield (
            f"In a session, this is done for each case before {FILE} is called for it, with the"
            " results with which it is filed. For a case that is decided anew all of it is done"
            " anew, by the same rules and as its file stands by then: it is entered once more, or"
            " put on the list once more. A withdrawal changes nothing on a file."
        )
    yield f"Reason codes, by the {primary}:"
    for cell, code in rules.reasons.items():
        yield f'- "{cell}": {code}' if cell != ANY_VALUE else f"- any: {code}"


def read_filing(sop: str) -> FilingRules:
    """Return the rules of files that an SOP states.

    Raises:
        UnreadableTextError: a rule is missing.
    """
    section = find_section(sop, TITLE) or ""
    rules, _, codes = section.partition("Reason codes,")
    look, free = _LOOK.search(rules), _FREE.search(rules)
    note, closed = _NOTE.search(rules), _CLOSED.search(rules)
    results = dict(_RESULT.findall(rules))
    reasons = dict(_REASON.findall(codes))
    if not (look and free and note and closed and _RESERVED.search(rules) and results and reasons):
        raise UnreadableTextError("the rules of files are not all stated")
    tools = {
        Act.LOOK: look[1],
        Act.NOTE: note[1],
        Act.REOPEN: closed[1],
        Act.RESERVE: free[1],
        Act.ENTER: free[2],
        Act.RELEASE: free[3],
    }
    return FilingRules(tools, results, closed[2], reasons)
