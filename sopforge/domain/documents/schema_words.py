"""What each key of a brief and of ``domain.yaml`` says, for the reference and for editors."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "format": "The format of the file.",
    "domain": "The name of the domain, of its folder in the store, and of its packages.",
    "title": "The title of the domain and of its SOP.",
    "business_task": "The business purpose, in one or two sentences. The SOP begins with it.",
    "task_context": "Who does the work, and with which systems. In a prose brief, also the policy.",
    "draft_sop": (
        "The path of a file that contains an existing SOP. It must be inside the brief's folder."
    ),
    "guidelines": (
        "Which data SOPForge should create, in prose. People and language models read it."
    ),
    "context": "Prose that you added later. It becomes a section of the SOP.",
    "answers": (
        "People's answers to questions on which two readings differ. They count as later additions."
    ),
    "AnswerDocument.question": "The id of the question.",
    "AnswerDocument.case": "A description of the case that the question is about.",
    "AnswerDocument.says": "The answer, as a full sentence.",
    "model": "The exact rules. If a brief has no rules, its author must be a language model.",
    "document": "Data about the SOP as a document, such as its number and owner.",
    "sop": "The form and wording of the SOP.",
    "dataset": "The number of tasks and how they are selected.",
    "complexity": "The complexity levels to build, and the doses of each level.",
    "package": "How the domain is published.",
    "gates": "How many people must approve each stage, and which points they examine.",
    "author": "The author of the artifacts: a name, or a mapping with the author's settings.",
    # The model
    "policy": "The constants, by name. Rules refer to a constant by its name instead of its value.",
    "calendars": "The calendars for counting working days, by name.",
    "entities": "The kinds of records, by name. Each task is about one record of the first kind.",
    "predicates": "Named conditions that other conditions can use, by name.",
    "PredicateDocument.is_": "The condition, as an expression.",
    "PredicateDocument.takes": "The names of the parameters. They stand for fields or records.",
    "PredicateDocument.description": "What the condition means.",
    "PredicateDocument.said": "The clauses that the SOP's rules use for the condition.",
    "constraints": "Conditions that every sampled record must satisfy.",
    "decisions": "How each derived field or outcome gets its value, by the name of the field.",
    "tools": "The tools that the agent can call, by name.",
    "incomplete": "Cases in which an entry is missing or contradicts the record.",
    "lacking": "The inputs that a task can leave out, each with the percentage of rows.",
    "contradicting": "The inputs that can contradict the record in some cases, by name.",
    "on_file": "The value in the record that the input must match. Write its name as in rules.",
    "ContradictingDocument.share": (
        "The percentage of rows in which the input can differ from the record."
    ),
    "answer": (
        "What the agent does with such a case: ask for the entry, return the case, or escalate it."
    ),
    "sets": "The outcomes of such a case, by field.",
    "IncompleteDocument.hand_to": "The office that receives an escalated case.",
    "procedure": "The steps, and the step at which a case starts.",
    "PolicyDocument.value": "The value of the constant: a number, or a date as `YYYY-MM-DD`.",
    "unit": "The unit of the number, such as EUR or days.",
    "meaning": "What the constant or calendar means, as a phrase for use in sentences of the SOP.",
    "holidays": "The dates of the holidays, as `YYYY-MM-DD`. Holidays are not working days.",
    "EntityDocument.key": "The name of the field that identifies a record.",
    "EntityDocument.fields": "The fields of a record, by name.",
    "records": "The number of records. Set it only for an entity to which other records refer.",
    "dangling_share": "The percentage of rows in which the reference leads to no record.",
    # Fields
    "type": "The type of the field.",
    "role": "The source of the value. See [brief.md](../brief.md#fields) for the roles.",
    "description": "What the field means.",
    "CommonItem.label": (
        "The field's name in sentences. By default, the key with spaces instead of `_`."
    ),
    "examples": "Example values as people write them. Descriptions show them.",
    "missing": (
        "The word that stands for a missing value. If it is unset, the value is never missing."
    ),
    "missing_share": "The percentage of rows in which the value is missing.",
    "primary": "Whether this outcome is the primary one, which SOP-Bench's evaluator scores.",
    "CommonItem.given": (
        "Sampling settings for certain cases. The first entry whose condition holds applies."
    ),
    "scored": (
        "If true, the SOP asks for this derived field, and SOPForge scores it like an outcome."
    ),
    "starts": "The initial value of a session fact. If it is unset, the value is missing at first.",
    "ReferenceField.to": "The table to which the reference leads.",
    "ReferenceField.same_as": "Another reference that has the same value in a share of the rows.",
    "StringField.same_as": (
        "Another string of the same kind that has the same value in a share of the rows."
    ),
    "SameAsDocument.of": "The name of the other field.",
    "SameAsDocument.share": "The percentage of rows in which both fields have the same value.",
    "with_": (
        "The field that the step passes to each parameter. By default, the field with the same"
        " name."
    ),
    "near": "Samples values near the value of an expression.",
    "pattern": "The pattern from which SOPForge generates the string, such as `R[0-9]{6}`.",
    "pool": "The strings from which SOPForge samples the value.",
    "like": "The kind of string that SOPForge invents, such as `person name`.",
    "unique": "If true, no two records have the same string.",
    "free_text": (
        "Sentences that agents see but rules never compare. A sentence can have a condition."
    ),
    "FreeTextDocument.text": "The sentence.",
    "FreeTextDocument.when": (
        "A condition on other fields. SOPForge uses the sentence only if the condition holds."
    ),
    "of": "The name of the string field from which SOPForge derives this field.",
    "min": "The minimum value.",
    "max": "The maximum value.",
    "places": "The number of decimal places.",
    "typical": "A narrower range that contains most of the values.",
    "shape": "The weights of equal parts of the range, from the minimum to the maximum.",
    "yes_share": "The percentage of rows in which the value is yes.",
    "said": "The clauses that the SOP's rules use instead of yes and no.",
    "EnumItem.said": "The clauses that the SOP's rules use instead of labels, by label.",
    "IntegerField.said": "A clause for rules about the amount, such as 'the patient is {} old'.",
    "NumberField.said": "A clause for rules about the amount, such as 'the parcel weighs {}'.",
    "ListedEnumItem.said": (
        "Either one clause for all values, such as 'it was for {}', or a clause for each label. The"
        " SOP's rules use clauses instead of labels."
    ),
    "ListedDateItem.said": (
        "What was done on the date. With 'filed', rules say 'claims filed before ...'."
    ),
    "values": "The possible values.",
    "weights": "The relative frequency of each value, in the order of `values`.",
    "empty": "The word that stands for an empty set or list.",
    "member_share": "The percentage of rows in which the set contains each value.",
    "malformed": "How often the task states a malformed value, and which one.",
    "ListField.items": "The fields of an item, by name. These fields have no role.",
    "size": "The maximum number of items.",
    "ListField.shape": "The weights of the possible numbers of items, from none to `size`.",
    "share": "The percentage of values that SOPForge samples from this range.",
    "MalformedDocument.share": "The percentage of rows in which the task states a malformed value.",
    "texts": "The malformed values. By default, SOPForge adds a typing error to the correct value.",
    "NearDocument.from_": (
        "The minimum distance from the expression's value. A negative distance lies below the value"
        " or before the date."
    ),
    "NearDocument.to": "The maximum distance from the expression's value.",
    "NearDocument.of": "An expression. It can read fields that are declared above this one.",
    "NearDocument.share": (
        "The percentage of values near the expression's value. SOPForge samples the others as"
        " usual."
    ),
    "NearDocument.shape": "The weights of equal parts of the span from `from` to `to`.",
    "GivenDocument.when": "The condition under which these settings apply.",
    "SaidDocument.yes": "The clause for yes, such as `the loan is large`.",
    "SaidDocument.no": "The clause for no, such as `the loan is not large`.",
    # Decisions
    "gives": (
        "The fields that the table decides together. Each `then` or row has one value per field."
    ),
    "table": "The enum field whose value SOPForge looks up, or a list of two such fields.",
    "rows": "The result for each value of the enum field, or for each pair of values.",
    "DecisionDocument.value": "An expression that calculates the result.",
    "DecisionDocument.description": (
        "What this decides. You need it only if the field's description does not say so."
    ),
    "hit": (
        "Which of the rules that apply give the result: the only one (`unique`), the first"
        " (`first`), any one, because all give the same result (`any`), or all combined"
        " (`collect`)."
    ),
    "collect": "How SOPForge combines the results of all rules that apply.",
    "DecisionDocument.rules": "The rules of the table, in order.",
    "id": "The id that reports and explanations show.",
    "RuleDocument.when": (
        "The condition under which the rule applies. A rule with `otherwise` has none."
    ),
    "RuleDocument.then": "The result if the condition holds: a value, an expression, or `missing`.",
    "otherwise": "The result for all other cases. Only the last rule can have it.",
    # Tools
    "kind": (
        "A `lookup` reads the record, a `compute` tool calculates values, and an `action` changes"
        " the record."
    ),
    "ToolDocument.description": "What the tool does.",
    "takes": "The tool's parameters: a list of fields, or a mapping of parameter names to fields.",
    "returns": "The fields that the tool returns.",
    "requires": "The guard of the tool. If the guard does not hold, the tool refuses the call.",
    "effects": "The new value of each field that the action changes.",
    "same_as": "The tool for which this tool is another name.",
    "replaced_by": "The tool that replaces this one. Agents must no longer use this tool.",
    "is_": "The condition, as an expression.",
    "refusal": "The code with which the tool refuses the call.",
    "says": "The reason that the tool gives with its refusal.",
    "all": "Nodes that must all hold. The first one that fails refuses the call.",
    "any": "Nodes of which at least one must hold.",
    "GuardDocument.first": "Nodes of which one must hold. The tool tries them in this order.",
    "not_": "A node that must not hold.",
    "chain": "Nodes that must all hold. The tool tries them in this order.",
    # The procedure
    "start": "The name of the step at which a case starts.",
    "ProcedureDocument.steps": "The steps, by name.",
    "ProcedureDocument.parts": "Sequences of steps that several steps run, by name.",
    "StepDocument.title": "The title of the step.",
    "PartDocument.title": "The title of the part.",
    "PartDocument.start": "The name of the step at which the part begins.",
    "PartDocument.steps": "The steps, by name. Step names must be unique in the whole procedure.",
    "instruction": "What the person does at this step, in the terms of the trade.",
    "call": "The name of the tool to call.",
    "do": "The name of the part to run instead of a tool call. The step continues after the part.",
    "refused": "The next step for each refusal code of the tool.",
    "decide": "The fields to decide at this step, in this order.",
    "edges": "The transitions to the next steps. The case takes the first edge that holds.",
    "end": "Ends the case at this step and sets these outcomes, by field.",
    "return_": "Ends the part at this step. The case continues at the step that ran the part.",
    "requests": (
        "Request texts with which people submit a case. Each contains every input once, as"
        " `{field}`."
    ),
    "hand_to": "The office that takes over the case at this end.",
    "StepDocument.by": "The role that carries out this step.",
    "ProcedureDocument.by": "The role that carries out every step without a role of its own.",
    "WordingDocument.form": (
        "The form of the SOP: `instruction` (short), `manual` (full), or `policy` (with more"
        " annexes)."
    ),
    "EdgeDocument.to": "The name of the next step.",
    "EdgeDocument.when": (
        "The condition under which the edge holds. If it is unset, the edge always holds."
    ),
    "at_most": "How often a case can take this edge back to an earlier step.",
    "EdgeDocument.then": "The next step once the case has taken the edge `at_most` times.",
    # Tasks and levels
    "n_samples": "The number of tasks.",
    "DatasetDocument.seed": "The seed for sampling the rows.",
    "mix": (
        "How SOPForge adds tasks: from each path in turn (`balanced`), for each value of the"
        " primary outcome in turn (`outcomes`), or in sampled order (`natural`)."
    ),
    "dev_share": "The percentage of tasks in the split `dev`, which is for developing agents.",
    "coverage": "Which mistakes the tasks must reveal, and which paths they must take.",
    "noticed_by": (
        "What a mistake must change: the `primary` outcome, any of the `outcomes`, or at least the"
        " `trajectory`."
    ),
    "paths": (
        "Which paths need a task: `all`, a number of paths, or only enough for each pair of edges"
        " into and out of a step (`edge-pairs`)."
    ),
    "ComplexityDocument.levels": "The complexity levels to build.",
    "doses": "How many items each operator adds at a level, by level.",
    "ComplexityDocument.dials": "The doses of the level `dials` ([dials.md](../dials.md)).",
    "difficulty": (
        "The target difficulty of levels with dials. SOPForge lengthens the queues to reach it."
    ),
    "one_mistake_median": (
        "The maximum session score of the median agent with one mistake: more than 0 and less than"
        " 1."
    ),
    "DialsDocument.ambiguity": "The number of passages that a careless reader misunderstands.",
    "DialsDocument.user": (
        "The number of entries per case that the task withholds until the agent asks for them."
    ),
    "refusals": "The number of kinds of requests that the agent must refuse.",
    "queue": "The number of cases in a session.",
    "writes": "The number of results that the agent must enter in the file of a case.",
    "DialsDocument.records": "The number of near-duplicates of each case in the register.",
    "faults": "The number of tool faults in each case.",
    "variants": "Harder domains that have their own answers, by name.",
    "patch": "The changes to merge into the model, or the path of a file that contains them.",
    "more_steps": "The number of steps to add.",
    "more_branches": "The number of rules to split.",
    "more_parts": "The number of parts to add. Several steps run each part.",
    "more_order": (
        "The number of tables that get overlapping rules. The first rule that applies decides."
    ),
    "more_windows": "The number of rules to add about the latest entries of a list.",
    "more_exceptions": (
        "The number of rules to which SOPForge adds an exception with its own exceptions."
    ),
    "cross_references": "The number of rules to move to an annex.",
    "indirect_thresholds": "The number of limits to state in terms of other limits.",
    "redundant_detail": "The number of reminders that repeat other passages.",
    "redundant_rules": "The number of added rules that change no decision.",
    "superseded": "The number of rules from earlier editions that no longer apply.",
    "tangents": "The number of passages that affect no decision.",
    "equivalent_tools": "The number of tools that repeat an existing tool under another name.",
    "partial_tools": "The number of tools that return only part of another tool's results.",
    "superseded_tools": "The number of older tools that agents must no longer use.",
    "general_tools": "The number of general services that no case needs.",
    "distractor_inputs": "The number of fields in the task that no rule needs.",
    "distractor_returns": "The number of fields in tool results that no rule needs.",
    "DialsDocument.documents": "The number of documents in the handbook that contains the SOP.",
    "VariantDocument.title": "The title of the variant. By default, the brief's title.",
    "VariantDocument.business_task": (
        "The business task of the variant. By default, the brief's business task."
    ),
    "WordingDocument.seed": (
        "The seed for the wording. With another seed, the SOP states the same rules in other words."
    ),
    # Publishing, gates, authors
    "outputs": (
        "What SOP-Bench's evaluator scores: only the primary outcome, or all outcomes with one"
        " column each."
    ),
    "licence": "The licence of the packages.",
    "authors": "The names of the publishers.",
    "released": "The publication date.",
    "complexity_score": (
        "Your own rating of the complexity, from 1 to 10. The metadata includes it."
    ),
    "human_complexity": (
        "People's rating of the complexity, from 1 to 10. The metadata includes it."
    ),
    "PackageDocument.ratings": "Ratings of the SOP by domain experts.",
    "model_ratings": "Ratings of the SOP by language models. `sopforge rate` writes them.",
    "RaterDocument.by": "Any name that identifies the rater.",
    "ease": "How easy the SOP is to understand, from 1 to 10.",
    "ambiguity": (
        "How ambiguous the SOP is, or how much implicit knowledge it requires, from 1 to 10."
    ),
    "reasoning": "How much reasoning the SOP requires, from 1 to 10.",
    "ModelRatingDocument.by": "The language model and its provider.",
    "score": "The rating, from 1 to 10. On this scale, Berkeley function calling is 2.",
    "why": "The reason for the rating, in one sentence.",
    "AuthorDocument.name": "`offline`, or the provider of the language model.",
    "AuthorDocument.model": "The model's id at the provider.",
    "effort": "The reasoning effort to request from the model.",
    "rounds": "How often SOPForge can return findings to the model.",
    "readers": (
        "How many readers read a prose brief. If there are two, their differences become questions."
    ),
    "AuthorDocument.second": "The settings of the second reader. By default, those of the author.",
    "ReaderDocument.name": "The provider of the language model.",
    "ReaderDocument.model": "The model's id at the provider.",
    "AuthorDocument.stages": (
        "The stages that the model writes. The offline author writes the others."
    ),
    "number": "The document number of the SOP.",
    "owner": "The office responsible for the SOP.",
    "effective_on": "The date on which the SOP takes effect.",
    "review_every": "How often the SOP is reviewed, such as `12 months`.",
    "retention": "How long case records are kept, such as `5 years`.",
    "approvers": "The number of people who must approve each stage. By default, one.",
    "checklist": "The points that approvers must examine.",
    "BriefDocument.outcomes": (
        "The outcomes as the brief names them. List either all outcomes or none."
    ),
    "NamedOutcomeDocument.labels": "All labels of the outcome.",
    "none": "The word that stands for no value.",
    "NamedOutcomeDocument.primary": "Whether this outcome is the primary one.",
    # Remarks of an author
    "remarks": "The sources of the model, and what its author wants reviewers to know.",
    "sources": "Passages of the brief, each with the items of the model that come from it.",
    "SourceDocument.says": "The passage, quoted exactly from the brief.",
    "SourceDocument.items": (
        "The names of the items, such as `policy.x`, `decisions.d.R1` or `steps.s.1`."
    ),
    "set_aside": "Passages of the brief from which no item of the model comes.",
    "SetAsideDocument.says": "The passage, quoted exactly from the brief.",
    "because": "The reason why no item comes from the passage.",
    "assumptions": (
        "The author's assumptions. Each is a sentence, or a sentence with the items that depend on"
        " it."
    ),
    "AssumptionDocument.says": "The assumption.",
    "AssumptionDocument.items": "The names of the items that depend on the assumption.",
    "contradictions": "Pairs of sentences in the brief that contradict each other.",
    "RemarksDocument.values": "How many of the texts written for each field SOPForge uses.",
    "first": "The first sentence.",
    "second": "The second sentence.",
    "followed": "The sentence that the model follows.",
    "text": "The beginning of the text.",
    "reason": "The reason why SOPForge does not use the text.",
    "field": "The name of the field.",
    "presupposing": "The number of used texts that presuppose a fact about their record.",
    "ValuesDocument.given": "The number of texts written.",
    "kept": "The number of texts used.",
    "personas": "The number of texts for each persona.",
    "left_out": "The texts that SOPForge rejected.",
}
"""By key, or by class and key where a key says something of its own there."""
