"""Runs the calls that arrive as lines of JSON on stdin, and writes each outcome as a line of JSON."""

import json
import re
import sys

from countersign import ApiError, Countersign, CountersignError, verify_webhook


seconds = {
    "timeoutMs": "timeout",
    "retryBaseMs": "retry_base",
    "retryDelayMaxMs": "retry_delay_max",
    "inProgressWaitMaxMs": "in_progress_wait_max",
}


def options(given):
    return dict(map(option, given.items()))


def option(entry):
    name, value = entry
    if name in seconds:
        return seconds[name], None if value is None else value / 1000
    return re.sub(r"[A-Z]", lambda letter: "_" + letter[0].lower(), name), value


def client_of(settings):
    return Countersign(**options(settings))


def verify(_client, given):
    chosen = options({name: value for name, value in given.items() if name in ("toleranceSeconds", "now")})
    return verify_webhook(given["body"], given["header"], given["secret"], **chosen)


operations = {
    "account": lambda client: client.account(),
    "documents.list": lambda client, given: list(client.documents.list(**options(given))),
    "documents.page": lambda client, given: client.documents.list(**options(given)).page(),
    "documents.create": lambda client, body, given={}: client.documents.create(body, **options(given)),
    "documents.get": lambda client, id: client.documents.get(id),
    "documents.send": lambda client, id, given={}: client.documents.send(id, **options(given)),
    "documents.recipients": lambda client, id: client.documents.recipients(id),
    "documents.download": lambda client, id: client.documents.download(id),
    "documents.pdf": lambda client, id: len(client.documents.pdf(id)),
    "imports.list": lambda client, given: list(client.imports.list(**options(given))),
    "imports.start": lambda client, body, given={}: client.imports.start(body, **options(given)),
    "imports.get": lambda client, id: client.imports.get(id),
    "imports.items": lambda client, id, given={}: list(client.imports.items(id, **options(given))),
    "verifyWebhook": verify,
}


def outcome_of(call):
    try:
        return {"result": operations[call["operation"]](client_of(call["settings"]), *call["given"])}
    except Exception as error:
        return {"error": {"class": type(error).__name__, "message": str(error), **fields_of(error)}}


def fields_of(error):
    if not isinstance(error, CountersignError):
        return {}
    of_write = {"idempotencyKey": error.idempotency_key, "isOutcomeUnknown": error.is_outcome_unknown}
    if not isinstance(error, ApiError):
        return of_write
    return {
        **of_write,
        "status": error.status,
        "type": error.type,
        "code": error.code,
        "param": error.param,
        "requestId": error.request_id,
        "retryAfterSeconds": error.retry_after_seconds,
    }


for line in sys.stdin:
    print(json.dumps(outcome_of(json.loads(line))), flush=True)
