"""Sends requests, with retries."""

from __future__ import annotations

import builtins
import http.client
import json
import time
import unicodedata
import urllib.error
import urllib.request
import uuid
from typing import Any, Callable, TypeVar
from urllib.parse import urlencode

from .errors import ConnectionError, CountersignError, TimeoutError, error_of, may_have_happened
from .retries import Retries, RetrySettings

T = TypeVar("T")
OnFailure = Callable[[CountersignError], None]


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The key must not follow a redirect to another host."""

    def redirect_request(self, *_: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirect)


class Transport:
    def __init__(self, base_url: str, api_key: str, timeout: float, retry_settings: RetrySettings) -> None:
        self._base_url = base_url
        self._api_key = api_key
        self.timeout = timeout
        self._retry_settings = retry_settings

    def get(self, path: str, query: dict[str, Any] | None = None, timeout: float | None = None) -> Any:
        chosen = {name: value for name, value in (query or {}).items() if value is not None}
        suffix = f"?{urlencode(chosen)}" if chosen else ""
        return self._json("GET", path + suffix, {}, None, timeout)

    def post(
        self, path: str, body: Any = None, idempotency_key: str | None = None, timeout: float | None = None
    ) -> Any:
        """Sends a write. All its attempts have one idempotency key, so a repetition never writes twice.

        Raises ValueError for a key that no header can carry. Other errors have the key.
        """
        key = _checked_key(str(uuid.uuid4() if idempotency_key is None else idempotency_key))
        data = b"" if body is None else json.dumps(body).encode()
        failures: list[CountersignError] = []
        try:
            return self._json("POST", path, {"Idempotency-Key": _header_value(key)}, data, timeout, failures.append)
        except CountersignError as error:
            error.idempotency_key = key
            error.is_outcome_unknown = any(map(may_have_happened, failures))
            raise

    def bytes_at(self, url: str, timeout: float | None = None) -> bytes:
        """Gets what an address leads to. The key is not sent."""
        return self._repeatedly(lambda: _exchange(urllib.request.Request(url), self.timeout if timeout is None else timeout))

    def _json(
        self,
        method: str,
        path: str,
        headers: dict[str, str],
        data: bytes | None,
        timeout: float | None,
        on_failure: OnFailure = lambda _: None,
    ) -> Any:
        all_headers = {"Accept": "application/json", "Authorization": f"Bearer {self._api_key}", **headers}
        if data is not None:
            all_headers["Content-Type"] = "application/json"
        request = urllib.request.Request(self._base_url + path, data=data, headers=all_headers, method=method)
        return self._repeatedly(lambda: _json_of(_exchange(request, self.timeout if timeout is None else timeout)), on_failure)

    def _repeatedly(self, attempt: Callable[[], T], on_failure: OnFailure = lambda _: None) -> T:
        """Runs `attempt` until it succeeds or fails for good. `on_failure` gets the error of each."""
        retries = Retries(self._retry_settings)
        while True:
            try:
                return attempt()
            except CountersignError as error:
                on_failure(error)
                delay = retries.next_delay(error)
                if delay is None:
                    raise
            time.sleep(delay)


def _checked_key(key: str) -> str:
    # The server takes an empty key, and spaces alone, for none, and would then write twice.
    if not key.strip(" "):
        raise ValueError("idempotency_key is empty. Leave it out, or give 1 to 255 characters.")
    # Control characters and halves of surrogate pairs.
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in key):
        raise ValueError(
            "idempotency_key has a control character, such as a line break, or half of a surrogate pair. Remove it."
        )
    return key


def _header_value(text: str) -> str:
    """Returns the UTF-8 bytes of the text, one character each: http.client takes no others, and the server reads UTF-8."""
    return text.encode().decode("latin-1")


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


def _json_of(answer: bytes) -> Any:
    try:
        body = json.loads(answer)
    except (ValueError, RecursionError):
        raise CountersignError("The answer is not JSON. Check base_url.") from None
    if not _is_answer(body):
        raise CountersignError("The answer is not one of the API. Check base_url.")
    return body


def _is_answer(body: Any) -> bool:
    """Returns whether it looks like an answer of the API, and not like one of another service or of a gateway."""
    if not isinstance(body, dict) or not isinstance(body.get("object"), str):
        return False
    return body["object"] != "list" or isinstance(body.get("data"), list)


def _parsed(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None
