"""Interfaces, each with the page or module of the framework that documents it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from . import Record, module

# openai-agents: src/agents/tool_guardrails.py. A guardrail's function gets the data, and says allow or reject_content.


class ToolGuardrailFunctionOutput(Record):
    @classmethod
    def allow(cls) -> ToolGuardrailFunctionOutput:
        return cls(behavior={"type": "allow"})

    @classmethod
    def reject_content(cls, message: str) -> ToolGuardrailFunctionOutput:
        return cls(behavior={"type": "reject_content", "message": message})


class ToolGuardrail(Record):
    def __init__(self, guardrail_function: Any, name: str) -> None:
        super().__init__(guardrail_function=guardrail_function, name=name)


module(
    "agents.tool_guardrails",
    ToolGuardrailFunctionOutput=ToolGuardrailFunctionOutput,
    ToolInputGuardrail=ToolGuardrail,
    ToolOutputGuardrail=ToolGuardrail,
)


async def openai_invoke(tool: Any, call_id: str, arguments: str, given: Any = None) -> Any:
    """A rejection's message stands in place of the result; a rejected input leaves the tool alone."""
    context = Record(context=given, tool_name=tool.name, tool_call_id=call_id, tool_arguments=arguments)
    for guardrail in tool.tool_input_guardrails:
        said = await guardrail.guardrail_function(Record(context=context, agent=None))
        if said.behavior["type"] != "allow":
            return said.behavior["message"]
    output = await tool.on_invoke_tool(context, arguments)
    for guardrail in tool.tool_output_guardrails:
        said = await guardrail.guardrail_function(Record(context=context, agent=None, output=output))
        if said.behavior["type"] != "allow":
            return said.behavior["message"]
    return output


# langchain: "Custom middleware"; langgraph: ToolNode's wrap_tool_call.


class ToolMessage(Record):
    def __init__(self, content: Any, tool_call_id: str, name: str = "", status: str = "success") -> None:
        super().__init__(content=content, tool_call_id=tool_call_id, name=name, status=status)


module("langchain_core.messages", ToolMessage=ToolMessage)
module("langchain.agents.middleware", AgentMiddleware=type("AgentMiddleware", (), {}))


def tool_call_request(name: str, args: Any, thread: str | None) -> Record:
    config = {"configurable": {"thread_id": thread}} if thread is not None else {}
    call = {"name": name, "args": args, "id": "call-1", "type": "tool_call"}
    return Record(tool_call=call, runtime=Record(config=config))


# crewai: "Tool Call Hooks". False blocks; a hook that raises is swallowed, and the tool runs. Since 1.15 the second hook fires for
# blocked calls as well (`fires_after`), but not for models that are prompted to write their calls as text.

crewai_before: list[Any] = []
crewai_after: list[Any] = []
module(
    "crewai.hooks",
    register_before_tool_call_hook=crewai_before.append,
    register_after_tool_call_hook=crewai_after.append,
)


def crewai_execute(
    name: str, tool_input: dict[str, Any], tool: Callable[..., Any], *, fires_after: bool = False
) -> str:
    context = Record(tool_name=name, tool_input=tool_input, tool_result=None)
    if any(_blocks(hook, context) for hook in crewai_before):
        context.tool_result = f"Tool execution blocked by hook. Tool: {name}"
        if not fires_after:
            return str(context.tool_result)
    else:
        context.tool_result = str(tool(**tool_input))
    for hook in crewai_after:
        context.tool_result = hook(context) or context.tool_result
    return str(context.tool_result)


def _blocks(hook: Any, context: Any) -> bool:
    try:
        return hook(context) is False
    except Exception:
        return False


# pydantic-ai: "Capabilities" (pydantic_ai.capabilities.AbstractCapability.wrap_tool_execute).
module("pydantic_ai.capabilities", AbstractCapability=type("AbstractCapability", (), {}))


# google-adk: "Plugins" (google.adk.plugins.base_plugin.BasePlugin). A dict returned by a callback stands for the result.


class BasePlugin:
    def __init__(self, name: str) -> None:
        self.name = name


module("google.adk.plugins.base_plugin", BasePlugin=BasePlugin)


async def adk_call(plugin: Any, tool: Any, args: dict[str, Any], session: str, call_id: str = "c-1") -> Any:
    context = Record(session=Record(id=session), function_call_id=call_id)
    call = {"tool": tool, "tool_args": args, "tool_context": context}
    result = await plugin.before_tool_callback(**call)
    if result is None:
        try:
            result = await tool.run(args)
        except Exception as error:
            result = await plugin.on_tool_error_callback(**call, error=error)
            if result is None:
                raise
            return result
    return await plugin.after_tool_callback(**call, result=result) or result


# agent-framework: "Agent Middleware". What the middleware leaves in context.result is the result of the call.
module("agent_framework", FunctionMiddleware=type("FunctionMiddleware", (), {}))


async def agent_framework_call(
    middleware: Any, function: Callable[..., Awaitable[Any]], arguments: dict[str, Any], *, passes_context: bool
) -> Any:
    context = Record(function=Record(name=function.__name__), arguments=arguments, result=None)

    async def call() -> None:
        context.result = await function(**arguments)

    async def call_with_context(_: Any) -> None:
        await call()

    await middleware.process(context, call_with_context if passes_context else call)
    return context.result


# litellm: "Custom Guardrail". An exception of apply_guardrail refuses the call.
module("litellm.integrations.custom_guardrail", CustomGuardrail=type("CustomGuardrail", (), {}))

