"""The licences under which packages are published, and what a package says of them."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import fill

from sopforge.artifacts.packaging.canary import describe_canary
from sopforge.artifacts.packaging.release import Release
from sopforge.language.domain.documents.schema import LicenceId


@dataclass(frozen=True, slots=True)
class Licence:
    """A licence's full name, where its text stands, and what it asks in a sentence."""

    title: str
    url: str
    asks: str


_ATTRIBUTION = "You may share and adapt the package for any purpose if you name its source"
LICENCES: dict[LicenceId, Licence] = {
    "CC-BY-4.0": Licence(
        "Creative Commons Attribution 4.0 International",
        "https://creativecommons.org/licenses/by/4.0/",
        f"{_ATTRIBUTION} and say what you changed.",
    ),
    "CC-BY-SA-4.0": Licence(
        "Creative Commons Attribution-ShareAlike 4.0 International",
        "https://creativecommons.org/licenses/by-sa/4.0/",
        f"{_ATTRIBUTION}, say what you changed, and pass changes on under the same licence.",
    ),
    "CC-BY-NC-4.0": Licence(
        "Creative Commons Attribution-NonCommercial 4.0 International",
        "https://creativecommons.org/licenses/by-nc/4.0/",
        "You may share and adapt the package for purposes that are not commercial if you name its"
        " source and say what you changed.",
    ),
    "CC0-1.0": Licence(
        "Creative Commons Zero 1.0 Universal",
        "https://creativecommons.org/publicdomain/zero/1.0/",
        "The authors waive their rights as far as the law allows; nothing is asked of you.",
    ),
    "ODC-By-1.0": Licence(
        "Open Data Commons Attribution License 1.0",
        "https://opendatacommons.org/licenses/by/1-0/",
        f"{_ATTRIBUTION} and keep this notice.",
    ),
    "Apache-2.0": Licence(
        "Apache License 2.0",
        "https://www.apache.org/licenses/LICENSE-2.0",
        f"{_ATTRIBUTION}, keep this notice and say what you changed.",
    ),
    "MIT": Licence(
        "MIT License",
        "https://opensource.org/license/mit",
        f"{_ATTRIBUTION} and keep this notice.",
    ),
}
_WIDTH = 100
_COVERED = (
    "All files of this package (SOP, tools, descriptions, records, tasks and answers) are licensed"
    " under the"
)
_AS_IT_IS = (
    "The package is given as it is, without any warranty. See `disclaimer.txt` for what it is not"
    " meant for."
)
_CAVEATS = (
    (
        "All records, names, identifiers, addresses and amounts in this package are synthetic: they"
        " were drawn by a program from the rules of the domain. Any likeness to a person, an"
        " organisation or an event is chance."
    ),
    (
        "The procedure was written to measure how well an agent follows instructions. It is no"
        " medical, legal, financial, safety or other professional advice, and no organisation's"
        " actual policy. Do not decide about people or goods by it."
    ),
    "The answers are right with respect to the procedure in this package and to nothing else.",
)


def render_licence_page(release: Release) -> str:
    """Return LICENSE.md: who holds the rights, the licence by name, and what it covers."""
    licence, spdx = LICENCES[release.terms.licence], release.terms.licence
    parts = [
        f"# Licence of {release.model.title}",
        f"Copyright {format_holders(release)}",
        f"SPDX-License-Identifier: {spdx}",
        f"{_COVERED} {licence.title}. {licence.asks}",
        f"The text of the licence, which alone is binding: <{licence.url}>",
        _AS_IT_IS,
    ]
    return "\n\n".join(fill(part, _WIDTH) for part in parts) + "\n"


def format_holders(release: Release) -> str:
    """Return who holds the rights, as a list in words."""
    *first, last = release.terms.authors or (f"the authors of {release.name}",)
    return f"{', '.join(first)} and {last}" if first else last


def render_disclaimer(release: Release) -> str:
    """Return disclaimer.txt: what the data are, and what nobody should do with them."""
    parts = [f"{release.model.title} is a benchmark for software agents.", *_CAVEATS]
    parts.append(describe_canary(release))
    return "\n\n".join(fill(part, _WIDTH) for part in parts) + "\n"


def export(release: Release) -> dict[str, str]:
    """Return the licence and what the package is no promise of."""
    return {
        "LICENSE.md": render_licence_page(release),
        "disclaimer.txt": render_disclaimer(release),
    }
