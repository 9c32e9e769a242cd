"""A brief and a model side by side: what became of each sentence, and where each item is from."""

from __future__ import annotations

from dataclasses import dataclass

from review.pages.parts.model_items import get_item, index_model_items
from sopforge.authors.sources.account import Account
from sopforge.authors.sources.prose.sentences import Sentence, SentenceKind
from sopforge.checks.sources.accounts import find_account
from sopforge.language.domain.model import DomainModel
from sopforge.workspace import Workspace

_PART_NAMES = {
    "business_task": "What the business does",
    "task_context": "Who does it, and with what",
    "draft": "The draft",
}
_KINDS = {
    "policy": "policy",
    "fields": "field",
    "decisions": "decision",
    "steps": "step",
    "tools": "tool",
    "parts": "part",
    "calendars": "calendar",
}
_PARTS_OF = {"decisions": "rule", "steps": "edge", "tools": "guard"}
_ANCHORS = {
    "policy": "policy-{name}",
    "field": "field-{name}",
    "decision": "decision-{name}",
    "rule": "rule-{name}",
    "step": "flow-step-{name}",
    "edge": "flow-step-{owner}",
    "tool": "tool-{name}",
    "guard": "tool-{owner}",
}


@dataclass(frozen=True, slots=True)
class CitedItem:
    """An item as a passage leads to it: its name, what it says, and where the page shows it."""

    name: str
    words: str
    anchor: str


@dataclass(frozen=True, slots=True)
class ReadSentence:
    """A sentence of the brief, what comes from it, and why nothing does, if it says so.

    ``is_open`` marks one that may bind and leads to nothing.
    """

    text: str
    is_heading: bool
    items: tuple[CitedItem, ...]
    because: str
    is_open: bool


@dataclass(frozen=True, slots=True)
class SourcedItem:
    """An item with the passages that it comes from, or with what was assumed."""

    item: CitedItem
    quotes: tuple[str, ...]
    assumed: str


@dataclass(frozen=True, slots=True)
class SourceView:
    """Both directions: the parts of the brief with their sentences, and the items."""

    parts: tuple[tuple[str, tuple[ReadSentence, ...]], ...]
    items: tuple[SourcedItem, ...]


def build_source_view(workspace: Workspace) -> SourceView | None:
    """Return what a brief and its model owe each other; None where nobody has said it."""
    account = find_account(workspace)
    if account is None:
        return None
    words = _Words(workspace.model)
    parts = tuple(
        (
            _PART_NAMES.get(part, part.replace("context", "addition").capitalize()),
            tuple(_read_sentence(account, words, part, item) for item in prose.sentences),
        )
        for part, prose in account.prose.items()
    )
    items = tuple(
        SourcedItem(
            words.describe_item(name), account.list_quotes(name), account.assumed.get(name, "")
        )
        for name, item in account.items.items()
        if item.needs_source or name in account.cited or name in account.assumed
    )
    return SourceView(parts, items)


def _read_sentence(account: Account, words: _Words, part: str, sentence: Sentence) -> ReadSentence:
    place = (part, sentence.start, sentence.end)
    touching = [item for item in account.passages if item.has_place_in(*place)]
    names = dict.fromkeys(name for passage in touching for name in passage.items)
    reasons = dict.fromkeys(passage.because for passage in touching if passage.because)
    is_heading = sentence.kind is SentenceKind.HEADING
    return ReadSentence(
        sentence.text,
        is_heading,
        tuple(words.describe_item(name) for name in names),
        ", ".join(reasons),
        not touching and not is_heading and account.may_bind(sentence.text),
    )


class _Words:
    """Names the items of one model in words."""

    def __init__(self, model: DomainModel) -> None:
        self._items = index_model_items(model)

    def describe_item(self, cited: str) -> CitedItem:
        """Return an item by the name under which sources cite it."""
        group, _, rest = cited.partition(".")
        owner, _, part = rest.partition(".")
        kind = _PARTS_OF.get(group, "") if part else _KINDS.get(group, "")
        words = get_item(self._items, f"{kind} {rest}").words if kind else cited
        shown = cited if words == f"{kind} {rest}" else words
        anchor = _ANCHORS.get(kind, "constraints").format(name=rest, owner=owner)
        return CitedItem(cited, shown, anchor)
