"""The forms that answers are asked in; templates name them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel

from sopforge.authors.prompts.forms.material import WrittenNames
from sopforge.authors.prompts.forms.readings import (
    AlignedReadings,
    ComplexityRating,
    JudgedCases,
    LabelledTasks,
    ReadSection,
    ReadSentences,
    SecondReading,
)
from sopforge.authors.prompts.forms.writings import (
    ApiSummaries,
    CorrectedDocument,
    ReadTexts,
    ToolSummaries,
    WrittenCases,
    WrittenModel,
    WrittenModule,
    WrittenSections,
    WrittenValues,
)

OUTPUTS: Mapping[str, type[BaseModel]] = MappingProxyType(
    {
        "aligned_readings": AlignedReadings,
        "api_texts": ApiSummaries,
        "back_translation": ReadSection,
        "judged_cases": JudgedCases,
        "complexity_rating": ComplexityRating,
        "corrected_document": CorrectedDocument,
        "dataset_rows": WrittenCases,
        "dataset_value_facts": ReadTexts,
        "dataset_values": WrittenValues,
        "domain_model": WrittenModel,
        "edited_lines": ReadSentences,
        "independent_labelling": LabelledTasks,
        "second_reading": SecondReading,
        "sop_section": WrittenSections,
        "tool_code": WrittenModule,
        "toolspec_texts": ToolSummaries,
        "trade_names": WrittenNames,
    }
)


def get_output_schema(output: str) -> dict[str, Any]:
    """Return the JSON schema of an output."""
    return OUTPUTS[output].model_json_schema()
