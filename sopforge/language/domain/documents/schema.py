"""The shapes of ``brief.yaml`` and ``domain.yaml`` as pydantic models."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, create_model

from sopforge.extensions import list_names
from sopforge.language.domain.documents.model_schema import ModelDocument
from sopforge.language.domain.documents.remarks_schema import RemarksDocument
from sopforge.language.domain.documents.schema_terms import (
    Cell,
    Day,
    Label,
    Name,
    Office,
    Percent,
    QuestionId,
    Sentence,
    Strict,
    Whole,
)
from sopforge.language.domain.stage_names import StageName


class CoverageDocument(Strict):
    """Which mistakes the tasks must reveal, and which paths need a task.

    If ``paths`` is unset, every path needs a task, provided that there are at most half as many
    paths as tasks.
    """

    noticed_by: Literal["primary", "outcomes", "trajectory"] = "outcomes"
    """Which mistakes the tasks must reveal. `primary`: mistakes that change the primary outcome.
    `outcomes`: mistakes that change any outcome. `trajectory`: also mistakes that change only the
    trajectory."""
    paths: Literal["all", "edge-pairs"] | Annotated[Whole, Field(ge=1, le=20_000)] | None = None
    """Which paths need a task. `all`: every path. An integer: that many paths. `edge-pairs`: enough
    paths to cover each pair of an edge into a step and an edge out of it."""


class DatasetDocument(Strict):
    """The number of tasks, and how SOPForge selects them."""

    n_samples: Annotated[Whole, Field(ge=1, le=20_000)] = 100
    """The number of tasks. If coverage requires more tasks, SOPForge creates up to twice as
    many."""
    seed: Annotated[Whole, Field(ge=0)] = 0
    """The random seed for sampling rows."""
    mix: Literal["natural", "balanced", "outcomes"] = "balanced"
    """How SOPForge chooses tasks beyond those that coverage requires. `balanced` takes one from
    each path in turn. `outcomes` takes one for each value of the primary outcome in turn. `natural`
    takes rows in the order in which they are sampled."""
    dev_share: Percent = 20
    """The percentage of tasks in the split `dev`. Use this split to develop agents."""
    coverage: CoverageDocument = CoverageDocument()
    """Which mistakes the tasks must reveal, and which paths need a task."""


TextLevel = Literal["L0", "L1", "L2", "L3"]
DialLevel = Literal["L4", "L5", "L6", "dials"]
Level = Literal["L0", "L1", "L2", "L3", "L4", "L5", "L6", "dials"]
HarderLevel = Literal["L1", "L2", "L3"]
Dose = Annotated[Whole, Field(ge=0, le=64)]


class _OwnDoses(Strict):
    """How many items each complexity operator adds at one level.

    A complexity operator makes one kind of addition ([complexity.md](../complexity.md)). If you
    omit a dose, the dose of the next lower level applies.
    """

    cross_references: Dose | None = None
    """The number of rules to move to a separate section. The rule's step then refers to this
    section."""
    indirect_thresholds: Dose | None = None
    """The number of limits to move to a separate section. The section can state a limit in terms of
    another limit."""
    redundant_detail: Dose | None = None
    """The number of reminders to add. Each reminder repeats a line of the SOP."""
    redundant_rules: Dose | None = None
    """The number of rules to add that change no decision."""
    superseded: Dose | None = None
    """The number of rules to add from earlier editions. These rules no longer apply."""
    tangents: Dose | None = None
    """The number of passages to add that affect no decision."""
    equivalent_tools: Dose | None = None
    """The number of existing tools to copy under another name."""
    partial_tools: Dose | None = None
    """The number of look-ups to add that return only one value of an existing look-up."""
    superseded_tools: Dose | None = None
    """The number of outdated look-ups to add. The SOP forbids agents to use them."""
    general_tools: Dose | None = None
    """The number of general services to add that no task needs."""
    distractor_inputs: Dose | None = None
    """The number of inputs to add to the tasks. No rule needs these inputs."""
    distractor_returns: Dose | None = None
    """The number of values to add to tool results. No rule needs these values."""


if TYPE_CHECKING:
    DosesDocument = _OwnDoses
else:
    # Those of operators that others add are keys like any other.
    DosesDocument = create_model(
        "DosesDocument",
        __base__=_OwnDoses,
        __doc__=_OwnDoses.__doc__,
        __module__=__name__,
        **dict.fromkeys(list_names("operators"), (Dose | None, None)),
    )


class _OwnDials(Strict):
    """The dose of each dial at the level ``dials``.

    A dial makes the session harder, for example through failing tools ([dials.md](../dials.md)).
    """

    ambiguity: Dose = 0
    """The number of passages to reword so that careless readers misread them."""
    user: Dose = 0
    """The number of entries per case that the task withholds until the agent asks for them."""
    refusals: Dose = 0
    """The number of kinds of requests that the agent must refuse."""
    queue: Dose = 0
    """The number of cases in a session."""
    writes: Dose = 0
    """The number of results that the agent must enter in each case's file."""
    records: Dose = 0
    """The number of near-duplicates of each case in the register."""
    faults: Dose = 0
    """The number of tool faults in each affected case. Half of the cases are affected."""
    documents: Annotated[Whole, Field(ge=0, le=300)] = 0
    """The number of documents in the handbook that contains the SOP."""


