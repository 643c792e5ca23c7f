"""The gate: the one place where every adapter asks whether something may be done, and learns what to tell the model."""

from __future__ import annotations

import functools
import inspect
import uuid
from collections.abc import Awaitable, Callable
from typing import Any, ParamSpec, TypeVar, overload

from ._content import digest, readable
from ._history import Histories, History, lets_through
from ._messages import undecided
from ._requests import arguments_by, input_of, named_session, refuse_unfinished
from ._results import GateResult, gate_result
from ._steps import Steps
from .client import Assize, AsyncAssize, _Client
from .errors import StoppedError
from .models import Cost, Evaluation, JsonObject, Phase, ResultStatus

P = ParamSpec("P")
R = TypeVar("R")
OnWarn = Callable[[Evaluation, JsonObject], None]
CostOf = Callable[[Any], Cost | None]

_SESSION = ("session_id", "external_session_id", "entity_id", "parent_session_id", "previous_session_id")

FOREVER = float("inf")


class _Gate:
    def __init__(
        self,
        client: _Client,
        *,
        session_id: str | None = None,
        external_session_id: str | None = None,
        entity_id: str | None = None,
        parent_session_id: str | None = None,
        previous_session_id: str | None = None,
        wait: float = 0.0,
        on_warn: OnWarn | None = None,
    ) -> None:
        """`wait`: seconds for which a held action waits for its reviewer. 0: held at once. FOREVER: while the review lasts.

        Without a session, everything is evaluated in one that the gate opens for itself. Of a session that it opens,
        `entity_id` says whom it is about, `parent_session_id` is the session of the agent that delegates, and
        `previous_session_id` the ended session that it continues.
        """
        self._calls = client.calls
        self._wait = wait
        self._on_warn = on_warn
        self._histories = Histories()
        self._own = session_id is None and external_session_id is None
        self._named = named_session(
            session_id,
            external_session_id or (f"gate-{uuid.uuid4()}" if self._own else None),
            entity_id,
            parent_session_id,
            previous_session_id,
        )

    def _decide(
        self,
        *,
        tool: str | None = None,
        input: Any = None,
        phase: Phase = "ACTION",
        fields: JsonObject | None = None,
        result_of: str | None = None,
        status: ResultStatus = "OK",
        message: Any = None,
        cost: Cost | None = None,
        target_metadata: JsonObject | None = None,
        session_id: str | None = None,
        external_session_id: str | None = None,
        entity_id: str | None = None,
        parent_session_id: str | None = None,
        previous_session_id: str | None = None,
        wait: float | None = None,
    ) -> Steps[GateResult]:
        content = input_of(phase, tool, input, fields)
        named = named_session(
            session_id, external_session_id, entity_id, parent_session_id, previous_session_id
        )
        history = self._histories.of(named or self._named, self._own and not named)
        name = f"action-{digest(content)}" if phase == "ACTION" else None
        if phase != "ACTION" and message is not None:
            name = f"content-{digest(readable(message))}"
        if phase == "PROMPT" and name is not None and (yield from history.has_passed(self._calls, name)):
            return GateResult("proceed")
        request: JsonObject = {"phase": phase, "input": content}
        if cost is not None:
            request["cost"] = cost
        if target_metadata is not None:
            request["targetMetadata"] = readable(target_metadata)
        if name is not None:
            request["correlationId"] = name
        if phase == "RESULT":
            # The session of a result is that of its action.
            if result_of is None:
                raise TypeError("a result needs result_of, the evaluation of its action")
            request.update(resultOf=result_of, status=status)
        else:
            request.update(history.named)
        evaluation = yield from self._send(request, phase, name, history, self._wait if wait is None else wait)
        self._histories.noticed(history, evaluation["sessionId"])
        if phase == "ACTION" and name is not None:
            history.hold(name, evaluation)
        elif name is not None and lets_through(evaluation["enforcementAction"]):
            history.let_pass(name)
        if evaluation["enforcementAction"] == "WARN" and self._on_warn is not None:
            self._on_warn(evaluation, content)
        return gate_result(evaluation, phase)

    def _send(
        self, request: JsonObject, phase: Phase, name: str | None, history: History, wait: float
    ) -> Steps[Evaluation]:
        def held(evaluation: Evaluation) -> None:
            """A wait that is cancelled leaves a review behind."""
            self._histories.noticed(history, evaluation["sessionId"])
            history.hold(str(name), evaluation)

        if phase != "ACTION":
            return (yield from self._calls.evaluate(request))
        review = yield from history.review_of(self._calls, str(name))
        if review is not None:
            request["reviewRequestId"] = review
        if wait <= 0:
            return (yield from self._calls.evaluate(request))
        return (yield from self._calls.evaluate_and_wait(request, None if wait == FOREVER else wait, held))

    def _steps(self, request: dict[str, Any]) -> Steps[GateResult]:
        try:
            return (yield from self._decide(**request))
        except Exception as error:
            return GateResult("refuse", undecided(error), error=error)


