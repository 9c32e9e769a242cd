"""The table of phrases: how the rules of every domain are said, and what the words mean.

Of one kind, the first phrase that says a term and can mean nothing else is written. A ``value`` is
said without brackets where it stands alone; ``sum``, ``product`` and ``noun`` hold together ever
more closely, and what has no words as a ``noun`` is a value in brackets. A ``fact`` is one
condition, a ``row`` several in one line, a ``condition`` any. A ``state`` follows "is", a ``limit``
also "of"; a ``when`` is a state of days that follows other verbs too. A ``filter`` follows the
entries of a list. ``a`` is what the verb of a phrase agrees with.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import chain

from sopforge.language.english.phrases import Phrase
from sopforge.language.english.statements import iterate_statements

_LIMITS = (("less than", "<"), ("at most", "<="), ("more than", ">"), ("at least", ">="))
_RANKS = (("below", "<"), ("at most", "<="), ("above", ">"), ("at least", ">="))
_FAR = (*_LIMITS, ("exactly", "=="), ("not exactly", "!="))
_DAYS = (("before", "<"), ("on or before", "<="), ("after", ">"), ("on or after", ">="))
_MANY = (("fewer than", "<"), *_LIMITS[1:], ("exactly", "=="), ("not exactly", "!="))
_SPANS = (("ndays", "days"), ("nminutes", "minutes"), ("nworkdays", "workdays"))
_MONTHS = (("nmonths", "months"), ("nyears", "years"))
_HOURS = (("nhours", "hours"), ("ndays", "full_days"))
_TIMES = (("minutes", "add_minutes"), ("hours", "add_hours"), ("days", "add_full_days"))
_BACK = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_ELSE, _OR_ELSE = ", or {d:noun} if there is none", ", or {x:noun} if there is none"
_ROUNDED = tuple(
    (f"{{a:sum}}, rounded {side}to {{k:places}}", f"{head}(a, k)")
    for side, head in (("", "round"), ("down ", "floor"), ("up ", "ceiling"))
)
_AMONG = ", among the {n:listname} {f:filters}"

_VALUES = {
    "value": (
        ("{a:noun}, or {b:noun} if none is given", "if_(given(a), a, b)"),
        ('"yes" if {c:plain.condition}, otherwise "no"', "c"),
        ("{a:noun} if it/they {p:pred}, otherwise {b:choice}", "if_(p[a], a, b)"),
        (
            "{x:sum} if {a:noun} {p:pred}, {y:sum} if it/they {q:pred}, otherwise {b:sum}",
            "if_(p[a], x, if_(q[a], y, b))",
        ),
        ("{a:sum} if {c:plain}, otherwise {b:choice}", "if_(c, a, b)"),
        *_ROUNDED,
        ("{b:sum}, but at most {c:noun} and at least {d:noun}", "max(min(b, c), d)"),
        ("{b:sum}, but at least {c:noun} and at most {d:noun}", "min(max(b, c), d)"),
        ("{b:bounded}, but at most {c:noun.literal}", "min(b, c)"),
        ("{b:bounded}, but at least {c:noun.literal}", "max(b, c)"),
        ("the lower of {b:noun.label} and {c:noun.label}", "min(b, c)"),
        ("the higher of {b:noun.label} and {c:noun.label}", "max(b, c)"),
        ("the lowest of {xs:noun.label*and}", "min(*xs)"),
        ("the highest of {xs:noun.label*and}", "max(*xs)"),
        ("the smaller of {b:noun} and {c:noun}", "min(b, c)"),
        ("the larger of {b:noun} and {c:noun}", "max(b, c)"),
        ("the smallest of {xs:noun*and}", "min(*xs)"),
        ("the largest of {xs:noun*and}", "max(*xs)"),
        ("{e:entry}, by {k:noun}", "table(k, e)"),
        ("{es:entry*and}, by {k:noun}", "table(k, *es)"),
        ("each {i:oneof}, with {p:named}", "select(i, p)"),
        ("each {i:oneof}, with {ps:named*and}", "select(i, *ps)"),
        ("{x:clause}", "x"),
        ("{x:sum}", "x"),
        ("{s:source}", "s"),
    ),
    "clause": (
        ("the percentage of {i:items}, rounded to {k:places}" + _ELSE, "percentage(i, d, k)"),
        ("the average {p:part} of {i:items}, rounded to {k:places}" + _ELSE, "average(i, p, d, k)"),
        (
            "the average of {v:noun} over {i:items}, rounded to {k:places}" + _ELSE,
            "average(i, v, d, k)",
        ),
        ("the lowest {p:part.label} of {i:items}" + _ELSE, "least(i, p, d)"),
        ("the highest {p:part.label} of {i:items}" + _ELSE, "greatest(i, p, d)"),
        ("the smallest {p:part} of {i:items}" + _ELSE, "least(i, p, d)"),
        ("the largest {p:part} of {i:items}" + _ELSE, "greatest(i, p, d)"),
        *(
            (words + _ELSE, f"{head}(i, {of}, d)")
            for head, one in (("first", "the first"), ("last", "the last"))
            for words, of in (
                (f"the {{p:part}} of {one} of {{i:items}}", "p"),
                (f"the value of {{v:noun}} for {one} of {{i:items}}", "v"),
            )
        ),
        ("the lower median {p:part} of {i:items}" + _ELSE, "median(i, p, d)"),
        ("the lower median of {v:noun} over {i:items}" + _ELSE, "median(i, v, d)"),
        *(
            (
                f"the {word} number of days from the {{p:part}} of {{n:anitem}} to {{d:noun}}{end}",
                f"{head}(items(n, {where}), days(p, d), x)",
            )
            for end, where in ((_OR_ELSE, "none"), (_AMONG + _OR_ELSE, "f"))
            for word, head in (("smallest", "least"), ("largest", "greatest"))
        ),
        ("the smallest value of {v:noun} over {i:items}" + _ELSE, "least(i, v, d)"),
        ("the largest value of {v:noun} over {i:items}" + _ELSE, "greatest(i, v, d)"),
    ),
    "choice": (
        ("{a:sum} if {c:plain}, otherwise {b:choice}", "if_(c, a, b)"),
        ("{x:sum}", "x"),
    ),
    "bounded": (
        *_ROUNDED,
        ("{x:sum}", "x"),
    ),
    "entry": (("{x:noun} for {l:labels}", "entry(l, x)"),),
    "exact": (("exactly {n:figure}", "it == n"),),
    "listed": (("{l:quotedset}", "l"),),
    "quotedset": (("{l:quoted}", "labels(l)"), ("{ls:quoted*and}", "labels(*ls)")),
    "labels": (("{l:quoted}", "labels(l)"), ("{ls:quoted*or}", "labels(*ls)")),
    "named": (
        ("its {p:part}", "own(p)"),
        ("{v:noun} as {w:word}", "named(w, v)"),
    ),
    "sum": (
        ("{b:sum} plus {c:product.unrelated}", "b + c"),
        ("{b:sum} minus {c:product.unrelated}", "b - c"),
        ("minus {b:product}", "negative(b)"),
        ("{b:noun.set} together with {c:noun.set}", "b | c"),
        ("{b:name.set} that are not among {c:name.set}", "without(b, c)"),
        ("{b:noun.set} without {c:noun.set}", "without(b, c)"),
        ("{b:noun.day} minus {c:noun} (in days)", "add_days(b, negative(c))"),
        ("{b:noun.day} minus {c:noun} (in months)", "add_months(b, negative(c))"),
        ("{b:noun.day} plus {c:noun} (in days)", "add_days(b, c)"),
        ("{b:noun.day} plus {c:noun} (in months)", "add_months(b, c)"),
        ("{b:noun.day} plus {c:noun} (in working days)", "add_workdays(b, c, '')"),
        (
            "{b:noun.day} plus {c:noun} (in working days of the calendar {w:word})",
            "add_workdays(b, c, w)",
        ),
        *(
            phrase
            for unit, head in _TIMES
            for phrase in (
                (f"{{b:noun.time}} minus {{c:noun}} (in {unit})", f"{head}(b, negative(c))"),
                (f"{{b:noun.time}} plus {{c:noun}} (in {unit})", f"{head}(b, c)"),
            )
        ),
        ("{b:noun} plus {p:percent}", "share(b, p, '+')"),
        ("{b:noun} minus {p:percent}", "share(b, p, '-')"),
        ("{b:noun} multiplied by {p:noun.percentage}", "share(b, p, '')"),
        ("{b:noun} increased by {p:noun.percentage}", "share(b, p, '+')"),
        ("{b:noun} reduced by {p:noun.percentage}", "share(b, p, '-')"),
        ("{x:product}", "x"),
    ),
    "product": (
        ("twice {b:noun}", "number('2', '', '') * b"),
        ("{b:product} times {c:factor}", "b * c"),
        ("{b:product} divided by {c:factor}", "b / c"),
        ("{x:factor}", "x"),
    ),
    "factor": (("{a:noun.percentage} (as a plain number)", "plainly(a)"), ("{x:noun}", "x")),
    "noun": (
        ("the day after {b:noun.day}", "later(b, '1', 'days')"),
        ("the day before {b:noun.day}", "earlier(b, '1', 'days')"),
        ("{k:ndays} after {b:noun.day}", "later(b, k, 'days')"),
        ("{k:ndays} before {b:noun.day}", "earlier(b, k, 'days')"),
        ("{k:nmonths} after {b:noun.day}", "later(b, k, 'months')"),
        ("{k:nmonths} before {b:noun.day}", "earlier(b, k, 'months')"),
        ("{k:nyears} after {b:noun.day}", "later(b, k, 'years')"),
        ("{k:nyears} before {b:noun.day}", "earlier(b, k, 'years')"),
        ("{k:nworkdays} after {b:noun.day}", "add_workdays(b, number(k, '', ''), '')"),
        (
            "{k:nworkdays} of the calendar {w:word} after {b:noun.day}",
            "add_workdays(b, number(k, '', ''), w)",
        ),
        *(
            (f"{{k:{kind}}} {side} {{b:noun.time}}", f"{head}(b, k, {unit!r})")
            for kind, unit in (("nminutes", "minutes"), *_HOURS)
            for side, head in (("after", "later"), ("before", "earlier"))
        ),
        ("the number of days from {b:noun} to {c:noun}", "days(b, c)"),
        ("the number of minutes from {b:noun} to {c:noun}", "minutes(b, c)"),
        ("the number of working days from {b:noun} to {c:noun}", "workdays(b, c, '')"),
        (
            "the number of working days of the calendar {w:word} from {b:noun} to {c:noun}",
            "workdays(b, c, w)",
        ),
        ("the calendar day of {b:noun.time}", "date_of(b)"),
        ("the hour of {b:noun.time}", "hour_of(b)"),
        ("the weekday of {b:noun.time}", "weekday_of(date_of(b))"),
        ("the weekday of {b:noun.day}", "weekday_of(b)"),
        ("the number of {n:setname}", "size(n)"),
        ("the number of entries in {b:noun.set}", "size(b)"),
        ("the number of {i:bare}", "count(i)"),
        ("the total {p:part} of {i:items}", "sum(i, p)"),
        ("the sum of {v:noun} over {i:items}", "sum(i, v)"),
        ("the difference between {b:name} and {c:name}", "abs(b - c)"),
        ("the lower of {b:name.label} and {c:name.label}", "min(b, c)"),
        ("the higher of {b:name.label} and {c:name.label}", "max(b, c)"),
        ("the absolute value of {b:noun}", "abs(b)"),
        ("the remainder of {b:noun} divided by {c:noun}", "remainder(b, c)"),
        ("{b:name} squared", "power(b, '2')"),
        ("({x:value}) squared", "power(x, '2')"),
        ("{b:name} to the power of {k:count}", "power(b, k)"),
        ("({x:value}) to the power of {k:count}", "power(x, k)"),
        ("{p:percent} of {b:noun}", "share(b, p, '')"),
        ("{p:rate} of {b:noun}", "share(b, p, '')"),
        ("the entry {l:quoted}", "labels(l)"),
        ("the entries {ls:quoted*and}", "labels(*ls)"),
        ("no entry", "labels()"),
        ("{x:literal}", "x"),
        ("what {b:noun.set} and {c:noun.set} have in common", "b & c"),
        ("({x:value})", "x"),
    ),
}

_ENTRIES = {
    "items": (("the {i:bare}", "i"), ("the entries in {n:listfield}", "items(n, none)")),
    "bare": (
        ("{n:listname}", "items(n, none)"),
        ("{n:listname} {f:filters}", "items(n, f)"),
        ("entries in {n:listfield}", "items(n, none)"),
        ("entries in {n:listfield} {f:filters}", "items(n, f)"),
    ),
    "oneof": (
        ("{n:item}", "items(n, none)"),
        ("{n:item} {f:filters}", "items(n, f)"),
        ("entry in {n:listfield}", "items(n, none)"),
        ("entry in {n:listfield} {f:filters}", "items(n, f)"),
    ),
    "one": (
        ("{n:anitem}", "items(n, none)"),
        ("{n:anitem} {f:having}", "items(n, f)"),
        ("{n:anitem} {f:filters}", "items(n, f)"),
    ),
    "filters": (
        ("{x:onlyfilter}", "x"),
        ("{x:filter}", "x"),
        ("{xs:filter.noor*and}", "and_(*xs)"),
        ("{xs:filter.noand*or}", "or_(*xs)"),
        ("for which {c:plain}", "c"),
    ),
    "filter": (("whose {a:part} {q:pred}", "q[a]"),),
}


def _iterate_states() -> Iterable[tuple[str, str, str]]:
    """Yield the states of numbers, labels and days, each relation in one wording."""
    yield "state", "{p:when}", "p"
    yield "state", "{p:back}", "p"
    for degrees, sign in (("below", "<"), ("above", ">")):
        yield "limit", f"{degrees} {{n:figure.degree}}", f"it {sign} n"
    for words, sign in _LIMITS:
        yield "limit", f"{words} {{n:sum.number}}", f"it {sign} n"
    for words, sign in _RANKS:
        yield "limit", f"{words} {{b:noun.label}}", f"it {sign} b"
    yield "state", "{n:figure}", "it == n"
    yield "state", "not {n:figure}", "it != n"
    yield "state", "{ps:limit*and}", "and_each(ps, it)"
    yield "state", "{ps:limit*or}", "or_each(ps, it)"
    yield "state", "{p:limit}", "p"
    yield "state", "equal to {n:sum.number}", "it == n"
    yield "state", "{l:quoted}", "it == label(l)"
    yield "state", "not {l:quoted}", "it != label(l)"
    yield "state", "{ls:quoted*or}", "one_of(it, labels(*ls))"
    yield "state", "neither {l:quoted} nor {m:quoted}", "not one_of(it, labels(l, m))"
    yield "state", "none of {ls:quoted*or}", "not one_of(it, labels(*ls))"
    yield "state", "among {s:noun.set}", "among(it, s)"
    yield "state", "not among {s:noun.set}", "not among(it, s)"
    yield "state", "the same as {b:noun.comparable}", "it == b"
    yield "state", "malformed", "not well_formed(it)"
    yield "state", "well formed", "well_formed(it)"


def _iterate_whens() -> Iterable[tuple[str, str, str]]:
    """Yield how days and times lie to others: in what order, and how far apart."""
    far = "{d:noun.day}"
    for kind, head in _SPANS:
        day = "{d:noun.time}" if head == "minutes" else far
        for words, sign in (("no later than", "<="), *_FAR[:1], *_FAR[2:]):
            end = ", ''" if head == "workdays" else ""
            tree = f"{head}(d, it{end}) {sign} number(k, '', '')"
            plain = day.replace("}", "ofcase}")
            yield "when", f"{words} {{k:{kind}}} after {plain}", tree
            tree = f"{head}(it, d{end}) {sign} number(k, '', '')"
            back = words.replace("later", "earlier")
            yield "back", f"{back} {{k:{kind}}} before {day}", tree
    for kind, unit in (*_MONTHS, *_HOURS):
        base = far if (kind, unit) in _MONTHS else "{d:noun.time}"
        for words, sign in (("no later than", "<="), *_FAR[:1], *_FAR[2:]):
            yield "when", f"{words} {{k:{kind}}} after {base}", f"it {sign} later(d, k, {unit!r})"
            back, turned = words.replace("later", "earlier"), _BACK[sign]
            yield (
                "when",
                f"{back} {{k:{kind}}} before {base}",
                f"it {turned} earlier(d, k, {unit!r})",
            )
    for word, first, sign in (("after", "d, it", ">="), ("before", "it, d", "<=")):
        for kind, words, order in (("ndays", "up to", "<="), ("ndays", "less than", "<")):
            near, side = f"days({first}) {order} number(k, '', '')", f"it {sign} d"
            said = f"on {far} or {words} {{k:{kind}}} {word} it"
            yield "when", said, f"({near}) and ({side})"
            yield "when", said, f"({side}) and ({near})"
    yield "when", "between {d:noun.day} and {e:noun.day} inclusive", "(it >= d) and (it <= e)"
    for words, sign in _DAYS:
        yield "when", f"{words} {far}", f"it {sign} d"
        at = words.replace("on", "at")
        yield "when", f"{at} {{d:noun.time}}", f"it {sign} d"
    yield "state", "the same day as {d:noun.day}", "it == d"
    yield "state", "not the same day as {d:noun.day}", "it != d"
    yield "state", "exactly {d:noun.time}", "it == d"
    yield "state", "not {d:noun.time}", "it != d"


_PREDICATES = (
    ("pred", "exceeds/exceed {n:sum.amount}", "it > n"),
    ("pred", "differs/differ from {b:sum.unknown}", "it != b"),
    ("pred", "is/are {s:state}", "s"),
    ("pred", "includes/include {l:quoted}", "includes(it, label(l))"),
    ("pred", "does/do not include {l:quoted}", "not includes(it, label(l))"),
    ("pred", "includes/include both {l:quoted} and {m:quoted}", "includes_all(it, labels(l, m))"),
    ("pred", "includes/include all of {ls:quoted*and}", "includes_all(it, labels(*ls))"),
    ("pred", "includes/include {l:quoted} or {m:quoted}", "includes_any(it, labels(l, m))"),
    ("pred", "includes/include at least one of {ls:quoted*or}", "includes_any(it, labels(*ls))"),
    (
        "pred",
        "includes/include neither {l:quoted} nor {m:quoted}",
        "not includes_any(it, labels(l, m))",
    ),
    ("pred", "includes/include none of {ls:quoted*or}", "not includes_any(it, labels(*ls))"),
    (
        "pred",
        "does/do not include both {l:quoted} and {m:quoted}",
        "not includes_all(it, labels(l, m))",
    ),
    ("pred", "does/do not include all of {ls:quoted*and}", "not includes_all(it, labels(*ls))"),
    ("pred", "includes/include nothing besides {l:quotedset}", "within(it, l)"),
    ("pred", "includes/include something besides {l:quotedset}", "not within(it, l)"),
)

_FACTS = (
    ("{a:noun.year} is/are before {n:figure}", "a < n"),
    ("{a:noun.year} is/are after {n:figure}", "a > n"),
    ("{a:noun.year} is/are {n:figure} or earlier", "a <= n"),
    ("{a:noun.year} is/are {n:figure} or later", "a >= n"),
    ("all of {a:noun.set} is/are among {b:noun.unknown}", "within(a, b)"),
    ("not all of {a:noun.set} is/are among {b:noun.unknown}", "not within(a, b)"),
    ("{b:noun.set} and {c:noun.set} have something in common", "some(b & c)"),
    ("{b:noun.set} and {c:noun.set} have nothing in common", "not some(b & c)"),
    ("there is a record of the {r:record}", "recorded(r)"),
    ("there is no record of the {r:record}", "not recorded(r)"),
    # entries of lists and sets
    ("any {n:item} {c:clause}", "some(items(n, c))"),
    ("no {n:item} {c:clause}", "not some(items(n, c))"),
    ("the {i:bare} have a total {p:part} of {q:limit}", "q[sum(i, p)]"),
    ("there is at least one {n:item}", "some(items(n, none))"),
    ("there are no {n:listname}", "not some(items(n, none))"),
    ("there is {i:one}", "some(i)"),
    ("there is no {i:oneof}", "not some(i)"),
    ("there is at least one {n:onecounted}", "n > number('0', '', '')"),
    ("there are no {n:counted}", "n == number('0', '', '')"),
    ("there is at least one {n:setitem}", "some(n)"),
    ("there are no {n:setname}", "not some(n)"),
    ("{a:listfield} holds/hold an entry {f:filters}", "some(items(a, f))"),
    ("{a:listfield} holds/hold no entry {f:filters}", "not some(items(a, f))"),
    ("{x:emptiness}", "x"),
    ("{a:noun.set} has/have at least one entry", "some(a)"),
    ("{a:noun.set} has/have no entry", "not some(a)"),
    ("every {n:item} {c:clause}", "all_(items(n, none), c)"),
    ("the {a:part} of every {n:item} {q:pred}", "all_(items(n, none), q[a])"),
    ("for every {i:oneof}, {c:plain}", "all_(i, c)"),
    ("for every {i:oneof}, ({c:condition})", "all_(i, c)"),
)
_LAST = (
    ("fact", "{a:sum.unknown} {p:pred}", "p[a]"),
    ("condition", "it is not the case that ({x:condition})", "not x"),
    ("condition", "{s:source} is true", "s"),
)

_GROUPS = {
    "row": (
        ("{x:short}", "x"),
        ("{x:fact.single}, {y:fact.single}, and {z:fact.single}", "x and y and z"),
        ("{x:fact.single}, {y:fact.single}, or {z:fact.single}", "x or y or z"),
    ),
    "short": (
        ("{x:fact}", "x"),
        ("{a:noun} {ps:pred*and}", "and_each(ps, a)"),
        ("{a:noun} {ps:pred*or}", "or_each(ps, a)"),
        ("{x:fact.noor} and {y:fact.noor}", "x and y"),
        ("{x:fact.noand} or {y:fact.noand}", "x or y"),
        ("{x:fact}, and {y:fact}", "x and y"),
        ("{x:fact}, or {y:fact}", "x or y"),
    ),
    "brief": (("{x:short}", "x"),),
    "line": (
        ("{x:row}", "x"),
        ("{xs:fact.plain*and}", "and_(*xs)"),
        ("{xs:fact.plain*or}", "or_(*xs)"),
        ("{x:condition}", "x"),
    ),
    "condition": (
        ("{x:row}", "x"),
        ("all of these hold: {xs:held*letters}", "and_(*xs)"),
        ("at least one of these holds: {xs:held*letters}", "or_(*xs)"),
        ("there is {n:anitem} for which ({c:condition})", "some(items(n, c))"),
        ("there is no {n:item} for which ({c:condition})", "not some(items(n, c))"),
    ),
    "held": (("{x:row}", "x"), ("({x:condition})", "x")),
    "plain": (("{x:row}", "x"), ("({x:condition})", "x")),
}


def _iterate_counts() -> Iterable[tuple[str, str, str]]:
    """Yield how many of some things there are."""
    for words, sign in _MANY:
        many, one = "number(k, '', '')", "number('1', '', '')"
        for gap, tree in (("i:bare", "count(i)"), ("n:setname", "size(n)"), ("n:counted", "n")):
            yield "fact", f"there are {words} {{k:count.many}} {{{gap}}}", f"{tree} {sign} {many}"
        for gap, tree in (("i:oneof", "count(i)"), ("n:setitem", "size(n)"), ("n:onecounted", "n")):
            yield "fact", f"there is {words} one {{{gap}}}", f"{tree} {sign} {one}"
        such = f"there are {words} {{k:count.many}} {{n:listname}} for which ({{c:condition}})"
        yield "condition", such, f"count(items(n, c)) {sign} {many}"
        entries = f"{{a:noun.set}} has/have {words} {{k:count}} entries"
        yield "fact", entries, f"size(a) {sign} {many}"


def _iterate_phrases() -> Iterable[Phrase]:
    for table in (_VALUES, _ENTRIES, _GROUPS):
        for kind, alternatives in table.items():
            yield from (Phrase(kind, words, tree) for words, tree in alternatives)
    yield from (Phrase("fact", words, tree) for words, tree in _FACTS)
    rows = chain(
        _iterate_states(), _iterate_whens(), _PREDICATES, _iterate_counts(), iterate_statements()
    )
    yield from (Phrase(*row) for row in rows)
    yield from (Phrase(*row) for row in _LAST)


@cache
def _list_phrases() -> tuple[Phrase, ...]:
    return tuple(_iterate_phrases())


def build_table() -> dict[str, list[Phrase]]:
    """Return the phrases of all domains by their kind, in the order in which they are tried."""
    found: dict[str, list[Phrase]] = {}
    for phrase in _list_phrases():
        found.setdefault(phrase.kind, []).append(phrase)
    return found
