"""What a model agent is asked with: all of it decides the attempt, and is recorded in its row."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType

from sopforge.errors import Fault, MaterialError

FUNCTION_CALLING, REACT, BUDGET, RETRIEVAL = "function-calling", "react", "budget", "retrieval"
CAPS: Mapping[str, int] = MappingProxyType({FUNCTION_CALLING: 10, REACT: 15, RETRIEVAL: 30})
"""How often each kind may ask its model: the first two as in SOP-Bench v2, section 4."""
KINDS = (FUNCTION_CALLING, REACT, BUDGET, RETRIEVAL)
TOKEN_BUDGET = 200_000


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """The settings of a model agent; temperature and room for answers are those of SOP-Bench v2.

    ``model`` is named as inspect names models: ``PROVIDER/MODEL``. ``temperature`` None leaves the
    provider's own; a model that takes none is asked without. ``cap`` is how often the model may be
    asked in an attempt, ``token_budget`` how many tokens it may read and write in one; 0 is no
    limit. ``canned_reply`` answers a message that neither calls nor ends the case, once and again,
    instead of taking it for the end.
    """

    kind: str
    model: str
    temperature: float | None = 0.5
    max_tokens: int = 8000
    cap: int = 0
    token_budget: int = 0
    canned_reply: bool = False

    @property
    def name(self) -> str:
        """The name of the agent in rows and tables."""
        return f"{self.kind}@{self.model}"

    def as_text(self, prompts: str) -> str:
        """Return all of it, with the digest of the prompts, as JSON."""
        return json.dumps({**asdict(self), "prompts": prompts}, sort_keys=True)


def make_settings(
    kind: str,
    model: str,
    *,
    temperature: float | None,
    max_tokens: int,
    cap: int,
    token_budget: int,
    canned_reply: bool,
) -> ModelSettings:
    """Return the settings of a kind of agent, with its own limits where none are asked for.

    Raises:
        MaterialError: the model is not named as inspect names models.
    """
    if "/" not in model.strip("/"):
        message = (
            f"'{model}' does not name a provider and a model" if model else "no model is named"
        )
        hint = "add --model PROVIDER/MODEL, for example anthropic/NAME, bedrock/NAME or ollama/NAME"
        raise MaterialError(Fault("model-unusable", message, "--model", hint))
    has_budget = kind == BUDGET
    return ModelSettings(
        kind=kind,
        model=model,
        temperature=temperature,
        max_tokens=max_tokens,
        cap=cap or CAPS.get(kind, 0),
        token_budget=token_budget or (TOKEN_BUDGET if has_budget else 0),
        canned_reply=canned_reply,
    )
