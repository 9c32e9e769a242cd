"""The commands, with examples and what their exit codes say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sopforge.cli.check import check, doctor, reread, run_oracle, verify
from sopforge.cli.compare import compare
from sopforge.cli.decide import (
    answer,
    approve,
    edit,
    reject,
    request_changes,
    review,
    review_user,
    sign,
    withdraw,
)
from sopforge.cli.evaluate import diagnose, evaluate, examine, experiment, mcp, report, twin
from sopforge.cli.look import diff, list_domains, show, status
from sopforge.cli.maintain import check_store, delete, gc, rename, signers
from sopforge.cli.make import continue_domains, generate, new, plan, regenerate
from sopforge.cli.output import Result
from sopforge.cli.release import draw, fetch, publish, yank

EXIT_CODES: Mapping[int, str] = {
    0: "success",
    1: "the command found errors in what it built or read",
    2: "unusable input; the message says what is wrong, where it is and what to do",
    3: "a stage is waiting for a decision at its gate",
    70: "internal error in SOPForge",
    130: "interrupted with Ctrl-C; a run reports what it kept and how to continue",
}
"""What exit codes say of any command, unless a command says it more exactly."""


EXAMPLES = """
new expense_claims
new expense_claims --prose
plan briefs/fees.yaml
plan briefs/fees.yaml --preview --budget 1
generate briefs/fees.yaml
generate briefs/fees.yaml --approve-clean --store s3://bucket/domains
generate briefs/fees.yaml briefs/loans.yaml --jobs 2
regenerate fees --context "From May on, films are lent for a week."
regenerate fees --model-patch longer_grace.yaml
continue fees
continue
continue --all --jobs 4
approve fees sop --digest 0123456789ab
request-changes fees sop --feedback "Say what 'late' means."
edit fees sop
edit fees sop --from sop.txt
reject fees sop --reason 'The fees are of last year.'
withdraw fees sop
answer fees
answer fees 1 B
answer fees q-5b0c6f0a94d1 "The third day is in time."
sign fees --signing-key ~/.ssh/id_ed25519
sign fees --release 1.0.0
review
review --port 8200
review-user add ada
review-user add grace --role publisher --through-proxy
review-user remove ada
review-user list
publish fees
draw fees
draw fees --of 1.0.0
draw fees@1.0.0/L0 --count 500 --out training
fetch fees@1.0.0 handed_over
yank fees 1.0.0 --reason "A tool gives the answer away."
yank fees 1.0.0 --undo
status
status fees
status fees --cost
list
list --json
show fees sop
show fees sop --file sop.txt
show fees sop --html sop.html
show fees sop --docx sop.docx
show fees@1.0.0/L0 task-40885922
diff fees
diff fees sop --from 1 --to 2
diff fees --from 1.0.0
check briefs/fees.yaml
check briefs/fees.yaml --against briefs/fees_before.yaml
check fees@1.0.0
check any_package --json
verify fees@1.0.0
verify handed_over --rebuild
run-oracle fees@1.0.0/L0
run-oracle generated/fees/releases/1.0.0/fees
reread fees --model anthropic:claude-opus-5-5 --tasks 20
reread fees@1.0.0/L1 --model anthropic:claude-opus-5-5 --rate
doctor
evaluate fees@1.0.0/L0 --agent gold --agent constant
evaluate fees@1.0.0/L0 --agent random-tool --tasks 30 --seed 7 --out runs/random
compare runs/before runs/after
compare evaluation#gold evaluation#constant
compare first.yaml second.yaml --names names.yaml
diagnose evaluation
diagnose runs/first#react --json
diagnose runs/before runs/after --twins
examine fees@1.0.0/L0 --agent 'command:python my_agent.py'
examine fees@1.0.0/L0 --agent gold --cases 10 --json
twin fees@1.0.0/L0
twin fees@1.0.0/L0 --count 5 --against-common-sense 1
experiment fees@1.0.0/L0 tools --agent random-tool --out runs/tools
experiment fees@1.0.0/L0 factorial --doses 0,16 --branches 0,1 --agent gold
report evaluation
report runs/before runs/after --out both.html --csv both.csv
report runs --site --out site --trajectories 5
mcp fees@1.0.0/L0
mcp fees@1.0.0/L0 --http --log sessions.jsonl
delete fees
delete fees --releases --yes --digest 0123456789ab
rename fees charges
store check
store check fees --json
store clear --dry-run
store clear fees --yes
store signers
store signers --from allowed_signers
"""
"""How each command is called, a line for each example."""
_RUN = {
    1: "if the run stopped at a stage that has errors or was rejected",
    3: "if the run stopped at a gate that needs a decision",
}
EXITS: Mapping[str, Mapping[int, str]] = {
    "plan": {1: "if the domain model has errors, with --preview"},
    "generate": _RUN,
    "regenerate": _RUN,
    "continue": {
        1: "if a run stopped at a stage that has errors or was rejected",
        3: "if the worst result is a gate that needs a decision",
    },
    "status": {1: "if a crash left incomplete lines in the log of costs"},
    "diff": {1: "if something changed, like the Unix command diff"},
    "check": {1: "if the rules, the SOP or a package have errors"},
    "verify": {1: "if something differs from the release"},
    "run-oracle": {1: "if the proof fails, or if a file differs from the release"},
    "reread": {1: "if the reader understands a rule differently"},
    "doctor": {1: "if this machine cannot enforce the requested level"},
    "compare": {1: "if two readings are not proved to decide all cases alike"},
    "store check": {1: "if something is damaged"},
}
"""When a command exits with 1 and 3, if it does."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command, which may share a word with others that stands before its name: their ``group``.

    It is ``called`` as its function is, unless that is no name for a function.
    """

    function: Callable[..., Result | None]
    called: str = ""
    group: str = ""

    @property
    def name(self) -> str:
        """What is typed, after the word of its group."""
        return self.called or self.function.__name__.replace("_", "-")

    @property
    def words(self) -> list[str]:
        """All that is typed to call it."""
        return [*self.group.split(), self.name]

    @property
    def examples(self) -> list[str]:
        """How it may be called."""
        lines = EXAMPLES.strip().splitlines()
        return [line for line in lines if line.split()[: len(self.words)] == self.words]

    @property
    def exits(self) -> str:
        """The sentence about its exit codes, if there is more to say than of any command."""
        exits = EXITS.get(" ".join(self.words), {})
        said = ", and ".join(f"with code {code} {when}" for code, when in exits.items())
        return f"Exits {said}." if said else ""

    @property
    def epilog(self) -> str:
        """What stands below its help."""
        examples = (f"- `sopforge {example}`" for example in self.examples)
        return "\n\n".join(filter(None, ["Examples:", *examples, self.exits]))


PANELS: Mapping[str, tuple[Command, ...]] = {
    "Make": (
        Command(new.new),
        Command(plan.plan),
        Command(generate.generate),
        Command(regenerate.regenerate),
        Command(continue_domains.continue_domains, "continue"),
    ),
    "Decide": (
        Command(approve.approve),
        Command(request_changes.request_changes),
        Command(edit.edit),
        Command(reject.reject),
        Command(withdraw.withdraw),
        Command(answer.answer),
        Command(sign.sign),
        Command(review.review),
        Command(review_user.add, group="review-user"),
        Command(review_user.remove, group="review-user"),
        Command(review_user.list_users, "list", "review-user"),
    ),
    "Release": (
        Command(publish.publish),
        Command(draw.draw),
        Command(fetch.fetch),
        Command(yank.yank),
    ),
    "Look": (
        Command(status.status),
        Command(list_domains.list_domains, "list"),
        Command(show.show),
        Command(diff.diff),
    ),
    "Check": (
        Command(check.check),
        Command(verify.verify),
        Command(run_oracle.run_oracle),
        Command(reread.reread),
        Command(doctor.doctor),
    ),
    "Evaluate": (
        Command(evaluate.evaluate),
        Command(compare.compare),
        Command(diagnose.diagnose),
        Command(examine.examine),
        Command(twin.twin),
        Command(experiment.experiment),
        Command(report.report),
        Command(mcp.mcp),
    ),
    "Maintain": (
        Command(delete.delete),
        Command(rename.rename),
        Command(check_store.check_store, "check", "store"),
        Command(gc.gc, "clear", "store"),
        Command(signers.signers, group="store"),
    ),
}
"""The commands under what each is for."""
GROUPS: Mapping[str, str] = {
    "review-user": "Manage the users who may view, decide and publish on the review pages.",
    "store": "Check and clear a store, and say who may sign in it.",
}
"""What the commands do that share a word."""
OLD_NAMES: Mapping[str, str] = {
    "check-model": "check",
    "preview": "plan --preview",
    "questions": "answer",
    "explain": "show",
    "cost": "status --cost",
    "rate": "reread --rate",
    "follow": "diagnose --twins",
    "leaderboard": "report --site",
    "check-store": "store check",
    "gc": "store clear",
    "signers": "store signers",
}
"""What commands were called before, and what does the same now: until the next release."""
