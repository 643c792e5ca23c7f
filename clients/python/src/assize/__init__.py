"""Client and gate for Assize, the policy-evaluation service for AI agents."""

from ._results import GateResult
from .client import Assize, AsyncAssize
from .errors import AssizeError, StoppedError
from .gate import FOREVER, AsyncGate, Gate
from .models import Approval, Evaluation, Review, Session, Violation

__all__ = [
    "FOREVER",
    "Approval",
    "Assize",
    "AssizeError",
    "AsyncAssize",
    "AsyncGate",
    "Evaluation",
    "Gate",
    "GateResult",
    "Review",
    "Session",
    "StoppedError",
    "Violation",
]