DIALS: Mapping[str, int] = {
    **dict.fromkeys((*_OwnDials.model_fields, *list_names("dials")), 64),
    "documents": 300,
}
"""The largest dose of each dial."""
if TYPE_CHECKING:
    DialsDocument = _OwnDials
else:
    DialsDocument = create_model(
        "DialsDocument",
        __base__=_OwnDials,
        __doc__=_OwnDials.__doc__,
        __module__=__name__,
        **dict.fromkeys(list_names("dials"), (Dose, 0)),
    )


class DifficultyDocument(Strict):
    """How difficult the levels with dials must be."""

    one_mistake_median: Annotated[Decimal, Field(gt=0, lt=1)]
    """The target, more than 0 and less than 1. With `0.5`, half of the agents that make one small
    mistake get at most half of their sessions right."""


class VariantDocument(Strict):
    """A separate domain that SOPForge derives from the brief's domain. It has its own answers.

    SOPForge first merges ``patch`` into the model:

    - It merges mappings key by key.
    - It removes an item whose value in the patch is null.
    - It replaces any other value, including a list.

    SOPForge then adds steps, rules, parts and exceptions. The ``more_`` keys set their numbers.
    """

    title: Sentence | None = None
    """The title of the variant. By default, the brief's title."""
    business_task: Sentence | None = None
    """The business task of the variant. By default, the brief's business task."""
    patch: dict[Name, object] | Sentence = {}
    """The changes to merge into the model, or the path of a file with these changes in the brief's
    folder."""
    more_steps: Annotated[Whole, Field(ge=0, le=8)] = 0
    """The number of steps to add. Each added step has its own look-up."""
    more_branches: Annotated[Whole, Field(ge=0, le=8)] = 0
    """The number of rules to split. If a new input is set, the split rule gives another result."""
    more_parts: Annotated[Whole, Field(ge=0, le=3)] = 0
    """The number of parts to add. Several steps run each added part."""
    more_order: Annotated[Whole, Field(ge=0, le=8)] = 0
    """The number of tables to which SOPForge adds two overlapping rules. The first rule that
    applies decides."""
    more_windows: Annotated[Whole, Field(ge=0, le=8)] = 0
    """The number of rules to add about the latest entries of a list, such as the latest three
    days."""
    more_exceptions: Annotated[Whole, Field(ge=0, le=8)] = 0
    """The number of rules to which SOPForge adds an exception. The exception itself has
    exceptions."""


class ComplexityDocument(Strict):
    """The complexity levels to build, and doses that differ from the defaults.

    - To change how much L1, L2 and L3 add, set ``doses``. A dose also applies to higher levels up
      to L3, until one of them sets another dose.
    - To make sessions harder, for example with failing tools, set ``dials``.
    - To reach a certain difficulty at the levels with dials, set ``difficulty``.
    - To build harder domains in addition to this one, set ``variants``.
    """

    levels: Annotated[tuple[Level, ...], Field(min_length=1)] = ("L0", "L1", "L2", "L3")
    """The [levels](../complexity.md) of difficulty to build."""
    doses: dict[HarderLevel, DosesDocument] = {}
    """How many items each operator adds at L1, L2 and L3, by level."""
    dials: DialsDocument | None = None
    """The doses of the [dials](../dials.md) at the level `dials`."""
    difficulty: DifficultyDocument | None = None
    """The target difficulty of levels with dials. SOPForge lengthens their queues of cases to reach
    it."""
    variants: dict[Name, VariantDocument] = {}
    """Harder domains to derive from this one, by name. Each variant has its own answers."""


