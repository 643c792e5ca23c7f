"""OpenAI Agents SDK (`openai-agents`): tool guardrails, in the form of its reference for `agents.tool_guardrails`.

    protect(gate, pay_tool)

The input guardrail evaluates a call before the tool runs, the output guardrail what it returned. A stopped call is rejected
with a message that the model reads in its place. Tools that run at the provider (web search, code interpreter) never reach a
guardrail.
"""

from __future__ import annotations

from typing import Any

from ..gate import AsyncGate
from ._arguments import arguments_in
from ._started import Started


def guardrails(gate: AsyncGate) -> tuple[Any, Any]:
    """A ToolInputGuardrail and a ToolOutputGuardrail, for any number of tools."""
    from agents.tool_guardrails import (
        ToolGuardrailFunctionOutput,
        ToolInputGuardrail,
        ToolOutputGuardrail,
    )

    started = Started()

    async def before(data: Any) -> Any:
        context = data.context
        result = await gate(tool=context.tool_name, input=arguments_in(context.tool_arguments))
        if result.action != "proceed" or result.evaluation is None:
            return ToolGuardrailFunctionOutput.reject_content(result.message)
        started.put(context.tool_call_id, result.evaluation["evaluationRunId"])
        return ToolGuardrailFunctionOutput.allow()

    async def after(data: Any) -> Any:
        run = started.take(data.context.tool_call_id)
        if run is None:
            return ToolGuardrailFunctionOutput.reject_content("no evaluation let this call through")
        result = await gate(phase="RESULT", result_of=run, input=data.output)
        if result.action != "proceed":
            return ToolGuardrailFunctionOutput.reject_content(result.message)
        return ToolGuardrailFunctionOutput.allow()

    return ToolInputGuardrail(before, name="assize"), ToolOutputGuardrail(after, name="assize")


def protect(gate: AsyncGate, *tools: Any) -> None:
    """Adds the guardrails to function tools: the first to see a call, and the last to see its result."""
    before, after = guardrails(gate)
    for tool in tools:
        tool.tool_input_guardrails = [before, *(tool.tool_input_guardrails or [])]
        tool.tool_output_guardrails = [*(tool.tool_output_guardrails or []), after]
