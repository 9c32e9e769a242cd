"""How often somebody may try to log in."""

from __future__ import annotations

from ipaddress import ip_address, ip_network

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

_BY_NAME = RateLimitItemPerMinute(5)
_BY_ADDRESS = RateLimitItemPerMinute(20)
WAIT_SECONDS = 60


class LoginAttempts:
    """Counts attempts by the name that is tried and by the address that they come from."""

    def __init__(self) -> None:
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    def is_allowed(self, name: str, address: str) -> bool:
        """Count an attempt; return whether it is allowed."""
        # The address first: once it is over its limit its attempts count against no name, or one
        # machine could keep everybody out.
        return self._limiter.hit(_BY_ADDRESS, _derive_network(address)) and self._limiter.hit(
            _BY_NAME, name
        )


def _derive_network(address: str) -> str:
    """Return what one person has of addresses: of the newer kind it is a network of many."""
    try:
        is_many = ip_address(address).version == 6  # noqa: PLR2004
    except ValueError:
        return address
    return str(ip_network(f"{address.partition('%')[0]}/64", strict=False)) if is_many else address
