"""Every adapter, between the interface that its framework documents (tests/documented) and the real service."""

from __future__ import annotations

import asyncio
import unittest
from collections.abc import Coroutine
from typing import Any

from assize import Assize, AsyncAssize, AsyncGate, Gate, StoppedError
from assize.adapters import agent_framework, crewai, google_adk, langchain, langgraph, litellm, openai_agents, pydantic_ai

from .documented import Record
from .documented import frameworks as documented
from .service import EVERY, URL, decide, integration, reviews

# "pay" above 10 is refused, "drop" is held, and no result may say where Ada lives.
WHEN = (
    'phase == "RESULT" ? string(input.result).contains("Ada lives") : phase == "PROMPT" ? '
    '(input.texts.exists(t, t.contains("Ada lives")) '
    '|| input.?messages.orValue([]).exists(m, m.function_call.arguments.contains("Ada lives")) '
    '|| input.?tools.orValue([]).exists(t, t.function.description.contains("Ada lives"))) : (tool == "pay" && input.arguments.amount > 10) || '
    '(tool == "model.output" && input.texts.exists(t, t.contains("Ada lives")))'
)
BLOCKED = "^blocked by policy: ."


class Case(unittest.TestCase):
    def setUp(self) -> None:
        self.key = integration(WHEN, "BLOCK", EVERY)
        self.gate = Gate(Assize(URL, self.key))
        self.async_gate = AsyncGate(AsyncAssize(URL, self.key))
        self.done: list[Any] = []

    def pay(self, amount: int) -> str:
        self.done.append(amount)
        if amount == 0:
            raise ValueError("Ada lives at no amount")
        return "Ada lives here" if amount == 1 else f"paid {amount}"

    async def apay(self, amount: int) -> str:
        return self.pay(amount)

    def sessions(self) -> list[str]:
        client = Assize(URL, self.key)
        return [one["externalSessionId"] for one in client.run(client.calls.call("GET", "/v1/evaluation-sessions"))]


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(work)


class OpenAIAgents(Case):
    def test_a_stopped_call_is_rejected_with_the_reason(self) -> None:
        async def on_invoke_tool(_: Any, arguments: str) -> str:
            return self.pay(int("".join(filter(str.isdigit, arguments))))

        tool = Record(
            name="pay", on_invoke_tool=on_invoke_tool, tool_input_guardrails=None, tool_output_guardrails=None
        )
        openai_agents.protect(self.async_gate, tool)

        async def work() -> list[str]:
            asked = ['{"amount": 7}', '{"amount": 11}', '{"amount": 1}', "amount 5"]
            return [await documented.openai_invoke(tool, f"c-{n}", text) for n, text in enumerate(asked)]

        paid, refused, withheld, unreadable = run(work())
        self.assertEqual(paid, "paid 7")
        self.assertRegex(refused, BLOCKED)
        self.assertRegex(withheld, BLOCKED)
        # A rule that cannot read the arguments fails, and its policy blocks.
        self.assertRegex(unreadable, BLOCKED)
        self.assertEqual(self.done, [7, 1])

    def test_conversations_at_once_keep_their_sessions_and_calls_apart(self) -> None:
        async def work() -> list[str]:
            running: list[Any] = []
            both_run = asyncio.Event()

            async def on_invoke_tool(context: Any, _: str) -> str:
                running.append(context)
                if len(running) == 2:
                    both_run.set()
                await both_run.wait()
                return f"paid by {context.context}"

            tool = Record(name="pay", on_invoke_tool=on_invoke_tool, tool_input_guardrails=None, tool_output_guardrails=None)
            openai_agents.protect(self.async_gate, tool, session=lambda call: call.context)
            # Models of some providers give the first call of every conversation the same id.
            calls = [documented.openai_invoke(tool, "call_1", '{"amount": 7}', name) for name in ("chat-1", "chat-2")]
            return await asyncio.gather(*calls)

        self.assertEqual(run(work()), ["paid by chat-1", "paid by chat-2"])
        self.assertEqual(sorted(self.sessions()), ["chat-1", "chat-2"])


