"""Microsoft Agent Framework (`agent-framework`): function middleware, in the form of its "Middleware" page.

    agent = Agent(client=client, tools=[pay], middleware=[middleware(gate)])

Wraps every function call. A stopped one gets the reason as its result, which the model reads. Tools that run at the provider
(hosted tools) never reach function middleware.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from ..errors import StoppedError
from ..gate import AsyncGate


def middleware(gate: AsyncGate, session: Callable[[Any], str | None] = lambda _: None) -> Any:
    """`session` names the session of a call, from its FunctionInvocationContext; default: the gate's own."""
    from agent_framework import FunctionMiddleware

    class AssizeMiddleware(FunctionMiddleware):
        async def process(self, context: Any, call_next: Callable[..., Awaitable[None]]) -> None:
            # 1.0 passes a function without parameters, earlier releases one that takes the context.
            takes_context = bool(inspect.signature(call_next).parameters)

            async def call() -> Any:
                await (call_next(context) if takes_context else call_next())
                return context.result

            name = session(context)
            named: dict[str, Any] = {} if name is None else {"external_session_id": name}
            try:
                await gate.run(call, tool=context.function.name, input=context.arguments, **named)
            except StoppedError as error:
                context.result = str(error)

    return AssizeMiddleware()
