"""README.md: the dataset card, which says what a package is, how to use it, and where it ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import yaml

from sopforge.artifacts.packaging.canary import describe_canary
from sopforge.artifacts.packaging.croissant import render_citation
from sopforge.artifacts.packaging.licences import LICENCES
from sopforge.artifacts.packaging.rating.difficulty import describe_difficulty
from sopforge.artifacts.packaging.rating.hardness import render_hardness_page
from sopforge.artifacts.packaging.rating.reviews import render_reviews_page
from sopforge.artifacts.packaging.release import Release
from sopforge.language.domain.balance import (
    build_answer_lines,
    build_balance_lines,
    compute_balance,
)
from sopforge.language.domain.fields import Field
from sopforge.language.domain.values.types import EnumType, NumberType, SetType
from sopforge.language.english.prose.purpose import describe_purpose

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"))
_FENCE = "```"


def render_dataset_card(release: Release) -> str:
    """Return the card, with the front matter that the Hugging Face Hub reads."""
    parts = [
        _render_front_matter(release),
        f"# {release.model.title}",
        _render_overview(release),
        *_render_private_section(release),
        *_render_condition_section(release),
        *_render_difficulty_section(release),
        "## How it was made\n\n" + _describe_origin(release),
        *_render_signed_section(release),
        *_render_review_section(release),
        "## Ratings and figures\n\n" + render_hardness_page(release),
        "## How to use it\n\n" + _describe_usage(release),
        "## Files\n\n" + _describe_files(release),
        "## Tools\n\n"
        + _render_list(
            (tool.name, tool.description) for tool in release.model.offered.tools.values()
        ),
        "## Inputs\n\n" + _render_table(release.model.inputs),
        "## Outcomes\n\n" + _render_outcomes(release),
        "## Splits\n\n" + _describe_splits(release),
        "## Balance\n\n" + _render_balance(release),
        "## Intended use\n\n" + _describe_intended_use(release),
        "## Limits\n\n" + _describe_limits(),
        "## Licence\n\n" + _describe_licence(release),
        "## Citation\n\n" + f"{_FENCE}bibtex\n{render_citation(release)}\n{_FENCE}",
        "## Canary\n\n" + describe_canary(release),
    ]
    return "\n\n".join(parts) + "\n"


def _render_front_matter(release: Release) -> str:
    size = next(name for limit, name in _SIZES if len(release.tasks) < limit)
    matter = {
        "pretty_name": release.model.title,
        "license": release.terms.licence.lower().replace("odc-by-1.0", "odc-by"),
        "language": ["en"],
        "size_categories": [size],
        "tags": ["agents", "tool-use", "standard-operating-procedures", "synthetic", "croissant"],
        "configs": [
            {
                "config_name": "tasks",
                "default": True,
                "data_files": [{"split": "test", "path": "test_set_with_outputs.csv"}],
            }
        ],
    }
    return f"---\n{yaml.safe_dump(matter, sort_keys=False, allow_unicode=True)}---"


def _render_overview(release: Release) -> str:
    return (
        f"{describe_purpose(release.model)}\n\n"
        f"An agent gets a standard operating procedure (SOP), a case and tools; it follows the"
        f" procedure, calls the tools, and states the results. Package `{release.name}`, version"
        f" {release.version}, complexity level {release.level}: {len(release.tasks)} tasks,"
        f" {len(release.model.offered.tools)} tools. All data are synthetic."
    )


def _render_private_section(release: Release) -> list[str]:
    if not release.drawn_from:
        return []
    text = (
        f"Its tasks were drawn anew from release {release.drawn_from}, with a seed that stands in"
        " `grader/draw.json` alone; SOP, tools and rules are the same, so that scores can be"
        " compared. Keep it to yourself: a test set that was published can be learned by heart."
        " Ids name places in a draw; the same id stands for another task there. No person has"
        " approved the tasks: their checks are passed, and the answers follow from the model."
    )
    return [f"## A private test set\n\n{text}"]


def _render_condition_section(release: Release) -> list[str]:
    if not release.condition:
        return []
    if release.changed:
        text = (
            "It has the tasks of another package, and one rule that is another one, so that some of"
            f" the answers are ({release.changed}). `provenance.json` says of which package."
            " Agents that follow the text change these answers, and no others. Its checks are"
            " passed; nobody has approved what it does not share with that package."
        )
        return [f"## A twin\n\n{text}"]
    text = (
        f"It was made as the condition `{release.condition}` of an experiment, and is no release."
        " `provenance.json` says from which package and with which doses. Its checks are passed;"
        " nobody has approved what it does not share with that package."
    )
    return [f"## A condition of an experiment\n\n{text}"]


def _render_difficulty_section(release: Release) -> list[str]:
    said = describe_difficulty(release.profile)
    if not said:
        return []
    where = (
        "What agents see and what sessions need is in `layers/`, which `environment.py` and"
        " SOPForge read. All else at the top is the plain domain, as programs for SOP-Bench's"
        " layout read it."
    )
    return [f"## Difficulty\n\n{where}\n\n{said}"]


def describe_maker(provenance: Mapping[str, object]) -> str:
    """Return which program, in which version, made the model, as the card says it."""
    return f"{provenance.get('made_with', 'SOPForge')} made one executable model"


def _describe_origin(release: Release) -> str:
    covered = f"{release.covered} " if release.covered else ""
    approved = "; a person or a policy approved each stage (`provenance.json` says which)"
    return (
        "A person described the business and its rules in a brief."
        f" {describe_maker(release.provenance)} of them and derived the rest from it:"
        " the SOP, the records and tasks, the API description, the tool descriptions and the"
        " tools. The answers are what the model decides for each case. Checks compared every part"
        f" with the model{'' if release.condition else approved}.\n\n"
        f"{covered}`grader/coverage.md` lists each goal and each"
        " mutant (the model with one small mistake), with its tasks or why no answer can show it."
    )


def _render_signed_section(release: Release) -> list[str]:
    signed = release.provenance.get("signed")
    if not isinstance(signed, list):
        return []
    count = "One statement" if len(signed) == 1 else f"{len(signed)} statements"
    said = "\n".join(
        f"- {item['text']}\n  - stands for: {item['stands_for']}\n  - signed by {item['by']}"
        for item in signed
    )
    text = (
        f"{count} of the SOP a person worded, and signed to mean the same as the derived one. No"
        f" check can read it:\n\n{said}"
    )
    return [f"## Signed statements\n\n{text}"]


def _render_review_section(release: Release) -> list[str]:
    page = render_reviews_page(release)
    return [f"## What reviewers found\n\n{page}"] if page else []


def _describe_usage(release: Release) -> str:
    return f"""With SOP-Bench: copy this folder below `benchmarks/data` of an installed SOP-Bench;
