from __future__ import annotations

import asyncio
import pickle
import socket
import threading
import unittest
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

from assize import Assize, AssizeError, AsyncAssize, GateResult, StoppedError

from .service import URL, decide, integration

UNKNOWN = "asz_live_" + "x" * 43


class Evaluates(unittest.TestCase):
    def test_a_block_does_not_raise(self) -> None:
        client = Assize(URL, integration('tool == "drop"', "BLOCK"))
        self.assertEqual(client.evaluate({"tool": "look"})["enforcementAction"], "ALLOW")
        blocked = client.evaluate({"tool": "drop"}, correlationId="c-1")
        self.assertEqual(blocked["enforcementAction"], "BLOCK")
        self.assertEqual(blocked["violations"][0]["ruleId"], "the-rule")
        self.assertEqual(blocked["correlationId"], "c-1")

    def test_sessions_are_created_listed_and_ended(self) -> None:
        client = Assize(f"{URL}/v1/", integration("false", "BLOCK"))
        session = client.create_session(externalSessionId="chat-1", metadata={"größe": "ü"})["id"]
        client.evaluate({"tool": "look", "text": "naïve ☕"}, sessionId=session)
        (only,) = client.session_evaluations(session)
        self.assertEqual((only["tool"], only["phase"]), ("look", "ACTION"))
        self.assertEqual(client.end_session(session)["status"], "COMPLETED")
        with self.assertRaises(AssizeError) as raised:
            client.evaluate({"tool": "look"}, sessionId=session)
        self.assertEqual((raised.exception.code, raised.exception.status), ("conflict", 409))

    def test_asyncio_does_the_same_without_threads(self) -> None:
        async def work() -> None:
            client = AsyncAssize(URL, integration('tool == "drop"', "BLOCK"))
            threads = threading.active_count()
            session = (await client.create_session())["id"]
            done = await asyncio.gather(
                *(client.evaluate({"tool": "drop", "n": n}, sessionId=session) for n in range(20))
            )
            self.assertEqual({one["enforcementAction"] for one in done}, {"BLOCK"})
            self.assertEqual(len(await client.session_evaluations(session)), 20)
            self.assertEqual(await client.list_reviews(session), [])
            self.assertEqual((await client.end_session(session))["status"], "COMPLETED")
            self.assertLessEqual(threading.active_count(), threads)

        asyncio.run(work())

    def test_a_held_action_waits_for_its_reviewer(self) -> None:
        client = Assize(URL, integration('tool == "pay"', "APPROVAL_REQUIRED"))
        first = client.evaluate_and_wait({"tool": "pay"}, wait=0.05, externalSessionId="chat-1")
        self.assertEqual(first["enforcementAction"], "APPROVAL_REQUIRED")
        threading.Timer(0.05, decide, [first["reviewRequestId"], "approve"]).start()
        again = client.evaluate_and_wait({"tool": "pay"}, externalSessionId="chat-1")
        self.assertEqual(again["enforcementAction"], "ALLOW")
        self.assertEqual(client.wait_for_review(str(first["reviewRequestId"]))["status"], "CONSUMED")


