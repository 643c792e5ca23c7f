"""The real service that `npm run test:python` has started, and its operator."""

from __future__ import annotations

import os
from typing import Any

from assize import Assize

URL = os.environ["ASSIZE_URL"]
_operator = Assize(URL, os.environ["ASSIZE_ADMIN_KEY"])
EVERY = ("ACTION", "RESULT", "PROMPT")


def operate(method: str, path: str, body: Any = None) -> Any:
    return _operator.run(_operator.calls.call(method, path, body=body))


def integration(when: str, effect: str, on: tuple[str, ...] = ("ACTION",)) -> str:
    """The key of a new integration with one policy of one rule."""
    created = operate("POST", "/v1/integrations", {"name": "python", "kind": "REST_API"})
    rule = {"id": "the-rule", "on": list(on), "when": when, "effect": effect, "severity": "HIGH"}
    document = {"schemaVersion": 1, "name": "one-rule", "onError": "BLOCK", "rules": [rule]}
    policy = operate("POST", "/v1/policies?activate=true", document)
    operate("PUT", f"/v1/integrations/{created['id']}/policies/{policy['id']}", {})
    return str(created["apiKey"])


def decide(review: str | None, verb: str, comment: str | None = None) -> None:
    operate("POST", f"/v1/reviews/{review}/{verb}", {} if comment is None else {"comment": comment})


def reviews(key: str) -> list[Any]:
    return list(Assize(URL, key).list_reviews())
