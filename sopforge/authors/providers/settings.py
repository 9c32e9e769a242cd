"""What a user may set about a provider; keys are never among it, they stay in the environment."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Literal, TypeAlias

from sopforge.authors.providers.structured_answers import Route
from sopforge.authors.providers.timeouts import Timeouts

BedrockApi: TypeAlias = Literal["mantle", "invoke", "converse"]


@dataclass(frozen=True, slots=True)
class Settings:
    """Where and how a provider is reached; what is left out is taken from the environment.

    ``bedrock_api`` is chosen by the model's name where it is left out; ``prices`` is a file of the
    user's own, whose rows count before those shipped; ``budget`` is in US dollars.
    """

    base_url: str | None = None
    region: str | None = None
    profile: str | None = None
    bedrock_api: BedrockApi | None = None
    structured: Route = "native"
    concurrency: int = 4
    timeouts: Timeouts = field(default_factory=Timeouts)
    prices: Path | None = None
    budget: Decimal | None = None
    is_replay_only: bool = False
