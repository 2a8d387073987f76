"""Errors of the client. Some have the name of a built-in error: use them as `countersign.TimeoutError`."""

from __future__ import annotations

from typing import Any


class CountersignError(Exception):
    """Base class of every error of this package, except ValueError and TypeError for wrong arguments.

    `idempotency_key` is the key of the failed write, also when the client made it. A call with this key and the same input
    never writes twice within 24 hours, or the time that the operator of the server set.

    `is_outcome_unknown` says that the write may have succeeded, or be under way: an attempt got no answer of the
    API, a 5xx, or `idempotency_in_progress`. Repeat the call with `idempotency_key` to learn it. False for reads.
    """

    idempotency_key: str | None = None
    is_outcome_unknown: bool = False


class ConnectionError(CountersignError):
    """No complete answer arrived: the server could not be reached, or the connection broke."""


class TimeoutError(ConnectionError):
    """The server was silent for too long."""


class WebhookSignatureError(CountersignError):
    """A webhook that Countersign did not sign with this secret, or that is too old. Answer it with 400."""


class ApiError(CountersignError):
    """A request that the server refused or could not do. Each `type` has its own class.

    `code` is the exact reason. New codes may be added: treat an unknown one as its type. `param` is the input at fault,
    such as `recipients[2].email`. `retry_after_seconds` is set when the server said how long to wait.
    """

    def __init__(self, message: str, status: int, body: dict[str, Any], retry_after_seconds: int | None = None) -> None:
        # With all arguments, so that the error can be copied and pickled, as process pools do.
        super().__init__(message, status, body, retry_after_seconds)
        self.message = message
        self.status = status
        self.type: str = body["type"]
        self.code: str = body["code"]
        self.param: str | None = body.get("param")
        self.request_id: str | None = body.get("request_id")
        self.doc_url: str | None = body.get("doc_url")
        self.retry_after_seconds = retry_after_seconds

    def __str__(self) -> str:
        return self.message


class AuthenticationError(ApiError):
    """401: the API key is missing or not valid."""


class PermissionError(ApiError):
    """403: the key's scopes, the plan or a quota don't allow it."""


class ValidationError(ApiError):
    """400: the input, or the state of the document."""


class NotFoundError(ApiError):
    """404: no such document, import or endpoint."""


class RateLimitError(ApiError):
    """429: the budget of the account, or of this IP address, is used up."""


class IdempotencyError(ApiError):
    """409: the idempotency key, or an import that is already running."""


class ServerError(ApiError):
    """5xx: a failure of the server, or of a service that it depends on."""


def may_have_happened(error: CountersignError) -> bool:
    """Returns whether the attempt that failed with this error may have succeeded, or be under way."""
    if not isinstance(error, ApiError):
        return True
    return error.status >= 500 or error.code == "idempotency_in_progress"


_classes: dict[str, type[ApiError]] = {
    "authentication_error": AuthenticationError,
    "permission_error": PermissionError,
    "validation_error": ValidationError,
    "not_found": NotFoundError,
    "rate_limit_error": RateLimitError,
    "idempotency_error": IdempotencyError,
    "api_error": ServerError,
}

_types = {
    400: "validation_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found",
    409: "idempotency_error",
    429: "rate_limit_error",
}


def error_of(status: int, headers: Any, body: Any) -> ApiError:
    """Returns the error that an answer stands for. One that is not from the API, as of a proxy, gets its type from its status."""
    error = body.get("error") if isinstance(body, dict) else None
    fields = {name: value for name, value in (error if isinstance(error, dict) else {}).items() if isinstance(value, str)}
    kind = fields.get("type") or _types.get(status) or ("api_error" if status >= 500 else "validation_error")
    named = {"code": kind, "request_id": headers.get("X-Request-Id"), **fields, "type": kind}
    retry_after = (headers.get("Retry-After") or "").strip()
    seconds = int(retry_after) if retry_after.isascii() and retry_after.isdigit() and len(retry_after) < 10 else None
    message = fields.get("message") or f"The server answered with status {status}."
    return _classes.get(kind, ApiError)(message, status, named, seconds)
