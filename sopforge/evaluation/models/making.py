"""Model agents as they are asked for: their loop, their prompts, and the model that they ask."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import anyio
from inspect_ai.model import GenerateConfig, Model, get_model
from rich.text import Text

from sopforge.errors import Fault, MaterialError
from sopforge.evaluation.models.desk import Counter
from sopforge.evaluation.models.failed_calls import report_failed_calls
from sopforge.evaluation.models.harness import ModelAgent, ModelWorker
from sopforge.evaluation.models.native import FunctionCalling, Retrieval
from sopforge.evaluation.models.prompts import AgentPrompts, load_agent_prompts
from sopforge.evaluation.models.react import React
from sopforge.evaluation.models.replies import Replies
from sopforge.evaluation.models.settings import (
    BUDGET,
    FUNCTION_CALLING,
    REACT,
    RETRIEVAL,
    ModelSettings,
)
from sopforge.evaluation.models.spending import Purse
from sopforge.evaluation.runs.rows import RunFolder
from sopforge.proxies import refuse_faulty_proxies

_PROMPTS: Mapping[str, str] = MappingProxyType(
    {
        FUNCTION_CALLING: "function_calling",
        BUDGET: "function_calling",
        RETRIEVAL: "retrieval",
        REACT: "react",
    }
)


WITH_USER = "_with_user"


def load_prompts(settings: ModelSettings, *, has_user: bool = False) -> AgentPrompts:
    """Return the prompts of a kind of agent, which say whether there is a user to be asked."""
    return load_agent_prompts(_PROMPTS[settings.kind] + (WITH_USER if has_user else ""))


def make_worker(
    settings: ModelSettings,
    model: Model,
    folder: RunFolder,
    purse: Purse,
    *,
    time_limit: float,
    call_limit: int,
    concurrency: int,
    has_user: bool = False,
) -> ModelWorker:
    """Return what makes the attempts of a model agent.

    ``time_limit`` is the seconds that an attempt may take, ``call_limit`` those within which a
    provider must have answered, however often it is asked anew.
    """
    config = GenerateConfig(
        temperature=settings.temperature,
        max_tokens=settings.max_tokens,
        timeout=call_limit,
        max_connections=concurrency,
    )
    over = {key for key, row in folder.rows.items() if folder.has(row.asked)}
    counter = Counter(
        model=report_failed_calls(model),
        settings=settings,
        replies=Replies(folder.folder, over),
        purse=purse,
        config=config,
        line=anyio.Lock(),
    )
    agent = _make_agent(settings, load_prompts(settings, has_user=has_user))
    return ModelWorker(agent, counter, time_limit)


def _make_agent(settings: ModelSettings, prompts: AgentPrompts) -> ModelAgent:
    if settings.kind == REACT:
        return React(prompts)
    return Retrieval(prompts) if settings.kind == RETRIEVAL else FunctionCalling(prompts)


def open_model(name: str) -> Model:
    """Return a model by its name in inspect.

    Raises:
        MaterialError: inspect knows no such model, or lacks what it needs to ask it, or the
            environment names a proxy that is unusable.
    """
    refuse_faulty_proxies()
    try:
        return get_model(name, memoize=False)
    except Exception as cause:
        # A provider fails in its own manner where a key or its library is missing.
        said = " ".join(Text.from_markup(str(getattr(cause, "message", cause))).plain.split())
        hint = (
            "name the model as inspect does (PROVIDER/MODEL), install its library, and set its key"
        )
        raise MaterialError(Fault("model-unusable", said[:300], name, hint)) from cause
