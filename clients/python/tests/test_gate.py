from __future__ import annotations

import asyncio
import dataclasses
import datetime
import threading
import unittest
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from assize import FOREVER, Assize, AsyncAssize, AsyncGate, Gate, StoppedError
from assize._content import readable

from .service import EVERY, URL, decide, integration, operate, reviews


def gated(when: str, effect: str, on: tuple[str, ...] = ("ACTION",), **options: Any) -> tuple[Gate, str]:
    key = integration(when, effect, on)
    return Gate(Assize(URL, key), **options), key


class Decides(unittest.TestCase):
    def test_an_action_proceeds_or_is_refused_with_its_reason(self) -> None:
        gate, _ = gated('tool == "pay" && input.arguments.amount > 10', "BLOCK")
        allowed = gate(tool="pay", input={"amount": 7})
        self.assertEqual((allowed.action, allowed.message), ("proceed", ""))
        refused = gate(tool="pay", input={"amount": 11})
        self.assertEqual(refused.action, "refuse")
        self.assertRegex(refused.message, r"^blocked by policy: .")
        assert allowed.evaluation and refused.evaluation
        self.assertEqual(allowed.evaluation["sessionId"], refused.evaluation["sessionId"])

    def test_a_warning_proceeds_and_is_told(self) -> None:
        told: list[Any] = []
        gate, _ = gated('tool == "pay"', "WARN", on_warn=lambda _, content: told.append(content))
        result = gate(tool="pay", input={})
        self.assertEqual(result.action, "proceed")
        self.assertRegex(result.message, r"^warning of a policy: .")
        self.assertEqual(told, [{"tool": "pay", "arguments": {}}])

    def test_an_approval_is_found_by_another_process_and_used_once(self) -> None:
        gate, key = gated('tool == "pay"', "APPROVAL_REQUIRED")
        pay: dict[str, Any] = {"tool": "pay", "input": {"to": "Ada"}, "external_session_id": "chat-1"}
        held = gate(**pay)
        self.assertEqual(held.action, "hold")
        self.assertIn(str(held.review_request_id), held.message)
        self.assertEqual(gate(**pay).review_request_id, held.review_request_id)
        decide(held.review_request_id, "approve")
        elsewhere = Gate(Assize(URL, key))
        self.assertEqual(elsewhere(**{**pay, "input": {"to": "Bob"}}).action, "hold")
        self.assertEqual([elsewhere(**pay).action for _ in range(2)], ["proceed", "hold"])

    def test_identical_actions_held_at_once_open_one_review_in_one_session(self) -> None:
        gate, key = gated('tool == "pay"', "APPROVAL_REQUIRED")
        with ThreadPoolExecutor(8) as pool:
            held = list(pool.map(lambda _: gate(tool="pay", input={}), range(8)))
        self.assertEqual(len({one.review_request_id for one in held}), 1)
        self.assertEqual(len(reviews(key)), 1)

    def test_a_rejection_holds_and_says_what_the_reviewer_says(self) -> None:
        gate, key = gated('tool == "pay"', "APPROVAL_REQUIRED")
        pay: dict[str, Any] = {"tool": "pay", "input": {}, "external_session_id": "chat-1"}
        decide(gate(**pay).review_request_id, "reject", "ask finance first")
        for one in (gate, gate, Gate(Assize(URL, key))):
            result = one(**pay)
            self.assertEqual(result.action, "refuse")
            self.assertRegex(result.message, r"^rejected by a reviewer, who says: ask finance first")
        self.assertEqual(len(reviews(key)), 1)

    def test_it_waits_for_the_reviewer_as_long_as_it_was_told_to(self) -> None:
        gate, _ = gated('tool == "pay"', "APPROVAL_REQUIRED", wait=FOREVER)
        held = gate(tool="pay", input={}, wait=0.05)
        self.assertEqual(held.action, "hold")
        threading.Timer(0.05, decide, [held.review_request_id, "approve"]).start()
        self.assertEqual(gate(tool="pay", input={}).action, "proceed")

    def test_prompts_are_refused_results_replaced_and_what_passed_is_not_asked_again(self) -> None:
        gate, key = gated('"EMAIL_ADDRESS" in dataTags', "BLOCK", EVERY)

        def prompt(text: str, by: Gate = gate) -> Any:
            return by(phase="PROMPT", input=text, message=text, external_session_id="chat-1")

        self.assertEqual(prompt("to ada@example.com").action, "refuse")
        self.assertIsNotNone(prompt("hello").evaluation)
        for by in (gate, Gate(Assize(URL, key))):
            again = prompt("hello", by)
            self.assertEqual((again.action, again.evaluation), ("proceed", None))
        started = gate(tool="look", input={}, external_session_id="chat-1")
        assert started.evaluation
        shown = gate(phase="RESULT", result_of=started.evaluation["evaluationRunId"], input="it is ada@example.com")
        self.assertEqual(shown.action, "replace")
        self.assertNotIn("ada@", shown.message)

    def test_a_name_that_another_session_has_since_is_another_conversation(self) -> None:
        gate, key = gated("false", "BLOCK")

        def prompt(text: str) -> Any:
            return gate(phase="PROMPT", input=text, message=text, external_session_id="chat-1").evaluation

        first = prompt("hello")["sessionId"]
        self.assertIsNone(prompt("hello"))
        Assize(URL, key).end_session(first)
        second = prompt("and now?")["sessionId"]
        self.assertNotEqual(first, second)
        self.assertEqual(prompt("hello")["sessionId"], second)

    def test_it_refuses_when_there_is_no_decision_or_it_was_asked_wrongly(self) -> None:
        stranger = Gate(Assize(URL, "asz_live_" + "x" * 43))
        result = stranger(tool="pay", input={})
        self.assertEqual((result.action, getattr(result.error, "code", None)), ("refuse", "unauthenticated"))
        self.assertRegex(result.message, r"^not done, because no decision could be made: .")
        gate, _ = gated("false", "BLOCK")
        itself: dict[str, Any] = {}
        itself["itself"] = itself
        requests: list[dict[str, Any]] = [
            {"tool": "pay", "input": itself},
            {"tool": "pay", "input": float("nan")},
            {"tool": "pay", "input": "x" * 2_000_000},
            {"input": {}},
            {"phase": "RESULT", "input": {}},
            {"tool": "pay", "unknown": 1},
        ]
        for request in requests:
            refused = gate(**request)
            self.assertEqual((refused.action, refused.evaluation), ("refuse", None))
            self.assertIsNotNone(refused.error)

    def test_policies_see_values_as_json(self) -> None:
        @dataclasses.dataclass
        class Payment:
            to: str
            at: datetime.date

        gate, _ = gated("false", "BLOCK")
        content = {"p": Payment("Ada", datetime.date(2030, 1, 2)), "b": b"12345", "s": {"x"}}
        result = gate(tool="pay", input=content)
        assert result.evaluation
        seen = operate("GET", f"/v1/evaluations/{result.evaluation['evaluationRunId']}")["input"]
        digest = seen["arguments"]["b"].pop("digest")
        expected = {"p": {"to": "Ada", "at": "2030-01-02"}, "b": {"byteLength": 5}, "s": ["x"]}
        self.assertEqual(seen, {"tool": "pay", "arguments": expected})
        self.assertRegex(digest, "^[a-p]{64}$")
        self.assertNotEqual(digest, readable(b"54321")["digest"])


