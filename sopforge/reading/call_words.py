"""Calls of tools, their refusals and ends of cases, put into the sentences of the rules.

"readHire is called with hire_no and returns price and deposit" says "Call the tool readHire with
hire_no. It returns price, deposit". Names stay as they are, and in their order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from sopforge.rendering.sop import frames
from sopforge.rendering.sop.wording import capitalize_text

_CALL = "[Cc]all|[Uu]se|[Rr]un|[Qq]uery|[Ii]nvoke|[Ee]xecute|[Cc]onsult|[Aa]sk|[Aa]pply"
_CALLED = "called|used|run|queried|invoked|executed|consulted|asked"
_TOOL = r"(?:the )?(?:tool |service |function )?(?P<tool>[a-z]+[A-Z]\w*|(?<=tool )\w+)(?: tool)?"
_NAME = r"(?:\w+: )?(?:the [\w ]+?|\w+)"
_TAKES = (
    rf"(?P<takes>{_NAME}(?:(?:,? and |, ){_NAME})*)"
    r"(?: as (?:its )?(?:arguments?|parameters?|input))?"
)
_TO = (
    r"with|using|on|for|passing(?: it)?|handing it|supplying(?: it with)?|providing it with"
    r"|by passing(?: it)?|giving it|and pass(?: it)?|and give it"
)
_NEXT = (
    r"(?:\. (?:It|The (?:tool|call|service)|This) (?:then )?(?:returns|gives|yields|provides)"
    r"|\. (?:(?:The|Its) (?:reply|answer|response) (?:holds|contains|gives|has)"
    r"|You (?:get|receive)(?: back)?)"
    r"|\. (?:In (?:return|reply|response)|From (?:it|this)|As a result),? (?:you|it|the tool"
    r"|the call) (?:will )?(?:then )?(?:get|receive|obtain|returns?|gives?|provides?)(?: back)?"
    r"|(?:; |, and |, | and )(?:it|this|the tool|the call)"
    r" (?:returns|gives|yields|provides)(?: back)?"
    r"|,? (?:which|that) (?:returns|gives|yields|provides)|,? and (?:returns|gives|yields)"
    r"|,? to (?:get|obtain|receive|retrieve)"
    r"|(?:; you|,? and you|,? and) (?:get|obtain|receive)(?: back)?"
    r"|, (?:returning|getting|obtaining)|: it returns)"
)
_REST = (
    rf"(?:\.|{_NEXT}(?: (?P<returned>.+)\.|(?: these| the following)?(?P<listed>:))"
    r"|[;.] (?P<last>.+) (?:is|are) (?:then )?returned(?: by (?:it|the tool|the call))?\.)"
)
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
        rf"(?:Use|Take) {_TAKES} (?:to|and) (?:{_CALL}) {_TOOL}{_REST}",
        rf"(?:Pass|Give|Hand|Send|Submit) {_TAKES} (?:on )?to {_TOOL}{_REST}",
        rf"(?:Pass|Give|Send|Supply) {_TAKES} in (?:a|the|one) call (?:to|of) {_TOOL}{_REST}",
        rf"(?:Make|Place) a call (?:to|of) {_TOOL} (?:{_TO}) {_TAKES}{_REST}",
        rf"(?:{_GIVEN}) (?P<returned>.+?),? {_THROUGH}{_TOOL} (?:{_TO}|called with) {_TAKES}\.",
    )
)
_CODE = r"(?: the call| a call| it)? with (?:the (?:refusal |error )?code |code )?(?P<code>\w+)"
_KEY = "(?:refusal |error )?code"
_SO = "therefore|so|thus|hence|consequently|accordingly|then|for (?:that|this) reason"
_BECAUSE = r"because|since|as|on the ground that|on the grounds that"
_REFUSES = r"(?P<tool>\w+) (?:refuses|rejects|declines)"
_REFUSES_SO = rf"(?P<tool>\w+),? (?:(?:{_SO}),? )?(?:refuses|rejects|declines)(?: (?:{_SO}))?"
_REFUSED = r"(?P<tool>\w+) is (?:refused|rejected|declined)"
_REASON = rf"(?:,? (?:{_BECAUSE}) (?P<reason>.+)| \((?P<aside>[^()]+)\))?"
_REFUSING = tuple(
    re.compile(form)
    for form in (
        rf"(?:the tool )?{_REFUSES}{_CODE}{_REASON}",
        rf"(?P<reason>.+?),? and (?:the tool )?{_REFUSES_SO}{_CODE}(?:,? (?:{_SO}))?",
        rf"(?:{_BECAUSE}) (?P<reason>.+?), (?:the tool )?{_REFUSES}{_CODE}",
        rf"(?:the|a) call (?:of|to) (?:the tool )?{_REFUSED}{_CODE}{_REASON}",
        rf"(?P<code>\w+) is the {_KEY} with which (?:the tool )?{_REFUSES}{_REASON}",
        rf"the {_KEY} with which (?:the tool )?{_REFUSES} is (?P<code>\w+){_REASON}",
    )
)
_PLACE = r"step (?P<place>\d+\.\d+ \([^)]*\))"
_GO = (
    r"(?:go|go on|go back|proceed|continue|move|move on|carry on|jump|skip)"
    r" (?:directly |straight )?(?:to|with|at)"
)
_ROUTED = (
    re.compile(rf"(?:If|Where|When|In case|Whenever),? (?P<when>.+), (?:then )?{_GO} {_PLACE}\."),
    re.compile(rf"(?i:{_GO}) {_PLACE},? (?:if|where|when|in case|whenever),? (?P<when>.+)\."),
)
_INVERTED = re.compile(r"^Should (?:the tool )?(\w+) refuse(?= )")
_SECTION = r"section \d+(?: \([^)]*\))?"
_RESULTS = (
    rf"the results (?:\((?P<results>{_SECTION})\)|(?:as )?(?:set out|laid down|described|specified)"
    rf" in (?P<laid>{_SECTION}))"
)
_RECORDS = (
    r",? (?:(?:together |along )?with|enclosing|including) the records"
    rf" (?:\((?:{_SECTION})\)|(?:listed|set out|described) in {_SECTION})"
)
_HAND = "(?:hand|pass|refer|transfer|give|forward)"
_ACT = (
    r"(?:(?P<closed>close (?:the|this) case|(?:the|this) case is (?:then )?closed)"
    rf"|{_HAND} (?:over )?(?:the|this) case(?: over| on)?(?P<first>{_RECORDS})?,?(?: over| on)?"
    rf" to (?:the )?(?P<office>[a-z][\w '-]*?)(?P<last>{_RECORDS})?"
    rf"|{_HAND} the (?P<given>[a-z][\w '-]*?) (?:the|this) case(?P<more>{_RECORDS})?)"
)
_REPORT = rf"(?:report|state|give) {_RESULTS}"
_ENDINGS = tuple(
    re.compile(form)
    for form in (
        rf"(?i:{_REPORT})(?:,? and then|, then|,? and|;|\.)(?: then)? (?i:{_ACT})\.",
        rf"(?i:{_ACT}) (?:after|once you have|when you have) (?:report(?:ing|ed)) {_RESULTS}\.",
        rf"(?:After reporting|Having reported|Once you have reported) {_RESULTS}, (?i:{_ACT})\.",
        rf"(?:Once|When|As soon as) {_RESULTS} (?:are|have been) reported, (?i:{_ACT})\.",
        rf"(?:The|the) {_RESULTS[4:]} are (?:to be )?reported(?:,? and|;|, and then) (?i:{_ACT})\.",
    )
)
_LEAVING = re.compile(
    rf"(?P<record>.+?)(?:,? and(?: then)?|, then|;|\.) (?:[Tt]hen,? )?(?i:{_ACT})\."
)
# A label may have the word, too: "the report outcome".
_REPORTING = re.compile(r"(?:^|[,.;] |\band )report(?:ing)? the results\b", re.IGNORECASE)
_LEFT = re.compile(rf"(?:Then,? )?(?i:{_ACT})\.")
_LAST = re.compile(r",? and (?=\w+(?: \(|$))|, and ")
_AND = re.compile(r",? and ")


def reword_call(text: str) -> str:
    """Return a sentence on a call in the words of the rules; others as they are."""
    found = next((hit for form in _FORMS if (hit := form.fullmatch(text))), None)
    if found is None or '"' in found["takes"]:
        return text
    takes = _AND.sub(", ", found["takes"])
    parts = found.groupdict()
    returned = parts["returned"] or parts.get("last")
    rest = f" It returns {list_plainly(returned)}." if returned else ""
    rest = " It returns:" if parts.get("listed") else rest
    return f"Call the tool {found['tool']} with {takes}.{rest}"


def reword_refusal(text: str) -> str:
    """Return a sentence on where to go after a refusal in the words of the rules; others as is."""
    stated = _INVERTED.sub(r"If \1 refuses", text)
    routed = next((hit for form in _ROUTED if (hit := form.fullmatch(stated))), None)
    if routed is None:
        return text
    found = next((hit for form in _REFUSING if (hit := form.fullmatch(routed["when"]))), None)
    if found is None:
        return text
    said = found["reason"] or found.groupdict().get("aside")
    reason = f", because {said}" if said else ""
    return f"If {found['tool']} refuses with {found['code']}{reason}, go to step {routed['place']}."


def write_out_check(text: str, refusals: Mapping[str, str]) -> str:
    """Return a check in the list of a tool's as a whole sentence; other text as it is.

    ``refusals`` are the codes of checks, each with the tool that it is of where no tool stands
    in brackets, "" for none.
    """
    found = frames.CHECK_OPENING.match(text)
    if found is None or found["code"] not in refusals:
        return text
    tool = found["tool"] or refusals[found["code"]]
    whole = frames.WHOLE_CHECK.render(tool=tool, code=found["code"], joint=found["joint"] or "if")
    return f"{whole}{text[found.end() :]}" if tool else text


def reword_ending(text: str) -> str:
    """Return a sentence on how a case ends in the words of the rules; others as they are.

    >>> reword_ending("After reporting the results (section 9), close the case.")
    'Report the results (section 9) and close the case.'
    >>> reword_ending("Then pass the case on to the Audit Office.")
    'Hand the case over to the Audit Office.'
    >>> reword_ending('Record the state (state) as "done". Then pass the case on to the clerk.')
    'Record the state (state) as "done" and hand the case over to the clerk.'
    >>> reword_ending('Record the report state (state) as "done". Then close the case.')
    'Record the report state (state) as "done" and close the case.'
    """
    found = next((hit for form in _ENDINGS if (hit := form.fullmatch(text))), None)
    if found is None:
        return _reword_leaving(text)
    act = "close the case"
    if not found["closed"]:
        records = re.search(_SECTION, found["first"] or found["last"] or found["more"] or "")
        act = f"hand the case to the {found['office'] or found['given']}"
        act += f" with the records ({records[0]})" if records else ""
    return f"Report the results ({found['results'] or found['laid']}) and {act}."


def _reword_leaving(text: str) -> str:
    """Return an ending that does not speak of results in the words of the rules; others as is."""
    alone, after = _LEFT.fullmatch(text), _LEAVING.fullmatch(text)
    found = alone or after
    if found is None or (after and _REPORTING.search(after["record"])):
        return text
    office = found["office"] or found["given"]
    act = "close the case" if found["closed"] else f"hand the case over to the {office}"
    return f"{capitalize_text(act)}." if alone else f"{found['record']} and {act}."


def list_returned_words(returned: str) -> dict[str, str]:
    """Return what stands in brackets after each name in a list of what a tool returns.

    >>> list_returned_words('price (in EUR; "none" if there is none), day')
    {'price': 'in EUR; "none" if there is none', 'day': ''}
    """
    parts, depth, is_quoted = [""], 0, False
    for letter in returned:
        is_quoted ^= letter == '"'
        depth += 0 if is_quoted else {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and depth == 0 and not is_quoted:
            parts.append("")
        else:
            parts[-1] += letter
    named = (part.strip().partition(" (") for part in parts)
    return {name: words.removesuffix(")") for name, _, words in named}


def parse_returned_words(returned: str, names: Mapping[str, str]) -> list[str] | None:
    """Return the names of what a sentence or a list calls by words, None if it uses others.

    >>> parse_returned_words("the fee, the day and whether it is late",
    ...     {"the fee": "fee", "the day": "day", "whether it is late": "late"})
    ['fee', 'day', 'late']
    """
    known = "|".join(re.escape(words) for words in sorted(names, key=len, reverse=True))
    each = re.compile(rf"({known})(?:,? and |, |$)")
    found, place = [], 0
    while place < len(returned):
        hit = each.match(returned, place)
        if hit is None:
            return None
        found.append(names[hit[1]])
        place = hit.end()
    return found


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
