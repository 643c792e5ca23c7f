"""Work that needs the network, written once for threads and for asyncio: a generator that yields what it needs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Send:
    """A request. The step gets a Response, or AssizeError with the code `network` or `timeout`."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes | None
    timeout: float


@dataclass(frozen=True)
class Response:
    status: int
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True)
class Sleep:
    seconds: float


Steps = Generator["Send | Sleep", Any, T]


class Transport(Protocol):
    def send(self, request: Send) -> Response: ...

    async def asend(self, request: Send) -> Response: ...


def run(steps: Steps[T], transport: Transport) -> T:
    """Runs the steps in this thread."""
    try:
        need = next(steps)
        while True:
            try:
                if isinstance(need, Send):
                    result = transport.send(need)
                else:
                    result = None
                    time.sleep(need.seconds)
            except Exception as error:
                need = steps.throw(error)
            else:
                need = steps.send(result)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]


async def arun(steps: Steps[T], transport: Transport) -> T:
    """Runs the steps in this task. Cancelling it stops at the step that is running."""
    try:
        need = next(steps)
        while True:
            try:
                if isinstance(need, Send):
                    result = await transport.asend(need)
                else:
                    result = None
                    await asyncio.sleep(need.seconds)
            except Exception as error:
                need = steps.throw(error)
            else:
                need = steps.send(result)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]
