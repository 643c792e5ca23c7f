"""What the gate sends: the session, what policies see of an action or content, and of a call of a function."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ._content import readable
from .models import JsonObject, Phase


def named_session(
    session_id: str | None,
    external_session_id: str | None,
    entity_id: str | None = None,
    parent_session_id: str | None = None,
    previous_session_id: str | None = None,
) -> dict[str, str]:
    """The fields that name a session, with those of one that is opened under this name."""
    if session_id is not None:
        return {"sessionId": session_id}
    if external_session_id is None:
        return {}
    opened = {
        "entityId": entity_id,
        "parentSessionId": parent_session_id,
        "previousSessionId": previous_session_id,
    }
    return {
        "externalSessionId": external_session_id,
        **{name: value for name, value in opened.items() if value is not None},
    }


def input_of(phase: Phase, tool: str | None, input: Any, fields: JsonObject | None) -> JsonObject:
    """What policies see. The names are those that hooks and the other adapters send."""
    if fields is not None:
        return dict(readable(fields))
    value = readable(input)
    if phase == "RESULT":
        return {"result": value}
    if phase == "PROMPT":
        return {"prompt": value}
    if tool is None:
        raise TypeError("an action needs the name of its tool")
    return {"tool": tool, "arguments": value}


def arguments_by(function: Callable[..., Any]) -> Callable[[Any, Any], JsonObject]:
    """A function from the arguments of a call to those that policies see: all but the object or class of a method."""
    signature = inspect.signature(function)
    in_class = "." in function.__qualname__.rpartition("<locals>.")[2]
    first = next(iter(signature.parameters), None)
    owner = first if in_class and first in ("self", "cls") else None

    def arguments(args: Any, kwargs: Any) -> JsonObject:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return {name: value for name, value in bound.arguments.items() if name != owner}

    return arguments


def refuse_unfinished(value: Any) -> None:
    """Raises TypeError for a value that is computed only later, when no policy would see it."""
    if inspect.iscoroutine(value):
        value.close()
        raise TypeError("the function returned a coroutine: use AsyncGate with AsyncAssize")
    if inspect.isawaitable(value) or inspect.isgenerator(value) or inspect.isasyncgen(value):
        raise TypeError("the function returned what is computed later: return the whole result")
