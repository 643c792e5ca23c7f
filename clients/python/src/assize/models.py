"""Responses of the service, as it sends them. Members that the client does not use are there at run time as well."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

Phase = Literal["ACTION", "PROMPT", "RESULT"]
ResultStatus = Literal["OK", "FAILED"]
EnforcementAction = Literal["ALLOW", "WARN", "APPROVAL_REQUIRED", "BLOCK"]

JsonObject = dict[str, Any]
# By unit: {"usd": 0.02}.
Cost = dict[str, float]


class Violation(TypedDict):
    ruleId: str
    ruleName: str
    policyName: str
    severity: str
    enforcementAction: EnforcementAction
    reason: str
    message: str


class _Approval(TypedDict):
    reviewRequestId: str
    applied: bool
    reason: str
    message: str


class Approval(_Approval, total=False):
    comment: str | None


class _Evaluation(TypedDict):
    evaluationRunId: str
    outcome: Literal["ALLOW", "FLAG", "DENY"]
    enforcementAction: EnforcementAction
    violations: list[Violation]
    dataTags: list[str]
    sessionId: str | None
    reviewRequestId: str | None
    correlationId: str | None


class Evaluation(_Evaluation, total=False):
    """What `evaluate` returns."""

    approval: Approval


class Session(TypedDict):
    id: str
    status: Literal["ACTIVE", "COMPLETED", "TERMINATED", "EXPIRED"]


class RecordedEvaluation(_Evaluation):
    """An evaluation in the list of its session."""

    phase: Phase
    tool: str | None


class _Review(TypedDict):
    id: str
    status: Literal["PENDING", "APPROVED", "REJECTED", "EXPIRED", "CANCELLED", "CONSUMED"]
    correlationId: str | None


class Review(_Review, total=False):
    comment: str | None
