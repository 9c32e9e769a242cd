"""The rules and notices of sessions in words, and read back from them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sopforge.harness.layers.queue.plans import Memo, Notice, Withdrawal
from sopforge.harness.layers.queue.tallies import (
    Counted,
    Counter,
    Quota,
    SessionRules,
    Strikes,
    Tally,
    Total,
)
from sopforge.harness.layers.text.sections import UnreadableTextError, find_section
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.kinds.duration import read_duration, say_duration
from sopforge.language.domain.values.types import (
    DurationType,
    MomentType,
    NumberType,
    require_integer,
    scale_decimal,
)
from sopforge.language.english.nouns import format_figure, format_quantity
from sopforge.session.layers import FILE, STATEMENT

TITLE = "Several cases in one session"


_QUOTA = re.compile(
    r"^- At most (\d+) cases? of a session may be filed with the"
    r" .+ \((\w+)\) \"([^\"]+)\"\. A further case that the procedure brings to it is filed with"
    r" \"([^\"]+)\" in its place\.$"
)
_STRIKES = re.compile(
    r"^- Once (\d+) earlier cases? of a session stated \"([^\"]+)\" as the [^(]+ \((\w+)\), a case"
    r" that states it, too, and that the procedure brings to the .+ \((\w+)\) \"([^\"]+)\" is filed"
    r" with \"([^\"]+)\" in its place\.$"
)
_COUNTED = (
    "Each statement has these further elements, also where a case comes to no results. They look at"
    " all cases of the session by now, this one included, each as it was filed last and without"
    " those that were withdrawn, and give how many of them are filed with what stands beside the"
    " element, or the sum that is named. A case that came to no results is filed with none of them:"
)
_COUNTER = re.compile(r"^- (\w+): the .+ \((\w+)\) \"([^\"]+)\"$")
_TOTAL = re.compile(
    r"^- (\w+): the sum of the .+ \((\w+)\) of these cases as a plain number; those without one add"
    r" nothing$"
)
_MEMO = re.compile(
    r"^Notice: from this case on, the (.+) is (.+) instead of (.+?)\.(?: It stands in step .+\.)?$"
)
_WITHDRAWAL = re.compile(r"^Notice: the case with the .+ \"([^\"]+)\" was withdrawn\.$")


def write_rules(model: DomainModel, rules: SessionRules) -> Iterator[str]:
    """Yield what an SOP says of sessions with several cases, line by line."""
    key = model.fields[model.key].label
    yield (
        f"A session brings several cases, one after the other. Carry out the procedure for each,"
        f" and file it with {FILE}: its {STATEMENT} is the statement of all results that closes a"
        f" case. {FILE} returns the next case, with the notices that come with it, or says that"
        " none is left. What has been filed stays, and what an action has changed stays changed"
        " for all later cases."
    )
    yield (
        "A notice of another value holds for the case with which it comes and for all later ones."
        " A notice of a withdrawal: the case that it names no longer counts."
    )
    yield (
        f"A correction names an earlier case of the session by its {key}, and an entry that was"
        " stated wrongly. Decide that case anew, as of now: with this entry and all others as they"
        " were stated, with its look-ups made again, and by the limits that hold now. File it once"
        " more; what was filed for it before no longer counts."
    )
    if rules.tallies:
        yield (
            "Before a case is filed, look at the earlier cases of the session: all others that were"
            " filed by then and not withdrawn, each as it was filed last. The first of these rules"
            " that applies counts; it changes the result that it names, and no other, even where"
            " the results then do not go together:"
        )
        yield from (f"- {_describe_tally(model, tally)}" for tally in rules.tallies)
    if rules.counters:
        yield _COUNTED
    yield from (_describe_counted(model, item) for item in rules.counters)


def _describe_tally(model: DomainModel, tally: Tally) -> str:
    outcome = f"{model.fields[tally.outcome].label} ({tally.outcome})"
    if isinstance(tally, Quota):
        return (
            f"At most {_count_cases(tally.limit)} of a session may be filed with the {outcome}"
            f' "{tally.label}". A further case that the procedure brings to it is filed with'
            f' "{tally.instead}" in its place.'
        )
    earlier = f"{tally.limit} earlier {'case' if tally.limit == 1 else 'cases'}"
    return (
        f'Once {earlier} of a session stated "{tally.value}" as the'
        f" {_name_field(model.fields[tally.field])}, a case that states it, too, and that the"
        f' procedure brings to the {outcome} "{tally.label}" is filed with "{tally.instead}" in its'
        " place."
    )


def _describe_counted(model: DomainModel, item: Counted) -> str:
    named = _name_field(model.fields[item.outcome])
    if isinstance(item, Total):
        return (
            f"- {item.name}: the sum of the {named} of these cases as a plain number; those without"
            " one add nothing"
        )
    return f'- {item.name}: the {named} "{item.label}"'


def _count_cases(number: int) -> str:
    return f"{number} {'case' if number == 1 else 'cases'}"


def _name_field(item: Field) -> str:
    return f"{item.label} ({item.name})"


def read_rules(sop: str) -> SessionRules:
    """Return the rules that an SOP states of sessions."""
    rules, _, counted = (find_section(sop, TITLE) or "").partition(_COUNTED)
    return SessionRules(
        tuple(found for line in rules.split("\n") if (found := _read_tally(line))),
        tuple(item for line in counted.split("\n") if (item := _read_counted(line))),
    )


def _read_counted(line: str) -> Counted | None:
    if summed := _TOTAL.match(line):
        return Total(*summed.groups())
    said = _COUNTER.match(line)
    return Counter(*said.groups()) if said else None


def _read_tally(line: str) -> Tally | None:
    if full := _QUOTA.match(line):
        limit, outcome, label, instead = full.groups()
        return Quota(outcome, label, int(limit), instead)
    if struck := _STRIKES.match(line):
        limit, value, name, outcome, label, instead = struck.groups()
        return Strikes(outcome, label, name, value, int(limit), instead)
    return None


def describe_notice(model: DomainModel, notice: Notice, steps: Sequence[str] = ()) -> str:
    """Return a notice in words; ``steps`` are those in which a limit stands that it changes.

    The SOP may say the limit in other words than the notice, which has its meaning.
    """
    if isinstance(notice, Withdrawal):
        key = model.fields[model.key].label
        return f'Notice: the case with the {key} "{notice.key}" was withdrawn.'
    item = model.policy[notice.constant]
    old, new = (
        describe_amount(model, notice.constant, value)
        for value in (require_integer(item.constant.value), notice.value)
    )
    stands = f" It stands in {' and in '.join(f'step {step}' for step in steps)}." if steps else ""
    return f"Notice: from this case on, the {item.meaning} is {new} instead of {old}.{stands}"


def describe_amount(model: DomainModel, constant: str, value: int) -> str:
    """Return a value of a policy constant as texts have it."""
    kind = model.policy[constant].constant.type
    if isinstance(kind, DurationType):
        return say_duration(value)
    if isinstance(kind, NumberType):
        return format_quantity(format_figure(kind, value), kind.unit)
    return kind.to_cell(value)


def read_notice(model: DomainModel, text: str) -> Notice:
    """Return the notice that a text is.

    Raises:
        UnreadableTextError: it is none, or about nothing of the model.
    """
    if found := _WITHDRAWAL.match(text):
        return Withdrawal(found[1])
    found = _MEMO.match(text)
    for name, item in model.policy.items() if found else ():
        kind = item.constant.type
        if found is not None and item.meaning == found[1]:
            minutes = read_duration(found[2])
            if isinstance(kind, DurationType) and minutes is not None:
                return Memo(name, minutes)
            if isinstance(kind, NumberType):
                return Memo(name, scale_decimal(found[2].split(" ")[0], kind.places))
            if isinstance(kind, MomentType):
                return Memo(name, kind.widen().encode(found[2]))
    raise UnreadableTextError(f"this is no notice of a session: {text}")


def describe_correction(model: DomainModel, key: str, name: str, cell: str) -> str:
    """Return in words that a case stated an entry wrongly."""
    item = model.fields[name]
    return (
        f'Correction: the case with the {model.fields[model.key].label} "{key}" stated the'
        f' {_name_field(item)} wrongly: it is "{cell}". Decide this case anew.'
    )
