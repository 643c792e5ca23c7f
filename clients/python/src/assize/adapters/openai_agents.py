"""OpenAI Agents SDK (`openai-agents`): tool guardrails, in the form of its reference for `agents.tool_guardrails`.

    protect(gate, pay_tool, session=lambda call: call.context.conversation)

The input guardrail evaluates a call before the tool runs, the output guardrail what it returned. A stopped call is rejected
with a message that the model reads in its place. Tools that run at the provider (web search, code interpreter) never reach a
guardrail.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..gate import AsyncGate
from ._arguments import arguments_in
from ._started import Started


Session = Callable[[Any], "str | None"]


def guardrails(gate: AsyncGate, session: Session = lambda _: None) -> tuple[Any, Any]:
    """A ToolInputGuardrail and a ToolOutputGuardrail, for any number of tools.

    `session` names the session of a call, from its ToolContext, whose `context` is what the program gave the run; default: the
    gate's own.
    """
    from agents.tool_guardrails import (
        ToolGuardrailFunctionOutput,
        ToolInputGuardrail,
        ToolOutputGuardrail,
    )

    started = Started()

    def named(context: Any) -> dict[str, Any]:
        name = session(context)
        return {} if name is None else {"external_session_id": name}

    async def before(data: Any) -> Any:
        context = data.context
        conversation = named(context)
        result = await gate(tool=context.tool_name, input=arguments_in(context.tool_arguments), **conversation)
        if result.action != "proceed" or result.evaluation is None:
            return ToolGuardrailFunctionOutput.reject_content(result.message)
        started.put(_call(context, conversation), result.evaluation["evaluationRunId"])
        return ToolGuardrailFunctionOutput.allow()

    async def after(data: Any) -> Any:
        conversation = named(data.context)
        run = started.take(_call(data.context, conversation))
        if run is None:
            return ToolGuardrailFunctionOutput.reject_content("no evaluation let this call through")
        result = await gate(phase="RESULT", result_of=run, input=data.output, **conversation)
        if result.action != "proceed":
            return ToolGuardrailFunctionOutput.reject_content(result.message)
        return ToolGuardrailFunctionOutput.allow()

    return ToolInputGuardrail(before, name="assize"), ToolOutputGuardrail(after, name="assize")


def protect(gate: AsyncGate, *tools: Any, session: Session = lambda _: None) -> None:
    """Adds the guardrails to function tools: the first to see a call, and the last to see its result."""
    before, after = guardrails(gate, session)
    for tool in tools:
        tool.tool_input_guardrails = [before, *(tool.tool_input_guardrails or [])]
        tool.tool_output_guardrails = [*(tool.tool_output_guardrails or []), after]


def _call(context: Any, conversation: dict[str, Any]) -> str:
    """Some models count their calls from one in each conversation."""
    return f"{conversation.get('external_session_id')} {context.tool_call_id}"
