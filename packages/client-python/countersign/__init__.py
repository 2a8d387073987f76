"""Client of the Countersign API. Standard library only."""

from .client import Countersign
from .errors import (
    ApiError,
    AuthenticationError,
    ConnectionError,
    CountersignError,
    IdempotencyError,
    NotFoundError,
    PermissionError,
    RateLimitError,
    ServerError,
    TimeoutError,
    ValidationError,
    WebhookSignatureError,
)
from .webhooks import verify_webhook

__all__ = [
    "ApiError",
    "AuthenticationError",
    "ConnectionError",
    "Countersign",
    "CountersignError",
    "IdempotencyError",
    "NotFoundError",
    "PermissionError",
    "RateLimitError",
    "ServerError",
    "TimeoutError",
    "ValidationError",
    "WebhookSignatureError",
    "verify_webhook",
]
