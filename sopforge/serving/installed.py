"""Whether the SDK of the Model Context Protocol is installed, which is an extra."""

from __future__ import annotations

from importlib.util import find_spec

from sopforge.errors import Fault, MaterialError


def require_sdk() -> None:
    """Raise ``MaterialError`` where the SDK is not installed."""
    missing = [name for name in ("mcp", "uvicorn") if find_spec(name) is None]
    if missing:
        message = f"the library '{missing[0]}' is missing, which serves packages over MCP"
        hint = "pip install 'sopforge[mcp]', or 'make venv' where SOPForge's own code lies"
        raise MaterialError(Fault("extra-not-installed", message, "", hint))
