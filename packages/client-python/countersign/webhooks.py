"""Verification of webhooks."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from typing import Any

from .errors import WebhookSignatureError

_HEADER_MAX = 1000


def verify_webhook(
    raw_body: bytes | str,
    header: str | None,
    secret: str,
    *,
    tolerance_seconds: float = 300,
    now: float | None = None,
) -> dict[str, Any]:
    """Checks the header `X-Service-Signature` of a webhook and returns its event.

    `raw_body` is the body as it arrived, never a parsed object. Any of several `v1` values may match: while a secret is
    being replaced, there is one for each. `now` is in unix seconds. Events can arrive twice, so remember their `id`.

    Raises WebhookSignatureError when the webhook is not genuine, or too old.
    """
    if not isinstance(secret, str) or secret == "":
        raise ValueError("secret must be the secret of the endpoint.")
    if not tolerance_seconds >= 0:
        raise ValueError("tolerance_seconds must be a number of at least 0.")
    if not isinstance(raw_body, (bytes, str)):
        raise TypeError("raw_body must be the body as it arrived: bytes or str.")
    body = raw_body.encode() if isinstance(raw_body, str) else raw_body
    timestamp, digests = _read_header(header)
    expected = hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest().encode()
    # Every value is compared, so that the time taken says nothing about which one matches.
    matches = [hmac.compare_digest(digest.encode("utf-8", "replace"), expected) for digest in digests]
    if not any(matches):
        raise WebhookSignatureError("The signature does not match. Check the secret, and that the body is unchanged.")
    if not abs((time.time() if now is None else now) - int(timestamp)) <= tolerance_seconds:
        raise WebhookSignatureError(f"The timestamp is more than {tolerance_seconds} seconds away from now.")
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise WebhookSignatureError("The body is not JSON.") from error


def _read_header(header: str | None) -> tuple[str, list[str]]:
    """Reads `t=<unix seconds>,v1=<hex>`, with more `v1` while a secret is being replaced."""
    if not isinstance(header, str) or len(header) > _HEADER_MAX:
        raise _malformed()
    parts = [part.strip().partition("=") for part in header.split(",")]
    timestamps = [value for name, _, value in parts if name == "t"]
    if len(timestamps) != 1 or re.fullmatch(r"[0-9]{1,12}", timestamps[0]) is None:
        raise _malformed()
    return timestamps[0], [value for name, _, value in parts if name == "v1"]


def _malformed() -> WebhookSignatureError:
    return WebhookSignatureError("The header X-Service-Signature is missing or malformed.")