its registry finds it by name, and its evaluator scores it, without a change to either.

{_FENCE}python
from amazon_sop_bench.benchmarks import load_benchmark
from amazon_sop_bench.evaluation import Evaluator

tasks = load_benchmark("{release.name}").tasks
results = Evaluator("{release.name}", agent=your_agent).run()
{_FENCE}

Without it: `environment.py` runs the package with Python's standard library alone, session by
session, in Python or as a program that reads and writes JSON lines (its first lines say how).

{_FENCE}python
from environment import Environment

environment = Environment()
for task in environment.tasks:
    session = environment.start(task)
    seen = session.observe()  # the SOP, the tools, the task
    session.finish(your_agent(seen, session.call))
    print(session.write_log())
{_FENCE}

`python grader/score.py LOG`, on the grader's side, prints a row with figures for each session of
such a log, and the shares of complete and right ones. The test sets are CSV files with a header,
and `{find_manager_name(release)}` of `tools.py` answers calls without a session.

Run the tools in an environment that cannot see `grader/` or `test_set_with_outputs.csv`.
`croissant.json` describes files and columns for `mlcroissant`; `SHA256SUMS` lists the digest of
every file (`sha256sum -c SHA256SUMS`)."""


def find_manager_name(release: Release) -> str:
    """Return the name of the class of the tools."""
    # From the text: a language model may have written the module, which is not run here.
    names = [line.split()[1] for line in release.tools.split("\n") if line.startswith("class ")]
    managers = [name.split("(")[0].rstrip(":") for name in names]
    return next((name for name in managers if name.endswith("Manager")), "Manager")


def _describe_files(release: Release) -> str:
    records = ", ".join(f"`{name}`" for name in release.records)
    return f"""**For the agent:** `sop.txt`, `toolspecs.json`, `openapi.yaml`, `tools.py`
with {records}, `environment.py`, `answer.schema.json` (of answers in JSON),
`test_set_without_outputs.csv`, and `tasks.jsonl`, where each task stands in words too.

