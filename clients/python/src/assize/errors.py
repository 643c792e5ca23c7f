"""Errors of the client and of the gate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._results import GateResult


class AssizeError(Exception):
    """A failed call.

    `code` is a code of the service (`invalid`, `unauthenticated`, `not_found`, `conflict`, …), or `network`, `timeout` or
    `unexpected_response`: no response, none in time, or one that is not from this service. `status` is None when there was no
    response.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int | None = None,
        errors: list[dict[str, Any]] | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.errors = errors or []
        self.retry_after = retry_after

    def __reduce__(self) -> tuple[Any, ...]:
        """Worker processes send their errors on: by default, only the text would be passed to `__init__`."""
        return AssizeError, (self.code, self.message), self.__dict__


class StoppedError(Exception):
    """An action that may not be done, or a result that may not be shown. Its text is for the model that reads it."""

    def __init__(self, result: GateResult) -> None:
        super().__init__(result.message)
        self.result = result

    def __reduce__(self) -> tuple[Any, ...]:
        return StoppedError, (self.result,)
