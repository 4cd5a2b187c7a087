"""Names of columns and keys that are others now than when the results were first stored.

Where a column of a table, or a key of a document, gets another name, one line here is enough.
"""

from __future__ import annotations

import re

RENAMED: dict[str, str] = {
    "validation_error": "search_error",
    "validation_errors": "search_errors",
    "validation_rows": "search_rows",
    "validation_set": "search_set",
    "required_features": "fixed_features",
}
"""By the name of today, that under which results are stored; it may be a part between underscores."""


def stored_name(name: str) -> str:
    """Return the name under which a column or key is stored."""
    for today, stored in RENAMED.items():
        name = re.sub(rf"(?<![A-Za-z0-9]){re.escape(today)}(?![A-Za-z0-9])", stored, name)
    return name
