"""The commands under what each is for, with examples and what their exit codes say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sopforge.cli.check import check, doctor, rate, reread, run_oracle, verify
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
from sopforge.cli.evaluate import (
    diagnose,
    evaluate,
    examine,
    experiment,
    follow,
    leaderboard,
    mcp,
    report,
    twin,
)
from sopforge.cli.look import cost, diff, explain, list_domains, questions, show, status
from sopforge.cli.maintain import check_store, delete, gc, rename, signers
from sopforge.cli.make import (
    check_model,
    continue_domains,
    generate,
    new,
    plan,
    preview,
    regenerate,
)
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


@dataclass(frozen=True, slots=True)
class Command:
    """A command: ``examples`` of calling it, and when it exits with 1 and 3, if it does.

    It is ``called`` as its function is, unless that is no name for a function.
    """

    function: Callable[..., None]
    examples: tuple[str, ...]
    exits: Mapping[int, str]
    called: str = ""

    @property
    def name(self) -> str:
        """What is typed."""
        return self.called or self.function.__name__.replace("_", "-")

    @property
    def epilog(self) -> str:
        """What stands below its help."""
        lines = ["Examples:", *(f"- `sopforge {example}`" for example in self.examples)]
        return "\n\n".join([*lines, describe_exits(self)] if self.exits else lines)


def describe_exits(command: Command) -> str:
    """Return the sentence about the exit codes of a command."""
    exits = (f"with code {code} {when}" for code, when in command.exits.items())
    return f"Exits {', and '.join(exits)}."


@dataclass(frozen=True, slots=True)
class Group:
    """Commands that share a word before their names, in the panel where that stands."""

    name: str
    says: str
    panel: str
    commands: tuple[Command, ...]


_RUN = {
    1: "if the run stopped at a stage that has errors or was rejected",
    3: "if the run stopped at a gate that needs a decision",
}
PANELS: Mapping[str, tuple[Command, ...]] = {
    "Make": (
        Command(new.new, ("new expense_claims", "new expense_claims --prose"), {}),
        Command(
            check_model.check_model,
            (
                "check-model briefs/fees.yaml",
                "check-model briefs/fees.yaml --against briefs/fees_before.yaml",
            ),
            {1: "if the rules or the SOP have errors", 2: "if the brief cannot be read"},
        ),
        Command(plan.plan, ("plan briefs/fees.yaml",), {}),
        Command(
            preview.preview,
            ("preview briefs/fees.yaml --budget 1",),
            {1: "if the domain model has errors"},
        ),
        Command(
            generate.generate,
            (
                "generate briefs/fees.yaml",
                "generate briefs/fees.yaml --approve-clean --store s3://bucket/domains",
                "generate briefs/fees.yaml briefs/loans.yaml --jobs 2",
            ),
            _RUN,
        ),
        Command(
            regenerate.regenerate,
            (
                'regenerate fees --context "From May on, films are lent for a week."',
                "regenerate fees --model-patch longer_grace.yaml",
            ),
            _RUN,
        ),
        Command(
            continue_domains.continue_domains,
            ("continue fees", "continue", "continue --all --jobs 4"),
            {
                1: "if a run stopped at a stage that has errors or was rejected",
                3: "if the worst result is a gate that needs a decision",
            },
            called="continue",
        ),
    ),
    "Decide": (
        Command(approve.approve, ("approve fees sop --digest 0123456789ab",), {}),
        Command(
            request_changes.request_changes,
            ("request-changes fees sop --feedback \"Say what 'late' means.\"",),
            {},
        ),
        Command(edit.edit, ("edit fees sop", "edit fees sop --from sop.txt"), {}),
        Command(reject.reject, ("reject fees sop --reason 'The fees are of last year.'",), {}),
        Command(withdraw.withdraw, ("withdraw fees sop",), {}),
        Command(
            answer.answer,
            ("answer fees 1 B", 'answer fees q-5b0c6f0a94d1 "The third day is in time."'),
            {},
        ),
        Command(
            sign.sign,
            ("sign fees --signing-key ~/.ssh/id_ed25519", "sign fees --release 1.0.0"),
            {},
        ),
        Command(review.review, ("review", "review --port 8200"), {}),
    ),
    "Release": (
        Command(publish.publish, ("publish fees",), {}),
        Command(
            draw.draw,
            ("draw fees", "draw fees --of 1.0.0", "draw fees@1.0.0/L0 --count 500 --out training"),
            {},
        ),
        Command(fetch.fetch, ("fetch fees@1.0.0 handed_over",), {}),
        Command(
            yank.yank,
            ('yank fees 1.0.0 --reason "A tool gives the answer away."', "yank fees 1.0.0 --undo"),
            {},
        ),
    ),
    "Look": (
        Command(status.status, ("status", "status fees"), {}),
        Command(list_domains.list_domains, ("list", "list --json"), {}, called="list"),
        Command(
            show.show,
            (
                "show fees sop",
                "show fees sop --file sop.txt",
                "show fees sop --html sop.html",
                "show fees sop --docx sop.docx",
            ),
            {},
        ),
        Command(
            diff.diff,
            ("diff fees", "diff fees sop --from 1 --to 2", "diff fees --from 1.0.0"),
            {1: "if something changed, like the Unix command diff"},
        ),
        Command(
            explain.explain,
            ("explain fees@1.0.0/L0", "explain generated/fees/releases/1.0.0/fees task-40885922"),
            {},
        ),
        Command(questions.questions, ("questions fees", "questions fees --all"), {}),
        Command(cost.cost, ("cost fees",), {1: "if a crash left incomplete lines in the log"}),
    ),
    "Check": (
        Command(
            verify.verify,
            ("verify fees@1.0.0", "verify handed_over --rebuild"),
            {1: "if something differs from the release"},
        ),
        Command(
            run_oracle.run_oracle,
            ("run-oracle fees@1.0.0/L0", "run-oracle generated/fees/releases/1.0.0/fees"),
            {1: "if the proof fails, or if a file differs from the release"},
        ),
        Command(
            check.check,
            ("check fees@1.0.0", "check any_package --json"),
            {1: "if a package has errors"},
        ),
        Command(
            reread.reread,
            ("reread fees --model anthropic:claude-opus-5-5 --tasks 20",),
            {1: "if the reader understands a rule differently"},
        ),
        Command(
            rate.rate,
            (
                "rate fees --model anthropic:claude-opus-5-5",
                "rate fees@1.0.0/L1 --model anthropic:claude-opus-5-5",
            ),
            {},
        ),
        Command(
            doctor.doctor, ("doctor",), {1: "if this machine cannot enforce the requested level"}
        ),
    ),
    "Evaluate": (
        Command(
            evaluate.evaluate,
            (
                "evaluate fees@1.0.0/L0 --agent gold --agent constant",
                "evaluate fees@1.0.0/L0 --agent random-tool --tasks 30 --seed 7 --out runs/random",
            ),
            {},
        ),
        Command(
            compare.compare,
            (
                "compare runs/before runs/after",
                "compare evaluation#gold evaluation#constant",
                "compare first.yaml second.yaml --names names.yaml",
            ),
            {1: "if two readings are not proved to decide all cases alike"},
        ),
        Command(
            diagnose.diagnose,
            ("diagnose evaluation", "diagnose runs/first#react --json"),
            {},
        ),
        Command(
            examine.examine,
            (
                "examine fees@1.0.0/L0 --agent 'command:python my_agent.py'",
                "examine fees@1.0.0/L0 --agent gold --cases 10 --json",
            ),
            {},
        ),
        Command(
            twin.twin,
            ("twin fees@1.0.0/L0", "twin fees@1.0.0/L0 --count 5 --against-common-sense 1"),
            {},
        ),
        Command(
            follow.follow,
            ("follow evaluation", "follow runs/before runs/after --json"),
            {},
        ),
        Command(
            experiment.experiment,
            (
                "experiment fees@1.0.0/L0 tools --agent random-tool --out runs/tools",
                "experiment fees@1.0.0/L0 factorial --doses 0,16 --branches 0,1 --agent gold",
            ),
            {},
        ),
        Command(
            report.report,
            ("report evaluation", "report runs/before runs/after --out both.html --csv both.csv"),
            {},
        ),
        Command(
            leaderboard.leaderboard,
            ("leaderboard runs", "leaderboard runs --out site --trajectories 5"),
            {},
        ),
        Command(
            mcp.mcp,
            ("mcp fees@1.0.0/L0", "mcp fees@1.0.0/L0 --http --log sessions.jsonl"),
            {},
        ),
    ),
    "Maintain": (
        Command(
            check_store.check_store,
            ("check-store", "check-store fees --json"),
            {1: "if something is damaged"},
        ),
        Command(signers.signers, ("signers", "signers --from allowed_signers"), {}),
        Command(gc.gc, ("gc --dry-run", "gc fees --yes"), {}),
        Command(
            delete.delete,
            ("delete fees", "delete fees --releases --yes --digest 0123456789ab"),
            {},
        ),
        Command(rename.rename, ("rename fees charges",), {}),
    ),
}
GROUPS: tuple[Group, ...] = (
    Group(
        "review-user",
        "Manage the users who may view, decide and publish on the review pages.",
        "Decide",
        (
            Command(
                review_user.add,
                ("review-user add ada", "review-user add grace --role publisher --through-proxy"),
                {},
            ),
            Command(review_user.remove, ("review-user remove ada",), {}),
            Command(review_user.list_users, ("review-user list",), {}, called="list"),
        ),
    ),
)
