"""What the gate makes of a decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ._history import lets_through
from ._messages import message_of
from .models import Evaluation, Phase


@dataclass(frozen=True)
class GateResult:
    """What to do.

    `proceed`: do the action, or show the content. `replace`: show the model `message` in place of the content. `hold`: do
    not do it yet; `review_request_id` is what it waits for. `refuse`: do not do it. `evaluation` is None when there is no
    decision (`error` says why), and for content that was let through before.
    """

    action: Literal["proceed", "replace", "hold", "refuse"]
    message: str = ""
    evaluation: Evaluation | None = None
    review_request_id: str | None = None
    error: Exception | None = None


def gate_result(evaluation: Evaluation, phase: Phase) -> GateResult:
    message = message_of(evaluation)
    if lets_through(evaluation["enforcementAction"]):
        return GateResult("proceed", message, evaluation)
    if phase == "RESULT":
        return GateResult("replace", message, evaluation)
    review = evaluation["reviewRequestId"]
    if evaluation["enforcementAction"] == "APPROVAL_REQUIRED" and review is not None:
        return GateResult("hold", message, evaluation, review)
    return GateResult("refuse", message, evaluation)