**For the grader, never for an agent:** `test_set_with_outputs.csv` and `grader/`: the model
(`domain.yaml`), tasks with answers (`tasks.jsonl`, `tasks.parquet`), expected calls
(`trajectories.jsonl`), what scores logs (`score.py`, with `answers.json`), tests of the tools with
calls that some tasks expect (`test_tools.py`), why each answer is what it is
(`explanations.jsonl`), what the tasks cover (`coverage.md`, `coverage.json`), what makes them hard
(`profile.json`, `shortcuts.json`), and what the package was made from (`brief.yaml`, `draft.md`,
`sop.md`, `trace.json`; `stages.json` has the digests of what was approved, which `sopforge verify`
follows).

**About the package:** `metadata.json` (it names what was added to make tasks harder: keep it away
from an agent too), `croissant.json`, `provenance.json`, `LICENSE.md`, `disclaimer.txt`,
`SHA256SUMS`.{_describe_state(release)}"""


def _describe_state(release: Release) -> str:
    """Return what a package with tables has besides."""
    if release.model.operations is None:
        return ""
    return """

**As data:** `requests.jsonl` for the agent has what each task states, field by field. The tools'
side is `state/frames.json`, what sessions begin with, secrets included, and `state/tools.json`,
what the tools check and change: keep `state/` and the records away from an agent. For the grader,
`grader/gold.jsonl` has answers, end states and calls, and `grader/replay.py` works out what tables
hold after a session, for `score.py`."""


def _render_outcomes(release: Release) -> str:
    columns = ", ".join(f"`{item.name}`" for item in release.scored_columns)
    text = f"{_render_table(release.model.outcomes)}\n\nSOP-Bench's evaluator scores {columns}."
    if release.model.intermediates:
        intermediates = _render_table(release.model.intermediates)
        text += f"\n\nIntermediate values that graders may score beside them:\n\n{intermediates}"
    return text


def _render_table(items: Iterable[Field]) -> str:
    head = "| column | means | values |\n| --- | --- | --- |"
    rows = [
        f"| `{item.name}` | {_escape_cell(item.description)} | {_describe_values(item)} |"
        for item in items
    ]
    return "\n".join([head, *rows])


def _describe_values(item: Field) -> str:
    """Return which cells a column may hold, as far as a table has room for it."""
    match item.type:
        case EnumType(values=values) | SetType(values=values):
            said = "any of " * isinstance(item.type, SetType)
            said += ", ".join(_escape_cell(value) for value in values)
        case NumberType(places=places, unit=unit):
            said = f"number, {places} decimal places" if places else "whole number"
            said += f", in {_escape_cell(unit)}" if unit else ""
        case _:
            said = item.type.name
    return f"{said}; or {_escape_cell(item.missing)}" if item.missing else said


def _escape_cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _describe_splits(release: Release) -> str:
    count = Counter(task.split for task in release.tasks)
    return (
        f"Develop on dev ({count['dev']} tasks), report on test ({count['test']} tasks); the split"
        " of a task stands in `tasks.jsonl`. It follows from the task's id alone, so that a larger"
        " release moves no task across."
    )


def _render_balance(release: Release) -> str:
    """Return what the tasks are there for, and how often each answer is right."""
    balance = compute_balance(release.model, release.tasks)
    rows = [
        f"| {_escape_cell(line.says)} | {line.tasks} | {line.share} |"
        for line in (*build_balance_lines(balance), *build_answer_lines(balance))
    ]
    head = "| what is counted | tasks | share |\n| --- | ---: | ---: |"
    text = (
        "Tasks for the sake of a goal are there because each rule, limit and edge is to be shown;"
        " those that fill up are mixed as the brief asks. A constant answer needs no work at all."
    )
    return "\n".join([text, "", head, *rows])


def _describe_intended_use(release: Release) -> str:
    return (
        "To measure how well an agent follows a written procedure with tools, and where it"
        f" departs from it. {len(release.tasks)} tasks are enough to distinguish agents that differ"
        " by much, not by a point or two."
    )


def _describe_limits() -> str:
    return (
        "- The data are drawn from the domain's rules; they say nothing about how often a case"
        " occurs anywhere.\n"
        "- The answers are right by this procedure alone. See `disclaimer.txt`.\n"
        "- SOP-Bench's matcher also accepts an answer that contains the right label or is a part"
        " of it, such as a list of all labels; `sopforge run-oracle` scores strictly."
    )


def _describe_licence(release: Release) -> str:
    licence = LICENCES[release.terms.licence]
    return f"{licence.title} (`{release.terms.licence}`): see `LICENSE.md`."


def _render_list(items: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"- `{name}`: {text}" for name, text in items)


def export(release: Release) -> dict[str, str]:
    """Return the card under the name that platforms show first."""
    return {"README.md": render_dataset_card(release)}
