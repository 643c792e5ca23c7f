"""The arguments of a call, as a model wrote them."""

from __future__ import annotations

import json
from typing import Any


def arguments_in(text: Any) -> Any:
    """What is no JSON, or has a key twice, stays a text: a rule that reads an argument of it fails, and its policy blocks."""
    try:
        return json.loads(text, object_pairs_hook=_members) if isinstance(text, str) else text
    except ValueError:
        return text


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a key occurs twice")
    return members
