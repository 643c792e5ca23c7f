"""What a model reads about a decision. Quotes nothing of what was evaluated."""

from __future__ import annotations

from .models import Evaluation

# A model reads, and its owner pays for, all of it.
_MOST_REASONS, _LONGEST = 5, 1_000


def message_of(evaluation: Evaluation) -> str:
    violations = evaluation["violations"]
    told = [_short(violation["message"]) for violation in violations[:_MOST_REASONS]]
    more = len(violations) - len(told)
    reasons = "; ".join(told) + (f"; and {more} more" if more > 0 else "")
    action = evaluation["enforcementAction"]
    if action == "ALLOW":
        return ""
    if action == "WARN":
        return f"warning of a policy: {reasons}"
    approval = evaluation.get("approval")
    if approval is not None and approval["reason"] == "rejected":
        comment = approval.get("comment")
        said = f", who says: {_short(comment)}" if comment else ""
        return f"rejected by a reviewer{said} ({reasons})"
    review = evaluation["reviewRequestId"]
    if action != "APPROVAL_REQUIRED" or review is None:
        return f"blocked by policy: {reasons}"
    return f"waiting for approval (review {review}), not done yet: {reasons}"


def undecided(error: Exception) -> str:
    return f"not done, because no decision could be made: {_short(str(error))}"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
