"""What each key of a brief and of ``domain.yaml`` says, for the reference and for editors."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "format": "The version of the file format.",
    "domain": "The name of the domain, of its folder in the store, and of its packages.",
    "title": "The title of the domain and of its SOP.",
    "business_task": (
        "The business purpose, in one or two sentences. Without `draft_sop` or `purpose`, the SOP"
        " begins with those of its sentences that cannot be read as rules."
    ),
    "task_context": (
        "Who does the work, and with which systems. In a prose brief, describe the policy here too."
        " The SOP does not print it."
    ),
    "draft_sop": (
        "The path of a Markdown file that contains an existing SOP. The file must be inside the"
        " brief's folder."
    ),
    "guidelines": (
        "What data to create, in prose, such as `Include late returns`. People and language"
        " models read these instructions."
    ),
    "context": (
        "Paragraphs that you add to the brief later. If the brief has a model, those of their"
        " sentences that cannot be read as rules become a section of the SOP."
    ),
    "answers": (
        "Answers to questions on which readers of the brief differ. `sopforge answer` writes"
        " them. SOPForge treats them as later additions to the brief."
    ),
    "AnswerDocument.question": "The id of the question.",
    "AnswerDocument.case": "A description of the case that the question is about.",
    "AnswerDocument.says": "The answer, as a full sentence.",
    "model": (
        "The exact rules of the domain. If you omit them, the author must be a language model."
    ),
    "DomainDocument.model": "The exact rules of the domain.",
    "document": "Data about the SOP as a document, such as its number and owner.",
    "setting": "Who does the work, and the people, systems and papers around it.",
    "sop": "The form of the SOP, its purpose and its scope.",
    "dataset": "The number of tasks, and how SOPForge selects them.",
    "complexity": "The levels of difficulty to build, and how much SOPForge adds at each level.",
    "package": "The scored outputs, licence, authors and date of the published packages.",
    "gates": "How many people must approve each stage, and which points they examine.",
    "author": (
        "Who writes the artifacts: the offline author or a language model. Give a name, or a"
        " mapping with settings."
    ),
    # The model
    "policy": (
        "The constants of the policy, by name. Rules use the name, and the SOP states the value."
    ),
    "calendars": "The calendars that rules use to count working days, by name.",
    "entities": "The kinds of records, by name. Each task is about one record of the first kind.",
    "predicates": "Named conditions that rules, edges, guards and constraints can use, by name.",
    "PredicateDocument.is_": "The condition, as an expression.",
    "PredicateDocument.takes": (
        "The names of the predicate's parameters. A parameter stands for a field or a record."
    ),
    "PredicateDocument.description": (
        "What the condition means, as a clause such as `the tool is due for overhaul`."
    ),
    "PredicateDocument.said": (
        "The clauses with which the SOP's rules state that the condition holds or does not hold."
    ),
    "constraints": (
        "Conditions that every sampled record must satisfy, such as `due_on >= '2026-03-01'`."
    ),
    "decisions": (
        "How each derived field and each outcome gets its value, by the name of the field."
    ),
    "tools": "The tools that the agent can call, by name.",
    "incomplete": (
        "Which entries can be missing or contradict the record, and what the agent does in these"
        " cases."
    ),
    "lacking": (
        "The inputs that a task can leave out, by name. For each input, give the percentage of"
        " rows."
    ),
    "contradicting": "The inputs whose stated value can contradict the record, by name.",
    "on_file": (
        "The recorded value that the input must match. Write its name as in rules, for example"
        " `payer.owner.born_on`."
    ),
    "ContradictingDocument.share": (
        "The percentage of rows in which the input can differ from the record."
    ),
    "answer": (
        "What the agent does with an incomplete or contradictory case: ask for the entry, return"
        " the case, or escalate the case."
    ),
    "sets": "The outcomes of an incomplete or contradictory case, by field.",
    "IncompleteDocument.hand_to": "The office that receives the case if `answer` is `escalate`.",
    "procedure": "The steps of the work, and the step at which each case starts.",
    "PolicyDocument.value": "The value of the constant: a number, or a date as `YYYY-MM-DD`.",
    "unit": "The unit of the number, such as `EUR` or `days`.",
    "PolicyDocument.meaning": (
        "What the constant means, as a phrase such as `minimum age of a driver`. The SOP uses"
        " this phrase in its sentences."
    ),
    "CalendarDocument.meaning": (
        "What the calendar means, as a phrase such as `days on which the depot is closed`. The"
        " SOP uses this phrase in its sentences."
    ),
    "holidays": (
        "The dates of the holidays, as `YYYY-MM-DD`. Holidays do not count as working days."
    ),
    "EntityDocument.key": "The name of the field that identifies a record.",
    "EntityDocument.fields": "The fields of a record, by name.",
    "records": (
        "The number of records from which cases choose. Set it only for an entity to which other"
        " records refer. The default is 1000."
    ),
    "EntityDocument.dangling_share": (
        "The percentage of rows in which the reference to this entity leads to no record."
    ),
    "dangling_share": "The percentage of rows in which the reference leads to no record.",
    # Fields
    "type": "The type that this section describes.",
    "CommonField.role": (
        "The source of the value, such as the task or a tool ([all roles](../brief.md#fields))."
    ),
    "CommonItem.role": "Omit this key. The fields of an item have the role of their list.",
    "description": "What the field means. The SOP uses this text word for word.",
    "CommonItem.label": (
        "The field's name in sentences. By default, each `_` in the name becomes a space."
    ),
    "examples": "Example values, as people write them. Each value must fit the field.",
    "CommonField.missing": (
        "The word to show if the field has no value. Omit it if the field always has a value."
    ),
    "CommonItem.missing": "Omit this key. A field of a list item always has a value.",
    "missing_share": "The percentage of rows in which the field has no value.",
    "CommonField.missing_share": (
        "The percentage of rows in which the field has no value. Requires `missing`."
    ),
    "CommonItem.missing_share": "Omit this key. A field of a list item always has a value.",
    "CommonField.primary": "Omit this key. Only an enum can be the primary outcome.",
    "EnumField.primary": (
        "If true, this is the primary outcome, which SOP-Bench's evaluator scores."
    ),
    "CommonItem.primary": "Omit this key. Only an outcome of the case can be primary.",
    "CommonItem.given": (
        "Other sampling settings for certain cases. The first entry whose condition holds applies."
    ),
    "scored": (
        "If true, the SOP asks for this derived field, and SOPForge scores it like an outcome."
    ),
    "DecisionDocument.scored": (
        "The same setting as `scored` on the derived field. Set it in either place."
    ),
    "starts": (
        "The initial value of a field with the role `session`. By default, the field has no value"
        " at first."
    ),
    "ReferenceField.to": "The name of the table that contains the record.",
    "ReferenceField.same_as": (
        "Makes this reference equal to another reference in some of the rows."
    ),
    "StringField.same_as": (
        "Makes this string equal to another string of the same kind in some of the rows."
    ),
    "SameAsDocument.of": "The name of the other field, such as `pin_on_file`.",
    "SameAsDocument.share": "The percentage of rows in which both fields have the same value.",
    "with_": (
        "The field that the step passes to each parameter. By default, the step passes the field"
        " with the same name."
    ),
    "near": "Samples values near an expression's value, such as a date soon after another date.",
    "IntegerItem.near": (
        "Samples values near an expression's value, such as an amount near another amount."
    ),
    "DurationItem.near": (
        "Samples values near an expression's value, such as a duration near another one."
    ),
    "NumberItem.near": (
        "Samples values near an expression's value, such as an amount near another amount."
    ),
    "pattern": "The pattern from which SOPForge generates the string, such as `R[0-9]{6}`.",
    "pool": "The strings from which SOPForge samples the value.",
    "like": "The kind of string that SOPForge invents, such as `person name`.",
    "StringField.unique": (
        "If true, no two records have the same string. A unique string needs `like` or `pattern`."
    ),
    "StringItem.unique": "Omit this key. A field of a list item cannot be unique.",
    "StringField.free_text": (
        "Sentences that agents see but rules cannot compare. To use a sentence only in some"
        " cases, give it a condition."
    ),
    "StringItem.free_text": (
        "Sentences that agents see but rules cannot compare. In a list item, they cannot have"
        " conditions."
    ),
    "FreeTextDocument.text": "The sentence to show.",
    "FreeTextDocument.when": (
        "A condition on other fields. SOPForge uses the sentence only if the condition holds."
    ),
    "of": (
        "The string field from which SOPForge derives this one, such as a name for an email"
        " address."
    ),
    "min": "The lowest possible value.",
    "DurationItem.min": "The shortest possible duration, in minutes.",
    "DateItem.min": "The earliest possible date, as `YYYY-MM-DD`.",
    "DateTimeItem.min": "The earliest possible time, such as `2026-02-01 08:00`.",
    "TypicalDocument.min": "The lowest value of the narrower range.",
    "max": "The highest possible value.",
    "DurationItem.max": "The longest possible duration, in minutes.",
    "DateItem.max": "The latest possible date, as `YYYY-MM-DD`.",
    "DateTimeItem.max": "The latest possible time, such as `2026-02-28 18:00`.",
    "TypicalDocument.max": "The highest value of the narrower range.",
    "places": "The number of decimal places that every value has.",
    "typical": "A narrower range from which SOPForge samples most of the values.",
    "shape": "Weights for equal parts of the range. `[8, 4, 2, 1]` makes low values most frequent.",
    "DateItem.shape": (
        "Weights for equal parts of the range. `[8, 4, 2, 1]` makes early dates most frequent."
    ),
    "DateTimeItem.shape": (
        "Weights for equal parts of the range. `[8, 4, 2, 1]` makes early times most frequent."
    ),
    "yes_share": "The percentage of rows in which the value is yes.",
    "BooleanField.said": (
        "Two clauses that the SOP's rules use instead of yes and no, such as `the customer is a"
        " member`."
    ),
    "BooleanItem.said": (
        "Two clauses that the SOP's rules use instead of yes and no. Each begins with `it`, such"
        " as `it is still open`."
    ),
    "EnumItem.said": (
        "Clauses that the SOP's rules use instead of labels, by label. For example, `Drill: the"
        " tool is a drill`."
    ),
    "IntegerField.said": (
        "The clause that rules use to state the amount. `{}` stands for the amount, as in `the"
        " patient is {} old`."
    ),
    "NumberField.said": (
        "The clause that rules use to state the amount. `{}` stands for the amount, as in `the"
        " parcel weighs {}`."
    ),
    "ListedEnumItem.said": (
        "The clauses that rules use instead of labels. Give one clause for all labels, such as"
        " `it was for {}`, or a clause for each label."
    ),
    "ListedDateItem.said": (
        'What was done on the date, in one to three words. With `filed`, rules say "claims filed'
        ' before ...".'
    ),
    "values": "The labels that the field can have.",
    "SetItem.values": "The labels that the set can contain.",
    "weights": (
        "How often each label occurs, relative to the others. List the weights in the order of"
        " `values`."
    ),
    "SetItem.empty": "The words to show if the set is empty, such as `no extras`.",
    "ListField.empty": "The words to show if the list is empty, such as `no damage`.",
    "member_share": "For each label, the percentage of rows in which the set contains the label.",
    "malformed": (
        "Makes the task state a malformed value, such as one with a typing error, in some rows."
    ),
    "ListField.items": "The fields of an item, by name. They have the role of the list.",
    "size": "The maximum number of items in the list.",
    "ListField.shape": (
        "Weights for the possible numbers of items, from none to `size`. For example, with `size:"
        " 2`, `[4, 2, 1]` makes empty lists most frequent."
    ),
    "share": "The percentage of values that SOPForge samples from the narrower range.",
    "MalformedDocument.share": "The percentage of rows in which the task states a malformed value.",
    "texts": (
        "The malformed values to use, such as `see label`. If you omit them, SOPForge adds a"
        " typing error to the correct value."
    ),
    "NearDocument.from_": (
        "The minimum distance from the expression's value. Use a negative distance for lower"
        " values or earlier dates."
    ),
    "NearDocument.to": "The maximum distance from the expression's value.",
    "NearDocument.of": "The expression. It can read fields that you declare above this field.",
    "NearDocument.share": (
        "The percentage of rows in which the value is near the expression's value. In the other"
        " rows, SOPForge samples the value as usual."
    ),
    "NearDocument.shape": (
        "Weights for equal parts of the span from `from` to `to`. For example, `[1, 2, 1]` makes"
        " the middle part most frequent."
    ),
    "GivenDocument.when": "The condition under which SOPForge uses the settings of this entry.",
    "SaidDocument.yes": "The clause for yes, such as `the loan is large`.",
    "SaidDocument.no": "The clause for no, such as `the loan is not large`.",
    # Decisions
    "gives": (
        "The fields that the table decides together. Each `then` or row gives one value per field."
    ),
    "table": "The enum field whose value SOPForge looks up, or a list of two such fields.",
    "rows": (
        "The result for each value of the field under `table`. If `table` lists two fields, the"
        " result for each pair of values."
    ),
    "DecisionDocument.value": (
        "An expression that calculates the result, such as `damage_cost + late_fee`."
    ),
    "DecisionDocument.description": (
        "What the decision determines. Omit it if the field's description already states this."
    ),
    "hit": (
        "How the rules whose conditions hold give the result. `unique`: exactly one rule must"
        " apply. `first`: the first rule decides. `any`: all of them give the same result."
        " `collect`: SOPForge combines their results."
    ),
    "collect": "How `hit: collect` combines the results of the rules that apply.",
    "DecisionDocument.rules": "The rules of the decision table, in order.",
    "RuleDocument.id": "The id with which reports and explanations refer to the rule.",
    "GuardDocument.id": (
        "The id with which reports and explanations refer to the node. It must be unique in the"
        " tool."
    ),
    "RuleDocument.when": (
        "The condition under which the rule applies. Omit it in a rule with `otherwise`."
    ),
    "RuleDocument.then": (
        "The result if the condition holds: a value, an expression, or `missing` for no value."
    ),
    "otherwise": "The result for all other cases. Only the last rule can have this key.",
    # Tools
    "kind": (
        "What the tool does. A `lookup` reads the record. A `compute` tool calculates values. An"
        " `action` changes the record."
    ),
    "ToolDocument.description": "What the tool does, in words such as `Look up a rental`.",
    "takes": (
        "The tool's parameters. Give a list of fields, or a mapping of parameter names to fields."
    ),
    "returns": "The fields whose values the tool returns.",
    "requires": (
        "The guard: the conditions under which the tool accepts a call. If the guard does not"
        " hold, the tool refuses the call."
    ),
    "effects": "The fields that an action changes, with the new value of each field.",
    "same_as": "The existing tool for which this tool is another name.",
    "replaced_by": "The tool that agents must use instead of this one.",
    "is_": "The condition, as an expression.",
    "refusal": (
        "The code with which the tool refuses the call if this node fails, such as `wrong_pin`."
    ),
    "says": (
        "The reason that the tool gives for the refusal, such as `the PIN is not the one on file`."
    ),
    "all": "Nodes that must all hold. The first node that fails sets the refusal code.",
    "any": "Nodes of which at least one must hold.",
    "GuardDocument.first": (
        "Nodes of which at least one must hold. The tool tries them in order, and the first node"
        " that holds decides."
    ),
    "not_": "A node that must not hold.",
    "chain": "Nodes that must all hold. The tool tries them in the order of the list.",
    # The procedure
    "start": "The name of the step at which each case starts.",
    "ProcedureDocument.steps": "The steps of the procedure, by name.",
    "ProcedureDocument.parts": (
        "Sequences of steps that you write once and run from several steps, by name."
    ),
    "StepDocument.title": "The title of the step, such as `Find the rental`.",
    "PartDocument.title": "The title of the part, such as `Check the customer`.",
    "PartDocument.start": "The name of the step at which the part begins.",
    "PartDocument.steps": (
        "The steps of the part, by name. Each name must be unique in the whole procedure."
    ),
    "instruction": (
        "What the person does in addition to the tool call, such as `Ask for photos if there are"
        " none`. Use the terms of the trade."
    ),
    "call": "The name of the tool to call.",
    "do": (
        "The name of the part to run instead of calling a tool. After the part, the case returns"
        " to this step."
    ),
    "refused": "The next step for each refusal code that the tool can return.",
    "decide": "The fields to decide at this step, in order.",
    "edges": (
        "The transitions to the next steps. The case takes the first edge whose condition holds."
    ),
    "end": "The outcomes to set, by field. The case ends at a step with this key.",
    "return_": "Ends the part at this step. The case continues at the step that ran the part.",
    "requests": (
        "Templates for the requests with which people submit a case. Each template must contain"
        " every input once, as `{field}`."
    ),
    "hand_to": "The office that takes over the case at this end, such as `shift manager`.",
    "StepDocument.by": "The role of the person who carries out this step, such as `depot clerk`.",
    "ProcedureDocument.by": (
        "The role of the person who carries out every step that has no `by` of its own."
    ),
    "WordingDocument.form": (
        "The form of the SOP. An `instruction` is short. A `manual` has all sections. A `policy`"
        " is a manual with more annexes."
    ),
    "WordingDocument.purpose": (
        "The section *Purpose* of the SOP, unless the draft has one. Sentences that can be read as"
        " rules are left out."
    ),
    "WordingDocument.scope": (
        "The section *Scope* of the SOP, unless the draft has one. Sentences that can be read as"
        " rules are left out."
    ),
    "EdgeDocument.to": "The name of the next step.",
    "EdgeDocument.when": (
        "The condition under which the case takes this edge. Omit it only on the last edge, which"
        " applies in all other cases."
    ),
    "at_most": (
        "How many times a case can take this edge. Use it for an edge that leads back to an"
        " earlier step."
    ),
    "EdgeDocument.then": "The next step once the case has taken the edge `at_most` times.",
    # Tasks and levels
    "n_samples": (
        "The number of tasks. If coverage requires more tasks, SOPForge creates up to twice as"
        " many."
    ),
    "DatasetDocument.seed": "The random seed for sampling rows.",
    "mix": (
        "How SOPForge chooses tasks beyond those that coverage requires. `balanced` takes one"
        " from each path in turn. `outcomes` takes one for each value of the primary outcome in"
        " turn. `natural` takes rows in the order in which they are sampled."
    ),
    "dev_share": "The percentage of tasks in the split `dev`. Use this split to develop agents.",
    "coverage": "Which mistakes the tasks must reveal, and which paths need a task.",
    "noticed_by": (
        "Which mistakes the tasks must reveal. `primary`: mistakes that change the primary"
        " outcome. `outcomes`: mistakes that change any outcome. `trajectory`: also mistakes that"
        " change only the trajectory."
    ),
    "paths": (
        "Which paths need a task. `all`: every path. An integer: that many paths."
        " `edge-pairs`: enough paths to cover each pair of an edge into a step and an edge out of"
        " it."
    ),
    "ComplexityDocument.levels": "The [levels](../complexity.md) of difficulty to build.",
    "doses": "How many items each operator adds at L1, L2 and L3, by level.",
    "ComplexityDocument.dials": "The doses of the [dials](../dials.md) at the level `dials`.",
    "difficulty": (
        "The target difficulty of levels with dials. SOPForge lengthens their queues of cases to"
        " reach it."
    ),
    "one_mistake_median": (
        "The target, more than 0 and less than 1. With `0.5`, half of the agents that make one"
        " small mistake get at most half of their sessions right."
    ),
    "DialsDocument.ambiguity": (
        "The number of passages to reword so that careless readers misread them."
    ),
    "DialsDocument.user": (
        "The number of entries per case that the task withholds until the agent asks for them."
    ),
    "refusals": "The number of kinds of requests that the agent must refuse.",
    "queue": "The number of cases in a session.",
    "writes": "The number of results that the agent must enter in each case's file.",
    "DialsDocument.records": "The number of near-duplicates of each case in the register.",
    "faults": "The number of tool faults in each affected case. Half of the cases are affected.",
    "variants": (
        "Harder domains to derive from this one, by name. Each variant has its own answers."
    ),
    "patch": (
        "The changes to merge into the model, or the path of a file with these changes in the"
        " brief's folder."
    ),
    "more_steps": "The number of steps to add. Each added step has its own look-up.",
    "more_branches": (
        "The number of rules to split. If a new input is set, the split rule gives another result."
    ),
    "more_parts": "The number of parts to add. Several steps run each added part.",
    "more_order": (
        "The number of tables to which SOPForge adds two overlapping rules. The first rule that"
        " applies decides."
    ),
    "more_windows": (
        "The number of rules to add about the latest entries of a list, such as the latest three"
        " days."
    ),
    "more_exceptions": (
        "The number of rules to which SOPForge adds an exception. The exception itself has"
        " exceptions."
    ),
    "cross_references": (
        "The number of rules to move to a separate section. The rule's step then refers to this"
        " section."
    ),
    "indirect_thresholds": (
        "The number of limits to move to a separate section. The section can state a limit in"
        " terms of another limit."
    ),
    "redundant_detail": "The number of reminders to add. Each reminder repeats a line of the SOP.",
    "redundant_rules": "The number of rules to add that change no decision.",
    "superseded": "The number of rules to add from earlier editions. These rules no longer apply.",
    "tangents": "The number of passages to add that affect no decision.",
    "equivalent_tools": "The number of existing tools to copy under another name.",
    "partial_tools": (
        "The number of look-ups to add that return only one value of an existing look-up."
    ),
    "superseded_tools": (
        "The number of outdated look-ups to add. The SOP forbids agents to use them."
    ),
    "general_tools": "The number of general services to add that no task needs.",
    "distractor_inputs": "The number of inputs to add to the tasks. No rule needs these inputs.",
    "distractor_returns": (
        "The number of values to add to tool results. No rule needs these values."
    ),
    "DialsDocument.documents": "The number of documents in the handbook that contains the SOP.",
    "VariantDocument.title": "The title of the variant. By default, the brief's title.",
    "VariantDocument.business_task": (
        "The business task of the variant. By default, the brief's business task."
    ),
    "WordingDocument.seed": (
        "This key has no effect, because each rule has one wording. Briefs of earlier versions may"
        " have it."
    ),
    # Publishing, gates, authors
    "outputs": (
        "What SOP-Bench's evaluator scores. `primary`: only the primary outcome. `all`: all"
        " outcomes, each in its own column."
    ),
    "licence": "The licence of the packages.",
    "authors": "The names of the people or organisations that publish the packages.",
    "released": "The publication date. Set it yourself, because SOPForge never reads the clock.",
    "complexity_score": (
        "Your own rating of the complexity, from 1 to 10. If you set it, the metadata shows it"
        " instead of the mean of `model_ratings`."
    ),
    "human_complexity": (
        "People's rating of the complexity, from 1 to 10. By default, SOPForge calculates it from"
        " the ratings of the SOP."
    ),
    "PackageDocument.ratings": "Ratings of the SOP by domain experts.",
    "model_ratings": "Ratings of the SOP by language models. `sopforge reread --rate` writes them.",
    "RaterDocument.by": "A name that identifies the rater. You can choose any name.",
    "ease": "How easy the SOP is to understand, from 1 to 10 (easiest).",
    "ambiguity": (
        "How ambiguous the SOP is, or how much implicit knowledge it requires, from 1 to 10 (most)."
    ),
    "reasoning": "How much reasoning the SOP requires, from 1 to 10 (most).",
    "ModelRatingDocument.by": "The language model that gave the rating, and its provider.",
    "score": (
        "The rating, from 1 to 10. For comparison, Berkeley function calling is 2 on this scale."
    ),
    "why": "The language model's reason for its rating, in one sentence.",
    "AuthorDocument.name": "`offline`, or the provider of the language model.",
    "AuthorDocument.model": "The language model's id at its provider, such as `claude-opus-5-5`.",
    "effort": "The reasoning effort to request from the language model.",
    "rounds": "How often SOPForge can return a stage's findings to the language model for repair.",
    "readers": (
        "How many readers read a prose brief. With `2`, the second reader also judges single cases,"
        " and the differences become questions."
    ),
    "AuthorDocument.second": (
        "The settings of the second reader. Omitted settings are the same as the author's."
    ),
    "ReaderDocument.name": "The provider of the language model.",
    "ReaderDocument.model": "The language model's id at its provider.",
    "AuthorDocument.stages": (
        "The stages that the language model writes. The offline author writes the other stages."
    ),
    "SettingDocument.worker": (
        "The role that carries out each step without a `by`, such as `claims clerk`. By default, it"
        " is the first `by`, or `case worker`."
    ),
    "roles": "Other people of the organisation whom the worker can ask, such as `shift lead`.",
    "offices": "Other offices of the organisation, such as `front desk`.",
    "systems": (
        "The IT systems that keep the records, such as `rental system`. By default, it is the name"
        " of the case with `register`."
    ),
    "papers": (
        "The forms and documents that come with a case, such as `rental form`. By default, it is"
        " the name of the case with `file`."
    ),
    "number": "The document number of the SOP.",
    "owner": "The office responsible for the SOP.",
    "effective_on": "The date on which the SOP takes effect.",
    "review_every": "How often people review the SOP, such as `12 months`.",
    "retention": "How long case records are kept, such as `5 years`.",
    "approvers": (
        "The number of people who must approve each stage, by stage. For a stage that you omit,"
        " the number is one."
    ),
    "checklist": "The points that approvers must examine.",
    "BriefDocument.outcomes": (
        "The outcomes that the model must have, by name. If you use this key, list all of them."
    ),
    "NamedOutcomeDocument.labels": "All labels that the outcome can have.",
    "none": "The word that stands for no value, such as `no refund due`.",
    "NamedOutcomeDocument.primary": "If true, this is the primary outcome.",
    # Remarks of an author
    "remarks": (
        "The passages of the brief from which the model comes, and what reviewers should know"
        " about the model."
    ),
    "sources": (
        "Quoted passages of the brief. Each entry lists the items of the model that come from its"
        " passage."
    ),
    "SourceDocument.says": "The passage, quoted exactly from the brief.",
    "SourceDocument.items": (
        "The names of the items, such as `policy.x` or `steps.s.1` ([all"
        " forms](../sources.md#names-of-items))."
    ),
    "set_aside": (
        "Quoted passages of the brief from which no item of the model comes, each with the reason."
    ),
    "SetAsideDocument.says": "The passage, quoted exactly from the brief.",
    "because": "The reason why no item of the model comes from the passage.",
    "assumptions": (
        "The author's assumptions. Write each as a sentence, or as a mapping that also lists the"
        " items that depend on it."
    ),
    "AssumptionDocument.says": "The assumption, as a sentence.",
    "AssumptionDocument.items": "The names of the items that depend on the assumption.",
    "contradictions": (
        "Pairs of sentences in the brief that contradict each other, with the sentence that the"
        " model follows."
    ),
    "RemarksDocument.values": (
        "How many texts a language model wrote for each field, and how many of them SOPForge uses."
    ),
    "first": "The first of the two sentences.",
    "second": "The second of the two sentences.",
    "followed": "The sentence that the model follows.",
    "text": "The beginning of the rejected text.",
    "reason": "The reason why SOPForge rejected the text.",
    "field": "The name of the field for which the texts were written.",
    "presupposing": (
        "The number of used texts that fit only some records, because they presuppose a fact"
        " about the record."
    ),
    "ValuesDocument.given": "The number of texts that the language model wrote.",
    "kept": "The number of these texts that SOPForge uses.",
    "personas": "The number of used texts for each persona, such as `hurried` or `thorough`.",
    "left_out": "The texts that SOPForge rejected, each with the reason.",
}
"""By key, or by class and key where a key says something of its own there."""