class Gate(_Gate):
    """`gate(tool=…, input=…)` decides about a call of a tool; `phase` PROMPT and RESULT about content.

    It never raises for want of a decision: it then refuses. Keyword arguments: `tool`, `input`, `phase`, `fields` (what
    policies see in place of both), `result_of` and `status` (of a RESULT), `message` (the message in which a model will read
    the content: one that the session let through is not evaluated again), `cost` (by unit: of an action the estimate, of a
    result what it came to), `target_metadata`, `session_id`, `external_session_id`, `entity_id`, `parent_session_id` and
    `previous_session_id` (of a session that is opened), `wait`.
    """

    def __init__(self, client: Assize, **options: Any) -> None:
        super().__init__(client, **options)
        self._client = client

    def __call__(self, **request: Any) -> GateResult:
        return self._client.run(self._steps(request))

    def run(
        self, execute: Callable[[], R], *, tool: str, input: Any, cost_of: CostOf | None = None, **request: Any
    ) -> R:
        """Does the action if it may, and returns its result if that may be shown. Raises StoppedError, or what `execute` raises.

        `cost_of` says what the action came to cost, given what `execute` returned.
        """
        started = self(tool=tool, input=input, **request)
        run = _run_of(started)
        session = {name: request[name] for name in _SESSION if name in request}
        try:
            value = execute()
            refuse_unfinished(value)
        except Exception as error:
            _unless_stopped(
                self(phase="RESULT", result_of=run, status="FAILED", input=f"{type(error).__name__}: {error}", **session)
            )
            raise
        cost = None if cost_of is None else cost_of(value)
        _unless_stopped(self(phase="RESULT", result_of=run, input=value, cost=cost, **session))
        return value

    def tool(self, function: Callable[P, R]) -> Callable[P, R]:
        """Decorates a function: its name is the tool, its arguments are the input. What is stopped raises StoppedError."""
        arguments_of = arguments_by(function)

        @functools.wraps(function)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
            arguments = arguments_of(args, kwargs)
            return self.run(lambda: function(*args, **kwargs), tool=function.__name__, input=arguments)

        return guarded


class AsyncGate(_Gate):
    """`Gate` for asyncio."""

    def __init__(self, client: AsyncAssize, **options: Any) -> None:
        super().__init__(client, **options)
        self._client = client

    async def __call__(self, **request: Any) -> GateResult:
        return await self._client.run(self._steps(request))

    async def run(
        self,
        execute: Callable[[], Awaitable[R] | R],
        *,
        tool: str,
        input: Any,
        cost_of: CostOf | None = None,
        **request: Any,
    ) -> R:
        """Like `Gate.run`, for a function that returns an awaitable, or its result."""
        started = await self(tool=tool, input=input, **request)
        run = _run_of(started)
        session = {name: request[name] for name in _SESSION if name in request}
        try:
            returned = execute()
            value: R = await returned if inspect.isawaitable(returned) else returned
            refuse_unfinished(value)
        except Exception as error:
            failed = f"{type(error).__name__}: {error}"
            _unless_stopped(
                await self(phase="RESULT", result_of=run, status="FAILED", input=failed, **session)
            )
            raise
        cost = None if cost_of is None else cost_of(value)
        _unless_stopped(await self(phase="RESULT", result_of=run, input=value, cost=cost, **session))
        return value

    @overload
    def tool(self, function: Callable[P, Awaitable[R]]) -> Callable[P, Awaitable[R]]: ...

    @overload
    def tool(self, function: Callable[P, R]) -> Callable[P, Awaitable[R]]: ...

    def tool(self, function: Callable[P, Any]) -> Callable[P, Awaitable[Any]]:
        """Like `Gate.tool`. A plain function becomes one that is awaited; it runs in the event loop, so it must not block."""
        arguments_of = arguments_by(function)

        @functools.wraps(function)
        async def guarded(*args: P.args, **kwargs: P.kwargs) -> Any:
            arguments = arguments_of(args, kwargs)
            return await self.run(lambda: function(*args, **kwargs), tool=function.__name__, input=arguments)

        return guarded


def _run_of(started: GateResult) -> str:
    if started.action != "proceed" or started.evaluation is None:
        raise StoppedError(started)
    return started.evaluation["evaluationRunId"]


def _unless_stopped(result: GateResult) -> None:
    if result.action != "proceed":
        raise StoppedError(result)
