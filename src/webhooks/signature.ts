import { createHmac, type KeyObject } from 'node:crypto';

/** Returns the headers of a webhook request, apart from its length. `type`: of the event, or of a batch of the audit log. */
export function deliveryHeaders(keys: readonly KeyObject[], type: string, body: string, at: Date) {
  return {
    'content-type': 'application/json',
    'user-agent': 'Service-Webhooks/1.0',
    'x-service-event': type,
    'x-service-signature': signatureHeader(keys, body, at),
  };
}

/**
 * The value of `X-Service-Signature`: `t=<unix seconds>,v1=<hex>` where the digest is the HMAC-SHA256 of
 * `<t>.<raw body>`, keyed with the secret as it was shown, prefix included. While a rolled secret is still valid there
 * is one `v1` for each, the newest first. Each attempt needs a new one: receivers refuse timestamps older than 300 s.
 */
function signatureHeader(keys: readonly KeyObject[], body: string, at: Date): string {
  const t = Math.floor(at.getTime() / 1000);
  const digests = keys.map((key) => createHmac('sha256', key).update(`${t}.`).update(body).digest('hex'));
  return [`t=${t}`, ...digests.map((digest) => `v1=${digest}`)].join(',');
}
