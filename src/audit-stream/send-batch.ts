import { PublicFetchError } from '../public-fetch/public-fetch.ts';
import { sendSyslog } from './send-syslog.ts';
import { sendWebhook } from './send-webhook.ts';
import type { Sending, SendOutcome, StreamTarget } from './sending.ts';
import type { StreamDeps } from './stream-deps.ts';

/** Sends a batch, or a test, to the destination of a stream. Never throws: every failure is an outcome. */
export async function sendBatch(
  deps: StreamDeps,
  stream: StreamTarget,
  sending: Sending,
  signal: AbortSignal,
): Promise<SendOutcome> {
  try {
    const refusal = await (stream.kind === 'webhook' ? sendWebhook : sendSyslog)(deps, stream, sending, signal);
    return refusal === null ? { kind: 'sent' } : { kind: 'failed', reason: refusal };
  } catch (error) {
    if (signal.aborted) return { kind: 'aborted' };
    if (error instanceof PublicFetchError) {
      return error.kind === 'aborted' ? { kind: 'aborted' } : { kind: 'failed', reason: error.message };
    }
    deps.world.log.error('a batch of an audit log could not be prepared', { account_id: stream.account_id, error });
    return { kind: 'failed', reason: 'the batch could not be prepared: SECRET_KEY may have changed' };
  }
}