SopForm = Literal["instruction", "manual", "policy"]


class WordingDocument(Strict):
    """The form of the SOP, and what it says of itself."""

    form: SopForm = "manual"
    """The form of the SOP. An `instruction` is short. A `manual` has all sections. A `policy` is a
    manual with more annexes."""
    purpose: str = ""
    """The section *Purpose* of the SOP, unless the draft has one. Sentences that can be read as
    rules are left out."""
    scope: str = ""
    """The section *Scope* of the SOP, unless the draft has one. Sentences that can be read as rules
    are left out."""
    seed: Annotated[Whole, Field(ge=0)] = 1
    """This key has no effect, because each rule has one wording. Briefs of earlier versions may
    have it."""


LicenceId = Literal[
    "CC-BY-4.0", "CC-BY-SA-4.0", "CC-BY-NC-4.0", "CC0-1.0", "ODC-By-1.0", "Apache-2.0", "MIT"
]
Rating = Annotated[Decimal, Field(ge=1, le=10)]
Mark = Annotated[Whole, Field(ge=1, le=10)]


class RaterDocument(Strict):
    """A domain expert's rating of the SOP, on the scales of the SOP-Bench papers.

    The three scales go in different directions: an easy SOP has a high ``ease``, but a low
    ``ambiguity`` and a low ``reasoning``.
    """

    by: Sentence
    """A name that identifies the rater. You can choose any name."""
    ease: Mark
    """How easy the SOP is to understand, from 1 to 10 (easiest)."""
    ambiguity: Mark
    """How ambiguous the SOP is, or how much implicit knowledge it requires, from 1 to 10 (most)."""
    reasoning: Mark
    """How much reasoning the SOP requires, from 1 to 10 (most)."""


class ModelRatingDocument(Strict):
    """A language model's rating of how hard the SOP is."""

    by: Sentence
    """The language model that gave the rating, and its provider."""
    score: Mark
    """The rating, from 1 to 10. For comparison, Berkeley function calling is 2 on this scale."""
    why: Sentence
    """The language model's reason for its rating, in one sentence."""


class PackageDocument(Strict):
    """How SOPForge publishes the domain: the scored outputs, licence, authors and date."""

    outputs: Literal["primary", "all"] = "primary"
    """What SOP-Bench's evaluator scores. `primary`: only the primary outcome. `all`: all outcomes,
    each in its own column."""
    licence: LicenceId = "CC-BY-4.0"
    """The licence of the packages."""
    authors: tuple[Sentence, ...] = ()
    """The names of the people or organisations that publish the packages."""
    released: Day | None = None
    """The publication date. Set it yourself, because SOPForge never reads the clock."""
    complexity_score: Rating | None = None
    """Your own rating of the complexity, from 1 to 10. If you set it, the metadata shows it instead
    of the mean of `model_ratings`."""
    human_complexity: Rating | None = None
    """People's rating of the complexity, from 1 to 10. By default, SOPForge calculates it from the
    ratings of the SOP."""
    ratings: tuple[RaterDocument, ...] = ()
    """Ratings of the SOP by domain experts."""
    model_ratings: tuple[ModelRatingDocument, ...] = ()
    """Ratings of the SOP by language models. `sopforge reread --rate` writes them."""

    def as_terms(self) -> dict[str, object]:
        """Return the terms as a release pins them: ratings only where there are any.

        So a release that was made before there were ratings has the same terms as ever.
        """
        terms = self.model_dump(mode="json")
        absent = {name for name in ("ratings", "model_ratings") if not terms[name]}
        return {name: value for name, value in terms.items() if name not in absent}


WrittenStage = Literal["schema", "sop", "dataset", "api", "toolspec", "tools", "complexity"]
_OwnAuthor = Literal["offline", "anthropic", "bedrock", "openai"]
if TYPE_CHECKING:
    AuthorName = _OwnAuthor
else:
    AuthorName = Literal[(_OwnAuthor, *list_names("providers"))]


