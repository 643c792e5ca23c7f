"""LiteLLM proxy: a custom guardrail, in the form of `apply_guardrail` on its "Custom Guardrail" page.

    guardrails:
      - guardrail_name: assize
        litellm_params: { guardrail: assize_guardrail.Guardrail, mode: [pre_call, post_call], default_on: true }

where `assize_guardrail.py` says `Guardrail = guardrail(gate)`. Texts, images, tools and tool calls of a request and of a response are
evaluated, and what else is in their messages; each tool that a model calls is an action of its own. For what is stopped it raises, and
the proxy refuses the call.
"""

from __future__ import annotations

from typing import Any

from .._results import GateResult
from ..errors import StoppedError
from ..gate import AsyncGate
from ._arguments import arguments_in


def guardrail(gate: AsyncGate) -> Any:
    """A class for `litellm_params.guardrail`. A request is a PROMPT; what the model says is the action `model.output`."""
    from litellm.integrations.custom_guardrail import CustomGuardrail

    class AssizeGuardrail(CustomGuardrail):
        async def apply_guardrail(
            self, inputs: dict[str, Any], request_data: dict[str, Any], input_type: str, logging_obj: Any = None
        ) -> dict[str, Any]:
            shown = {name: inputs[name] for name in ("texts", "images", "tools") if inputs.get(name)}
            if inputs.get("tool_calls"):
                shown["toolCalls"] = inputs["tool_calls"]
            if inputs.get("structured_messages"):
                shown["messages"] = _without(inputs["structured_messages"], frozenset(inputs.get("texts") or ()))
            if not shown:
                return inputs
            shown = {"modelId": request_data.get("model"), "texts": [], **shown}
            session = _session(request_data)
            if input_type == "request":
                _unless_stopped(await gate(phase="PROMPT", fields=shown, **session))
                return inputs
            calls = [_call(one) for one in inputs.get("tool_calls") or ()]
            _unless_stopped(await gate(fields={"tool": "model.output", **shown}, **session))
            for tool, arguments in calls:
                _unless_stopped(await gate(tool=tool, input=arguments, **session))
            return inputs

    return AssizeGuardrail


def _unless_stopped(result: GateResult) -> None:
    if result.action != "proceed":
        raise StoppedError(result)


def _call(call: Any) -> tuple[str, Any]:
    """The name and arguments of a call in the forms of OpenAI. Arguments that are no JSON are shown to policies as they are."""
    called = call.get("function") or call.get("custom") or call
    name = called.get("name")
    if not isinstance(name, str) or not name.strip():
        raise ValueError("a tool call must name its tool")
    return name, arguments_in(called.get("arguments", called.get("input")) or {})


def _without(value: Any, texts: frozenset[str]) -> Any:
    """None for each of the texts, which are evaluated already. LiteLLM takes no texts from members such as `function_call`."""
    if isinstance(value, str):
        return None if value in texts else value
    if isinstance(value, (list, tuple)):
        return [_without(one, texts) for one in value]
    if isinstance(value, dict):
        return {name: _without(one, texts) for name, one in value.items()}
    return value


def _session(request_data: dict[str, Any]) -> dict[str, Any]:
    metadata = request_data.get("metadata") or request_data.get("litellm_metadata") or {}
    session = request_data.get("litellm_session_id") or metadata.get("session_id")
    return {} if session is None else {"external_session_id": str(session)}
