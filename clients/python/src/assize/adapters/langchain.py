"""LangChain 1.x (`create_agent`) and LangGraph 1.x (`ToolNode`), in the form of `wrap_tool_call` in their references.

    agent = create_agent(model, tools, middleware=[middleware(gate, async_gate)])

Each thread (`thread_id` of the run's configuration) is one session. A stopped call gives the model a ToolMessage with the
status `error` and the reason. Tools that run at the model's provider never reach the wrapper.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from .._results import GateResult
from ..errors import StoppedError
from ..gate import AsyncGate, Gate


def wrapper(gate: Gate) -> Callable[[Any, Callable[[Any], Any]], Any]:
    """`wrap_tool_call` of LangGraph's ToolNode."""

    def wrap(request: Any, handler: Callable[[Any], Any]) -> Any:
        started = gate(**_asked(request))
        if started.action != "proceed" or started.evaluation is None:
            return _stopped(request, started)
        run, session = started.evaluation["evaluationRunId"], _session(request)
        try:
            returned = handler(request)
        except Exception as error:
            failed = gate(phase="RESULT", result_of=run, status="FAILED", input=_failure(error), **session)
            if failed.action != "proceed":
                raise StoppedError(failed) from None
            raise
        result = gate(phase="RESULT", result_of=run, **_returned(returned), **session)
        return returned if result.action == "proceed" else _stopped(request, result)

    return wrap


def async_wrapper(gate: AsyncGate) -> Callable[[Any, Callable[[Any], Awaitable[Any]]], Awaitable[Any]]:
    """`awrap_tool_call` of LangGraph's ToolNode."""

    async def wrap(request: Any, handler: Callable[[Any], Awaitable[Any]]) -> Any:
        started = await gate(**_asked(request))
        if started.action != "proceed" or started.evaluation is None:
            return _stopped(request, started)
        run, session = started.evaluation["evaluationRunId"], _session(request)
        try:
            returned = await handler(request)
        except Exception as error:
            failed = await gate(phase="RESULT", result_of=run, status="FAILED", input=_failure(error), **session)
            if failed.action != "proceed":
                raise StoppedError(failed) from None
            raise
        result = await gate(phase="RESULT", result_of=run, **_returned(returned), **session)
        return returned if result.action == "proceed" else _stopped(request, result)

    return wrap


def middleware(gate: Gate | None = None, async_gate: AsyncGate | None = None) -> Any:
    """An AgentMiddleware for `create_agent`. A run of the kind that has no gate fails: nothing runs unevaluated."""
    from langchain.agents.middleware import AgentMiddleware

    class AssizeMiddleware(AgentMiddleware):
        def wrap_tool_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
            if gate is None:
                raise RuntimeError("this middleware has a gate for asyncio only: pass a Gate as well")
            return wrapper(gate)(request, handler)

        async def awrap_tool_call(self, request: Any, handler: Callable[[Any], Awaitable[Any]]) -> Any:
            if async_gate is None:
                raise RuntimeError("this middleware has no gate for asyncio: pass an AsyncGate as well")
            return await async_wrapper(async_gate)(request, handler)

    return AssizeMiddleware()


def _asked(request: Any) -> dict[str, Any]:
    call = request.tool_call
    return {"tool": call["name"], "input": call["args"], **_session(request)}


def _session(request: Any) -> dict[str, Any]:
    config = getattr(getattr(request, "runtime", None), "config", None) or {}
    thread = config.get("configurable", {}).get("thread_id")
    return {} if thread is None else {"external_session_id": str(thread)}


def _stopped(request: Any, result: GateResult) -> Any:
    from langchain_core.messages import ToolMessage

    call = request.tool_call
    return ToolMessage(content=result.message, name=call["name"], tool_call_id=call["id"], status="error")


def _returned(returned: Any) -> dict[str, Any]:
    """Of a message the content and the artifact; of a Command its whole update, which reaches the model as well."""
    status = "FAILED" if getattr(returned, "status", None) == "error" else "OK"
    if not hasattr(returned, "content"):
        return {"status": status, "input": getattr(returned, "update", returned)}
    artifact = getattr(returned, "artifact", None)
    content = returned.content if artifact is None else {"content": returned.content, "artifact": artifact}
    return {"status": status, "input": content}


def _failure(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
