"""Calls of tools in other words, put into the sentence that the rules have for them.

"readHire is called with hire_no and returns price and deposit" says "Call the tool readHire with
hire_no. It returns price, deposit". Names stay as they are, and in their order.
"""

from __future__ import annotations

import re

_CALL = "[Cc]all|[Uu]se|[Rr]un|[Qq]uery|[Ii]nvoke|[Ee]xecute|[Cc]onsult|[Aa]sk|[Aa]pply"
_CALLED = "called|used|run|queried|invoked|executed|consulted|asked"
_TOOL = r"(?:the )?(?:tool |service |function )?(?P<tool>[a-z]+[A-Z]\w*|(?<=tool )\w+)(?: tool)?"
_NAME = r"(?:\w+: )?(?:the [\w ]+?|\w+)"
_TAKES = (
    rf"(?P<takes>{_NAME}(?:(?:,? and |, ){_NAME})*)"
    r"(?: as (?:its )?(?:arguments?|parameters?|input))?"
)
_TO = r"with|using|on|for|passing(?: it)?|by passing(?: it)?|giving it|and pass(?: it)?|and give it"
_NEXT = (
    r"(?:\. (?:It|The (?:tool|call|service)|This) (?:then )?(?:returns|gives|yields|provides) "
    r"|\. (?:(?:The|Its) (?:reply|answer|response) (?:holds|contains|gives|has)"
    r"|You (?:get|receive)(?: back)?) "
    r"|(?:; |, and |, | and )(?:it|this|the tool|the call) (?:returns|gives|yields|provides) "
    r"|,? (?:which|that) (?:returns|gives|yields|provides) |,? and (?:returns|gives|yields) "
    r"|,? to (?:get|obtain|receive|retrieve) "
    r"|(?:; you|,? and you|,? and) (?:get|obtain|receive)(?: back)? "
    r"|, (?:returning|getting|obtaining) |: it returns )"
)
_REST = rf"(?:\.|{_NEXT}(?P<returned>.+)\.)"
_IS = "(?:is|is to be|must be|has to be)"
_THROUGH = (
    "(?:by|through|from|with) (?:(?:calling|querying|using|running|invoking|a call (?:to|of)) )?"
)
_GIVEN = "Obtain|Get|Retrieve|Fetch|Find out"
_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"(?:{_CALL}) {_TOOL},? (?:{_TO}) {_TAKES}{_REST}",
        rf"(?:{_CALL}) {_TOOL},? (?:which|that) takes {_TAKES}{_REST}",
        rf"(?:The (?:tool|service) )?{_TOOL} {_IS} (?:{_CALLED}) (?:{_TO}) {_TAKES}{_REST}",
        rf"(?:The (?:tool|service) )?{_TOOL} takes {_TAKES}{_REST}",
        rf"With {_TAKES}, (?:{_CALL}) {_TOOL}{_REST}",
        rf"(?:Pass|Give|Hand|Send|Submit) {_TAKES} (?:on )?to {_TOOL}{_REST}",
        rf"(?:Make|Place) a call (?:to|of) {_TOOL} (?:{_TO}) {_TAKES}{_REST}",
        rf"(?:{_GIVEN}) (?P<returned>.+?),? {_THROUGH}{_TOOL} (?:{_TO}|called with) {_TAKES}\.",
    )
)
_LAST = re.compile(r",? and (?=\w+(?: \(|$))|, and ")
_AND = re.compile(r",? and ")


def reword_call(text: str) -> str:
    """Return a sentence on a call in the words of the rules; others as they are."""
    found = next((hit for form in _FORMS if (hit := form.fullmatch(text))), None)
    if found is None or '"' in found["takes"]:
        return text
    takes = _AND.sub(", ", found["takes"])
    returned = found["returned"]
    rest = f" It returns {list_plainly(returned)}." if returned else ""
    return f"Call the tool {found['tool']} with {takes}.{rest}"


def list_plainly(returned: str) -> str:
    """Return what a call returns with commas alone between the names, whatever the brackets say."""
    parts, depth, start, is_quoted = [], 0, 0, False
    for place, letter in enumerate(returned):
        is_quoted ^= letter == '"'
        depth += 0 if is_quoted else {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0 and not is_quoted and place >= start:
            joint = _LAST.match(returned, place)
            if joint is not None:
                parts.append(returned[start:place])
                start = joint.end()
    return ", ".join([*parts, returned[start:]])
