import { createSecretKey } from 'node:crypto';
import { readAtMost } from '../public-fetch/public-fetch.ts';
import { deliveryHeaders } from '../webhooks/signature.ts';
import type { Sending, StreamTarget } from './sending.ts';
import { streamSecretContext } from './stream.ts';
import type { StreamDeps } from './stream-deps.ts';

/** The part of an answer that is read. */
const answerBytesMax = 2048;
/** Time limit for the body of an answer. Its headers alone accept a batch. */
const bodyMs = 1000;

/**
 * Posts a batch, signed like a webhook of documents. Returns why the receiver did not accept it, or null. Throws a
 * `PublicFetchError`, and when the secret cannot be decrypted.
 */
export async function sendWebhook(
  { world, secretBox, publicFetch, timeoutMs }: StreamDeps,
  { account_id, url, secret, previous_secret }: StreamTarget,
  sending: Sending,
  signal: AbortSignal,
): Promise<string | null> {
  const open = (sealed: Buffer) => createSecretKey(secretBox.decrypt(sealed, streamSecretContext(account_id)), 'utf8');
  const keys = [open(secret as Buffer)];
  try {
    if (previous_secret !== null) keys.push(open(previous_secret));
  } catch {
    // It was sealed with another SECRET_KEY. The one in use is enough.
  }
  const at = world.clock.now();
  const type = `audit_log.${sending.type}`;
  const entries = sending.type === 'test' ? [] : sending.entries;
  const body = JSON.stringify({
    // The same batch that is sent again has another id if entries were added. The entries keep theirs.
    id: world.newId(),
    type,
    created_at: at.toISOString(),
    data: { account_id, entries },
  });
  const response = await publicFetch.fetch(
    {
      method: 'POST',
      url,
      headers: deliveryHeaders(keys, type, body, at),
      body,
      keptFor: `audit stream ${account_id}`,
    },
    { timeoutMs, signal },
  );
  await readAtMost(response.body, answerBytesMax, bodyMs);
  const { status } = response;
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400
    ? `the receiver answered ${status}: redirects are not followed`
    : `the receiver answered ${status}`;
}