class Runs(unittest.TestCase):
    when = 'phase == "ACTION" ? tool == "drop" : string(input.result).contains("secret")'

    def test_a_decorated_function_runs_only_when_it_may(self) -> None:
        gate, key = gated(self.when, "BLOCK", ("ACTION", "RESULT"))
        done: list[str] = []

        @gate.tool
        def look(what: str, times: int = 1) -> str:
            done.append(what)
            if what == "broken":
                raise FileNotFoundError("no such file")
            return f"the {what}" * times

        @gate.tool
        def drop() -> None:
            done.append("dropped")

        self.assertEqual(look("moon"), "the moon")
        with self.assertRaisesRegex(StoppedError, "^blocked by policy"):
            look(what="secret")
        with self.assertRaises(StoppedError):
            drop()
        with self.assertRaises(FileNotFoundError):
            look("broken")
        self.assertEqual(done, ["moon", "secret", "broken"])
        client = Assize(URL, key)
        found = client.run(client.calls.call("GET", "/v1/evaluation-sessions"))
        listed = [(one["phase"], one["tool"]) for one in client.session_evaluations(found[0]["id"])]
        looked = [("ACTION", "look"), ("RESULT", "look")]
        self.assertEqual(listed[::-1], [*looked, *looked, ("ACTION", "drop"), *looked])
        with self.assertRaises(TypeError):
            look()  # type: ignore[call-arg]

    def test_policies_see_every_argument_but_the_object_of_a_method(self) -> None:
        gate, _ = gated('has(input.arguments.cls) && input.arguments.cls == "secret"', "BLOCK")

        @gate.tool
        def enroll(name: str, cls: str) -> str:
            return f"{name} in {cls}"

        class School:
            @gate.tool
            def enroll(self, cls: str) -> str:
                return cls

        self.assertEqual(enroll("Ada", cls="art"), "Ada in art")
        self.assertEqual(School().enroll("art"), "art")
        for refused in (lambda: enroll("Ada", cls="secret"), lambda: School().enroll("secret")):
            with self.assertRaises(StoppedError):
                refused()

    def test_a_result_that_is_computed_later_is_never_shown(self) -> None:
        gate, _ = gated("false", "BLOCK")

        async def later() -> str:
            return "secret"

        def in_parts() -> Any:
            yield "secret"

        for function, reason in ((later, "use AsyncGate"), (in_parts, "return the whole result")):
            with self.assertRaisesRegex(TypeError, reason):
                gate.tool(function)()

    def test_an_action_has_its_estimate_and_its_result_what_it_came_to_cost(self) -> None:
        gate, key = gated("has(cost.usd) && cost.usd > 5", "BLOCK")
        value = gate.run(lambda: 3, tool="ask", input={}, cost={"usd": 5}, cost_of=lambda usd: {"usd": usd})
        self.assertEqual(value, 3)
        self.assertEqual(gate(tool="ask", input={}, cost={"usd": 6}).action, "refuse")
        client = Assize(URL, key)
        found = client.run(client.calls.call("GET", "/v1/evaluation-sessions"))
        evaluations = client.run(client.calls.call("GET", f"/v1/evaluation-sessions/{found[0]['id']}/evaluations"))
        self.assertEqual([one["cost"] for one in evaluations], [{"usd": 6}, {"usd": 3}, {"usd": 5}])

    def test_a_sub_agent_opens_its_session_under_the_one_that_delegates(self) -> None:
        key = integration('tool == "pay"', "APPROVAL_REQUIRED")
        client = Assize(URL, key)
        entity = "00000000-0000-4000-8000-0000000000aa"
        parent = client.create_session(entityId=entity)["id"]
        of: dict[str, Any] = {"entity_id": entity, "parent_session_id": parent}
        for gate, more in ((Gate(client, **of), {}), (Gate(client), {**of, "external_session_id": "sub"})):
            looked = gate(tool="look", input={}, **more).evaluation
            again = gate(tool="pay", input={}, wait=0.01, **more)
            assert looked and again.evaluation
            self.assertEqual((again.action, again.evaluation["sessionId"]), ("hold", looked["sessionId"]))
            session = client.run(client.calls.call("GET", f"/v1/evaluation-sessions/{looked['sessionId']}"))
            self.assertEqual((session["entityId"], session["parentSessionId"]), (entity, parent))

    def test_a_gate_opens_a_session_that_continues_an_ended_one(self) -> None:
        key = integration('"PII" in session.dataTags', "BLOCK")
        client = Assize(URL, key)
        previous = client.create_session()["id"]
        client.evaluate(sessionId=previous, phase="PROMPT", input={"prompt": "ann@example.com"})
        client.end_session(previous)
        of: dict[str, Any] = {"previous_session_id": previous}
        for gate, more in ((Gate(client, **of), {}), (Gate(client), {**of, "external_session_id": "talk"})):
            looked = gate(tool="look", input={}, **more)
            assert looked.evaluation
            self.assertEqual(looked.action, "refuse")
            path = f"/v1/evaluation-sessions/{looked.evaluation['sessionId']}"
            session = client.run(client.calls.call("GET", path))
            self.assertEqual(session["previousSessionId"], previous)

    def test_a_decorated_coroutine_does_the_same(self) -> None:
        async def work() -> None:
            gate = AsyncGate(AsyncAssize(URL, integration(self.when, "BLOCK", ("ACTION", "RESULT"))))
            done: list[str] = []

            @gate.tool
            async def look(what: str) -> str:
                done.append(what)
                if what == "broken":
                    raise FileNotFoundError("a secret file")
                return f"the {what}"

            @gate.tool
            async def drop() -> None:
                done.append("dropped")

            self.assertEqual(await asyncio.gather(look("moon"), look("sun")), ["the moon", "the sun"])
            for stopped in (look("secret"), drop(), look("broken")):
                with self.assertRaises(StoppedError):
                    await stopped
            self.assertEqual(sorted(done), ["broken", "moon", "secret", "sun"])

        asyncio.run(work())

    def test_a_decorated_function_is_awaited_and_runs_only_if_it_may(self) -> None:
        async def work() -> None:
            gate = AsyncGate(AsyncAssize(URL, integration(self.when, "BLOCK", ("ACTION", "RESULT"))))
            done: list[str] = []

            @gate.tool
            def look(what: str) -> str:
                done.append(what)
                if what == "broken":
                    raise FileNotFoundError("a secret file")
                return f"the {what}"

            @gate.tool
            def drop() -> None:
                done.append("dropped")

            @gate.tool
            def parts() -> Iterator[str]:
                yield "a part"

            self.assertEqual(await look("moon"), "the moon")
            for stopped in (look("secret"), drop(), look("broken")):
                with self.assertRaises(StoppedError):
                    await stopped
            with self.assertRaisesRegex(TypeError, "return the whole result"):
                await parts()
            self.assertEqual(done, ["moon", "secret", "broken"])

        asyncio.run(work())

    def test_what_was_cancelled_while_held_runs_only_when_it_is_asked_for_again(self) -> None:
        async def work() -> None:
            key = integration('tool == "pay"', "APPROVAL_REQUIRED")
            gate = AsyncGate(AsyncAssize(URL, key), wait=FOREVER)
            ran: list[str] = []

            @gate.tool
            async def pay(note: str = "") -> None:
                ran.append("paid")

            task = asyncio.ensure_future(pay())
            while not await AsyncAssize(URL, key).list_reviews():
                pass
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            decide(reviews(key)[0]["id"], "approve")
            self.assertEqual(ran, [])
            await pay()
            self.assertEqual((ran, len(reviews(key))), (["paid"], 1))

        asyncio.run(work())
