"""The fixed sentences of an SOP around rules, each written once, for the writer and the reader.

What a condition or a value says is no frame: it fills a gap, and is read by other code than wrote
it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from sopforge.domain.rules import Collect, HitPolicy
from sopforge.logic.phrasing.grammar import conjugate_be, join_items, name_office
from sopforge.rendering.sop.references import PART, RECORDS, RESULTS

_GAP = re.compile(r"\{(\w+)\}")
_OPTIONAL = re.compile(r"\[(.+?)\]")
_MARKS = {"[": "(?:", "]": ")?"}
_STEP = r"\S+ \(.+\)"
_LAST_STEP = r"\S+ \((?:(?!\)\.).)+\)"  # no further sentence in it
AGAIN = {"is": "it is", "are": "they are", "as": "as"}
"""How a sentence takes up its verb again."""
_HELD: Mapping[str, str | tuple[str, ...]] = {
    "again": tuple(AGAIN.values()),
    "asked": "(?:the|whether) .+?",
    "head": "the (?:sum|first) of these.*",
    "meaning": ".*",
    "records": rf"section \d+(?: \((?i:{RECORDS})\))?",  # a draft may have other capitals
    "results": rf"section \d+(?: \({RESULTS}\))?",
    "sentence": ".*?",
    "part": rf"section \d+ \({PART}.+\)",
    "steps": "step .+",
    "takes": r"[^.\"]+",
    "times": r"once|twice|\d+ times",
    **dict.fromkeys(("code", "name", "target", "tool"), r"\w+"),
    **dict.fromkeys(("label", "letter", "plain"), ".+?"),
    **dict.fromkeys(("step", "to"), _STEP),
}
"""What gaps of these names hold, as patterns or as the words to choose from; others any text."""


class Frame:
    """A sentence with gaps: what is filled into them, a match gives back.

    A gap may be given a pattern or words of its own. What stands in square brackets is left out
    where a gap in it stays empty.

    >>> frame = Frame("{verb} {tool}[, because {reason}].", verb=("Call", "Use"))
    >>> frame.render(verb="Call", tool="findParcel")
    'Call findParcel.'
    >>> frame.match("Use findParcel, because it knows.")
    {'verb': 'Use', 'tool': 'findParcel', 'reason': 'it knows'}
    """

    def __init__(self, text: str, /, **gaps: str | tuple[str, ...]) -> None:
        self.text = text
        self.gaps = {name: {**_HELD, **gaps}.get(name, ".+") for name in _GAP.findall(text)}
        parts = re.split(r"(\{\w+\}|[][])", text)
        self._pattern = re.compile("".join(map(self._compile_part, parts)))

    def _compile_part(self, part: str) -> str:
        gap = _GAP.fullmatch(part)
        if gap is None:
            return _MARKS.get(part) or re.escape(part)
        held = self.gaps[gap[1]]
        words = held if isinstance(held, str) else "|".join(map(re.escape, held))
        return f"(?P<{gap[1]}>{words})"

    def render(self, **values: str) -> str:
        """Return the sentence with its gaps filled."""

        def fill_part(part: re.Match[str]) -> str:
            return part[1] if all(values.get(name) for name in _GAP.findall(part[1])) else ""

        return _OPTIONAL.sub(fill_part, self.text).format_map(values)

    def match(self, text: str) -> dict[str, str] | None:
        """Return what fills the gaps of a sentence, None where it is another one."""
        found = self._pattern.fullmatch(text)
        return None if found is None else found.groupdict(default="")


class NamingFrame(Frame):
    """A sentence that names fields: each name stands in brackets after a label that differs.

    >>> frame = NamingFrame("Record the {label} ({name}) as {value}.")
    >>> frame.render(label="final fee", name="final_fee", value="5 EUR")
    'Record the final fee as 5 EUR.'
    >>> frame.render(label="final fee", name="fee", value="5 EUR")
    'Record the final fee (fee) as 5 EUR.'
    """

    def render(self, **values: str) -> str:
        """Return the sentence without those names that are their labels."""
        return _NAMED.sub(_drop_plain_name, super().render(**values))


class OfficeFrame(Frame):
    """A sentence that names an office, with an article if its name has one.

    >>> frame = OfficeFrame("{office} takes over.")
    >>> frame.render(office="accounting"), frame.render(office="accounts office")
    ('Accounting takes over.', 'The accounts office takes over.')
    >>> frame.match("The accounts office takes over.")
    {'office': 'accounts office'}
    """

    def render(self, **values: str) -> str:
        """Return the sentence, which may begin with the office."""
        text = super().render(**{**values, "office": name_office(values["office"])})
        return f"{text[:1].upper()}{text[1:]}" if self.text.startswith("{office}") else text

    def match(self, text: str) -> dict[str, str] | None:
        """Return what fills the gaps, the office without its article."""
        found = super().match(text)
        if found is None:
            return None
        office = re.sub(r"^[Tt]he ", "", found["office"])
        named = f"{office[:1].lower()}{office[1:]}"
        has_none = office == found["office"] and name_office(named) == named
        return {**found, "office": named if has_none else office}


_NAMED = re.compile(r"\bthe ([^()\"]+) \((\w+)\)")


def _drop_plain_name(found: re.Match[str]) -> str:
    return f"the {found[1]}" if is_plain_name(found[2], found[1]) else found[0]


def is_plain_name(name: str, label: str) -> bool:
    """Return whether the name of a field is its label, but for the blanks."""
    return label == name.replace("_", " ")


# steps

ROLE = OfficeFrame(
    "{office} {verb} out {carried}.",
    verb=("carries", "carry"),
    carried=r"steps? \d.+|all other steps",
)
_ROLE_PASSIVE = OfficeFrame(
    "{carried} {be} carried out by {office}.",
    carried=r"[Ss]teps? \d.+|[Aa]ll other steps",
    be=("is", "are"),
    office="[^.]+",
)
OTHER_STEPS = "all other steps"


def read_role(text: str) -> dict[str, str] | None:
    """Return which steps a sentence gives to which role, None for another sentence."""
    found = ROLE.match(text) or _ROLE_PASSIVE.match(text)
    return found and {**found, "carried": f"{found['carried'][:1].lower()}{found['carried'][1:]}"}


RESPONSIBLE = Frame("Responsible: {office}.", office="[^.]+")
BEGIN = "Begin with "
CALL_VERB = "Call"
_CALL_VERBS_READ = ("Call the tool", "Use the tool", CALL_VERB)
CALL = Frame("{verb} {tool} with {takes}.[ It returns {returned}.]", verb=_CALL_VERBS_READ)
CALL_LISTED = Frame("{verb} {tool} with {takes}. It returns:", verb=_CALL_VERBS_READ)


def is_called(tool: str, text: str) -> bool:
    """Return whether a text has a tool called, by its name.

    >>> is_called("findParcel", "Call findParcel with parcel_id. It returns service.")
    True
    >>> is_called("findParcel", "Do not use findParcel: it is superseded.")
    False
    """
    return re.search(rf"\b(?:[Cc]all|[Uu]se) (?:the tool )?{tool} with\b", text) is not None


STAYS = "otherwise it stays as it is"
OTHERWISE = ", otherwise "
ON_FILE = "on file"
_WHERE = (ON_FILE,)
"""Where a change is made, which is only read: nothing else could be changed."""
EFFECT = Frame(
    "The call records the {label} as {value}[; {stays}].",
    label=".+?",
    value=".+?",
    stays=(STAYS,),
)
SETTING = Frame(
    "The call sets the {label}[ {where}] to {value}[; {stays}].",
    label=".+?",
    where=_WHERE,
    value=".+?",
    stays=(STAYS,),
)
"""The same of a label in which there is an "as"."""
_EACH = ("Each", "The")
CHANGES = {"raises": "plus", "reduces": "minus"}
PASSED = {"above": "at most", "below": "at least"}
CHANGE = Frame(
    "{each} call {verb} the {label}[ {where}] by {value}[, but not {passed} {limit}].",
    each=_EACH,
    verb=tuple(CHANGES),
    label=".+?",
    where=_WHERE,
    value=".+?",
    passed=tuple(PASSED),
)
REDUCED_TO_ZERO = Frame(
    "{each} call reduces the {label} by up to {value}.", each=_EACH, label=".+?", value=".+?"
)
"""The same of a number that ends at zero."""
REDUCED_BY_ONE = Frame(
    "{each} call reduces the {label} by 1 until it is 0.", each=_EACH, label=".+?"
)
"""The same of one that is counted down."""
CLAUSE_ON_FILE = Frame("The call {verb} that {clause}.", verb=("records", "puts on file"))
CLAUSE_BY_CONDITION = Frame(
    "The call {verb} that {clause} if {condition}, and otherwise that {opposite}.",
    verb=("records", "puts on file"),
)
CLAUSE_OR_LEFT = Frame(
    "The call {verb} that {clause} if {condition}; otherwise the {label} stays as it is.",
    verb=("records", "puts on file"),
    label=".+?",
)
LEFT = Frame("The call leaves the {label}[ {where}] as it is.", label=".+?", where=_WHERE)
KEPT = Frame(
    "The call leaves the {label}[ {where}] as it is if {condition}, and otherwise {verb} {value}.",
    label=".+?",
    where=_WHERE,
    verb=("records it as", "sets it to"),
)
SESSION_EFFECT = Frame(
    "From this call on, the {label} {be} {value}[; {stays}].",
    label=".+?",
    be=("is", "are"),
    value=".+?",
    stays=(STAYS,),
)
SESSION_CLAUSE = Frame("From this call on, {clause}.")
BEYOND = Frame(
    "{tool} refuses with out_of_range if the {label} would become {limits}.", label=".+?"
)
BEYOND_NUMBERS, BEYOND_DAYS = ("less than", "more than"), ("before", "after")
REFUSED = Frame("If {tool} refuses with {code}[ ({reason})], go to step {to}.")
_CODE_AND_REASON = r"\w+(?: \([^()]+\))?"
REFUSED_ALIKE = Frame(
    "If {tool} refuses with {codes}, go to step {to}.",
    codes=rf"{_CODE_AND_REASON}(?:, {_CODE_AND_REASON})* or {_CODE_AND_REASON}",
)
"""The same of several codes, each with its reason."""
CODE = Frame("{code}[ ({reason})]", reason="[^()]+")
NEXT_CODE = re.compile(rf"({_CODE_AND_REASON})(?:, | or |$)")
REFUSED_BECAUSE = Frame("If {tool} refuses with {code}[, because {reason}], go to step {to}.")
"""The same with its reason in a clause, which is only read."""
IN_ORDER = "It tries the alternatives in this order, and the first that holds decides."
CHECK_UNLESS = Frame("{code}[ ({tool})]: refused unless {condition}.[ {order}]", condition=".+?")
"""A check in the list of those of a tool or, each with its tool in brackets, of several."""
CHECK_UNLESS_LISTED = Frame("{code}[ ({tool})]: refused unless {opening}:")
CHECK = Frame("{code}[ ({tool})]: {condition}.")
CHECK_IF_LISTED = Frame("{code}[ ({tool})]: refused if {opening}:")
OTHERS = "none of the following applies"
"""Of a list, any of whose conditions is enough."""
CHECK_OPENING = re.compile(
    r"(?P<code>\w+)(?: \((?P<tool>\w+)\))?: (?:[Rr]efused (?P<joint>if|unless) )?"
)
"""How such a check begins, in its list."""
WHOLE_CHECK = Frame("{tool} refuses with {code} {joint} ", joint=("if", "unless"))
"""The same in a whole sentence, as it is read."""
REFUSES_UNLESS = Frame(
    "{tool} refuses with {code} unless {condition}.[ {order}]", condition=".+?", order=(IN_ORDER,)
)
REFUSES_UNLESS_LISTED = Frame("{tool} refuses with {code} unless {opening}:")
REQUIRED = Frame(
    "{tool} requires that {condition}; otherwise it refuses with {code}.[ {order}]",
    order=(IN_ORDER,),
)
REQUIRED_LISTED = Frame("{tool} requires that {opening}; otherwise it refuses with {code}:")
"""The same from the other side, which is only read."""
REFUSES_IF = Frame("{tool} refuses with {code} if {condition}.")
REFUSES_IF_LISTED = Frame("{tool} refuses with {code} if {opening}:")
REFUSES_IF_NONE = Frame(f"{{tool}} refuses with {{code}} if {OTHERS}:")
REST = ("Otherwise", "In all other cases")
_REST_READ = (*REST, "In every other case")
GO_ON_VERBS = ("continue with", "go on to")
_GO_ON_FIRST = tuple(verb.capitalize() for verb in GO_ON_VERBS)
GO_ON = Frame("{verb} step {to}.", verb=_GO_ON_FIRST, to=_LAST_STEP)
"""Of a step that comes right after, the text gives the number alone."""
GO_ON_OTHERWISE = Frame(
    "{rest}, {verb} step {to}.", rest=_REST_READ, verb=GO_ON_VERBS, to=_LAST_STEP
)
GO_TO = "go to step "
REPEAT = "repeat this step"
REPEATED = Frame(
    "{sentence}repeat this step{gap} {times}; if {still} after that, go to step {to}.",
    gap=("", ","),
    times=(r"(?:at most )?(?:once|twice|\d+ times)"),
)
"""A repetition with how often it may be, in one sentence."""
STILL_SO = "this is still the case"
"""What a repetition is bounded by where its condition is more than one fact."""
REPEATED_AT_MOST = Frame(
    "{sentence}repeat this step at most {times}; after that, go to step {to} instead."
)
"""The same where it is repeated in all cases."""
BOUNDED = Frame("{sentence}Do so at most {times}; after that, go to step {to} instead.")
TIMES = {1: "once", 2: "twice"}
"""How often, where a word says so."""
END = Frame("Record {values}.")
"""The results that an end settles, each as ``END_VALUE`` has it."""
THEN = "Then "
"""What begins the next sentence of an end with several results."""
END_AND_LEAVE = Frame(
    "Record {values} and {leave}", leave=r"(?:close the case|hand the case (?:over )?to)\b.*"
)
END_VALUE = NamingFrame("the {label} ({name}) as {value}", value=".+")
CLOSE = Frame("Close the case.")
HAND_OVER = OfficeFrame("Hand the case over to {office}.", office=r"[^.()\"]+?")
HAND = OfficeFrame("Hand the case to {office}.", office=r"[^.()\"]+?")
"""The same in fewer words, which is only read."""
END_AND_REPORT = Frame("Record {values}, {report}", report=r"report the results \(.+")
REPORT_AND_CLOSE = Frame("Report the results ({results}) and close the case.")
REPORT_AND_HAND_OVER = OfficeFrame(
    "Report the results ({results}) and hand the case to {office}[ with the records ({records})].",
    office="[^.]+?",
)
"""The same with what is to be done at every end, which are only read."""
_TAKE, _DECIDE = ("takes", "take"), ("decides", "decide")
TAKES_OVER = OfficeFrame("{office} {take} over at {steps}.", take=_TAKE)
TAKES_OVER_ALONE = OfficeFrame(
    "{office} {take} over at {steps} and {decide} how to proceed.", take=_TAKE, decide=_DECIDE
)

# parts of the procedure

PART_OPENING = Frame("Carry out this section when a step refers to it. Begin with step {to}.")
COUNT_ANEW = (
    "If a step here limits how often it may be repeated, count from zero each time this section is"
    " carried out."
)
CARRY_OUT = Frame("Carry out {part}.")
RETURN = "Return to the step that referred you to this section, and continue there."

# decisions

ALL_HOLD = "all of the following apply"
ANY_HOLDS = "any of the following applies"
WORK_OUT_VERBS = ("Work out", "Calculate")
LOOK_UP = "Look up"
"""The verb for what stands in a table by one or more labels."""
DECIDE_VERB = "Determine"
_DECIDE_VERBS_READ = (DECIDE_VERB, "Establish", "Decide on", "Decide")
BY_TABLE = "from this table"
FORMULA = NamingFrame(
    "{verb} {asked} ({target}){value}",
    verb=(*WORK_OUT_VERBS, LOOK_UP, *_DECIDE_VERBS_READ),
    value=".*",
)
COPY = NamingFrame("Set {asked} ({target}) to {value}.")
"""A field that is given the value of another one, or a figure."""
DECISION = NamingFrame(
    "{verb} {asked} ({target})[ {table}]. {policy}",
    verb=(*_DECIDE_VERBS_READ, *WORK_OUT_VERBS),
    table=(BY_TABLE,),
)
PLAIN_TABLE = NamingFrame(
    "{verb} {asked} ({target}) {table}:",
    verb=(*_DECIDE_VERBS_READ, *WORK_OUT_VERBS),
    table=(BY_TABLE,),
)
"""The same of a table in which exactly one row applies."""
TWO_CASES = NamingFrame(
    '{verb} {asked} ({target}): "{value}" if {condition}, otherwise "{rest}".',
    verb=_DECIDE_VERBS_READ,
    **dict.fromkeys(("value", "rest"), r"[^\"]+"),
)
"""A label for one condition, and one for all other cases."""
TWO_CASES_LISTED = NamingFrame(
    '{verb} {asked} ({target}): "{value}" if {opening}, otherwise "{rest}":',
    verb=_DECIDE_VERBS_READ,
    opening=(ALL_HOLD, ANY_HOLDS),
    **dict.fromkeys(("value", "rest"), r"[^\"]+"),
)
"""The same with the conditions in a list below it."""
SET_TO = NamingFrame(
    'Set {asked} ({target}) to "{value}" if {condition}; otherwise set {it} to "{rest}".'
)
SET_TO_LISTED = NamingFrame(
    'Set {asked} ({target}) to "{value}" if {opening}, and otherwise to "{rest}":',
    opening=(ALL_HOLD, ANY_HOLDS),
)
"""Both, as a text says them of what is no yes/no field; ``to_two_cases`` is the other form."""
_SET_TO = (
    re.compile(
        r'Set (?P<asked>the [^":]+?) to (?P<value>"[^"]+") if (?P<condition>.+); otherwise,? set'
        r' (?:it|them) to (?P<rest>"[^"]+")(?P<end>[.:])'
    ),
    re.compile(
        r'Set (?P<asked>the [^":]+?) to (?P<value>"[^"]+") if (?P<condition>.+), and otherwise to'
        r' (?P<rest>"[^"]+")(?P<end>[.:])'
    ),
    re.compile(
        r'Set (?P<asked>the [^":]+?) to (?P<rest>"[^"]+"), or to (?P<value>"[^"]+") if'
        r" (?P<condition>.+)(?P<end>[.:])"
    ),
)


def to_two_cases(text: str) -> str:
    """Return a sentence that sets a field to one of two labels in the form of a decision.

    >>> to_two_cases('Set the fee to "low" if the loan is short; otherwise set it to "high".')
    'Determine the fee: "low" if the loan is short, otherwise "high".'
    """
    found = next((said for form in _SET_TO if (said := form.fullmatch(text))), None)
    if found is None:
        return text
    return "{verb} {asked}: {value} if {condition}, otherwise {rest}{end}".format(
        verb=DECIDE_VERB, **found.groupdict()
    )


JOINT_DECISION = NamingFrame(
    "{verb} {fields}[ {table}]. {policy}",
    verb=_DECIDE_VERBS_READ,
    fields=r"(?:the|whether) .+ \(\w+\)",
    table=(BY_TABLE,),
)
"""How a table is introduced that gives several fields: each with its name in brackets."""
PLAIN_JOINT_TABLE = NamingFrame(
    "{verb} {fields} {table}:",
    verb=_DECIDE_VERBS_READ,
    fields=r"(?:the|whether) .+ \(\w+\)",
    table=(BY_TABLE,),
)
"""The same of a table in which exactly one row applies."""
JOINT_LOOK_UP = NamingFrame(
    "{verb} {fields}{keys}",
    verb=(*_DECIDE_VERBS_READ, LOOK_UP),
    fields=r"(?:the|whether) .+ \(\w+\)",
    keys=", by .+:",
)
AS_BEFORE = NamingFrame(
    "{verb} {fields} as in step {to}.",
    verb=(*_DECIDE_VERBS_READ, *WORK_OUT_VERBS),
    fields=r"(?:the|whether) .+ \(\w+\)",
    to=_LAST_STEP,
)
"""Fields that an earlier step decides by the same rules."""
RULE_POLICIES = {
    HitPolicy.FIRST: "Use the first rule that applies:",
    HitPolicy.UNIQUE: "Exactly one of these rules applies:",
    HitPolicy.ANY: "Several of these rules may apply; they then agree:",
}
ROW_POLICIES = {
    HitPolicy.FIRST: "Use the first row that applies:",
    HitPolicy.UNIQUE: "Exactly one row applies:",
    HitPolicy.ANY: "Several rows may apply; they then agree:",
}
_SUM_OF_LINES = "Add up all that apply"
_COUNT_OF_LINES = "Count the conditions that hold"
_UNION_OF_LINES = "List all that apply"
_EXTREME = "Take the {} value that applies"
_ONE_APPLIES = "; at least one does"
COLLECTED: Mapping[tuple[Collect | None, bool], str] = {
    (Collect.SUM, True): f"{_SUM_OF_LINES}:",
    (Collect.SUM, False): f"{_SUM_OF_LINES}; if none applies, it is zero:",
    (Collect.COUNT, True): f"{_COUNT_OF_LINES}:",
    (Collect.COUNT, False): f"{_COUNT_OF_LINES}; if none holds, it is zero:",
    (Collect.UNION, True): f"{_UNION_OF_LINES}:",
    (Collect.UNION, False): f"{_UNION_OF_LINES}; if none applies, the list is empty:",
    (Collect.MINIMUM, True): _EXTREME.format("smallest") + ":",
    (Collect.MINIMUM, False): f"{_EXTREME.format('smallest')}{_ONE_APPLIES}:",
    (Collect.MAXIMUM, True): _EXTREME.format("largest") + ":",
    (Collect.MAXIMUM, False): f"{_EXTREME.format('largest')}{_ONE_APPLIES}:",
}
"""What is made of the lines that apply, by whether there is a line for all other cases."""
NONE_APPLIES = "If none of these applies"
DEFAULT = Frame("{rest}, {result}.", rest=(*_REST_READ, NONE_APPLIES))
BE = ("is", "are")
ANSWER = Frame("the {label} {be} {value}", be=BE)
_PLAIN_VALUE = r"(?:[\"\d(-]|the |what ).*?"
"""A label, a number or a day, written or worked out, as no other sentence begins."""
BARE_RULE = Frame("{value} if {condition}", value=_PLAIN_VALUE, condition=".+[.:]")
"""A rule under the sentence that names its field: the value alone, and when it holds."""
CASE_RULE = Frame("If {condition}: {value}.")
CASE_DEFAULT = Frame("{rest}: {value}.", rest=_REST_READ)
"""Rules that give a long value after its condition, as a formula has it."""
BARE_DEFAULT = Frame("{value} {rest}.", value=_PLAIN_VALUE, rest=tuple(map(str.lower, _REST_READ)))


def start_shared_answer(labels: Sequence[str]) -> str:
    """Return how a sentence begins that gives several fields one value.

    >>> start_shared_answer(["start", "end"])
    'the start and the end are both '
    """
    named = join_items([f"the {label}" for label in labels])
    return f"{named} are {'both' if len(labels) == 2 else 'all'} "  # noqa: PLR2004 - two are both


def name_answer(line: str, label: str) -> str:
    """Return a rule that begins with its value as a sentence about the field with the label.

    Other lines are returned as they are.

    >>> name_answer('"late" if the delay is more than 7 days.', "kind of notice")
    'The kind of notice is "late" if the delay is more than 7 days.'
    >>> name_answer('"early" otherwise.', "kind of notice")
    'Otherwise, the kind of notice is "early".'
    """
    be = conjugate_be(label)
    if found := BARE_DEFAULT.match(line):
        answer = ANSWER.render(label=label, be=be, value=found["value"].removesuffix(","))
        return DEFAULT.render(rest=found["rest"].capitalize(), result=answer)
    if found := BARE_RULE.match(line):
        value = found["value"].removesuffix(",")
        return BARE_RULE.render(value=f"The {label} {be} {value}", condition=found["condition"])
    return line


# conditional sentences

CONDITIONAL_WORDS = ("If", "Where", "When")
NAMED_CONDITION = Frame("{clause} if {condition}{end}", clause=".+?", end=(".", ":"))


@lru_cache
def build_conditional(start: str = "") -> Frame:
    """Return the sentence of a condition and a result that begins with the given words."""
    text, result = "{word} {condition},{then} {result}", f"{re.escape(start)}.*"
    return Frame(text, word=CONDITIONAL_WORDS, then=(" then", ""), result=result)


# values, after the name and the unit of what is worked out

CALCULATOR = Frame("The {value}")
VALUE = Frame(": {value}.")
VALUE_WHERE = Frame(": {value}, where:")
LETTER = Frame("{letter} is {value}")
BY_KEYS = Frame(", by {keys}:")
LISTED = Frame("{comma} {verb} {head}:", comma=("", ","), verb=tuple(AGAIN), head=".+")
SELECTED = Frame(
    ": {every} for which {opening}, with {parts}:", every="each .+?", opening=(ALL_HOLD, ANY_HOLDS)
)
"""A list that is made of the entries of another, with the conditions for them below it."""
AGGREGATED = Frame(
    ": {what} for which {opening}[, or {default} if there is {nothing}]:",
    what="the .+?",
    opening=(ALL_HOLD, ANY_HOLDS),
    nothing=("none", "no such entry"),
)
"""A number that is made of the entries of a list, with the conditions for them below it."""
LADDER = "the first of these that applies"
LAST_BRANCH = Frame("{value} otherwise")
CASES = ":"
"""What stands before the two cases of a value, each in a line of its own."""
CASE = Frame("if {condition}: {value}")
LAST_CASE = Frame("otherwise: {value}")
SUM = Frame("the sum of these[, but {limits}]")
ALWAYS = Frame("{value} in every case", value=r"-?\d.*")
"""A summand that is a figure; one with a condition is zero where that is not met."""
LIMIT = Frame("{bound} {value}", bound=("at most", "at least"))
UNLESS = Frame("{plain} unless {condition}; then {again} {head}")
IF_ELSE = Frame("{plain} if {condition}; otherwise {again} {head}")

# lines about fields

ENTRY = Frame("{name}[ ({label})]: {meaning}")
RESULT = Frame("{label} ({name}): {meaning}")
RETURNED = Frame("Returned by {tool}:")
WORKED_OUT = Frame("Set in step {step}:")
