import type { KeyObject } from 'node:crypto';
import { type PublicFetch, PublicFetchError, readAtMost } from '../world/public-fetch.ts';
import type { World } from '../world/world.ts';
import type { Attempt, ClaimedDelivery } from './delivery.ts';
import type { Verdict } from './retry-schedule.ts';
import { signatureHeader } from './signature.ts';

export interface AttemptMeans {
  publicFetch: PublicFetch;
  signingKey: (endpointId: string, sealed: Buffer) => KeyObject;
  timeoutMs: number;
}

/** Of a response, what is read and kept. */
const responseBytesMax = 2048;
/** An acknowledgement is one as soon as its headers are in; its body is shown if it comes at once, and not waited for. */
const acknowledgedBodyMs = 1000;

/** One request to one endpoint. Never throws: whatever happens is an outcome. `signal` cuts it off. */
export async function attemptDelivery(
  world: World,
  means: AttemptMeans,
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
    const { status, body, failure } = await post(means, delivery, at, signal);
    const verdict = verdictOf(status);
    return ended(verdict, status, verdict === 'acknowledged' ? null : explain(status, failure), body);
  } catch (error) {
    if (error instanceof PublicFetchError) return ended(verdicts[error.kind], null, error.message, null);
    world.log.error('a webhook could not be prepared', { delivery_id: delivery.id, error });
    return ended('not_prepared', null, 'it could not be prepared', null);
  }
}

async function post(
  { publicFetch, signingKey, timeoutMs }: AttemptMeans,
  delivery: ClaimedDelivery,
  at: Date,
  signal: AbortSignal,
) {
  const sealed = [delivery.secret, delivery.previous_secret, delivery.oldest_secret].filter(
    (secret) => secret !== null,
  );
  const keys = sealed.map((secret) => signingKey(delivery.endpoint_id, secret));
  const response = await publicFetch.fetch(
    {
      method: 'POST',
      url: delivery.url,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Service-Webhooks/1.0',
        'x-service-event': delivery.event_type,
        'x-service-signature': signatureHeader(keys, delivery.body, at),
      },
      body: delivery.body,
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

/** Text that PostgreSQL can hold and an operator can read. A character cut in two at the end is left out. */
function readable(body: Buffer): string {
  return new TextDecoder().decode(body, { stream: true }).replaceAll('\0', '\uFFFD');
}