class LangChain(Case):
    def test_the_model_gets_a_tool_message_with_the_reason(self) -> None:
        middleware = langchain.middleware(self.gate, self.async_gate)

        def call(amount: int, thread: str | None = "t-1") -> Any:
            request = documented.tool_call_request("pay", {"amount": amount}, thread)

            def handler(asked: Any) -> Any:
                content = self.pay(asked.tool_call["args"]["amount"])
                return documented.ToolMessage(content, asked.tool_call["id"])

            async def ahandler(asked: Any) -> Any:
                return handler(asked)

            both = [middleware.wrap_tool_call(request, handler), run(middleware.awrap_tool_call(request, ahandler))]
            self.assertEqual(both[0].content, both[1].content)
            return both[0]

        self.assertEqual(call(7).content, "paid 7")
        for amount in (11, 1):
            stopped = call(amount)
            self.assertRegex(stopped.content, BLOCKED)
            self.assertEqual((stopped.status, stopped.tool_call_id), ("error", "call-1"))
        with self.assertRaises(StoppedError):
            call(0)
        self.assertEqual(self.sessions(), ["t-1"])
        self.assertIs(langgraph.wrapper, langchain.wrapper)

    def test_a_run_without_its_gate_fails(self) -> None:
        request = documented.tool_call_request("pay", {"amount": 7}, None)
        with self.assertRaises(RuntimeError):
            langchain.middleware(async_gate=self.async_gate).wrap_tool_call(request, self.fail)
        with self.assertRaises(RuntimeError):
            run(langchain.middleware(self.gate).awrap_tool_call(request, self.fail))

    def test_a_command_is_evaluated_by_its_update(self) -> None:
        request = documented.tool_call_request("pay", {"amount": 7}, "t-1")
        command = Record(update={"messages": ["Ada lives here"]})
        text = {"messages": "Ada lives here"}
        self.assertRegex(langchain.wrapper(self.gate)(request, lambda _: Record(update=text)).content, BLOCKED)
        self.assertRegex(langchain.wrapper(self.gate)(request, lambda _: command).content, BLOCKED)


class CrewAI(Case):
    def setUp(self) -> None:
        super().setUp()
        self.stopped: list[str] = []
        documented.crewai_before.clear()
        documented.crewai_after.clear()

    def test_a_stopped_tool_does_not_run(self) -> None:
        crewai.register(self.gate, session=lambda _: "crew-1", on_stop=lambda result: self.stopped.append(result.message))
        call = documented.crewai_execute
        self.assertEqual(call("pay", {"amount": 7}, self.pay), "paid 7")
        self.assertRegex(call("pay", {"amount": 11}, self.pay), "blocked by hook")
        self.assertRegex(call("pay", {"amount": 11}, self.pay, fires_after=True), BLOCKED)
        self.assertRegex(call("pay", {"amount": 1}, self.pay), BLOCKED)
        self.assertEqual((self.done, len(self.stopped), self.sessions()), ([7, 1], 2, ["crew-1"]))

    def test_a_hook_never_raises_because_the_tool_would_run(self) -> None:
        def broken(_: Any) -> Any:
            raise LookupError

        crewai.register(self.gate, session=broken)
        self.assertRegex(documented.crewai_execute("pay", {"amount": 7}, self.pay), "blocked by hook")
        documented.crewai_before.clear()
        documented.crewai_after.clear()
        crewai.register(self.gate, on_stop=broken)
        self.assertRegex(documented.crewai_execute("pay", {"amount": 11}, self.pay), "blocked by hook")
        self.assertEqual(self.done, [])


class PydanticAI(Case):
    def test_a_stopped_call_returns_the_reason(self) -> None:
        capability = pydantic_ai.capability(self.async_gate, lambda ctx: str(ctx.run_id))

        async def call(amount: int) -> Any:
            return await capability.wrap_tool_execute(
                Record(run_id="run-1"),
                call=Record(tool_name="pay", tool_call_id="c-1"),
                tool_def=None,
                args={"amount": amount},
                handler=lambda args: self.apay(**args),
            )

        self.assertEqual(run(call(7)), "paid 7")
        for amount in (11, 1, 0):
            self.assertRegex(run(call(amount)), BLOCKED)
        self.assertEqual((self.done, self.sessions()), ([7, 1, 0], ["run-1"]))


