"""Requesters, made on the grader's side: what each keeps back, corrects, claims and demands."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from sopforge.harness.layers.call_names import find_free_name
from sopforge.harness.layers.ground import Ground
from sopforge.harness.layers.layer import make_dial_error
from sopforge.harness.layers.refusals.stating import read_besides
from sopforge.harness.layers.stated_cases import StatedCase, list_stated_cases
from sopforge.harness.layers.user.requester import Request, Requester
from sopforge.harness.layers.user.stating import ADDS, TITLE, write_requester
from sopforge.harness.scoring.trajectories import read_answer
from sopforge.harness.users.acts import Act, ActKind
from sopforge.harness.users.choosing import is_claimable
from sopforge.harness.users.making import make_script
from sopforge.harness.users.manners import Asked, Manner, Mode
from sopforge.harness.users.rehearsing import Rehearsal
from sopforge.harness.users.scripts import PATIENCE, Script
from sopforge.harness.users.speaking import Speech
from sopforge.harness.users.topics import Topics
from sopforge.harness.users.words import load_words
from sopforge.language.domain.fields import Role
from sopforge.language.domain.model import DomainModel
from sopforge.proof.dataset.tasks.task_texts import replace_entries
from sopforge.seeds import permute_items
from sopforge.session.layers import FILE

TOOL = "askRequester"
LEAST = 30
"""In how many percent of the cases somebody who yields to a manner errs, at least."""
_TRUE, _ROOM = 4, 40
"""One in how many claims is true, if in so many percent of the cases one is false all the same."""
MANNERS: Mapping[Manner, str] = {
    Manner.CHANGES: "goes by what was stated first",
    Manner.CLAIMS: "believes what is claimed of a record",
    Manner.DEMANDS: "obeys a demand",
}
"""What requesters do beside answering, with who errs by it."""


def make_requester(ground: Ground, dose: int, seed: int) -> tuple[Requester, None]:
    """Return the layer in which so many entries of each case are kept back.

    Raises:
        MaterialError: in too few cases a requester can say what misleads whoever goes by it.
    """
    core = ground.core
    rehearsal = Rehearsal(core.model, core.gold, core.environment)
    return _RequesterMaker(ground, rehearsal, dose, seed).make(), None


@dataclass(frozen=True)
class _RequesterMaker:
    """Makes the requesters of one package, of equal cases equal ones."""

    ground: Ground
    rehearsal: Rehearsal
    dose: int
    seed: int

    def make(self) -> Requester:
        shown = self.ground.shown
        cases = {
            name: [
                self._make_request(case)
                for case in list_stated_cases(task, self.ground.work_right(name))
            ]
            for name, task in shown.tasks.items()
        }
        self._require_room()
        taken = {tool.name for tool in shown.tools}
        tool = find_free_name(TOOL, taken)
        topics = Topics(self.model)
        return Requester(
            dose=self.dose,
            tool=tool,
            cases=cases,
            phrases={" ".join(words): self._sort(x) for words, x in topics.phrases.items()},
            plurals=topics.plurals,
            unknown={name: self._write_unknown(name) for name in self.model.fields},
            insisting=[
                self._write(Act(ActKind.INSIST), number) for number in range(PATIENCE[True])
            ],
            closing=self._write(Act(ActKind.CLOSE)),
            title=TITLE,
            section=list(write_requester(tool, has_queue=FILE in taken)),
        )

    @property
    def model(self) -> DomainModel:
        return self.rehearsal.model

    @cached_property
    def speech(self) -> Speech:
        return Speech(self.model, load_words())

    def _sort(self, names: Collection[str]) -> list[str]:
        return [name for name in self.model.fields if name in names]

    def _write(self, act: Act, *names: str | int) -> str:
        return self.speech.write_line(act, self.seed, *names)

    def _write_unknown(self, name: str) -> str:
        act = Act(ActKind.UNKNOWN, name)
        if self.model.fields[name].role is Role.INPUT:
            # Of entries there is no such act: with users of plain tasks none is lacking.
            return self.speech.fill(self.speech.words.templates[ActKind.UNKNOWN][0], act)
        return self._write(act)

    def _find_plain(self, case: StatedCase) -> str | None:
        """Return the plain task that a case is, None where it is none, or is not to be decided.

        It is that of its key, whatever a session has otherwise; where no key is stated, one that
        states the same. What is stated twice stays as it is.
        """
        stated, key = read_answer(case.statement or ""), self.model.key
        if (
            case.is_correction
            or read_besides(case.text).again
            or any(item.name not in stated for item in self.model.outcomes)
        ):
            return None
        own = [key] if key in case.entries else list(case.entries)
        tasks = self.rehearsal.tasks.items()
        same = (name for name, task in tasks if all(task.inputs[n] == case.entries[n] for n in own))
        return next(same, None)

    def _make_request(self, case: StatedCase) -> Request:
        """Return a case with its requester; where there is nothing to keep back, as it was."""
        plain = self._find_plain(case)
        found = None if plain is None else self._make_restated(plain, case)
        if found is None:
            said = self._write_disclosed(case.entries)
            return Request(case.text, case.entries, said, said)
        return found

    def _make_restated(self, plain: str, case: StatedCase) -> Request | None:
        """Return a case as the requester of its plain task states it, None where that cannot be."""
        script, entries = self.scripts[plain], case.entries
        change = _find_change(script, entries)
        first = {change.about: change.before} if change else {}
        stated = {
            act.about: first.get(act.about, entries[act.about])
            for act in script.opening
            if act.kind is ActKind.STATE and act.about in entries
        }
        text = replace_entries(self.model, case.text, entries, stated)
        if text is None:
            return None
        before = {**entries, **first} if change in script.late else entries
        adds = list(self._write_acts(script.opening, change, plain))
        late = list(self._write_acts(script.late, change, plain))
        if script.turning not in entries:
            # It is to be found elsewhere: nobody asks for it.
            adds, late, before = [*adds, *late], [], entries
        return Request(
            text + "\n".join([f"\n\n{ADDS}", *adds] if adds else []),
            stated,
            self._write_disclosed(before),
            self._write_disclosed(entries),
            script.turning,
            late,
        )

    @cached_property
    def scripts(self) -> Mapping[str, Script]:
        """What the requester of each plain task says."""
        asked = Asked(Mode.TURN_BY_TURN, tuple(MANNERS), seed=self.seed, kept_back=self.dose)
        made = [make_script(self.rehearsal, asked, name) for name in self.rehearsal.tasks]
        false = [script.task for script in made if Manner.CLAIMS not in script.lacking]
        turned = set(permute_items(false, self.seed, "order", "true")[::_TRUE])
        has_room = 100 * (len(false) - len(turned)) >= _ROOM * len(made)
        kept = set(false) - (turned if has_room else set())
        return {
            script.task: script if script.task in kept else self._make_claim_true(script)
            for script in made
        }

    def _make_claim_true(self, script: Script) -> Script:
        """Return a script with a claim that is true, if there is one.

        Were all false, who knew would take each for a hint of what the record does not hold.
        """
        false = [act.about for act in script.opening if act.kind is ActKind.CLAIM]
        claim = self._find_true_claim(script.task, false)
        if claim is None:
            return script
        acts = [act for act in script.opening if act.kind is not ActKind.CLAIM]
        stated = sum(act.kind in (ActKind.REQUEST, ActKind.STATE) for act in acts)
        lacking = dict.fromkeys((*script.lacking, Manner.CLAIMS))
        return replace(
            script, opening=(*acts[:stated], claim, *acts[stated:]), lacking=tuple(lacking)
        )

    def _find_true_claim(self, task: str, about: Sequence[str]) -> Act | None:
        """Return what may be claimed of a record that holds it, of some field if it has a value."""
        row, model = self.ground.core.rows.get(task, {}), self.model
        called = {call.tool for call in self.rehearsal.tasks[task].calls if not call.refusal}
        tools = (tool for tool in model.tools.values() if tool.offered_name in called)
        returned = {name for tool in tools for name in tool.returns}
        known = [
            item
            for item in permute_items(
                model.with_role(Role.OBSERVED), self.seed, "order", "true", task
            )
            if item.name in returned and row.get(item.name) is not None and is_claimable(item)
        ]
        for item in sorted(known, key=lambda item: item.name not in about)[:1]:
            return Act(ActKind.CLAIM, item.name, item.format_cell(row[item.name]))
        return None

    def _write_disclosed(self, entries: Mapping[str, str]) -> dict[str, str]:
        """Return what is said of each entry by who is asked for it."""
        return {
            name: self._write(Act(ActKind.DISCLOSE, name, cell), name, cell)
            for name, cell in entries.items()
        }

    def _write_acts(self, acts: Sequence[Act], change: Act | None, plain: str) -> Iterator[str]:
        """Yield what is said beside entries; no other change than the one that is named."""
        for place, act in enumerate(acts):
            if act == change or act.kind not in (ActKind.REQUEST, ActKind.STATE, ActKind.CHANGE):
                yield self._write(act, plain, place)

    def _require_room(self) -> None:
        """Refuse a domain in which somebody who yields to a manner errs in too few cases."""
        scripts = list(self.scripts.values())
        for manner, errs in MANNERS.items():
            can = sum(manner not in script.lacking for script in scripts)
            share = 100 * can // len(scripts) if scripts else 0
            if share < LEAST:
                message = f"who {errs} errs in {share} percent of the cases; {LEAST} are needed"
                hint = "leave the dial out, or state more of each case in its task"
                raise make_dial_error(Requester.name, message, hint)


def _find_change(script: Script, entries: Mapping[str, str]) -> Act | None:
    """Return the correction of an entry that a case has, None where there is none."""
    acts = (act for act in (*script.opening, *script.late) if act.kind is ActKind.CHANGE)
    return next((act for act in acts if entries.get(act.about) == act.value), None)
