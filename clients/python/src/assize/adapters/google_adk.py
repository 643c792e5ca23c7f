"""Google ADK (`google-adk`): the tool callbacks of a plugin, in the form of its "Plugins" page.

    runner = Runner(agent=agent, plugins=[plugin(gate)], …)

Each ADK session is one evaluation session. A stopped call returns `{"error": reason}` in place of the tool's result. Tools
that run inside the model (Google search) have no tool callbacks.
"""

from __future__ import annotations

from typing import Any

from ..gate import AsyncGate
from ._started import Started


def plugin(gate: AsyncGate) -> Any:
    """A plugin for a Runner or an App: all of its agents."""
    from google.adk.plugins.base_plugin import BasePlugin

    started = Started()

    async def returned(context: Any, status: str, value: Any) -> dict[str, Any] | None:
        run = started.take(_call(context))
        # ADK may report what stood in place of a result: that call has ended already.
        if run is None:
            return None if isinstance(value, dict) and set(value) == {"error"} else {"error": "nothing let this through"}
        shown = await gate(phase="RESULT", result_of=run, status=status, input=value, **_session(context))
        return None if shown.action == "proceed" else {"error": shown.message}

    class AssizePlugin(BasePlugin):
        async def before_tool_callback(
            self, *, tool: Any, tool_args: dict[str, Any], tool_context: Any
        ) -> dict[str, Any] | None:
            result = await gate(tool=tool.name, input=tool_args, **_session(tool_context))
            if result.action != "proceed" or result.evaluation is None:
                return {"error": result.message}
            started.put(_call(tool_context), result.evaluation["evaluationRunId"])
            return None

        async def after_tool_callback(
            self, *, tool: Any, tool_args: dict[str, Any], tool_context: Any, result: Any
        ) -> dict[str, Any] | None:
            return await returned(tool_context, "OK", result)

        async def on_tool_error_callback(
            self, *, tool: Any, tool_args: dict[str, Any], tool_context: Any, error: Exception
        ) -> dict[str, Any] | None:
            return await returned(tool_context, "FAILED", f"{type(error).__name__}: {error}")

    return AssizePlugin(name="assize")


def _session(tool_context: Any) -> dict[str, Any]:
    return {"external_session_id": tool_context.session.id}


def _call(tool_context: Any) -> str:
    return f"{tool_context.session.id} {tool_context.function_call_id}"
