"""``sopforge questions``: where readers of a brief differ from its model, for its experts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.options import (
    DEFAULT_STORE,
    AsJson,
    Domain,
    StorePlace,
    require_domain,
    store_option,
)
from sopforge.cli.output import make_console, make_table, print_json, say

if TYPE_CHECKING:
    from rich.console import Console

    from sopforge.briefs.answering import Asked
    from sopforge.comparing.asking.questions import Question, View


def questions(
    domain: Domain,
    place: StorePlace = DEFAULT_STORE,
    every: Annotated[bool, typer.Option("--all", help="Also show answered questions.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show where readers of a brief differ from its model: the case, both answers and why.

    The questions belong to the current version of the schema. Answer them by number or id with
    'sopforge answer'.
    """
    from sopforge.briefs.answering import load_questions
    from sopforge.briefs.brief_files import load_latest_brief
    from sopforge.store.opening import open_store

    opened = open_store(place)
    name = require_domain(opened, domain)
    asked = load_questions(opened, load_latest_brief(opened, name))
    if as_json:
        print_json(_build_record(asked))
    else:
        _show(asked, store_option(opened.place), every=every)


def _build_record(asked: Asked) -> dict[str, object]:
    from sopforge.checks.readings.questions import find_answer

    found = []
    for number, question in asked.numbered.items():
        answer = find_answer(question, asked.answers)
        said = answer.says if answer else None
        found.append({"number": int(number), **question.as_record(), "answer": said})
    answers = [answer.model_dump() for answer in asked.answers]
    return {
        "domain": asked.domain,
        "version": asked.version,
        "questions": found,
        "answers": answers,
    }


def _show(asked: Asked, there: str, *, every: bool) -> None:
    screen, left = make_console(), {item.id for item in asked.open}
    for number, question in asked.numbered.items():
        if every or question.id in left:
            _show_question(screen, number, question)
    for answer in asked.answers:
        say(screen, f"answered: {answer.case}", "dim")
        say(screen, f"  {answer.says}", "dim")
    if not left:
        say(screen, f"No questions about '{asked.domain}' are open.")
        return
    first = next(number for number, item in asked.numbered.items() if item.id in left)
    say(screen, f"{len(left)} open. Answer one with A, B or a sentence of your own, for example:")
    say(screen, f"  sopforge answer {asked.domain} {first} A{there}")


def _show_question(screen: Console, number: str, question: Question) -> None:
    say(screen, f"{number}. {question.heading}", "bold")
    share = f"; it affects {question.share:.2%} of sampled cases" if question.drawn else ""
    say(screen, f"   {question.id}{share}", "dim")
    keys = [fact for fact in question.case if fact.is_key] or list(question.case)
    if question.case:
        table = make_table("", "fact", "value")
        for fact in keys:
            table.add_row(fact.label, fact.value)
        screen.print(table)
    if besides := [f"{fact.label}: {fact.value}" for fact in question.case if fact not in keys]:
        say(screen, f"   also: {'; '.join(besides)}", "dim")
    for letter, view in zip("AB", (question.first, question.second), strict=True):
        _show_view(screen, letter, view)
    say(screen, "")


def _show_view(screen: Console, letter: str, view: View) -> None:
    decided = "; ".join(f"{label}: {value}" for label, value in view.decides.items())
    say(screen, f"   {letter}  {decided}", "cyan")
    for reason in view.because:
        say(screen, f"      because: {reason}")
    for sentence in view.sources:
        say(screen, f'      the brief: "{sentence}"')
