"""``sopforge answer``: say which of two answers about a brief is right, or what is."""

from __future__ import annotations

from typing import Annotated

import typer

from sopforge.cli.options import (
    DEFAULT_STORE,
    AsJson,
    Domain,
    StorePlace,
    require_domain,
    store_option,
)
from sopforge.cli.output import make_console, print_json, say


def answer(
    domain: Domain,
    question: Annotated[
        str, typer.Argument(help="Number or id of the question, such as 1 or q-5b0c6f0a94d1.")
    ],
    said: Annotated[
        str,
        typer.Argument(
            metavar="A|B|TEXT", help="A or B for one of the two answers, or a sentence of your own."
        ),
    ],
    place: StorePlace = DEFAULT_STORE,
    as_json: AsJson = False,
) -> None:
    """Answer a question about a brief, and add the answer to the brief.

    The next run makes only the change that the answer requires. If you give the same answer
    twice, SOPForge records it once.
    """
    from sopforge.briefs.answering import choose_words, keep_answers, load_questions
    from sopforge.briefs.brief_files import load_latest_brief
    from sopforge.store.opening import open_store

    opened = open_store(place)
    name = require_domain(opened, domain)
    found = load_questions(opened, load_latest_brief(opened, name)).get_question(question)
    words = choose_words(found, said)
    brief = keep_answers(opened, name, [(found, words)])
    left = load_questions(opened, brief).open
    there = store_option(opened.place)
    following = f"sopforge continue {name}{there}"
    if as_json:
        record = {"domain": name, "question": found.id, "says": words}
        print_json({**record, "open": [item.id for item in left], "next": following})
        return
    screen = make_console()
    say(screen, f"saved in the brief of '{name}', for question {found.id}: {words}")
    if left:
        count = f"{len(left)} question{'s are' if len(left) > 1 else ' is'} open"
        say(screen, f"{count}: sopforge questions {name}{there}")
    say(screen, f"Continue with: {following}")
