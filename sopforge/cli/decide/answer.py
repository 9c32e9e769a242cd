"""``sopforge answer``: questions about a brief, and which of two answers is right."""

from __future__ import annotations

from typing import Annotated

import typer

from sopforge.cli.decide.questions import list_questions
from sopforge.cli.options import StoredDomain, store_option
from sopforge.cli.output import Result


def answer(
    stored: StoredDomain,
    question: Annotated[
        str,
        typer.Argument(
            help="Number or id of the question, such as 1 or q-5b0c6f0a94d1 [default: show them]."
        ),
    ] = "",
    said: Annotated[
        str,
        typer.Argument(
            metavar="A|B|TEXT", help="A or B for one of the two answers, or a sentence of your own."
        ),
    ] = "",
    every: Annotated[bool, typer.Option("--all", help="Also show answered questions.")] = False,
) -> Result:
    """Answer a question about a brief, and add the answer to the brief.

    Without a question, the command shows all of the current version of the schema: where readers
    of the brief differ from its model, with the case, both answers and why.

    The next run makes only the change that the answer requires. If you give the same answer
    twice, SOPForge records it once.
    """
    from sopforge.pipeline.briefs.answering import choose_words, keep_answers, load_questions
    from sopforge.pipeline.briefs.brief_files import load_latest_brief

    if not question:
        return list_questions(stored, every=every)
    domain = stored.open()
    found = load_questions(domain, load_latest_brief(domain)).get_question(question)
    words = choose_words(found, said)
    left = load_questions(domain, keep_answers(domain, [(found, words)])).open
    there = store_option(domain.place)
    following = f"sopforge continue {domain}{there}"
    lines = [f"saved in the brief of '{domain}', for question {found.id}: {words}"]
    if left:
        count = f"{len(left)} question{'s are' if len(left) > 1 else ' is'} open"
        lines.append(f"{count}: sopforge answer {domain}{there}")
    record = {
        "domain": domain.name,
        "question": found.id,
        "says": words,
        "open": [item.id for item in left],
        "next": following,
    }
    return Result(record, [*lines, f"Continue with: {following}"])
