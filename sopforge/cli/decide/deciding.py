"""What the commands that decide share: their options, and how a decision is reported."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sopforge.cli.decide.confirming import choose_digest
from sopforge.cli.decide.outcomes import build_decision_record
from sopforge.cli.options import By, Digest, StageName, StoredDomain, get_person
from sopforge.cli.output import Parts, Result
from sopforge.cli.signing import SignersFile, SigningKey, make_entry_signer

if TYPE_CHECKING:
    from sopforge.cli.running.continuing import Following
    from sopforge.pipeline.gates.gate import Decided
    from sopforge.store.entries import DecisionVerdict
    from sopforge.store.log.audit_log import Opinion, SignEntry
    from sopforge.store.versions import DomainStore, Version


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionOptions(StoredDomain):
    """A decision: on which version, by whom, and signed with which key."""

    stage: StageName
    digest: Digest = None
    by: By = ""
    signing_key: SigningKey = None
    allowed_signers: SignersFile = None

    @property
    def person(self) -> str:
        """Who decides."""
        return get_person(self.by)

    def make_signer(self, domain: DomainStore) -> SignEntry | None:
        """Return what signs the decision, None without a key."""
        return make_entry_signer(domain.store, self.signing_key, self.allowed_signers)

    def decide(
        self,
        verdict: DecisionVerdict,
        verb: str,
        opinion: Opinion,
        *,
        is_quiet: bool,
        despite_errors: bool = False,
    ) -> tuple[DomainStore, Decided, int]:
        """Record a decision on the version that waits; return it, its domain and open questions.

        A person at a terminal sees the version first, and confirms it in the words of ``verb``.
        """
        from sopforge.pipeline.gates.gate import decide, refuse_unheeded_words
        from sopforge.store.entries import DecisionVerdict

        domain = self.open()

        def refuse(version: Version) -> None:
            if verdict is DecisionVerdict.REQUEST_CHANGES:
                refuse_unheeded_words(domain, version)

        shown = choose_digest(
            domain, self.stage, self.digest, verb, is_quiet=is_quiet, refuse=refuse
        )
        decided = decide(
            domain,
            stage=self.stage,
            digest=shown,
            verdict=verdict,
            by=self.person,
            sign=self.make_signer(domain),
            opinion=opinion,
            despite_errors=despite_errors,
        )
        made = decided.decision
        return domain, decided, count_open_questions(domain, domain.find(made.stage, made.key))


def count_open_questions(domain: DomainStore, version: Version | None) -> int:
    """Return how many questions of readers about a schema nobody has answered.

    What finds them loads the solver, for which no other decision waits.
    """
    from sopforge.workspace import STAGE_NAMES

    # About a schema that has nothing else, none was raised.
    if version is None or version.manifest.stage != STAGE_NAMES[0] or len(version.files) == 1:
        return 0
    from sopforge.pipeline.briefs.answering import collect_questions
    from sopforge.pipeline.briefs.brief_files import load_latest_brief

    return len(collect_questions(load_latest_brief(domain), version).open)


def report_decision(
    decided: Decided,
    questions: int,
    sentence: str,
    follow: Callable[[], Following],
    *before: str,
) -> Result:
    """Return a decision, which has happen what follows it only when it is printed.

    ``questions`` is how many of readers were open by then. People read what was decided before
    anything is started, which may take long or fail.
    """

    def lay_out() -> Parts:
        yield from before
        yield sentence
        if decided.is_signed:
            yield "Your decision is signed."
        yield from follow().lay_out()

    def build_record() -> dict[str, object]:
        return {
            **build_decision_record(decided.decision),
            "gate": decided.state,
            "missing": decided.missing,
            "is_signed": decided.is_signed,
            "open_questions": questions,
            "open_requests": decided.open_requests,
            **follow().as_record(),
        }

    return Result(build_record, lay_out())
