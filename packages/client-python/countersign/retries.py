"""Decides whether and when a failed attempt is repeated."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass

from .errors import ApiError, ConnectionError, CountersignError

_POLL_DELAY_MAX = 5.0

# 500 and 502 are the API's. 503 and 504 come from a gateway in between.
_RETRIED_STATUSES = (429, 500, 502, 503, 504)


@dataclass(frozen=True)
class RetrySettings:
    """Times in seconds. `in_progress_wait_max` is the longest wait for an earlier request with the same idempotency key."""

    retries_max: int
    retry_base: float
    retry_delay_max: float
    in_progress_wait_max: float


class Retries:
    """The retries of one call. All writes carry an idempotency key, so a repetition never writes twice."""

    def __init__(self, settings: RetrySettings) -> None:
        self._settings = settings
        self._failures = 0
        self._polls = 0
        self._polling_ends_at: float | None = None

    def next_delay(self, error: CountersignError) -> float | None:
        """Returns the seconds to wait after the error of an attempt. None when the error is final."""
        settings = self._settings
        if _is_in_progress(error) and settings.retries_max > 0:
            # An earlier request with this key still runs. Its answer is replayed when it is done, so this is no failure.
            return self._poll_delay(error)
        self._failures += 1
        if self._failures > settings.retries_max or not _may_pass(error):
            return None
        after = self._retry_after(error)
        if after is None:
            return None
        # The server names the same time to everyone, and each time. So waits still grow, and clients don't return together.
        backoff = _backoff(settings.retry_base, self._failures, settings.retry_delay_max)
        return after + backoff

    def _poll_delay(self, error: CountersignError) -> float | None:
        now = time.monotonic()
        if self._polling_ends_at is None:
            self._polling_ends_at = now + self._settings.in_progress_wait_max
        self._polls += 1
        left = self._polling_ends_at - now
        backoff = _backoff(max(self._settings.retry_base, 0.001), self._polls, _POLL_DELAY_MAX)
        after = self._retry_after(error)
        return None if after is None or left <= 0 else min(max(after, backoff), left)

    def _retry_after(self, error: CountersignError) -> float | None:
        """Returns Retry-After, or 0 when the server did not send it. None when the server asks for too long."""
        seconds = (error.retry_after_seconds if isinstance(error, ApiError) else None) or 0
        return None if seconds > self._settings.retry_delay_max else seconds


def _is_in_progress(error: CountersignError) -> bool:
    return isinstance(error, ApiError) and error.code == "idempotency_in_progress"


def _may_pass(error: CountersignError) -> bool:
    """Returns False for every other 4xx and a redirect."""
    if isinstance(error, ApiError):
        return error.status in _RETRIED_STATUSES
    return isinstance(error, ConnectionError)


def _backoff(base: float, retry: int, maximum: float) -> float:
    # From half of it to all of it, so that clients that failed together don't return together.
    return min(base * 2 ** min(retry - 1, 30), maximum) * random.uniform(0.5, 1)