class ReaderDocument(Strict):
    """The language model that reads a brief a second time.

    For each key that you omit, SOPForge uses the author's setting.
    """

    name: AuthorName | None = None
    """The provider of the language model."""
    model: Sentence | None = None
    """The language model's id at its provider."""
    effort: Literal["low", "medium", "high", "max"] | None = None
    """The reasoning effort to request from the language model."""


class AuthorDocument(Strict):
    """Who writes the artifacts: the offline author or a language model.

    The offline author is part of SOPForge and uses no language model.

    - To use a language model, set ``name`` to its provider and ``model`` to its id.
    - To let the offline author write some of the stages, list only the other stages under
      ``stages``.
    - To have a second reader read a prose brief too, set ``readers: 2``. To use another language
      model for this reader, set ``second``.
    """

    name: AuthorName
    """`offline`, or the provider of the language model."""
    model: Sentence | None = None
    """The language model's id at its provider, such as `claude-opus-5-5`."""
    effort: Literal["low", "medium", "high", "max"] | None = None
    """The reasoning effort to request from the language model."""
    rounds: Annotated[Whole, Field(ge=0, le=8)] = 3
    """How often SOPForge can return a stage's findings to the language model for repair."""
    readers: Annotated[Whole, Field(ge=1, le=2)] = 1
    """How many readers read a prose brief. With `2`, the second reader also judges single cases,
    and the differences become questions."""
    second: ReaderDocument = ReaderDocument()
    """The settings of the second reader. Omitted settings are the same as the author's."""
    stages: Annotated[tuple[WrittenStage, ...], Field(min_length=1)] = (
        "schema",
        "sop",
        "api",
        "toolspec",
        "tools",
        "complexity",
    )
    """The stages that the language model writes. The offline author writes the other stages."""

    @property
    def second_reader(self) -> AuthorDocument:
        """Who reads a brief a second time, with all settings."""
        named = self.second.model_dump(exclude_none=True)
        return self.model_copy(update={**named, "second": ReaderDocument()})


class ControlDocument(Strict):
    """Data about the SOP as a document. The SOP mentions only the keys that you set."""

    number: Cell | None = None
    """The document number of the SOP."""
    owner: Office | None = None
    """The office responsible for the SOP."""
    effective_on: Day | None = None
    """The date on which the SOP takes effect."""
    review_every: Cell | None = None
    """How often people review the SOP, such as `12 months`."""
    retention: Cell | None = None
    """How long case records are kept, such as `5 years`."""


class SettingDocument(Strict):
    """Who works by the procedure, and with what. The levels write about these people and things."""

    worker: Office | None = None
    """The role that carries out each step without a `by`, such as `claims clerk`. By default, it is
    the first `by`, or `case worker`."""
    roles: tuple[Office, ...] = ()
    """Other people of the organisation whom the worker can ask, such as `shift lead`."""
    offices: tuple[Office, ...] = ()
    """Other offices of the organisation, such as `front desk`."""
    systems: tuple[Office, ...] = ()
    """The IT systems that keep the records, such as `rental system`. By default, it is the name of
    the case with `register`."""
    papers: tuple[Office, ...] = ()
    """The forms and documents that come with a case, such as `rental form`. By default, it is the
    name of the case with `file`."""


UNDECLARED = SettingDocument()


class GatesDocument(Strict):
    """How many people must approve each stage, and which points they must examine."""

    approvers: dict[StageName, Annotated[Whole, Field(ge=1, le=99)]] = {}
    """The number of people who must approve each stage, by stage. For a stage that you omit, the
    number is one."""
    checklist: tuple[Sentence, ...] = ()
    """The points that approvers must examine."""

    def count_approvers(self, stage: str) -> int:
        """Return how many persons must approve a stage."""
        return {str(name): count for name, count in self.approvers.items()}.get(stage, 1)


class NamedOutcomeDocument(Strict):
    """An outcome that the model must have, with its labels and its word for no value."""

    labels: Annotated[tuple[Label, ...], Field(min_length=2)] | None = None
    """All labels that the outcome can have."""
    none: Label | None = None
    """The word that stands for no value, such as `no refund due`."""
    primary: bool = False
    """If true, this is the primary outcome."""


class AnswerDocument(Strict):
    """A person's answer to a question on which readers of the brief differ."""

    question: QuestionId
    """The id of the question."""
    case: Sentence
    """A description of the case that the question is about."""
    says: Sentence
    """The answer, as a full sentence."""

    @property
    def is_example(self) -> bool:
        """Whether it says what is right in its case, and nothing beyond."""
        return self.says.casefold().startswith(f"if {self.case.rstrip('.')},".casefold())


