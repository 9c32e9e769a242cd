"""The clause judge: is asked what passages alone say of cases, and sees neither rule nor answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, TypeAlias

from sopforge.authors.judging.cases import make_cases
from sopforge.authors.judging.forks import Fork
from sopforge.authors.judging.judged import (
    JudgedDocument,
    make_judged,
    read_judged,
    select_cases,
    write_judged,
)
from sopforge.authors.sources.account import Account, build_account, read_remarks
from sopforge.authors.writers.repair import AskAll
from sopforge.errors import MaterialError
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import Brief, read_domain

CLAUSES_FILE = "clauses.yaml"
_DOMAIN = "domain.yaml"
MOST_AT_ONCE = 10
"""How many passages one request shows."""


@dataclass(frozen=True, slots=True)
class ClauseJudging:
    """Has cases judged by the passages that the model's items cite.

    ``before`` are the files of the stage as they were: what was said of a case that is the same is
    not asked again, and is kept as long as it can be compared with the model.
    """

    ask_all: AskAll
    brief: Brief
    before: Mapping[str, str]

    def write_files(self, domain: str) -> dict[str, str]:
        """Return what was judged; what was judged before while the model cannot be read."""
        earlier = self.before.get(CLAUSES_FILE, "")
        try:
            model = read_domain(domain, _DOMAIN)
            account = build_account(self.brief, model, read_remarks(domain, _DOMAIN))
            known = read_judged(earlier, CLAUSES_FILE) if earlier else ()
        except MaterialError:
            return {CLAUSES_FILE: earlier} if earlier else {}
        kept = [item for item, _ in select_cases(model, account, known)]
        judged = [*kept, *self._judge(model, account, {item.key for item in kept})]
        return {CLAUSES_FILE: write_judged(judged)} if judged else {}

    def _judge(
        self, model: DomainModel, account: Account, known: set[object]
    ) -> Iterator[JudgedDocument]:
        asked: Asked = {}
        for case in make_cases(model, account):
            item = make_judged(model, case)
            if item.key not in known:
                cases = asked.setdefault(item.subject, (case.fork, {}))[1]
                cases.setdefault(item.case, []).append(item)
        groups = list(asked.values())
        starts = range(0, len(groups), MOST_AT_ONCE)
        batches = [groups[start : start + MOST_AT_ONCE] for start in starts]
        answers = self.ask_all([("clause_judge", _build_values(batch)) for batch in batches])
        for batch, answer in zip(batches, answers, strict=True):
            yield from _read_answer(batch, answer)


Group: TypeAlias = tuple[Fork, dict[str, list[JudgedDocument]]]
"""What is asked of the same passages: by case, all that was to be judged of it."""
Asked: TypeAlias = dict[object, Group]


def _build_values(groups: Sequence[Group]) -> dict[str, object]:
    numbers = count(1)
    return {
        "passages": [
            {
                "passage": " ".join(next(iter(cases.values()))[0].passages),
                "asked": f"the {fork.label}",
                "results": fork.describe_results(),
                "cases": [{"id": f"C{next(numbers)}", "case": case} for case in cases],
            }
            for fork, cases in groups
        ]
    }


def _read_answer(groups: Sequence[Group], answer: Mapping[str, Any]) -> Iterator[JudgedDocument]:
    """Yield what was said of cases; one of which nothing came back has not been judged."""
    said = {item["case"]: item for item in answer["cases"]}
    alike = [items for _, cases in groups for items in cases.values()]
    for number, items in enumerate(alike, start=1):
        found = said.get(f"C{number}", {})
        parts = {name: found[name] for name in ("result", "excluded", "why") if found}
        for item in items if parts else ():
            yield JudgedDocument.model_validate({**item.model_dump(), **parts})
