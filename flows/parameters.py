"""What may be given for parameters that several flows have."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Annotated, TypeAlias

from prefect.runtime import flow_run
from pydantic import AfterValidator, Field, TypeAdapter, ValidationError

from sopforge.language.domain.documents.schema_terms import Name

DEFAULT_STORE = "generated"

_NAME: TypeAdapter[str] = TypeAdapter(Name)


def name_run() -> str:
    """Return the name under which a run of a flow is listed: its domain, or the brief's file.

    Of ``generate-domain``, a run that is given a domain goes on with it, which its name says. One
    that a decision started is named after that already.
    """
    given, named = flow_run.parameters, str(flow_run.name)
    what = str(given.get("domain") or Path(str(given["brief"])).stem)
    # No other flow is given both, and the domain is then the one that counts.
    said = f"{what} continued" if given.get("domain") and "brief" in given else what
    return named if named.startswith(f"{said} after ") else said


def _require_domain_name(text: str) -> str:
    try:
        return _NAME.validate_python(text)
    except ValidationError as cause:
        shape = "small letters, digits and _, a small letter first, as in the brief's 'domain'"
        message = f"{text!r} is not the name of a domain: write {shape}"
        raise ValueError(message) from cause


# Checked by our own words: of a pattern that does not fit, Prefect shows the pattern.
Domain: TypeAlias = Annotated[str, AfterValidator(_require_domain_name)]
Place: TypeAlias = Annotated[str, Field(min_length=1)]
FilePath: TypeAlias = Annotated[str, Field(min_length=1)]
Dollars: TypeAlias = Annotated[Decimal, Field(ge=0, allow_inf_nan=False)]
