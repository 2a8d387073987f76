"""The client of one server and API key."""

from __future__ import annotations

import hashlib
import math
import re
from typing import Any, Iterator, Sequence
from urllib.parse import quote, urlsplit

from .errors import CountersignError
from .retries import RetrySettings
from .transport import Transport

Json = dict[str, Any]

# The server answers within 85 seconds.
_IMPORT_TIMEOUT = 100.0
_TIMEOUT_MIN = 0.001
_SOURCES = ("esign_vendor", "cloud_drive", "cloud_files", "upload")


class Countersign:
    """Client of one Countersign server, for one API key. It keeps no state and can be shared between threads.

    `base_url` is the address of the API with its version: `https://sign.example.com/api/v1`. `timeout` is how long the
    server may be silent, in seconds; `imports.start` has 100. There are `retries_max` further attempts after a failure
    that may pass. `retry_base` is the wait time before the first of them, and doubles with each. When the server asks
    for more than `retry_delay_max` seconds, the error is raised instead. `in_progress_wait_max` is the longest wait for an
    earlier request with the same idempotency key, in seconds. The client asks again after at most 5 seconds each time.
    That doesn't count as retries. With 0, or without retries, the error is raised at once.

    Raises ValueError for a wrong argument.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout: float = 30.0,
        retries_max: int = 3,
        retry_base: float = 0.5,
        retry_delay_max: float = 60.0,
        in_progress_wait_max: float = 90.0,
    ) -> None:
        if not re.fullmatch(r"[\x21-\x7e]+", api_key):
            raise ValueError("api_key must be an API key, such as svc_live_…, without spaces.")
        for name, value, minimum in (
            ("timeout", timeout, _TIMEOUT_MIN),
            ("retries_max", retries_max, 0),
            ("retry_base", retry_base, 0),
            ("retry_delay_max", retry_delay_max, 0),
            ("in_progress_wait_max", in_progress_wait_max, 0),
        ):
            _check_number(name, value, minimum)
        retry_settings = RetrySettings(retries_max, retry_base, retry_delay_max, in_progress_wait_max)
        transport = Transport(_checked_url(base_url), api_key, timeout, retry_settings)
        self._transport = transport
        self.documents = Documents(transport)
        self.imports = Imports(transport)

    def account(self) -> Json:
        """Returns the company of the key, its plan and the scopes of the key."""
        return self._transport.get("/account")


class List:
    """A list. Iterating reads all items of all pages, each page when it is needed."""

    def __init__(self, transport: Transport, path: str, query: Json, shape: Any = lambda item: item) -> None:
        self._transport = transport
        self._path = path
        self._query = query
        self._shape = shape

    def page(self) -> Json:
        """Returns the first page alone, with `data`, `has_more` and `next_cursor`."""
        return self._read({})

    def pages(self) -> Iterator[Json]:
        page = self._read({})
        yield page
        while page["has_more"] and self._query.get("ending_before") is None:
            if page["next_cursor"] is None:
                raise CountersignError("The list has more, but no cursor to its next page.")
            page = self._read({"starting_after": page["next_cursor"]})
            yield page

    def __iter__(self) -> Iterator[Json]:
        for page in self.pages():
            yield from page["data"]

    def _read(self, changes: Json) -> Json:
        page = self._transport.get(self._path, {**self._query, **changes})
        return {**page, "data": [self._shape(item) for item in page["data"]]}


class Documents:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        status: str | Sequence[str] | None = None,
        limit: int | None = None,
        starting_after: str | None = None,
        ending_before: str | None = None,
    ) -> List:
        """Documents, newest first. With `ending_before`, only that page is read. Scope `documents:read`."""
        return List(self._transport, "/documents", _list_query(status, limit, starting_after, ending_before))

    def create(self, body: Json, *, idempotency_key: str | None = None) -> Json:
        """Creates a draft with its recipients. Nothing is sent. Scope `documents:write`."""
        return self._transport.post("/documents", body, idempotency_key)

    def get(self, id: str) -> Json:
        """Scope `documents:read`."""
        return self._transport.get(_path_of("/documents", id))

    def send(self, id: str, *, idempotency_key: str | None = None) -> Json:
        """Sends a draft to its recipients. Scope `documents:send`."""
        return self._transport.post(f"{_path_of('/documents', id)}/send", None, idempotency_key)

    def recipients(self, id: str) -> list[Json]:
        """Returns all recipients in signing order. Scope `recipients:read`."""
        return self._transport.get(f"{_path_of('/documents', id)}/recipients")["data"]

    def download(self, id: str) -> Json:
        """Returns an address of the sealed PDF, which works for 5 minutes without authentication. Scope `documents:read`."""
        return self._transport.get(f"{_path_of('/documents', id)}/download")

    def pdf(self, id: str) -> bytes:
        """Returns the sealed PDF. Raises CountersignError when its SHA-256 is not the one that the API names."""
        download = self.download(id)
        pdf = self._transport.bytes_at(download["url"])
        if hashlib.sha256(pdf).hexdigest() != download["sha256"]:
            raise CountersignError("The PDF that arrived is not the one that the API names.")
        return pdf


class Imports:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        status: str | Sequence[str] | None = None,
        limit: int | None = None,
        starting_after: str | None = None,
        ending_before: str | None = None,
    ) -> List:
        """Imports, newest first. Scope `imports:read`."""
        query = _list_query(status, limit, starting_after, ending_before)
        return List(self._transport, "/imports", query, _with_known_source)

    def start(self, body: Json, *, idempotency_key: str | None = None, timeout: float | None = None) -> Json:
        """Starts an import. For cloud_drive and cloud_files the answer comes when the files are in, so `timeout` is 100 seconds
        unless you give another. Scope `imports:write`.

        Raises ValueError for a wrong argument.
        """
        seconds = _IMPORT_TIMEOUT if timeout is None else timeout
        _check_number("timeout", seconds, _TIMEOUT_MIN)
        return _with_known_source(self._transport.post("/imports", body, idempotency_key, seconds))

    def get(self, id: str) -> Json:
        """Scope `imports:read`."""
        return _with_known_source(self._transport.get(_path_of("/imports", id)))

    def items(
        self,
        id: str,
        *,
        limit: int | None = None,
        starting_after: str | None = None,
        ending_before: str | None = None,
    ) -> List:
        """Files of one import, oldest first. Scope `imports:read`."""
        query = _list_query(None, limit, starting_after, ending_before)
        return List(self._transport, f"{_path_of('/imports', id)}/items", query)


def _check_number(name: str, value: float, minimum: float) -> None:
    if not (math.isfinite(value) and value >= minimum):
        raise ValueError(f"{name} must be at least {minimum}.")


def _checked_url(base_url: str) -> str:
    url = urlsplit(base_url)
    path = url.path.removesuffix("/")
    if url.scheme not in ("http", "https") or not url.netloc or not path.endswith("/api/v1") or "@" in url.netloc:
        raise ValueError("base_url must be the address of the API, such as https://sign.example.com/api/v1.")
    return f"{url.scheme}://{url.netloc}{path}"


def _path_of(collection: str, id: str) -> str:
    """Returns the path of one object. Raises ValueError for an id that would lead to another path."""
    if not isinstance(id, str) or id in ("", ".", ".."):
        raise ValueError("The id must be a non-empty string.")
    return f"{collection}/{quote(id, safe='')}"


def _list_query(
    status: str | Sequence[str] | None, limit: int | None, starting_after: str | None, ending_before: str | None
) -> Json:
    joined = status if status is None or isinstance(status, str) else ",".join(status)
    return {"status": joined, "limit": limit, "starting_after": starting_after, "ending_before": ending_before}


def _with_known_source(found: Json) -> Json:
    """New sources may be added to the API. One that this version does not know is treated as `upload`."""
    return found if found.get("source") in _SOURCES else {**found, "source": "upload"}
