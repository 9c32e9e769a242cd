"""Flow charts of documents, each drawn once."""

from __future__ import annotations

from functools import lru_cache

from sopforge.artifacts.rendering.charts.flowchart import FlowChart, build_chart
from sopforge.workspace import parse_model


@lru_cache(maxsize=32)
def build_domain_chart(domain: str) -> FlowChart:
    """Return the chart of the model in a document, drawn once."""
    return build_chart(parse_model(domain))