class GoogleADK(Case):
    def test_a_dict_with_the_reason_stands_for_the_result(self) -> None:
        plugin = google_adk.plugin(self.async_gate)

        async def call(amount: int) -> Any:
            async def work(args: dict[str, Any]) -> Any:
                return self.pay(**args)

            return await documented.adk_call(plugin, Record(name="pay", run=work), {"amount": amount}, "s-1")

        self.assertEqual(run(call(7)), "paid 7")
        for amount in (11, 1, 0):
            self.assertRegex(run(call(amount))["error"], BLOCKED)
        self.assertEqual((self.done, self.sessions()), ([7, 1, 0], ["s-1"]))


class AgentFramework(Case):
    def test_the_reason_is_the_result_in_both_forms_of_the_interface(self) -> None:
        middleware = agent_framework.middleware(self.async_gate)

        async def pay(amount: int) -> str:
            return self.pay(amount)

        for passes_context in (False, True):
            self.done.clear()

            def call(amount: int, form: bool = passes_context) -> Any:
                arguments = {"amount": amount}
                return run(documented.agent_framework_call(middleware, pay, arguments, passes_context=form))

            self.assertEqual(call(7), "paid 7")
            for amount in (11, 1, 0):
                self.assertRegex(call(amount), BLOCKED)
            self.assertEqual(self.done, [7, 1, 0])


class LiteLLM(Case):
    def test_what_is_stopped_raises_in_requests_and_in_responses(self) -> None:
        guardrail = litellm.guardrail(self.async_gate)()

        def apply(text: str, input_type: str) -> Any:
            data = {"model": "m", "metadata": {"session_id": "chat-1"}}
            return run(guardrail.apply_guardrail({"texts": [text]}, data, input_type))

        for input_type in ("request", "response"):
            self.assertEqual(apply("hello", input_type), {"texts": ["hello"]})
            with self.assertRaisesRegex(StoppedError, BLOCKED):
                apply("Ada lives here", input_type)
        self.assertEqual(self.sessions(), ["chat-1"])
        self.assertEqual(run(guardrail.apply_guardrail({}, {}, "request")), {})
        call = {"role": "assistant", "function_call": {"name": "find", "arguments": '{"who":"Ada lives"}'}}
        tool = {"type": "function", "function": {"name": "find", "description": "Ada lives in it"}}
        for hidden in ({"structured_messages": [call]}, {"tools": [tool]}):
            with self.assertRaisesRegex(StoppedError, BLOCKED):
                run(guardrail.apply_guardrail({"texts": ["hello"], **hidden}, {}, "request"))

    def test_each_tool_that_a_model_calls_is_an_action(self) -> None:
        guardrail = litellm.guardrail(self.async_gate)()

        def said(*calls: Any) -> Any:
            return run(guardrail.apply_guardrail({"texts": [], "tool_calls": list(calls)}, {}, "response"))

        def pay(arguments: str) -> Any:
            return {"id": "c", "type": "function", "function": {"name": "pay", "arguments": arguments}}

        said(pay('{"amount": 7}'), pay('{"amount": 10}'))
        for stopped in (pay('{"amount": 11}'), pay('{"amount": 1, "amount": 1}'), pay('{"amount":')):
            with self.assertRaisesRegex(StoppedError, BLOCKED):
                said(pay('{"amount": 7}'), stopped)
        for other in ({"custom": {"name": "pay", "input": "11"}}, {"name": "pay", "arguments": '{"amount": 11}'}):
            with self.assertRaisesRegex(StoppedError, BLOCKED):
                said(other)
        with self.assertRaisesRegex(ValueError, "must name its tool"):
            said({"function": {}})


class Holds(unittest.TestCase):
    def test_what_the_reviewer_says_reaches_the_model(self) -> None:
        key = integration('tool == "drop"', "APPROVAL_REQUIRED")
        wrap = langchain.wrapper(Gate(Assize(URL, key)))
        request = documented.tool_call_request("drop", {}, "t-1")

        def call() -> str:
            return str(wrap(request, lambda _: documented.ToolMessage("dropped", "call-1")).content)

        self.assertRegex(call(), "waiting for approval")
        decide(reviews(key)[0]["id"], "reject", "never on Fridays")
        self.assertRegex(call(), "^rejected by a reviewer, who says: never on Fridays")
