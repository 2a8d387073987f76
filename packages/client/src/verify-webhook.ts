import { WebhookSignatureError } from './errors.ts';
import type { WebhookEvent } from './types.ts';

/** The bytes of the request, or their text. Never a parsed object: it cannot be verified. */
export type RawBody = string | Uint8Array | ArrayBuffer;

export interface VerifyWebhookOptions {
  /** How far the timestamp may be from now, in seconds. Default 300. */
  toleranceSeconds?: number;
  /** The time to compare with. Default now. */
  now?: Date;
}

const headerMax = 1000;

/**
 * Checks the header `X-Service-Signature` of a webhook and returns its event. Any of several `v1` values may match: while a
 * secret is being replaced, there is one for each. Events can arrive twice, so remember their `id`.
 *
 * @throws `WebhookSignatureError` when the webhook is not genuine, or too old.
 */
export async function verifyWebhook(
  rawBody: RawBody,
  header: string | null | undefined,
  secret: string,
  { toleranceSeconds = 300, now = new Date() }: VerifyWebhookOptions = {},
): Promise<WebhookEvent> {
  if (typeof secret !== 'string' || secret === '') throw new TypeError('secret must be the secret of the endpoint.');
  if (!(toleranceSeconds >= 0)) throw new TypeError('toleranceSeconds must be a number of at least 0.');
  const body = bytesOf(rawBody);
  const { t, digests } = readHeader(header);
  const expected = await digestOf(secret, t, body);
  if (!matchesAny(digests, expected)) {
    throw new WebhookSignatureError('The signature does not match. Check the secret, and that the body is unchanged.');
  }
  if (!(Math.abs(now.getTime() / 1000 - Number(t)) <= toleranceSeconds)) {
    throw new WebhookSignatureError(`The timestamp is more than ${toleranceSeconds} seconds away from now.`);
  }
  return eventOf(body);
}

function bytesOf(rawBody: RawBody): Uint8Array<ArrayBuffer> {
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody);
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody);
  if (rawBody instanceof Uint8Array) return Uint8Array.from(rawBody);
  throw new TypeError('rawBody must be the body as it arrived: a string, Uint8Array or ArrayBuffer.');
}

/** `t=<unix seconds>,v1=<hex>`, with more `v1` while a secret is being replaced. */
function readHeader(header: string | null | undefined): { t: string; digests: string[] } {
  if (typeof header !== 'string' || header.length > headerMax) throw malformed();
  const parts = header.split(',').map((part) => part.trim().split('='));
  const valuesOf = (wanted: string) => parts.filter(([name]) => name === wanted).map(([, value = '']) => value);
  const [t = '', ...more] = valuesOf('t');
  if (!/^\d{1,12}$/.test(t) || more.length > 0) throw malformed();
  return { t, digests: valuesOf('v1') };
}

function malformed(): WebhookSignatureError {
  return new WebhookSignatureError('The header X-Service-Signature is missing or malformed.');
}

/** HMAC-SHA256 of `<t>.<body>` in lowercase hex. */
async function digestOf(secret: string, t: string, body: Uint8Array): Promise<string> {
  const prefix = new TextEncoder().encode(`${t}.`);
  const signed = new Uint8Array(prefix.length + body.length);
  signed.set(prefix);
  signed.set(body, prefix.length);
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['sign']);
  const digest = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Compares every value to its end, so that the time taken says nothing about how much of one is right. */
function matchesAny(given: readonly string[], expected: string): boolean {
  let matches = 0;
  for (const value of given) {
    let difference = value.length ^ expected.length;
    for (let i = 0; i < expected.length; i += 1) difference |= value.charCodeAt(i) ^ expected.charCodeAt(i);
    matches |= Number(difference === 0);
  }
  return matches === 1;
}

function eventOf(body: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    throw new WebhookSignatureError('The body is not JSON.', { cause });
  }
}
