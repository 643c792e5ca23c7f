"""HTTP/1.1 with the standard library, for threads and for asyncio. One connection for each request, and no redirects."""

from __future__ import annotations

import asyncio
import http.client
import io
import ssl
import time
from typing import Any
from urllib.parse import urlsplit

from ._steps import Response, Send
from .errors import AssizeError

# Far above any response of the service: lists end at 2 MB.
_MOST_BYTES = 8 * 1024 * 1024


class HttpTransport:
    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and parts.hostname and not parts.query and not parts.fragment
        if not good or parts.username is not None or parts.password is not None:
            raise ValueError("url must be an http or https URL without user name, query and fragment")
        self._url = url
        self._tls = parts.scheme == "https"
        self._host = str(parts.hostname)
        self._port = parts.port or (443 if self._tls else 80)
        self._authority = parts.netloc
        self._context = ssl.create_default_context() if self._tls else None
        path = parts.path.rstrip("/")
        self.root = path[: -len("/v1")] if path.endswith("/v1") else path

    def __reduce__(self) -> tuple[Any, ...]:
        """For worker processes: an SSL context cannot be pickled."""
        return HttpTransport, (self._url,)

    def send(self, request: Send) -> Response:
        deadline = time.monotonic() + request.timeout
        connection: http.client.HTTPConnection
        if self._context is not None:
            connection = http.client.HTTPSConnection(
                self._host, self._port, timeout=request.timeout, context=self._context
            )
        else:
            connection = http.client.HTTPConnection(self._host, self._port, timeout=request.timeout)
        try:
            connection.connect()
            socket = connection.sock
            connection.request(request.method, request.path, body=request.body, headers=request.headers)
            response = connection.getresponse()
            chunks: list[bytes] = []
            size = 0
            while chunk := response.read1(65_536):
                chunks.append(chunk)
                size += len(chunk)
                if size > _MOST_BYTES:
                    raise AssizeError("unexpected_response", "the response is too large", status=response.status)
                left = deadline - time.monotonic()
                if left <= 0:
                    raise TimeoutError
                # The last read may have closed it.
                if socket.fileno() != -1:
                    socket.settimeout(left)
            return Response(response.status, _lower(response.getheaders()), b"".join(chunks))
        except TimeoutError as error:
            raise _late(request) from error
        except (OSError, http.client.HTTPException) as error:
            raise self._unreachable() from error
        finally:
            connection.close()

    async def asend(self, request: Send) -> Response:
        try:
            data = await asyncio.wait_for(self._exchange(request), request.timeout)
            response = http.client.HTTPResponse(_Received(data), method=request.method)  # type: ignore[arg-type]
            response.begin()
            return Response(response.status, _lower(response.getheaders()), response.read())
        except (TimeoutError, asyncio.TimeoutError) as error:
            raise _late(request) from error
        except (OSError, http.client.HTTPException) as error:
            raise self._unreachable() from error

    async def _exchange(self, request: Send) -> bytes:
        reader, writer = await asyncio.open_connection(self._host, self._port, ssl=self._context)
        try:
            headers = {**request.headers, "host": self._authority, "connection": "close"}
            if request.body is not None:
                headers["content-length"] = str(len(request.body))
            head = [f"{request.method} {request.path} HTTP/1.1", *(f"{k}: {v}" for k, v in headers.items())]
            writer.write("\r\n".join([*head, "", ""]).encode("ascii") + (request.body or b""))
            await writer.drain()
            data = bytearray()
            while chunk := await reader.read(65_536):
                data += chunk
                if len(data) > _MOST_BYTES:
                    raise AssizeError("unexpected_response", "the response is too large")
            return bytes(data)
        finally:
            writer.close()

    def _unreachable(self) -> AssizeError:
        return AssizeError("network", f"no response from {self._authority}")


class _Received:
    """What HTTPResponse needs of a socket whose bytes have all arrived."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def makefile(self, *_: Any) -> io.BytesIO:
        return io.BytesIO(self._data)


def _lower(headers: list[tuple[str, str]]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers}


def _late(request: Send) -> AssizeError:
    return AssizeError("timeout", f"no response within {request.timeout:g} s")
