"""What a session already holds of a conversation, found by the `correlationId` that gates give to what they evaluate."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

from ._calls import Calls
from ._steps import Steps
from .models import Evaluation

# A page, and how many are read at most: what lies further back is evaluated again.
_PAGE, _PAGES = 200, 5
_MOST_PASSED, _MOST_SESSIONS = 10_000, 1_000


@dataclass
class History:
    """One session. `fresh`: its name is the gate's own, so that nothing is there from before."""

    named: dict[str, str]
    fresh: bool
    current: str | None = None
    passed: OrderedDict[str, None] = field(default_factory=OrderedDict)
    reviews: dict[str, str] = field(default_factory=dict)
    _passed_loaded: bool = False
    _reviews_loaded: bool = False

    def has_passed(self, calls: Calls, content: str) -> Steps[bool]:
        if not self._passed_loaded:
            session = yield from self._find(calls)
            for page in range(1, _PAGES + 1) if session is not None else ():
                found = yield from calls.session_evaluations(str(session), page, _PAGE)
                for one in found:
                    name = one["correlationId"]
                    if one["phase"] != "ACTION" and name is not None and lets_through(one["enforcementAction"]):
                        self.let_pass(name)
                if len(found) < _PAGE:
                    break
            self._passed_loaded = True
        return content in self.passed

    def let_pass(self, content: str) -> None:
        self.passed[content] = None
        while len(self.passed) > _MOST_PASSED:
            self.passed.popitem(last=False)

    def review_of(self, calls: Calls, action: str) -> Steps[str | None]:
        """The newest review of the action that is PENDING or APPROVED; None when there is none."""
        if not self._reviews_loaded:
            session = yield from self._find(calls)
            settled: set[str] = set()
            for page in range(1, _PAGES + 1) if session is not None else ():
                found = yield from calls.list_reviews(session, page, _PAGE)
                for review in found:
                    name = review["correlationId"]
                    # Newest first: an older review means nothing once a newer one of the same action exists.
                    if name is None or name in settled:
                        continue
                    settled.add(name)
                    if review["status"] in ("PENDING", "APPROVED"):
                        self.reviews.setdefault(name, review["id"])
                if len(found) < _PAGE:
                    break
            self._reviews_loaded = True
        return self.reviews.get(action)

    def hold(self, action: str, evaluation: Evaluation) -> None:
        """The service knows what was rejected: whoever named it would never ask again."""
        review = evaluation["reviewRequestId"]
        if review is None or evaluation["enforcementAction"] != "APPROVAL_REQUIRED":
            self.reviews.pop(action, None)
        else:
            self.reviews[action] = review

    def _find(self, calls: Calls) -> Steps[str | None]:
        if self.fresh:
            return None
        if "sessionId" in self.named:
            return self.named["sessionId"]
        self.current = yield from calls.find_session(self.named["externalSessionId"])
        return self.current


class Histories:
    def __init__(self) -> None:
        self._open: OrderedDict[tuple[tuple[str, str], ...], History] = OrderedDict()

    def of(self, named: dict[str, str], fresh: bool) -> History:
        key = tuple(named.items())
        history = self._open.get(key) or History(named, fresh)
        self._open[key] = history
        self._open.move_to_end(key)
        while len(self._open) > _MOST_SESSIONS:
            self._open.popitem(last=False)
        return history

    def noticed(self, history: History, session_id: str | None) -> None:
        """When another session has the name, what the old one let through no longer counts."""
        if "externalSessionId" in history.named:
            if history.current is not None and history.current != session_id:
                self._open.pop(tuple(history.named.items()), None)
            history.current = session_id


def lets_through(enforcement_action: str) -> bool:
    return enforcement_action in ("ALLOW", "WARN")
