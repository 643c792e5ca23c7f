"""The calls of the API, as steps: what is sent, what may be repeated, and what a response means."""

from __future__ import annotations

import json
import random
import time
import uuid
from collections.abc import Callable, Mapping
from typing import Any, cast
from urllib.parse import quote, urlencode

from ._steps import Response, Send, Sleep, Steps
from .errors import AssizeError
from .models import Evaluation, JsonObject, RecordedEvaluation, Review, Session

_CODES = {
    400: "invalid",
    401: "unauthenticated",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    408: "unavailable",
    409: "conflict",
    413: "too_large",
    415: "invalid",
    429: "rate_limited",
    500: "internal",
    502: "unavailable",
    503: "unavailable",
    504: "unavailable",
}
_DECISIONS = {"ALLOW", "WARN", "APPROVAL_REQUIRED", "BLOCK"}
_LONGEST_PAUSE = 10.0
# One long poll ends below the idle timeouts of common proxies, and its retries survive a restart of the service.
_POLL_SECONDS, _POLL_RETRIES = 20, 6
_SESSION_FIELDS = {"sessionId", "externalSessionId", "entityId", "parentSessionId", "previousSessionId", "metadata"}


class Calls:
    def __init__(self, root: str, api_key: str, timeout: float, retries: int, retry_delay: float) -> None:
        if not api_key or not all("!" <= character <= "~" for character in api_key):
            raise ValueError("api_key must be an API key: printable ASCII without spaces")
        if not (timeout > 0 and retries >= 0 and retry_delay >= 0):
            raise ValueError("timeout must be above 0, retries and retry_delay at least 0")
        self._root = root
        self._headers = {"accept": "application/json", "authorization": f"Bearer {api_key}"}
        self._timeout = timeout
        self._retries = retries
        self._retry_delay = retry_delay

    def call(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: object = None,
        once: bool = False,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> Steps[Any]:
        """`once`: the request has an idempotency key, so that it may be repeated and still counts once."""
        asked = {name: value for name, value in (query or {}).items() if value is not None}
        headers = dict(self._headers)
        data = None
        if body is not None:
            data = json.dumps(body, ensure_ascii=False, allow_nan=False).encode("utf-8", "surrogatepass")
            headers["content-type"] = "application/json"
        if once:
            headers["idempotency-key"] = str(uuid.uuid4())
        target = self._root + path + (f"?{urlencode(asked)}" if asked else "")
        request = Send(method, target, headers, data, timeout or self._timeout)
        most = self._retries if retries is None else retries
        for attempt in range(1, most + 2):
            try:
                return _data_of((yield request))
            except AssizeError as error:
                pause = self._pause(attempt, error, once or method == "GET")
                if attempt > most or pause is None:
                    raise
            yield Sleep(pause)
        raise AssertionError("unreachable")

    def _pause(self, attempt: int, error: AssizeError, counts_once: bool) -> float | None:
        maybe_done = error.code in ("network", "timeout") or error.status in (408, 502, 503, 504)
        if not (error.status == 429 or (counts_once and maybe_done)):
            return None
        grown: float = min(_LONGEST_PAUSE, self._retry_delay * 2 ** (attempt - 1))
        jittered = grown * (0.5 + random.random() / 2)
        if error.retry_after is None:
            return jittered
        return None if error.retry_after > _LONGEST_PAUSE else error.retry_after + jittered

    def evaluate(self, request: JsonObject) -> Steps[Evaluation]:
        data = yield from self.call("POST", "/v1/evaluate", body=request, once=True)
        # Callers branch on this value, and most would continue at one that they do not know.
        if isinstance(data, dict) and data.get("enforcementAction") in _DECISIONS:
            return cast(Evaluation, data)
        raise AssizeError("unexpected_response", "the response contains no decision")

    def evaluate_and_wait(
        self, request: JsonObject, wait: float | None, on_held: Callable[[Evaluation], None] = lambda _: None
    ) -> Steps[Evaluation]:
        first = yield from self.evaluate(request)
        review = first["reviewRequestId"]
        if first["enforcementAction"] != "APPROVAL_REQUIRED" or review is None:
            return first
        on_held(first)
        try:
            decided = yield from self.wait_for_review(review, wait)
        except AssizeError as error:
            if error.code != "timeout":
                raise
            return first
        if decided["status"] not in ("APPROVED", "REJECTED"):
            return first
        again = {**request, "reviewRequestId": review}
        # The review is bound to the session of the first evaluation, which then needs no other name.
        if first["sessionId"] is not None:
            again = {name: value for name, value in again.items() if name not in _SESSION_FIELDS}
            again["sessionId"] = first["sessionId"]
        return (yield from self.evaluate(again))

    def wait_for_review(self, review: str, wait: float | None) -> Steps[Review]:
        """`wait` None: as long as the review is PENDING."""
        deadline = None if wait is None else time.monotonic() + wait
        while True:
            started = time.monotonic()
            left = _POLL_SECONDS if deadline is None else min(_POLL_SECONDS, deadline - started)
            if left <= 0:
                raise AssizeError("timeout", f"the review was not decided within {wait:g} s")
            found = yield from self.call(
                "GET",
                f"/v1/reviews/{quote(review, safe='')}",
                query={"wait": max(1, int(left))},
                timeout=left + self._timeout,
                retries=_POLL_RETRIES,
            )
            if found["status"] != "PENDING":
                return cast(Review, found)
            # A poll that returns early was cut short.
            yield Sleep(max(0.0, min(started + 1.0, deadline or started + 1.0) - time.monotonic()))

    def create_session(self, request: JsonObject) -> Steps[Session]:
        data = yield from self.call("POST", "/v1/evaluation-sessions", body=request, once=True)
        return cast(Session, data)

    def end_session(self, session_id: str, status: str) -> Steps[JsonObject]:
        path = f"/v1/evaluation-sessions/{quote(session_id, safe='')}/end"
        return cast(JsonObject, (yield from self.call("POST", path, body={"status": status}, once=True)))

    def find_session(self, external_session_id: str) -> Steps[str | None]:
        """The id of the ACTIVE session of this name."""
        query = {"externalSessionId": external_session_id, "status": "ACTIVE", "size": 1}
        found = cast("list[Session]", (yield from self.call("GET", "/v1/evaluation-sessions", query=query)))
        return found[0]["id"] if found else None

    def session_evaluations(self, session_id: str, page: int, size: int) -> Steps[list[RecordedEvaluation]]:
        path = f"/v1/evaluation-sessions/{quote(session_id, safe='')}/evaluations"
        data = yield from self.call("GET", path, query={"page": page, "size": size})
        return cast("list[RecordedEvaluation]", data)

    def list_reviews(self, session_id: str | None, page: int, size: int) -> Steps[list[Review]]:
        query = {"sessionId": session_id, "page": page, "size": size}
        return cast("list[Review]", (yield from self.call("GET", "/v1/reviews", query=query)))


def _data_of(response: Response) -> Any:
    try:
        body = json.loads(response.body)
    except ValueError:
        body = None
    if 200 <= response.status < 300 and isinstance(body, dict) and body.get("success") is True and "data" in body:
        return body["data"]
    found = body.get("errors") if isinstance(body, dict) else None
    errors = [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
    first = errors[0] if errors else {}
    code = first.get("code") if first.get("code") in set(_CODES.values()) else _CODES.get(response.status)
    if 200 <= response.status < 300 or code is None:
        code = "unexpected_response"
    message = first.get("message") or f"the response (HTTP {response.status}) is not from this service"
    after = response.headers.get("retry-after", "")
    raise AssizeError(
        str(code),
        str(message),
        status=response.status,
        errors=errors,
        retry_after=float(after) if after.isdecimal() else None,
    )
