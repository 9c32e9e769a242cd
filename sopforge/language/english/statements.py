"""The table of statements: what a line of an SOP says, with the list that may stand below it.

``<c>`` is a condition: in the line where it is short, else over a list of its parts, which follows
the statement.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

_LISTS = (
    ("all of the following apply", "and_(*cs)"),
    ("any of the following applies", "or_(*cs)"),
    ("there is {n:anitem} for which all of the following apply", "some(items(n, and_(*cs)))"),
    ("there is {n:anitem} for which any of the following applies", "some(items(n, or_(*cs)))"),
)
_LINES = "{cs:line*bullets}"
_CONDITION = "<c>"

_RULES = (
    ("rule", "{v:result} if <c>.", "rule(v, c)"),
    ("rule", "{v:result} in all other cases.", "rule(v, none)"),
    ("rule", "{v:value}, if {c:short}.", "rule(v, c)"),
    ("rule", "If {c:condition}: {v:value}.", "rule(v, c)"),
    ("rule", "In all other cases: {v:value}.", "rule(v, none)"),
    ("setrule", "{v:listed} if <c>.", "rule(v, c)"),
    ("setrule", "{v:listed} in all other cases.", "rule(v, none)"),
    ("setrule", "{v:sum.set} if <c>.", "rule(v, c)"),
    ("setrule", "{v:sum.set} in all other cases.", "rule(v, none)"),
    ("setrule", "If {c:condition}: {v:value}.", "rule(v, c)"),
    ("setrule", "In all other cases: {v:value}.", "rule(v, none)"),
    ("answer", "If <c>, {y:assigned}.", "answers(c, y)"),
    ("answer", "If <c>, {ys:assigned*and}.", "answers(c, *ys)"),
    ("answer", "In all other cases, {y:assigned}.", "answers(none, y)"),
    ("answer", "In all other cases, {ys:assigned*and}.", "answers(none, *ys)"),
    ("assigned", "{f:said}", "holds(f)"),
    ("assigned", "{a:name} is/are {v:result}", "sets(a, v)"),
    ("assignedset", "{a:name} is/are {v:listed}", "sets(a, v)"),
    ("assigned", "{x:assignedset}", "x"),
    ("counted", "<c>.", "counted(c)"),
    ("definition", "{d:definiendum} if <c>.", "defines(d, c)"),
    ("result", "{l:quoted}", "label(l)"),
    ("result", "{x:sum}", "x"),
    ("cell", "{s:state}", "s"),
    ("cell", "any", "whatever()"),
    ("cell", "all other cases", "rest()"),
    ("onlycell", "{s:state}", "s"),
    ("onlycell", "any other", "rest()"),
    ("entered", "{l:labels}", "l"),
    ("entered", "any other", "rest()"),
    ("given", "{v:result}", "v"),
    ("given", "{v:value}", "v"),
)
_ORDERED = "It tries the alternatives in this order, and the first that holds decides."
_CHECKS = (
    ("{c:brief}", "refuses(w, t, c)"),
    ("refused if all of the following apply:{cs:line*bullets}", "refuses(w, t, and_(*cs))"),
    ("refused if any of the following applies:{cs:line*bullets}", "refuses(w, t, or_(*cs))"),
    ("{c:condition}", "refuses(w, t, c)"),
    ("refused unless {c:brief}", "requires(w, t, c)"),
    ("refused unless all of the following apply:{cs:line*bullets}", "requires(w, t, and_(*cs))"),
    ("refused if none of the following applies:{cs:line*bullets}", "requires(w, t, or_(*cs))"),
    ("refused unless {c:condition}", "requires(w, t, c)"),
)
POLICIES: Mapping[str, str] = {
    "first rule": "Use the first rule that applies",
    "unique rule": "Exactly one of these rules applies",
    "any rule": "Several of these rules may apply; they then agree",
    "first row": "Use the first row that applies",
    "any row": "Several rows may apply; they then agree",
    "sum": "Add up all that apply",
    "sum or nothing": "Add up all that apply; if none applies, it is zero",
    "count": "Count the conditions that hold",
    "count or nothing": "Count the conditions that hold; if none holds, it is zero",
    "union": "List all that apply",
    "union or nothing": "List all that apply; if none applies, the list is empty",
    "min": "Take the smallest value that applies",
    "min or nothing": "Take the smallest value that applies; at least one does",
    "max": "Take the largest value that applies",
    "max or nothing": "Take the largest value that applies; at least one does",
    "lowest": "Take the lowest value that applies",
    "lowest or nothing": "Take the lowest value that applies; at least one does",
    "highest": "Take the highest value that applies",
    "highest or nothing": "Take the highest value that applies; at least one does",
}
"""How the rules or rows of a table decide together."""
RANKED = {"min": "lowest", "max": "highest"}
"""How policies that pick a number are called where they pick a label."""
_WORKED_OUT = ("sum", "count", "min", "max")
_CASES = (
    ("case", "if {c:plain}: {v:value}", "case(c, v)"),
    ("case", "otherwise: {v:value}", "case(none, v)"),
    ("summand", "{v:figure} in every case", "v"),
    (
        "summand",
        "{x:sum} if {a:noun} {p:pred}, {y:sum} if it/they {q:pred}",
        "if_(p[a], x, when(q[a], y))",
    ),
    ("summand", "{v:sum} if {c:plain}", "when(c, v)"),
    ("summand", "{v:value}", "v"),
)
_CHOICES = (
    ("choose", "Determine {t:whether}: {l:quoted} if <c>, otherwise {m:quoted}.", "c"),
    (
        "choose",
        "Set {t:asked} to {l:quoted} if {c:brief}; otherwise set it/them to {m:quoted}.",
        "c",
    ),
    ("choose", "Set {t:asked} to {l:quoted} if <c>, and otherwise to {m:quoted}.", "c"),
)
_STILL = "if this is still so after that, go to step {s:step}"
_STEPS = (
    ("edge", "If <c>, go to step {s:step}.", "goes(c, s)"),
    ("edge", "Otherwise, continue with step {s:step}.", "goes(none, s)"),
    ("onlyedge", "Continue with step {s:step}.", "goes(none, s)"),
    (
        "onlyedge",
        "Repeat this step, at most {k:times}; after that, go to step {s:step}.",
        "repeats(none, k, s)",
    ),
    ("edge", "If <c>, repeat this step, at most {k:times}; " + _STILL + ".", "repeats(c, k, s)"),
    (
        "edge",
        "If <c>, go to step {t:step}, at most {k:times}; " + _STILL + " instead.",
        "returns(c, t, k, s)",
    ),
    (
        "onlyedge",
        "Go to step {t:step}, at most {k:times}; after that, go to step {s:step} instead.",
        "returns(none, t, k, s)",
    ),
    ("end", "Record {y:recorded} and {e:left}.", "ends(e, y)"),
    ("end", "Record {ys:recorded*and}. Then {e:left}.", "ends(e, *ys)"),
    ("end", "{e:left}.", "ends(e)"),
    ("recorded", "{t:asked} as {v:result}", "sets(t, v)"),
    ("recorded", "{t:asked} as {v:listed}", "sets(t, v)"),
    ("left", "close the case", "closed()"),
    ("left", "hand the case over to {o:office}", "handed(o)"),
)
_STAYS = "; otherwise it stays as it is."
_EFFECTS = (
    ("The call leaves {a:name} as it is.", "writes(a, a)"),
    ("The call records that {f:done}.", "records(f)"),
    (
        "The call records that {f:done} if {c:plain}; otherwise it leaves this as it is.",
        "raises(f, c)",
    ),
    ("The call records that {f:done} if {c:plain}, and otherwise that {g:said}.", "notes(f, c, g)"),
    ("Each call reduces {a:name} by 1 until it is 0.", "writes(a, max(a - one(a), zero(a)))"),
    ("Each call reduces {a:name} by up to {v:noun}.", "writes(a, max(a - v, zero(a)))"),
    ("Each call raises {a:name} by {v:sum}, but not above {k:noun}.", "writes(a, min(a + v, k))"),
    ("Each call reduces {a:name} by {v:noun}, but not below {k:noun}.", "writes(a, max(a - v, k))"),
    ("Each call raises {a:name} by {v:noun}.", "writes(a, a + v)"),
    ("Each call reduces {a:name} by {v:noun}.", "writes(a, a - v)"),
    ("The call records {a:name} as {v:sum} if {c:plain}" + _STAYS, "writes(a, if_(c, v, a))"),
    (
        "The call records {a:name} as {v:sum} if {c:plain}, as {w:sum} if {d:plain}" + _STAYS,
        "writes(a, if_(c, v, if_(d, w, a)))",
    ),
    (
        "The call leaves {a:name} as it is if {c:plain}, and otherwise records it as {v:value}.",
        "writes(a, if_(c, a, v))",
    ),
    ("The call records {a:name} as {v:value}.", "writes(a, v)"),
    ("The call records {a:name} as {v:listed}.", "writes(a, v)"),
)
_SESSION = (
    ("From this call on, {f:done}.", "records(f)"),
    ("From this call on, {a:name} is/are {v:sum} if {c:plain}" + _STAYS, "writes(a, if_(c, v, a))"),
    ("From this call on, {a:name} is/are {v:value}.", "writes(a, v)"),
)


def iterate_statements() -> Iterator[tuple[str, str, str]]:
    """Yield the kind, the words and the tree of each statement."""
    rows: Iterable[tuple[str, str, str]] = (
        *_RULES, *_CASES, *_STEPS, *(("effect", *row) for row in _EFFECTS),
        *(("session", *row) for row in (*_SESSION, *_EFFECTS)),
        *((kind, words, f"chooses(t, {tree}, l, m)") for kind, words, tree in _CHOICES),
        *_iterate_decisions(), *_iterate_openings(), *_iterate_pointers(),
    )  # fmt: skip
    for kind, words, tree in rows:
        yield from _spread(kind, words, tree)
    for name, tool in (("{w:word}", "''"), ("{w:word} ({t:word})", "t")):
        for words, tree in _CHECKS:
            of = re.sub(r"\bt\b", tool, tree, count=1)
            end = "" if words.endswith("*bullets}") else "."
            yield "check", f"{name}: {words}{end}", of
        ordered = f"{name}: refused unless {{c:condition}}. {_ORDERED}"
        yield "check", ordered, f"tries(w, {tool}, c)"


def _spread(kind: str, words: str, tree: str) -> Iterator[tuple[str, str, str]]:
    """Yield a statement with its condition in the line, and over a list."""
    if _CONDITION not in words:
        yield kind, words, tree
        return
    yield kind, words.replace(_CONDITION, "{c:brief}"), tree
    for opening, listed in _LISTS:
        said = words.replace(_CONDITION, opening).removesuffix(".")
        yield kind, f"{said}:{_LINES}", re.sub(r"\bc\b", listed, tree)
    yield kind, words.replace(_CONDITION, "{c:condition}"), tree


_POINTERS = {
    "rule": (
        "{v:result} in the cases of {p:part}.",
        "{v:result} if the conditions in {p:part} are met.",
        "{v:result} if {p:part} applies.",
    ),
    "answer": (
        "In the cases of {p:part}, {y:assigned}.",
        "If the conditions in {p:part} are met, {y:assigned}.",
        "If {p:part} applies, {y:assigned}.",
    ),
    "edge": (
        "In the cases of {p:part}, go to step {s:step}.",
        "If the conditions in {p:part} are met, go to step {s:step}.",
        "If {p:part} applies, go to step {s:step}.",
    ),
}
"""How a statement says its result alone, and where its conditions stand; each in three manners."""
_POINTED = {"rule": "points(p, v)", "answer": "points(p, y)", "edge": "points(p, s)"}
MANNERS = 3


def _iterate_pointers() -> Iterator[tuple[str, str, str]]:
    for kind, manners in _POINTERS.items():
        for number, words in enumerate(manners):
            yield f"{kind} by pointer {number}", words, _POINTED[kind]
            yield kind, f"{{x:{kind} by pointer {number}}}", "x"


def _iterate_openings() -> Iterator[tuple[str, str, str]]:
    """Yield what stands before the rules or rows by which fields are decided."""
    for policy, words in POLICIES.items():
        verb = "Calculate" if policy.startswith(_WORKED_OUT) else "Determine"
        table = " from this table" if policy.endswith(" row") else ""
        yield "opening", f"{verb} {{t:target}}{table}. {words}:", f"opens({policy!r}, t)"
        yield "opening", f"{verb} {{ts:pair*and}}{table}. {words}:", f"opens({policy!r}, *ts)"
    for gap, tree in (("{t:target}", "t"), ("{ts:pair*and}", "*ts")):
        yield "opening", f"Determine {gap} from this table:", f"opens('unique row', {tree})"
    ranked = "If several of these rules apply, take the first of their results in the order"
    yield "opening", f"Determine {{t:target}}. {ranked} {{l:quotedset}}:", "ranks(l, t)"
    yield "opening", "Look up {t:askedof}, by {k:keys}:", "looks(k, t)"
    yield "opening", "Look up {ts:pair*and}, by {k:keys}:", "looks(k, *ts)"
    yield "table", "{t:titled}, by {k:keys}:", "looks(k, t)"
    yield "table", "Look up {ts:pair*and}, by {k:keys}:", "looks(k, *ts)"
    yield "target", "{t:whether}", "t"
    yield "target", "{t:asked}", "t"
    yield "keys", "{k:label}", "keys(k)"
    yield "keys", "{ks:label*and}", "keys(*ks)"
    yield "asbefore", "Determine {t:pair} as in step {s:step}.", "as_before(s, t)"
    yield "asbefore", "Determine {ts:pair*and} as in step {s:step}.", "as_before(s, *ts)"


def _iterate_decisions() -> Iterator[tuple[str, str, str]]:
    """Yield how a value is worked out at a step, and in the annex by a tool."""
    yield "decide", "Determine {t:whether}: {v:value}.", "decides(t, v)"
    yield "decide", "Set {t:asked} to {v:name}.", "decides(t, v)"
    yield "decide", "Determine {t:asked}: {v:value.condition}.", "decides(t, v)"
    yield "decide", "Calculate {t:askedof}: {v:value.brief}.", "decides(t, v)"
    yield "decide", "Determine {t:asked}: {v:value.listed}.", "decides(t, v)"
    yield "calculate", "{a:subject} is/are {v:value.brief}.", "decides(a, v)"
    for kind, name, start, again in (
        ("decide", "t", "Calculate {t:askedin} as", "as"),
        ("calculate", "a", "{a:subject} is/are", "it/they is/are"),
    ):
        for bound, tree in (
            ("", "total(*xs)"),
            (", but at most {k:noun}", "min(total(*xs), k)"),
            (", but at least {k:noun}", "max(total(*xs), k)"),
        ):
            total = f"the sum of these{bound}:{{xs:summand*bullets}}"
            yield kind, f"{start} {total}", f"decides({name}, {tree})"
            words = f"{start} {{v:noun}} unless {{c:plain}}; then {again} {total}"
            yield kind, words, f"decides({name}, if_(c, {tree}, v))"
            words = f"{start} {{v:noun}} if {{c:plain}}; otherwise {again} {total}"
            yield kind, words, f"decides({name}, if_(c, v, {tree}))"
        named = f"{start} {{v:value}}, where:{{xs:bound*bullets}}"
        yield kind, named, f"decides({name}, let(v, *xs))"
        ladder = f"{start} the first of these that applies:{{xs:case*bullets}}"
        yield kind, ladder, f"decides({name}, ladder(*xs))"
    yield "bound", "{k:letter} is {v:value}", "bound(k, v)"
    yield "decide", "Calculate {t:askedof}: {v:value}.", "decides(t, v)"
    yield "calculate", "{a:subject} is/are {v:value}.", "decides(a, v)"
