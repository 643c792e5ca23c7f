"""Pydantic AI 1.71 and newer (`pydantic_ai.capabilities`): a capability, in the form of its "Capabilities" page.

    agent = Agent(model, capabilities=[capability(gate)])

Wraps the execution of every function tool. A stopped call returns the reason, which the model reads as the tool's result.
Tools that run at the provider never reach a capability.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from ..errors import StoppedError
from ..gate import AsyncGate


def capability(gate: AsyncGate, session: Callable[[Any], str | None] = lambda _: None) -> Any:
    """`session` names the session of a run, from its RunContext; default: the gate's own."""
    from pydantic_ai.capabilities import AbstractCapability

    class AssizeCapability(AbstractCapability):
        async def wrap_tool_execute(
            self, ctx: Any, *, call: Any, tool_def: Any, args: Any, handler: Callable[[Any], Awaitable[Any]]
        ) -> Any:
            name = session(ctx)
            named: dict[str, Any] = {} if name is None else {"external_session_id": name}
            try:
                return await gate.run(lambda: handler(args), tool=call.tool_name, input=args, **named)
            except StoppedError as error:
                return str(error)

    return AssizeCapability()
