"""The parts of each framework that its adapter uses, as its own reference describes them.

None of the frameworks can be installed where these tests run: an adapter is tested against these descriptions, which name
their source. They do what the source says that the framework does with what an adapter returns, and nothing else.
"""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any


def module(name: str, **members: Any) -> None:
    """Makes the module, and its parents, importable."""
    parts = name.split(".")
    for end in range(1, len(parts) + 1):
        path = ".".join(parts[:end])
        sys.modules.setdefault(path, ModuleType(path))
    for member, value in members.items():
        setattr(sys.modules[name], member, value)


class Record(SimpleNamespace):
    """An object with the fields that it is given."""
