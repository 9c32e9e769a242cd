"""Formulas as instructions, put into the values that they give.

"Divide the fare by the journeys, round the result to 2 decimal places and cap it at 180 EUR" gives
"(the fare divided by the journeys, rounded to 2 decimal places), but at most 180 EUR". Fields have
their marks in the text by then.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sopforge.logic.english.notation import SIGN_WORDS
from sopforge.logic.english_reader import NotReadError

_WHAT = "the \ue000\\d+\ue001 \\(\\w+\\)(?:, in [^:,;]+)?"
_WORK_OUT = "Calculate|Compute|Derive|Determine|Work out"
_VERBS = "add|apply|deduct|divide|multiply|subtract|take"
_RESULT = (
    "the result|what remains|the remainder|what is left|the rest|the outcome|the difference|the sum"
    "|this|that"
)
_FORMS = (
    re.compile(rf"(?:{_WORK_OUT}) (?P<what>{_WHAT}): (?P<steps>(?:{_VERBS}) .+)\."),
    re.compile(
        rf"(?:To|In order to) (?:{_WORK_OUT.lower()}) (?P<what>{_WHAT})[,:] "
        rf"(?P<steps>(?:{_VERBS}) .+)\."
    ),
    re.compile(
        rf"(?P<steps>(?i:{_VERBS}) .+?)(?:;|:|\.|, and) (?i:{_RESULT}) is "
        rf"(?P<what>{_WHAT})\."
    ),
    re.compile(
        rf"(?P<steps>(?i:{_VERBS}) .+?)(?:;|:|\.|, and) (?P<what>(?i:{_WHAT})),? is (?:{_RESULT})\."
    ),
)
# "Deduct the excess from the loss; the indemnity is what remains", maybe of one case only.
_NAMED = re.compile(
    rf"(?P<case>(?:If|Where|When|In|Otherwise) .*?, |Otherwise, |)(?P<steps>(?i:{_VERBS}) .+?)"
    r"(?:;|:|\.|, and) (?i:the )(?P<label>\ue000\d+\ue001)(?P<unit>, in [^:,;]+,)? (?P<be>is|are)"
    rf" (?:{_RESULT})(?P<bounds>, but [^:;]+)?\."
)
_SCORE = re.compile(
    rf"(?P<what>The \ue000\d+\ue001(?:, in [^:,;]+)?): (?P<steps>(?:{_VERBS}) .+)\."
)
_NEXT = (
    r"(?:,? and then |, and |; then |, then |,? and |, )"
    r"(?=(?:add|cap|deduct|divide|keep|limit|multiply|raise|round|subtract) )"
)
_OPERAND = (
    "(?:the \ue000\\d+\ue001|\\([^()]+\\)"
    "|-?\\d[\\d.]*(?: (?!(?:and|from|to|by|of) )[^ ,;()]+){0,3}(?: of [a-z]+)?)"
)
_SHARE = rf"\d[\d.]* percent of {_OPERAND}"
_IT = r"(?:it|this|that|(?:the|this) (?:result|amount|quotient|product|sum|difference|number))"
_PLACES = r"(?P<places>\d decimal places?|a whole number)"
_DEDUCT = "(?:subtract|deduct|take)"
_TWO = rf"(?P<b>{_OPERAND}) and(?: also)? (?P<c>{_OPERAND})"
_FROM = re.compile(
    rf"(?:^From|(?<=, )from) (?P<from>{_OPERAND}), (?P<verb>subtract|deduct)(?: both)? "
)
# First steps; each gives what stands in its place.
_FIRST = (
    (rf"divide (?P<a>{_OPERAND}) by (?P<b>{_OPERAND})", "{a} divided by {b}"),
    (
        rf"multiply (?P<a>{_OPERAND}) (?:by|with) (?P<b>the \ue000\d+\ue001) \(in percent\)",
        "{a} multiplied by {b} (in percent)",
    ),
    (rf"multiply (?P<a>{_OPERAND}) (?:by|with) (?P<b>{_OPERAND})", "{a} times {b}"),
    (
        rf"{_DEDUCT} from (?P<a>{_OPERAND}),? (?:both )?{_TWO}",
        "{a} minus {b} minus {c}",
    ),
    (
        rf"{_DEDUCT} (?:both )?{_TWO} from (?P<a>{_OPERAND})",
        "{a} minus {b} minus {c}",
    ),
    (
        rf"(?:subtract|deduct|take) (?P<b>{_OPERAND}) from (?P<a>{_OPERAND})",
        "{a} minus {b}",
    ),
    (rf"(?:subtract|deduct) from (?P<a>{_OPERAND}) (?P<b>{_OPERAND})", "{a} minus {b}"),
    (rf"add (?:both )?{_TWO} to (?P<a>{_OPERAND})", "{a} plus {b} plus {c}"),
    (rf"add (?P<b>{_OPERAND}) (?:to|and) (?P<a>{_OPERAND})", "{a} plus {b}"),
    (
        rf"apply (?P<b>{_OPERAND}),? as a percentage,? to (?P<a>{_OPERAND})",
        "the percentage of {a} given by {b}",
    ),
    (rf"take (?P<a>{_SHARE}|{_OPERAND})", "{a}"),
)
# Further steps, each on what the steps before gave.
_FURTHER = (
    (rf"(?:subtract|deduct) (?P<b>{_OPERAND})(?: from {_IT})?", "{it} minus {b}"),
    (rf"add (?P<b>{_OPERAND})(?: to {_IT})?", "{it} plus {b}"),
    (rf"multiply {_IT} (?:by|with) (?P<b>{_OPERAND})", "{it} times {b}"),
    (rf"divide {_IT} by (?P<b>{_OPERAND})", "{it} divided by {b}"),
)
_ROUND = re.compile(rf"round {_IT} to {_PLACES}")
_BOUNDS = (
    (rf"(?:cap|limit) {_IT} (?:at|to) (?:at most |a maximum of )?(?P<b>{_OPERAND})", "at most {b}"),
    (
        rf"keep {_IT} (?:between|within) (?P<a>{_OPERAND}) and (?P<b>{_OPERAND})",
        "at least {a} and at most {b}",
    ),
    (rf"raise {_IT} to (?:at least|a minimum of) (?P<b>{_OPERAND})", "at least {b}"),
)


_SIGN_WORDS = {**SIGN_WORDS, "*": "times", "-": "minus", "/": "divided by"}
_SIGN = re.compile(rf"(?<=[\w)]) ([{''.join(map(re.escape, _SIGN_WORDS))}]) (?=[\w(])")
_BARE_OPERAND = re.compile(
    rf"(?:^: |\(|\b(?:{'|'.join(SIGN_WORDS.values())}) |^[A-Z] is )(?=[^\W\d])"
    r"(?!(?:the|an?|double|each|half|if|in|it|minus|no|not|or|rounded|they|twice|what) )"
)
_CAPPED = re.compile(
    "(?:;|,|\\.) (?:and |but )?(?P<what>(?i:the) (?:\ue000\\d+\ue001|result|amount)|it|this|that)"
    r" (?:is|must be|is to be|has to be|may be)(?: then)? (?:(?P<most>capped at|limited to"
    r"|restricted to|at most|not (?:to be )?more than|no more than)|(?P<least>at least"
    r"|never less than|not (?:to be )?less than|no less than|raised to at least)) (?P<b>[^;]+)\.$"
)


@dataclass(frozen=True, slots=True)
class _Value:
    """A value in words; one that is simple needs no brackets."""

    words: str
    is_simple: bool = False
    is_bounded: bool = False

    def bracket(self) -> str:
        return self.words if self.is_simple else f"({self.words})"


_TERM = (
    "(?:(?:\\d[\\d.]* percent of )?the \ue000\\d+\ue001(?: \\(rounded to [^()]*\\))?"
    "|-?\\d[\\d.]*(?: (?!percent)[A-Za-z]+){0,2})"
)
# "The loss, less 5 percent of the price, less the excess": terms, each taken off those before it.
_LESS = re.compile(
    rf"(?P<head>(?: (?:is|are)|:) ){_TERM}(?:(?:,? minus|, less) {_TERM})*, less {_TERM}"
    r"(?=\.$|;$|, but at (?:least|most) )"
)


def spell_signs(text: str) -> str:
    """Return a formula with words for its signs, and articles before its operands.

    What has no sign is returned as it is.

    >>> spell_signs("Calculate the price, in EUR: (rate + fee) * hours.")
    'Calculate the price, in EUR: (the rate plus the fee) times the hours.'
    """
    # Each second part stood between quotation marks.
    parts = text.split('"')
    parts[::2] = [
        _SIGN.sub(lambda found: f" {_SIGN_WORDS[found[1]]} ", part) for part in parts[::2]
    ]
    spelled = '"'.join(parts)
    if spelled == text:
        return text
    head, colon, value = spelled.partition(": ")
    value = _BARE_OPERAND.sub(r"\g<0>the ", f"{colon}{value}" if colon else head)
    return f"{head}{value}" if colon else value


def reword_formula(text: str) -> str:
    """Return a sentence with the value that its instructions give; others as they are."""
    text = _LESS.sub(lambda found: re.sub(",? (?:less|minus) ", " minus ", found[0]), text)
    text = _CAPPED.sub(_say_bound, _FROM.sub(r"\g<verb> from \g<from> ", text))
    named = _NAMED.fullmatch(text)
    if named is not None:
        return _name_value(named)
    score = _SCORE.fullmatch(text)
    found = score or next((hit for form in _FORMS if (hit := form.fullmatch(text))), None)
    if found is None:
        return text
    try:
        value = _build_value(found["steps"])
    except NotReadError:
        return text
    what = f"{found['what'][:1].lower()}{found['what'][1:]}"
    head = found["what"] if score else f"Calculate {what}"
    return f"{head}: {value}."


def _say_bound(found: re.Match[str]) -> str:
    """Return a bound that a sentence of its own gives as an instruction, if it is of that value."""
    label = re.search("\ue000\\d+\ue001", found["what"])
    if label is not None and f"the {label[0]} (" not in found.string[: found.start()].lower():
        return found[0]
    verb = "cap it at" if found["most"] else "raise it to at least"
    return f", and {verb} {found['b']}."


def _name_value(found: re.Match[str]) -> str:
    """Return a sentence that says of a field what instructions before its name give."""
    try:
        value = _build_value(found["steps"])
    except NotReadError:
        return found[0]
    the = "the" if found["case"] else "The"
    return (
        f"{found['case']}{the} {found['label']}{found['unit'] or ''} {found['be']} {value}"
        f"{found['bounds'] or ''}."
    )


def _build_value(steps: str) -> str:
    first, *others = re.split(_NEXT, steps)
    words, found = _match_step(first[:1].lower() + first[1:], _FIRST)
    is_simple = words == "{a}"
    operands = found.groupdict() if is_simple else _bracket_operands(found)
    value = _Value(words.format(**operands), is_simple=is_simple)
    for step in others:
        value = _apply_step(value, step)
    return value.words


def _apply_step(value: _Value, step: str) -> _Value:
    rounded = _ROUND.fullmatch(step)
    if rounded is not None:
        if value.is_bounded:
            raise NotReadError(step)
        return _Value(f"{value.words}, rounded to {rounded['places']}")
    for pattern, words in _BOUNDS:
        found = re.fullmatch(pattern, step)
        if found is not None:
            bound = words.format(**found.groupdict())
            so_far = f"{value.words} and " if value.is_bounded else f"{value.bracket()}, but "
            return _Value(f"{so_far}{bound}", is_bounded=True)
    words, found = _match_step(step, _FURTHER)
    return _Value(words.format(it=value.bracket(), **_bracket_operands(found)))


def _bracket_operands(found: re.Match[str]) -> dict[str, str]:
    """Return what a step is about, with brackets around what is itself a product or a share."""
    return {
        name: f"({words})" if re.search("^[^(].*(?: times |percent of )", words) else words
        for name, words in found.groupdict().items()
    }


def _match_step(step: str, known: tuple[tuple[str, str], ...]) -> tuple[str, re.Match[str]]:
    for pattern, words in known:
        found = re.fullmatch(pattern, step)
        if found is not None:
            return words, found
    raise NotReadError(step)
