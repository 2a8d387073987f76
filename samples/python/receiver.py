"""Receives webhooks of Countersign. Needs Python 3.9 or newer and no package:

    WEBHOOK_SECRET=whsec_… PORT=8080 python3 receiver.py
"""

import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get("WEBHOOK_SECRET", "").encode()
PORT = int(os.environ.get("PORT", "8080"))
TOLERANCE_SECONDS = 300
BYTES_MAX = 1_000_000

# Keep these in your database: an event can arrive more than once.
handled = set()


def handle(event):
    document = event["data"]["document"]
    print(event["event"], document["id"], flush=True)
    # document.completed: get the sealed PDF with GET /api/v1/documents/{id}/download


def is_signed(header, body):
    """Checks the exact bytes that arrived, in constant time. There is one v1 for each valid secret."""
    parts = [part.partition("=")[::2] for part in header.split(",")]
    sent_at = next((value for name, value in parts if name == "t"), "")
    if not sent_at.isascii() or not sent_at.isdigit():
        return False
    if abs(time.time() - int(sent_at)) > TOLERANCE_SECONDS:
        return False
    expected = hmac.new(SECRET, f"{sent_at}.".encode() + body, hashlib.sha256).hexdigest()
    received = [value for name, value in parts if name == "v1" and value.isascii()]
    return any(hmac.compare_digest(value, expected) for value in received)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        if not length.isdigit() or int(length) > BYTES_MAX:
            return self.answer(400)
        body = self.rfile.read(int(length))
        if not is_signed(self.headers.get("X-Service-Signature", ""), body):
            return self.answer(400)
        event = json.loads(body)
        # Answer within 10 seconds. Do slow work afterwards, in a queue of your own.
        if event["id"] not in handled:
            handle(event)
        # Only now, so that an event that failed is handled when it is delivered again.
        handled.add(event["id"])
        return self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format, *args):
        pass


if __name__ == "__main__":
    if not SECRET:
        raise SystemExit("Set WEBHOOK_SECRET to the signing secret of the endpoint.")
    print(f"listening on http://127.0.0.1:{PORT}", flush=True)
    ThreadingHTTPServer(("127.0.0.1", PORT), Receiver).serve_forever()
