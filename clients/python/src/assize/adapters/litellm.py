"""LiteLLM proxy: a custom guardrail, in the form of `apply_guardrail` on its "Custom Guardrail" page.

    guardrails:
      - guardrail_name: assize
        litellm_params: { guardrail: assize_guardrail.Guardrail, mode: [pre_call, post_call], default_on: true }

where `assize_guardrail.py` says `Guardrail = guardrail(gate)`. Texts, images and tool calls of a request and of a response are
evaluated; for what is stopped it raises, and the proxy refuses the call.
"""

from __future__ import annotations

from typing import Any

from ..errors import StoppedError
from ..gate import AsyncGate


def guardrail(gate: AsyncGate) -> Any:
    """A class for `litellm_params.guardrail`. A request is a PROMPT; what the model says is the action `model.output`."""
    from litellm.integrations.custom_guardrail import CustomGuardrail

    class AssizeGuardrail(CustomGuardrail):
        async def apply_guardrail(
            self, inputs: dict[str, Any], request_data: dict[str, Any], input_type: str, logging_obj: Any = None
        ) -> dict[str, Any]:
            shown = {name: inputs[name] for name in ("texts", "images", "tool_calls") if inputs.get(name)}
            if not shown:
                return inputs
            shown["modelId"] = request_data.get("model")
            if input_type == "request":
                result = await gate(phase="PROMPT", fields=shown, **_session(request_data))
            else:
                result = await gate(fields={"tool": "model.output", **shown}, **_session(request_data))
            if result.action != "proceed":
                raise StoppedError(result)
            return inputs

    return AssizeGuardrail


def _session(request_data: dict[str, Any]) -> dict[str, Any]:
    metadata = request_data.get("metadata") or request_data.get("litellm_metadata") or {}
    session = request_data.get("litellm_session_id") or metadata.get("session_id")
    return {} if session is None else {"external_session_id": str(session)}
