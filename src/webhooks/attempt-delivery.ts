import type { KeyObject } from 'node:crypto';
import type { World } from '../platform/world.ts';
import { type PublicFetch, PublicFetchError, readAtMost } from '../public-fetch/public-fetch.ts';
import type { Attempt, ClaimedDelivery } from './delivery.ts';
import { payloadOf } from './payload-versions.ts';
import type { Verdict } from './retry-schedule.ts';
import { deliveryHeaders } from './signature.ts';

export interface AttemptDeps {
  publicFetch: PublicFetch;
  signingKey: (endpointId: string, sealed: Buffer) => KeyObject;
  timeoutMs: number;
}

/** The part of a response that is read and stored. */
const responseBytesMax = 2048;
/** Time limit for the body of a 2xx response. The headers alone acknowledge a delivery. */
const acknowledgedBodyMs = 1000;

/** Sends one delivery to its endpoint. Never throws: every failure is a verdict. `signal` aborts it. */
export async function attemptDelivery(
  world: World,
  deps: AttemptDeps,
  delivery: ClaimedDelivery,
  signal: AbortSignal,
): Promise<{ attempt: Attempt; verdict: Verdict }> {
  const at = world.clock.now();
  const startedAt = performance.now();
  const ended = (verdict: Verdict, statusCode: number | null, error: string | null, body: Buffer | null) => ({
    verdict,
    attempt: {
      at,
      statusCode,
      error,
      responseBody: body === null ? null : readable(body),
      durationMs: Math.round(performance.now() - startedAt),
    },
  });
  try {
    const { status, body, failure } = await post(deps, delivery, at, signal);
    const verdict = verdictOf(status);
    return ended(verdict, status, verdict === 'acknowledged' ? null : explain(status, failure), body);
  } catch (error) {
    if (error instanceof PublicFetchError) return ended(verdicts[error.kind], null, error.message, null);
    world.log.error('a webhook could not be prepared', { delivery_id: delivery.id, error });
    return ended('not_prepared', null, 'it could not be prepared', null);
  }
}

async function post(
  { publicFetch, signingKey, timeoutMs }: AttemptDeps,
  delivery: ClaimedDelivery,
  at: Date,
  signal: AbortSignal,
) {
  const body = payloadOf(delivery.body, delivery.payload_version);
  const keys = keysOf(delivery, signingKey);
  const response = await publicFetch.fetch(
    {
      method: 'POST',
      url: delivery.url,
      headers: deliveryHeaders(keys, delivery.event_type, body, at),
      body,
      keptFor: delivery.endpoint_id,
    },
    { timeoutMs, signal },
  );
  const isAcknowledged = verdictOf(response.status) === 'acknowledged';
  const { bytes, failure } = await readAtMost(
    response.body,
    responseBytesMax,
    isAcknowledged ? acknowledgedBodyMs : undefined,
  );
  return { status: response.status, body: bytes, failure };
}

/** Returns the keys of all valid secrets. Throws when the current secret can't be decrypted. */
function keysOf(delivery: ClaimedDelivery, signingKey: AttemptDeps['signingKey']): KeyObject[] {
  const keys = [signingKey(delivery.endpoint_id, delivery.secret)];
  for (const replaced of [delivery.previous_secret, delivery.oldest_secret]) {
    try {
      if (replaced !== null) keys.push(signingKey(delivery.endpoint_id, replaced));
    } catch {
      // It was encrypted with another SECRET_KEY. The current secret is enough.
    }
  }
  return keys;
}

function verdictOf(status: number): Verdict {
  if (status >= 200 && status < 300) return 'acknowledged';
  return status >= 300 && status < 400 ? 'hopeless' : 'failed';
}

function explain(status: number, failure: PublicFetchError | null): string | null {
  if (verdictOf(status) === 'hopeless') return 'redirects are not followed';
  return failure?.message ?? null;
}

const verdicts: Record<PublicFetchError['kind'], Verdict> = {
  refused_url: 'hopeless',
  not_public: 'hopeless',
  our_fault: 'not_tried',
  aborted: 'not_tried',
  dns: 'failed',
  timeout: 'failed',
  connection: 'failed',
  tls: 'failed',
  protocol: 'failed',
};

/** Decodes the body to text that PostgreSQL can store. Drops a character that is cut in two at the end. */
function readable(body: Buffer): string {
  return new TextDecoder().decode(body, { stream: true }).replaceAll('\0', '\uFFFD');
}
