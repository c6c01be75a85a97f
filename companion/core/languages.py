"""The languages in which people at the table can read. How one is added stands in .github/CONTRIBUTING.md."""

from collections.abc import Mapping
from typing import Final

LANGUAGES: Final[Mapping[str, str]] = {"de": "Deutsch", "en": "English", "es": "Español"}
"""What each calls itself. English stands in the code; the others have translations."""
