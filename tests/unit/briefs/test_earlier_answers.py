"""An answer given at the gate stays where the brief's file, which lacks it, is generated again."""

from __future__ import annotations

from pathlib import Path

from sopforge.checks.readings.questions import find_questions
from sopforge.language.domain.reading import read_brief
from sopforge.pipeline.briefs.answering import keep_answers
from sopforge.pipeline.briefs.brief_files import keep_brief, load_latest_brief
from sopforge.pipeline.briefs.earlier_answers import add_kept_answers
from sopforge.pipeline.stages.building.orders import build_workspace
from tests.worlds.questioned import ask_two_readers


def test_answers_of_the_store_are_added_unless_the_file_names_its_own(tmp_path: Path) -> None:
    found = ask_two_readers(tmp_path)
    kept_first = found.brief
    file = read_brief(kept_first.text, "fees.yaml", kept_first.draft)
    domain = found.store.get_domain(file.parts.domain)
    [question] = find_questions(build_workspace(file, [found.newest]))
    keep_answers(domain, [(question, question.offered[0])])

    again = add_kept_answers(domain, file)

    assert [answer.says for answer in again.parts.answers] == [question.offered[0]]
    kept = keep_brief(found.store, again)
    assert load_latest_brief(domain).parts.answers == again.parts.answers
    assert keep_brief(found.store, add_kept_answers(domain, file)) == kept
    emptied = read_brief(f"{file.text}\nanswers: []\n", "fees.yaml", file.draft)
    assert add_kept_answers(domain, emptied).parts.answers == ()


def test_where_nobody_has_answered_a_brief_stays_as_it_is(tmp_path: Path) -> None:
    found = ask_two_readers(tmp_path)
    file = read_brief(found.brief.text, "fees.yaml", found.brief.draft)
    domain = found.store.get_domain(file.parts.domain)
    assert add_kept_answers(domain, file) is file
