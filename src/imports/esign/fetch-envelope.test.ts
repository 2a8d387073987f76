import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ClaimedEnvelope } from './claim-envelopes.ts';
import { fetchEnvelope } from './fetch-envelope.ts';
import { readEnvelope } from './vendor-envelope.ts';

test('a document of which nothing comes for twenty seconds is tried again, and counts as an attempt', async () => {
  const incomingDir = mkdtempSync(join(tmpdir(), 'bring-envelope-'));
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => {
    vi.useRealTimers();
    rmSync(incomingDir, { recursive: true });
  });
  const body = new PassThrough().on('error', () => {});
  const client = {
    open: async () => ({ kind: 'done' as const, value: { declaredBytes: null, body } }),
    list: () => Promise.reject(new Error('nothing is listed here')),
  };
  const envelope = readEnvelope({ envelopeId: 'a', completedDateTime: '2024-01-01T00:00:00.0000000Z' });
  const claimed = { itemId: '', envelope, known: null } as ClaimedEnvelope;
  const fetched = fetchEnvelope({ incomingDir }, client, claimed);
  await vi.waitUntil(() => vi.getTimerCount() === 1, { timeout: 60_000 });
  vi.advanceTimersByTime(20_000);
  expect(await fetched).toEqual({ kind: 'again', counts: true, reason: 'download_failed' });
  expect(readdirSync(incomingDir)).toEqual([]);
});
