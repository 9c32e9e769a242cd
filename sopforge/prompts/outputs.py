"""The forms that answers are asked in; templates name them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel

from sopforge.prompts.forms.material import WrittenAdditions, WrittenSentences
from sopforge.prompts.forms.readings import (
    AlignedReadings,
    ComplexityRating,
    LabelledTasks,
    ReadSection,
    ReadSentences,
    SecondReading,
)
from sopforge.prompts.forms.writings import (
    ApiWords,
    CorrectedDocument,
    ReadTexts,
    WrittenCases,
    WrittenModel,
    WrittenModule,
    WrittenSections,
    WrittenToolspecs,
    WrittenValues,
)

OUTPUTS: Mapping[str, type[BaseModel]] = MappingProxyType(
    {
        "aligned_readings": AlignedReadings,
        "api_texts": ApiWords,
        "back_translation": ReadSection,
        "complexity_additions": WrittenAdditions,
        "complexity_rating": ComplexityRating,
        "complexity_sentences": WrittenSentences,
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
        "toolspec_texts": WrittenToolspecs,
    }
)


def get_output_schema(output: str) -> dict[str, Any]:
    """Return the JSON schema of an output."""
    return OUTPUTS[output].model_json_schema()
