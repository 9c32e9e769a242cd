"""What each key of a brief and of ``domain.yaml`` says, for the reference and for editors."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "format": "The format of the file.",
    "domain": (
        "The name of the domain. Its folder in the store and its packages have the same name."
    ),
    "title": "The title of the domain and its SOP.",
    "business_task": "The business purpose, in one or two sentences. The SOP opens with it.",
    "task_context": (
        "Who does the work, and with which systems. For a language model, also the policy in prose."
    ),
    "draft_sop": "The path of a file with an existing SOP, below the brief's folder.",
    "guidelines": "Which data to make, in words, for people and language models.",
    "context": "Later additions in prose. They become a section of the SOP.",
    "answers": (
        "People's answers on differences between two readings. They count as later additions."
    ),
    "AnswerDocument.question": "The number of the question.",
    "AnswerDocument.case": "The case that the question is about, in words.",
    "AnswerDocument.says": "The answer, as a sentence.",
    "model": "The exact rules. A brief without them needs a language model as author.",
    "document": "Data about the SOP as a document, such as its number and owner.",
    "sop": "The form and wording of the SOP.",
    "dataset": "The number of tasks and how they are selected.",
    "complexity": "The levels to build, and how much harder each is.",
    "package": "The terms of publication.",
    "gates": "Who approves each stage, and which points they examine.",
    "author": "The author of the artifacts: a name, or the settings of a language model.",
    # The model
    "policy": "The constants by name. Rules use the names instead of figures.",
    "calendars": "The calendars by name, for counting working days.",
    "entities": "The kinds of records by name. A task is about one record of the first kind.",
    "predicates": "Named conditions that other conditions can use.",
    "PredicateDocument.is_": "The condition.",
    "PredicateDocument.takes": "The parameters: names that stand for fields or records.",
    "PredicateDocument.description": "The meaning of the condition, for people.",
    "PredicateDocument.said": "The clauses that the SOP's rules use for the condition.",
    "constraints": "Conditions that every sampled record satisfies.",
    "decisions": "How each derived field and outcome gets its value, by the field's name.",
    "tools": "The tools that the agent can call, by name.",
    "incomplete": "Cases that lack an entry or contradict the record.",
    "lacking": "Inputs that a task can leave out, each with the percentage of rows.",
    "contradicting": "Inputs that must agree with the record, but in some cases do not.",
    "on_file": "The value in the record, named as in rules.",
    "ContradictingDocument.share": "The percentage of rows in which the two can differ.",
    "answer": "What the agent does with such a case: `ask`, `return` or `escalate`.",
    "sets": "The outcomes of such a case.",
    "IncompleteDocument.hand_to": "The office that receives an escalated case.",
    "procedure": "The steps, and the step at which a case starts.",
    "PolicyDocument.value": "The number, or a date as year-month-day.",
    "unit": "The unit, such as EUR or days.",
    "meaning": "The meaning, in words that fit into sentences of the SOP.",
    "holidays": "The days that are not working days, as year-month-day.",
    "EntityDocument.key": "The field that identifies a record.",
    "EntityDocument.fields": "The fields by name.",
    "records": "The number of records, for an entity to which others refer.",
    "dangling_share": "The percentage of rows in which a reference leads to no record.",
    # Fields
    "type": "The type.",
    "role": (
        "Where the value comes from: input, observed, derived, outcome, distractor, secret or"
        " session."
    ),
    "description": "What the field means, in words.",
    "CommonItem.label": "The name in sentences. By default, the key without `_`.",
    "examples": "Examples of values as people write them, for descriptions.",
    "missing": "The word for a missing value. Without it, the value is always present.",
    "missing_share": "The percentage of rows in which the value is missing.",
    "primary": "Whether SOP-Bench's evaluator scores this outcome.",
    "CommonItem.given": (
        "Other distributions under conditions. The first condition that holds applies."
    ),
    "scored": "Whether the SOP asks for a derived field and SOPForge scores it like an outcome.",
    "starts": "The initial value of a session fact. By default, it is missing.",
    "ReferenceField.to": "The table that it leads to.",
    "ReferenceField.same_as": "Another reference that this one equals in a share of the rows.",
    "StringField.same_as": "A text of the same kind that this one equals in a share of the rows.",
    "SameAsDocument.of": "The other field.",
    "SameAsDocument.share": "The percentage of rows.",
    "with_": (
        "The field that a step passes to each parameter. By default, the field of the same name."
    ),
    "near": "Samples values near the value of an expression.",
    "pattern": "The pattern of the text, such as `R[0-9]{6}`.",
    "pool": "The possible texts.",
    "like": "The kind of invented text, such as `person name`.",
    "unique": "Whether no two records have the same text.",
    "free_text": "Sentences that agents see but rules never compare. Some can have a condition.",
    "FreeTextDocument.text": "The sentence.",
    "FreeTextDocument.when": "A condition on other fields. The sentence is used only if it holds.",
    "of": "The field from which this one is derived.",
    "min": "The least value.",
    "max": "The greatest value.",
    "places": "The number of decimal places.",
    "typical": "A narrower range for most of the values.",
    "shape": "Weights of equal parts of the range, from the least value to the greatest.",
    "yes_share": "The percentage of rows in which the value is yes.",
    "said": "Clauses that the SOP's rules use instead of yes and no.",
    "EnumItem.said": "Clauses that the SOP's rules use instead of labels, by label.",
    "IntegerField.said": "A clause for rules on an amount, such as 'the patient is {} old'.",
    "NumberField.said": "A clause for rules on an amount, such as 'the parcel weighs {}'.",
    "ListedEnumItem.said": (
        "One clause for all values, such as 'it was for {}', or clauses that the SOP's rules use"
        " instead of labels, by label."
    ),
    "ListedDateItem.said": (
        "What was done on the date. With 'filed', rules say 'claims filed before ...'."
    ),
    "values": "The possible values.",
    "weights": "The relative frequency of each value.",
    "empty": "The word for an empty set or list.",
    "member_share": "The percentage of rows in which each value is a member.",
    "malformed": "Whether and how a task can state the value with a typing error.",
    "ListField.items": "The fields of an item, by name, without roles.",
    "size": "The greatest number of items.",
    "ListField.shape": "Weights of the numbers of items, from none to `size`.",
    "share": "The percentage of values from this range.",
    "MalformedDocument.share": "The percentage of rows in which the task states it malformed.",
    "texts": (
        "The texts that the task states instead. By default, the intended text with a typing error."
    ),
    "NearDocument.from_": (
        "The least distance from the expression's value. A negative distance means before it."
    ),
    "NearDocument.to": "The greatest distance from the expression's value.",
    "NearDocument.of": "An expression that reads fields declared above.",
    "NearDocument.share": "The percentage of values sampled there. The rest are sampled as usual.",
    "NearDocument.shape": "Weights of equal parts of the span.",
    "GivenDocument.when": "The condition.",
    "SaidDocument.yes": "The clause for yes, as in `the loan is large`.",
    "SaidDocument.no": "The clause for no.",
    # Decisions
    "gives": "The fields that one table gives together. `then` and `rows` have a value for each.",
    "table": "One or two enum fields whose values are looked up.",
    "rows": "The result for each value, or for each pair of values.",
    "DecisionDocument.value": "An expression that gives the result.",
    "DecisionDocument.description": "What is decided, if the field's description does not say so.",
    "hit": (
        "How many rules can apply: one (`unique`), the first (`first`), several that agree"
        " (`any`), or all (`collect`)."
    ),
    "collect": "How the results of all rules that apply are combined.",
    "DecisionDocument.rules": "The rules, in order.",
    "id": "The name in reports and explanations.",
    "RuleDocument.when": "The condition. The last rule can have `otherwise` instead.",
    "RuleDocument.then": "The result if the condition holds: a value, an expression, or `missing`.",
    "otherwise": "The result in all other cases.",
    # Tools
    "kind": (
        "A `lookup` reads the record, a `compute` tool calculates values, an `action` changes the"
        " record."
    ),
    "ToolDocument.description": "What the tool does, in words.",
    "takes": "The fields that are parameters of the tool.",
    "returns": "The fields that the tool returns.",
    "requires": "The conditions that must hold. Otherwise, the tool refuses.",
    "effects": "New values of the record's fields after the action.",
    "same_as": "The tool for which this is another name.",
    "replaced_by": "The tool that replaces this one. This one must no longer be used.",
    "is_": "The condition to test.",
    "refusal": "The code of the refusal.",
    "says": "The reason that the tool gives.",
    "all": "Nodes that must all hold. The first that does not hold refuses.",
    "any": "Nodes of which at least one must hold.",
    "GuardDocument.first": "Nodes of which one must hold, tried in this order.",
    "not_": "A node that must not hold.",
    "chain": "Nodes that must all hold, tried in this order.",
    # The procedure
    "start": "The step at which a case starts.",
    "ProcedureDocument.steps": "The steps by name.",
    "ProcedureDocument.parts": "Sequences of steps that several steps carry out, by name.",
    "StepDocument.title": "The title of the step.",
    "PartDocument.title": "The title of the part.",
    "PartDocument.start": "The step at which the part begins.",
    "PartDocument.steps": (
        "The steps by name. No other step of the procedure can have the same name."
    ),
    "instruction": "What the person does, in the words of the trade.",
    "call": "The tool to call.",
    "do": "The part to carry out instead of a call. The step continues after it.",
    "refused": "The next step for each refusal code of the tool.",
    "decide": "The fields to decide here, in this order.",
    "edges": "The transitions to next steps. The case takes the first one that holds.",
    "end": "Ends the case here and sets these outcomes, by field.",
    "return_": "Ends the part here. The case continues at the step that carried out the part.",
    "requests": "Texts in which people send a case. Each contains every input once, as `{field}`.",
    "hand_to": "The office that takes over the case at this end.",
    "StepDocument.by": "The role that carries out the step.",
    "ProcedureDocument.by": "The role that carries out each step that names no other role.",
    "WordingDocument.form": (
        "The form of the SOP: `instruction` (short), `manual` (full), or `policy` (with more"
        " annexes)."
    ),
    "EdgeDocument.to": "The next step.",
    "EdgeDocument.when": "The condition. Without it, the edge always holds.",
    "at_most": "How often a case can take the edge, if it leads back to an earlier step.",
    "EdgeDocument.then": "The next step once `at_most` is used up.",
    # Tasks and levels
    "n_samples": "The number of tasks.",
    "DatasetDocument.seed": "The seed for sampling rows.",
    "mix": (
        "How SOPForge adds tasks: `balanced` by path, `outcomes` by primary outcome, `natural` as"
        " sampled."
    ),
    "dev_share": "The percentage of tasks for developing agents (split `dev`).",
    "coverage": "Which mistakes the tasks must reveal, and which paths they must take.",
    "noticed_by": (
        "A mistake must change the `primary` outcome, any of the `outcomes`, or at least the"
        " `trajectory`."
    ),
    "paths": (
        "The paths that need a task: `all`, a number, or only enough for each pair of edges into"
        " and out of a step (`edge-pairs`)."
    ),
    "ComplexityDocument.levels": "The levels to build.",
    "doses": "How many things each operator adds, by level.",
    "ComplexityDocument.dials": "The doses of the level `dials` ([dials.md](../dials.md)).",
    "difficulty": "The difficulty of levels with dials. SOPForge lengthens the queues to reach it.",
    "one_mistake_median": (
        "The greatest session score that the median agent with one mistake can have."
    ),
    "DialsDocument.ambiguity": "The number of passages that a careless reader misreads.",
    "DialsDocument.user": (
        "The number of entries per case that the task withholds until the agent asks."
    ),
    "refusals": "The number of kinds of requests that the agent must not carry out.",
    "queue": "The number of cases in a session.",
    "writes": "The number of results that the agent must enter in a case's file.",
    "DialsDocument.records": "The number of near-duplicates of each case in the register.",
    "faults": "The number of tool faults in each case.",
    "variants": "Harder domains with their own answers, by name.",
    "patch": "Changes to merge into the model, or a file that contains them.",
    "more_steps": "The number of steps to add.",
    "more_branches": "The number of rules to split.",
    "more_parts": "The number of parts to add that several steps carry out.",
    "more_order": "The number of tables that get overlapping rules, of which the first decides.",
    "more_windows": "The number of rules to add on the latest entries of a list.",
    "more_exceptions": "The number of rules that get an exception that has its own exceptions.",
    "cross_references": "Rules that are moved to an annex.",
    "indirect_thresholds": "Limits that are stated through other limits.",
    "redundant_detail": "Reminders that repeat other passages.",
    "redundant_rules": "Rules that change nothing where they are placed.",
    "superseded": "Rules of earlier editions.",
    "tangents": "Passages that decide nothing.",
    "equivalent_tools": "Tools under another name.",
    "partial_tools": "Tools that return part of another tool's results.",
    "superseded_tools": "Earlier tools that must no longer be used.",
    "general_tools": "Services that no case needs.",
    "distractor_inputs": "Fields in the task that no rule needs.",
    "distractor_returns": "Fields in tool results that no rule needs.",
    "DialsDocument.documents": "The number of documents in the handbook that holds the SOP.",
    "VariantDocument.title": "The variant's own title.",
    "VariantDocument.business_task": "The variant's own business task.",
    "WordingDocument.seed": (
        "The seed for the wording. Another seed words the same rules differently."
    ),
    # Publishing, gates, authors
    "outputs": "What SOP-Bench's evaluator scores: the primary outcome, or one column per outcome.",
    "licence": "The licence of the packages.",
    "authors": "The publishers.",
    "released": "The publication date, as year-month-day.",
    "complexity_score": "Your own rating from 1 to 10, included in the metadata.",
    "human_complexity": "The rating by people from 1 to 10, included in the metadata.",
    "PackageDocument.ratings": "Ratings of the SOP by domain experts.",
    "model_ratings": "Ratings by language models, written by `sopforge rate`.",
    "RaterDocument.by": "The rater, under any name.",
    "ease": "How easy the SOP is to understand, from 1 to 10.",
    "ambiguity": "How ambiguous the SOP is, or how much knowledge it presupposes, from 1 to 10.",
    "reasoning": "How much reasoning the SOP requires, from 1 to 10.",
    "ModelRatingDocument.by": "The language model, with its provider.",
    "score": "The rating from 1 to 10. On this scale, Berkeley function calling is 2.",
    "why": "The reason for the rating, in one sentence.",
    "AuthorDocument.name": "`offline`, or the provider of a language model.",
    "AuthorDocument.model": "The model's id at its provider.",
    "effort": "The reasoning effort requested from the model.",
    "rounds": "How often SOPForge can return findings to the model.",
    "readers": (
        "The number of readers of a prose brief. With 2, their differences become questions."
    ),
    "AuthorDocument.second": "The second reader. By default, the author's model.",
    "ReaderDocument.name": "The provider of a language model.",
    "ReaderDocument.model": "The model's id at its provider.",
    "AuthorDocument.stages": (
        "The stages that the model writes. The offline author derives the others."
    ),
    "number": "The number of the SOP.",
    "owner": "The office responsible for the SOP.",
    "effective_on": "The date from which the SOP is in force, as year-month-day.",
    "review_every": "How often the SOP is reviewed.",
    "retention": "How long records of cases are kept.",
    "approvers": "The number of people who must approve each stage (default: 1).",
    "checklist": "The points that approvers examine.",
    "BriefDocument.outcomes": "The outcomes as the brief names them. List all of them or none.",
    "NamedOutcomeDocument.labels": "All labels of the outcome.",
    "none": "The word for no value.",
    "NamedOutcomeDocument.primary": "Whether it is the primary outcome.",
    # Remarks of an author
    "remarks": "The source of the model, and what its author wants reviewers to know.",
    "sources": "Passages of the prose, each with the items of the model that come from it.",
    "SourceDocument.says": "A passage of the brief, word for word.",
    "SourceDocument.items": "The items, such as `policy.x`, `decisions.d.R1`, `steps.s.1`.",
    "set_aside": "Passages from which no item of the model comes.",
    "SetAsideDocument.says": "A passage of the brief, word for word.",
    "because": "The reason.",
    "assumptions": (
        "The author's assumptions: each is a sentence, alone or with the items that depend on it."
    ),
    "AssumptionDocument.says": "The assumption.",
    "AssumptionDocument.items": "The items that depend on it.",
    "contradictions": "Pairs of sentences in the prose that contradict each other.",
    "RemarksDocument.values": "What happened to the texts written for fields.",
    "first": "One sentence.",
    "second": "The other sentence.",
    "followed": "The sentence that the model follows.",
    "text": "The beginning of the text.",
    "reason": "The reason why SOPForge does not use the text.",
    "field": "The field.",
    "presupposing": "The number of used texts that presuppose a fact of their record.",
    "ValuesDocument.given": "The number of texts written.",
    "kept": "The number of texts used.",
    "personas": "The number of texts per persona.",
    "left_out": "The texts that SOPForge does not use.",
}
"""By key, or by class and key where a key says something of its own there."""
