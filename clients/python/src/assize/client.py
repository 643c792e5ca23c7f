"""The clients: `Assize` for threads, `AsyncAssize` for asyncio, with the same methods."""

from __future__ import annotations

from typing import Any, TypeVar

from ._calls import Calls
from ._http import HttpTransport
from ._steps import Steps, arun, run
from .models import Evaluation, JsonObject, RecordedEvaluation, Review, Session

T = TypeVar("T")


class _Client:
    def __init__(
        self,
        url: str,
        api_key: str,
        *,
        timeout: float = 10.0,
        retries: int = 2,
        retry_delay: float = 0.2,
    ) -> None:
        """`url` with or without `/v1`. `timeout` limits one attempt, in seconds."""
        self._transport = HttpTransport(url)
        self.calls = Calls(self._transport.root, api_key, timeout, retries, retry_delay)


class Assize(_Client):
    """Calls the service and waits for its response. Safe to share between threads.

    Every method raises AssizeError when there is no response, or one with an error. A call that raises decided nothing: do
    not do the action then.
    """

    def run(self, steps: Steps[T]) -> T:
        return run(steps, self._transport)

    def evaluate(self, input: JsonObject, **fields: Any) -> Evaluation:
        """Decides whether an action may be done, before it is done. Follow `enforcementAction`: a BLOCK does not raise.

        `fields` are those of the API: `sessionId`, `externalSessionId`, `phase`, `resultOf`, `status`, `targetKey`, …
        """
        return self.run(self.calls.evaluate({"input": input, **fields}))

    def evaluate_and_wait(self, input: JsonObject, *, wait: float | None = None, **fields: Any) -> Evaluation:
        """Like `evaluate`; when the action is held, waits for its reviewer at most `wait` seconds and evaluates again."""
        return self.run(self.calls.evaluate_and_wait({"input": input, **fields}, wait))

    def create_session(self, **fields: Any) -> Session:
        return self.run(self.calls.create_session(fields))

    def end_session(self, session_id: str, status: str = "COMPLETED") -> JsonObject:
        return self.run(self.calls.end_session(session_id, status))

    def session_evaluations(self, session_id: str, page: int = 1, size: int = 50) -> list[RecordedEvaluation]:
        """Newest first."""
        return self.run(self.calls.session_evaluations(session_id, page, size))

    def list_reviews(self, session_id: str | None = None, page: int = 1, size: int = 50) -> list[Review]:
        """Newest first."""
        return self.run(self.calls.list_reviews(session_id, page, size))

    def wait_for_review(self, review_id: str, wait: float | None = None) -> Review:
        """Returns when the review is decided or has expired; raises AssizeError with the code `timeout` after `wait` seconds."""
        return self.run(self.calls.wait_for_review(review_id, wait))


class AsyncAssize(_Client):
    """`Assize` for asyncio. Needs no thread, and cancelling a task ends its call."""

    async def run(self, steps: Steps[T]) -> T:
        return await arun(steps, self._transport)

    async def evaluate(self, input: JsonObject, **fields: Any) -> Evaluation:
        return await self.run(self.calls.evaluate({"input": input, **fields}))

    async def evaluate_and_wait(self, input: JsonObject, *, wait: float | None = None, **fields: Any) -> Evaluation:
        return await self.run(self.calls.evaluate_and_wait({"input": input, **fields}, wait))

    async def create_session(self, **fields: Any) -> Session:
        return await self.run(self.calls.create_session(fields))

    async def end_session(self, session_id: str, status: str = "COMPLETED") -> JsonObject:
        return await self.run(self.calls.end_session(session_id, status))

    async def session_evaluations(self, session_id: str, page: int = 1, size: int = 50) -> list[RecordedEvaluation]:
        return await self.run(self.calls.session_evaluations(session_id, page, size))

    async def list_reviews(self, session_id: str | None = None, page: int = 1, size: int = 50) -> list[Review]:
        return await self.run(self.calls.list_reviews(session_id, page, size))

    async def wait_for_review(self, review_id: str, wait: float | None = None) -> Review:
        return await self.run(self.calls.wait_for_review(review_id, wait))
