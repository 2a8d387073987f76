"""Sends requests, with retries."""

from __future__ import annotations

import builtins
import http.client
import json
import random
import time
import urllib.error
import urllib.request
import uuid
from typing import Any, Callable, TypeVar
from urllib.parse import urlencode

from .errors import ApiError, ConnectionError, CountersignError, TimeoutError, error_of

T = TypeVar("T")

# 500 and 502 are the API's. 503 and 504 come from a gateway in between.
_RETRIED_STATUSES = (429, 500, 502, 503, 504)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The key must not follow a redirect to another host."""

    def redirect_request(self, *_: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirect)


class Transport:
    def __init__(
        self, base_url: str, api_key: str, timeout: float, retries_max: int, retry_base: float, retry_delay_max: float
    ) -> None:
        self._base_url = base_url
        self._api_key = api_key
        self.timeout = timeout
        self._retries_max = retries_max
        self._retry_base = retry_base
        self._retry_delay_max = retry_delay_max

    def get(self, path: str, query: dict[str, Any] | None = None, timeout: float | None = None) -> Any:
        chosen = {name: value for name, value in (query or {}).items() if value is not None}
        suffix = f"?{urlencode(chosen)}" if chosen else ""
        return self._json("GET", path + suffix, {}, None, timeout)

    def post(
        self, path: str, body: Any = None, idempotency_key: str | None = None, timeout: float | None = None
    ) -> Any:
        """Sends a write. All its attempts have one idempotency key, so a repetition never writes twice."""
        if idempotency_key == "":
            # The server takes an empty key for none, and would then write twice.
            raise ValueError("idempotency_key is empty. Leave it out, or give 1 to 255 characters.")
        headers = {"Idempotency-Key": str(uuid.uuid4()) if idempotency_key is None else idempotency_key}
        data = b"" if body is None else json.dumps(body).encode()
        return self._json("POST", path, headers, data, timeout)

    def bytes_at(self, url: str, timeout: float | None = None) -> bytes:
        """Gets what an address leads to. The key is not sent."""
        return self._repeatedly(lambda: _exchange(urllib.request.Request(url), timeout or self.timeout))

    def _json(self, method: str, path: str, headers: dict[str, str], data: bytes | None, timeout: float | None) -> Any:
        all_headers = {"Accept": "application/json", "Authorization": f"Bearer {self._api_key}", **headers}
        if data is not None:
            all_headers["Content-Type"] = "application/json"
        request = urllib.request.Request(self._base_url + path, data=data, headers=all_headers, method=method)
        body = _parsed(self._repeatedly(lambda: _exchange(request, timeout or self.timeout)))
        if body is None:
            raise CountersignError("The answer is not JSON. Check base_url.")
        return body

    def _repeatedly(self, attempt: Callable[[], T]) -> T:
        number = 1
        while True:
            try:
                return attempt()
            except CountersignError as error:
                delay = None if number > self._retries_max else self._retry_delay(error, number)
                if delay is None:
                    raise
            time.sleep(delay)
            number += 1

    def _retry_delay(self, error: CountersignError, number: int) -> float | None:
        """Seconds to wait before the next attempt. None when the error is final."""
        backoff = min(self._retry_base * 2 ** (number - 1), self._retry_delay_max)
        # From half of it to all of it, so that clients that failed together don't return together.
        jittered = backoff * random.uniform(0.5, 1)
        if isinstance(error, ConnectionError):
            return jittered
        if not isinstance(error, ApiError):
            return None
        # After idempotency_in_progress, the answer of the first request is replayed soon.
        if error.code != "idempotency_in_progress" and error.status not in _RETRIED_STATUSES:
            return None
        if error.retry_after_seconds is None:
            return jittered
        return None if error.retry_after_seconds > self._retry_delay_max else error.retry_after_seconds


def _exchange(request: urllib.request.Request, timeout: float) -> bytes:
    """One attempt. Raises an error of this package for everything but a complete answer with a 2xx."""
    try:
        try:
            with _opener.open(request, timeout=timeout) as answer:
                return answer.read()
        except urllib.error.HTTPError as refusal:
            with refusal:
                status, headers, body = refusal.code, refusal.headers, refusal.read()
    except (OSError, http.client.HTTPException) as error:
        cause = error.reason if isinstance(error, urllib.error.URLError) else error
        if isinstance(cause, builtins.TimeoutError):
            raise TimeoutError(f"The server was silent for {timeout} seconds.") from error
        raise ConnectionError("The server could not be reached, or the connection broke.") from error
    if 300 <= status <= 399:
        raise CountersignError(f"The server redirects to {headers.get('Location')}. Correct base_url.")
    raise error_of(status, headers, _parsed(body))


def _parsed(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None