class BriefDocument(Strict):
    """A request for a domain, in prose and, optionally, as exact rules.

    If you write the rules under ``model``, you can use the offline author. Otherwise, set
    ``author`` to a language model, which then writes the rules.
    """

    format: Literal[1]
    """The version of the file format."""
    domain: Name
    """The name of the domain, of its folder in the store, and of its packages."""
    title: Sentence
    """The title of the domain and of its SOP."""
    business_task: Sentence
    """The business purpose, in one or two sentences. Without `draft_sop` or `purpose`, the SOP
    begins with those of its sentences that cannot be read as rules."""
    task_context: Sentence
    """Who does the work, and with which systems. In a prose brief, describe the policy here too.
    The SOP does not print it."""
    draft_sop: str | None = None
    """The path of a Markdown file that contains an existing SOP. The file must be inside the
    brief's folder."""
    guidelines: str = ""
    """What data to create, in prose, such as `Include late returns`. People and language models
    read these instructions."""
    context: tuple[Sentence, ...] = ()
    """Paragraphs that you add to the brief later. If the brief has a model, those of their
    sentences that cannot be read as rules become a section of the SOP."""
    answers: tuple[AnswerDocument, ...] = ()
    """Answers to questions on which readers of the brief differ. `sopforge answer` writes them.
    SOPForge treats them as later additions to the brief."""
    outcomes: dict[Sentence, NamedOutcomeDocument] = {}
    """The outcomes that the model must have, by name. If you use this key, list all of them."""
    remarks: RemarksDocument = RemarksDocument()
    """The passages of the brief from which the model comes, and what reviewers should know about
    the model."""
    model: ModelDocument | None = None
    """The exact rules of the domain. If you omit them, the author must be a language model."""
    document: ControlDocument = ControlDocument()
    """Data about the SOP as a document, such as its number and owner."""
    setting: SettingDocument = SettingDocument()
    """Who does the work, and the people, systems and papers around it."""
    sop: WordingDocument = WordingDocument()
    """The form of the SOP, its purpose and its scope."""
    dataset: DatasetDocument = DatasetDocument()
    """The number of tasks, and how SOPForge selects them."""
    complexity: ComplexityDocument = ComplexityDocument()
    """The levels of difficulty to build, and how much SOPForge adds at each level."""
    package: PackageDocument = PackageDocument()
    """The scored outputs, licence, authors and date of the published packages."""
    gates: GatesDocument = GatesDocument()
    """How many people must approve each stage, and which points they examine."""
    author: AuthorName | AuthorDocument = "offline"
    """Who writes the artifacts: the offline author or a language model. Give a name, or a mapping
    with settings."""

    @property
    def additions(self) -> tuple[str, ...]:
        """What was added in prose later: the context, then the answers, each in its order."""
        return (*self.context, *(item.says for item in self.answers))

    @property
    def writer(self) -> AuthorDocument:
        """Who writes, with all settings; a model that the brief states is settled."""
        author = self.author
        writer = author if isinstance(author, AuthorDocument) else AuthorDocument(name=author)
        if self.model is None:
            return writer
        others = tuple(stage for stage in writer.stages if stage != "schema")
        return writer.model_copy(update={"stages": others})


class DomainDocument(Strict):
    """The artifact of the schema stage: a complete model under the domain's name."""

    format: Literal[1]
    """The version of the file format."""
    domain: Name
    """The name of the domain, of its folder in the store, and of its packages."""
    title: Sentence
    """The title of the domain and of its SOP."""
    business_task: Sentence
    """The business purpose, in one or two sentences. Without `draft_sop` or `purpose`, the SOP
    begins with those of its sentences that cannot be read as rules."""
    remarks: RemarksDocument = RemarksDocument()
    """The passages of the brief from which the model comes, and what reviewers should know about
    the model."""
    model: ModelDocument
    """The exact rules of the domain."""


def suggest(name: str, known: list[str], likeness: float = 0.6) -> str:
    """Return "did you mean 'x'?" for the nearest known name that is so like it, or nothing."""
    nearest = difflib.get_close_matches(name, known, n=1, cutoff=likeness)
    return f"did you mean '{nearest[0]}'?" if nearest else ""