class Fails(unittest.TestCase):
    def test_errors_name_their_code_and_field(self) -> None:
        client = Assize(URL, integration("false", "BLOCK"))
        with self.assertRaises(AssizeError) as raised:
            client.evaluate({}, sessionId="not a UUID")
        error = raised.exception
        self.assertEqual((error.code, error.status, error.errors[0]["path"]), ("invalid", 400, "/sessionId"))
        with self.assertRaises(AssizeError) as raised:
            Assize(URL, UNKNOWN).evaluate({})
        self.assertEqual(raised.exception.code, "unauthenticated")
        self.assertNotIn(UNKNOWN, str(raised.exception))

    def test_nobody_there_is_a_network_error(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{free.getsockname()[1]}"
        with self.assertRaises(AssizeError) as raised:
            Assize(url, UNKNOWN, retries=0).evaluate({})
        self.assertEqual((raised.exception.code, raised.exception.status), ("network", None))
        with self.assertRaises(AssizeError) as raised:
            asyncio.run(AsyncAssize(url, UNKNOWN, retries=0).evaluate({}))
        self.assertEqual(raised.exception.code, "network")

    def test_a_server_that_is_silent_or_stops_halfway_is_too_late(self) -> None:
        for said in (b"", b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"):
            with silent_after(said) as url:
                with self.assertRaises(AssizeError) as raised:
                    Assize(url, UNKNOWN, timeout=0.2, retries=0).evaluate({})
                self.assertEqual(raised.exception.code, "timeout")
                with self.assertRaises(AssizeError) as raised:
                    asyncio.run(AsyncAssize(url, UNKNOWN, timeout=0.2, retries=0).evaluate({}))
                self.assertEqual(raised.exception.code, "timeout")

    def test_what_is_no_response_of_the_service_decides_nothing(self) -> None:
        for status, body in [
            (200, b"<html>welcome</html>"),
            (200, b'{"success":true,"data":{"enforcementAction":"MAYBE"}}'),
            (302, b""),
            (404, b"not found"),
        ]:
            for send in (_evaluate, _evaluate_asynchronously):
                with answering((status, body)) as (url, _), self.assertRaises(AssizeError) as raised:
                    send(url)
                self.assertEqual(raised.exception.code, "not_found" if status == 404 else "unexpected_response")

    def test_a_lost_response_is_asked_for_again_with_the_same_key(self) -> None:
        good = b'{"success":true,"data":{"enforcementAction":"ALLOW"}}'
        for send in (_evaluate, _evaluate_asynchronously):
            with answering((503, b""), (429, b""), (200, good)) as (url, keys):
                self.assertEqual(send(url)["enforcementAction"], "ALLOW")
            self.assertEqual((len(keys), len(set(keys))), (3, 1))

    def test_clients_and_errors_reach_other_processes(self) -> None:
        error = AssizeError("invalid", "no", status=400, errors=[{"path": "/input"}], retry_after=2.0)
        sent = pickle.loads(pickle.dumps(error))
        self.assertEqual((str(sent), vars(sent)), ("no", vars(error)))
        stopped = pickle.loads(pickle.dumps(StoppedError(GateResult("refuse", "not now", error=error))))
        self.assertEqual((str(stopped), stopped.result.action), ("not now", "refuse"))
        pickle.loads(pickle.dumps(Assize("https://assize.example", UNKNOWN)))
        client = pickle.loads(pickle.dumps(Assize(URL, integration("false", "BLOCK"))))
        self.assertEqual(client.evaluate({"tool": "pay"})["enforcementAction"], "ALLOW")

    def test_options_that_cannot_work_are_refused_without_quoting_the_key(self) -> None:
        for url in ("127.0.0.1:3000", "ftp://a", "http://me@a", "http://a?b", "http://"):
            with self.assertRaises(ValueError):
                Assize(url, UNKNOWN)
        for key in ("", "a b", "ü\r\nx: y"):
            with self.assertRaises(ValueError) as raised:
                Assize(URL, key)
            self.assertNotIn("ü", str(raised.exception))
        with self.assertRaises(ValueError):
            Assize(URL, UNKNOWN, timeout=0)


def _evaluate(url: str) -> Any:
    return Assize(url, UNKNOWN, retry_delay=0).evaluate({})


def _evaluate_asynchronously(url: str) -> Any:
    return asyncio.run(AsyncAssize(url, UNKNOWN, retry_delay=0).evaluate({}))


@contextmanager
def silent_after(said: bytes) -> Iterator[str]:
    """A server that says so much and then nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        held: list[socket.socket] = []

        def accept() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                held.append(connection)
                connection.sendall(said)

        thread = threading.Thread(target=accept)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)
        thread.join()
        for connection in held:
            connection.close()


@contextmanager
def answering(*answers: tuple[int, bytes]) -> Iterator[tuple[str, list[str]]]:
    """A server that answers so, one request after the other; and the idempotency keys that it was sent."""
    left, keys = list(answers), list[str]()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            keys.append(str(self.headers["idempotency-key"]))
            status, body = left.pop(0)
            self.send_response(status)
            self.send_header("location", "http://127.0.0.1:1/")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", keys
    finally:
        server.shutdown()
        server.server_close()
