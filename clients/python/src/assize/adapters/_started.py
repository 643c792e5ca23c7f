"""What the callback before a call leaves for the one after it: the evaluation that let it through, or why it was stopped."""

from __future__ import annotations

from collections import OrderedDict

_MOST = 10_000


class Started:
    """Bounded: what is left for a call whose end is never reported is dropped after 10,000 others."""

    def __init__(self) -> None:
        self._left: OrderedDict[str, str] = OrderedDict()

    def put(self, call: str, left: str) -> None:
        self._left[call] = left
        while len(self._left) > _MOST:
            self._left.popitem(last=False)

    def take(self, call: str) -> str | None:
        return self._left.pop(call, None)
