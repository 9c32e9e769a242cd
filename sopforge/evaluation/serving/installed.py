"""Whether the SDK of the Model Context Protocol is installed, which is an extra."""

from __future__ import annotations

from importlib.util import find_spec

from sopforge.errors import Fault, MaterialError


def require_sdk() -> None:
    """Raise ``MaterialError`` where the SDK is not installed."""
    missing = [name for name in ("mcp", "uvicorn") if find_spec(name) is None]
    if missing:
        message = f"the library '{missing[0]}', which serves packages over MCP, is not installed"
        hint = "install it with: pip install 'sopforge[mcp]'; in a clone of SOPForge: make venv"
        raise MaterialError(Fault("extra-not-installed", message, "", hint))
