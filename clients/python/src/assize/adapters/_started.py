"""Actions that were let through and whose results are still to come, for frameworks with one callback before and one after."""

from __future__ import annotations

from collections import OrderedDict

_MOST = 10_000


class Started:
    """Bounded: of an action whose end is never reported, the id is dropped after 10,000 others."""

    def __init__(self) -> None:
        self._runs: OrderedDict[str, str] = OrderedDict()

    def put(self, call: str, run: str) -> None:
        self._runs[call] = run
        while len(self._runs) > _MOST:
            self._runs.popitem(last=False)

    def take(self, call: str) -> str | None:
        return self._runs.pop(call, None)
