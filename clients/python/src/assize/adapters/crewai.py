"""CrewAI (`crewai.hooks`): `before_tool_call` and `after_tool_call`, in the form of its "Tool Call Hooks" page.

    register(gate)

A stopped call does not run. The model reads why where CrewAI runs the second hook for it as well, which 1.15 does for models that
call functions; elsewhere it reads only "Tool execution blocked by hook", and `on_stop` gets the reason. For every model to read it,
decorate the function instead, below CrewAI's own decorator: `@tool("pay")` over `@gate.tool`.
CrewAI runs a tool whose hook raises, so these never raise.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._results import GateResult
from ..gate import Gate
from ._started import Started

Before = Callable[[Any], "bool | None"]
After = Callable[[Any], "str | None"]


def hooks(
    gate: Gate,
    *,
    session: Callable[[Any], str | None] = lambda _: None,
    on_stop: Callable[[GateResult], None] = lambda _: None,
) -> tuple[Before, After]:
    """The two hooks. `session` names the session of a call, from its context; default: the gate's own."""
    started, stopped = Started(), Started()

    def named(context: Any) -> dict[str, Any]:
        name = session(context)
        return {} if name is None else {"external_session_id": name}

    def before(context: Any) -> bool | None:
        try:
            started.take(_call(context))
            stopped.take(_call(context))
            result = gate(tool=context.tool_name, input=context.tool_input, **named(context))
            if result.action == "proceed" and result.evaluation is not None:
                started.put(_call(context), result.evaluation["evaluationRunId"])
                return None
            stopped.put(_call(context), result.message)
            on_stop(result)
        except Exception:
            return False
        return False

    def after(context: Any) -> str | None:
        try:
            run = started.take(_call(context))
            # Without an action that was let through, nothing ran: the result is CrewAI's own sentence.
            if run is None:
                return stopped.take(_call(context))
            result = gate(phase="RESULT", result_of=run, input=context.tool_result, **named(context))
            return None if result.action == "proceed" else result.message
        except Exception as error:
            return f"withheld: {type(error).__name__}"

    return before, after


def register(gate: Gate, **options: Any) -> None:
    """For all crews of this process."""
    from crewai.hooks import (
        register_after_tool_call_hook,
        register_before_tool_call_hook,
    )

    before, after = hooks(gate, **options)
    register_before_tool_call_hook(before)
    register_after_tool_call_hook(after)


def _call(context: Any) -> str:
    """CrewAI has no id of a call; both hooks get the same arguments object."""
    return str(id(context.tool_input))
