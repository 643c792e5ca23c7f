"""LangGraph 1.x: `ToolNode(tools, wrap_tool_call=wrapper(gate))`. LangChain runs its tools in the same node."""

from .langchain import async_wrapper, wrapper

__all__ = ["async_wrapper", "wrapper"]
