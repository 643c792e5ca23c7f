"""What policies see of a value, and the name of a value by its content."""

from __future__ import annotations

import dataclasses
import datetime
import hashlib
import json
from typing import Any


def readable(value: Any) -> Any:
    """The value as JSON. Of bytes, a policy sees how many there are and their digest. Raises ValueError for a value that contains itself."""
    return json.loads(json.dumps(value, default=_plain, allow_nan=False))


def digest(value: Any) -> str:
    """SHA-256 of the JSON with sorted keys, in letters: detectors would take runs of digits for numbers of people."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return _digest_of_bytes(text.encode("utf-8", "surrogatepass"))


def _digest_of_bytes(value: bytes | bytearray | memoryview) -> str:
    hexadecimal = hashlib.sha256(value).hexdigest()
    return "".join(chr(ord("a") + int(nibble, 16)) for nibble in hexadecimal)


def _plain(value: Any) -> Any:
    if isinstance(value, (bytes, bytearray, memoryview)):
        # An approval is for what the policy saw: it must not pass for other bytes.
        return {"byteLength": len(value), "digest": _digest_of_bytes(value)}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    dump = getattr(value, "model_dump", None)
    if callable(dump) and not isinstance(value, type):
        return dump(mode="json")
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=repr)
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    return str(value)
