"""Shares of a hundred: "60 percent of the price", "the price plus 5 percent"."""

from __future__ import annotations

from sopforge.domain.language.expressions import Read
from sopforge.logic.english.names import Names
from sopforge.logic.phrasing.brackets import as_operand, format_amount
from sopforge.logic.phrasing.shares import Share


class Shares(Names):
    """Phrases shares, which the tree holds as products with a hundred."""

    def phrase_share(self, share: Share) -> str:
        """Return so many percent of a number."""
        whole = as_operand(share.whole, self.phrase(share.whole))
        if isinstance(share.percent, Read):
            return f"{whole} multiplied by {self.phrase(share.percent)} (in percent)"
        percent = format_amount(share.percent, None)
        if share.change:
            return f"{whole} {share.change} {percent} percent of it"
        return f"{percent} percent of {whole}"
