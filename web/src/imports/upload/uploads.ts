import { useSyncExternalStore } from 'react';
import { type ApiFailure, api } from '../../api/client.ts';
import { keepSending } from './keep-sending.ts';
import type { UploadOutcome } from './send-file.ts';

/** The progress of one upload. */
export type Progress =
  | { kind: 'waiting' }
  | { kind: 'sending'; sent: number }
  /** All bytes are sent, and the server is checking the file. */
  | { kind: 'checking' }
  | { kind: 'ended'; outcome: UploadOutcome }
  | { kind: 'cancelled' }
  | { kind: 'failed'; error: ApiFailure };

export interface Totals {
  files: number;
  bytes: number;
  sentBytes: number;
  /** Files that are being sent or wait to be sent. */
  active: number;
  /** Files that failed or were interrupted and can be sent again. */
  failed: number;
}

interface Upload {
  importId: string;
  itemId: string;
  file: File;
  progress: Progress;
  abort: AbortController;
}

/** Concurrent uploads. More would not be faster, and browsers have six connections per server. */
const atOnce = 3;
const tellMs = 100;

/** Uploads by item, in the order chosen. They live outside React, so that they continue while the user changes pages. */
const uploads = new Map<string, Upload>();
const totals = new Map<string, Totals>();
const listeners = new Set<() => void>();
let underWay = 0;
let telling: ReturnType<typeof setTimeout> | null = null;

/** Starts the uploads of an import that the server has created. */
export function sendFiles(importId: string, files: ReadonlyArray<{ itemId: string; file: File }>): void {
  for (const { itemId, file } of files) {
    uploads.set(itemId, { importId, itemId, file, progress: { kind: 'waiting' }, abort: new AbortController() });
  }
  tell();
  sendNext();
}

/** Returns the upload of an item, or null if this page does not send it. */
export function useUpload(itemId: string): Progress | null {
  return useSyncExternalStore(subscribe, () => uploads.get(itemId)?.progress ?? null);
}

/** Total and sent bytes of the uploads from this page. */
export function sizeOf(itemId: string): number {
  return uploads.get(itemId)?.file.size ?? 0;
}

/** Returns the summary of an import, or null if this page sends none of its files. */
export function useTotals(importId: string): Totals | null {
  return useSyncExternalStore(subscribe, () => totals.get(importId) ?? null);
}

export function isSending(importId: string): boolean {
  return (totals.get(importId)?.active ?? 0) > 0;
}

/** Whether a failed upload can be repeated. The file must have been chosen on this page. */
export function isWorthRetrying(progress: Progress): boolean {
  if (progress.kind === 'failed' || progress.kind === 'cancelled') return true;
  if (progress.kind !== 'ended') return false;
  const { reason } = progress.outcome;
  return reason === 'interrupted' || reason === 'download_failed' || reason === 'storage_unavailable';
}

export function retryFiles(wanted: (upload: { importId: string; itemId: string }) => boolean): void {
  for (const upload of uploads.values()) {
    if (!wanted(upload) || !isWorthRetrying(upload.progress)) continue;
    upload.abort = new AbortController();
    upload.progress = { kind: 'waiting' };
  }
  tell();
  sendNext();
}

/** Cancels one file of an import, or all open ones. */
export function cancelFiles(importId: string, itemId: string | null): void {
  for (const upload of uploads.values()) {
    const isMeant = upload.importId === importId && (itemId === null || upload.itemId === itemId);
    if (!isMeant || !isUnderWay(upload.progress)) continue;
    upload.progress = { kind: 'cancelled' };
    upload.abort.abort();
  }
  tell();
  cancelItems(importId, itemId === null ? null : [itemId]);
}

/**
 * Tells the server that a file will not come, so that the import does not wait for it. The file can still be sent later. If
 * this request fails, the server finds out after a time limit.
 */
function cancelItems(importId: string, items: string[] | null): void {
  api.post('/imports/:id/cancel', { params: { id: importId }, body: items === null ? {} : { items } }).catch(() => {});
}

export function isUnderWay({ kind }: Progress): boolean {
  return kind === 'waiting' || kind === 'sending' || kind === 'checking';
}

function sendNext(): void {
  while (underWay < atOnce) {
    const next = firstOf((progress) => progress.kind === 'waiting');
    if (next === null) return;
    underWay += 1;
    const { abort } = next;
    next.progress = { kind: 'sending', sent: 0 };
    void send(next, abort.signal).then((progress) => {
      underWay -= 1;
      // A cancelled upload may have been queued again.
      if (!abort.signal.aborted) next.progress = progress;
      if (progress.kind === 'failed') cancelItems(next.importId, [next.itemId]);
      tell();
      sendNext();
    });
  }
}

function firstOf(isMeant: (progress: Progress) => boolean): Upload | null {
  for (const upload of uploads.values()) if (isMeant(upload.progress)) return upload;
  return null;
}

async function send(upload: Upload, signal: AbortSignal): Promise<Progress> {
  const { importId, itemId, file } = upload;
  const onProgress = (sent: number) => {
    if (!signal.aborted) upload.progress = sent < file.size ? { kind: 'sending', sent } : { kind: 'checking' };
    tellSoon();
  };
  try {
    const path = `/imports/${importId}/items/${itemId}/file`;
    return { kind: 'ended', outcome: await keepSending(path, file, { onProgress, signal }) };
  } catch (error) {
    if (signal.aborted) return { kind: 'cancelled' };
    return { kind: 'failed', error: error as ApiFailure };
  }
}

function tellSoon(): void {
  telling ??= setTimeout(tell, tellMs);
}

function tell(): void {
  if (telling !== null) clearTimeout(telling);
  telling = null;
  totals.clear();
  for (const { importId, file, progress } of uploads.values()) {
    const before = totals.get(importId) ?? { files: 0, bytes: 0, sentBytes: 0, active: 0, failed: 0 };
    totals.set(importId, {
      files: before.files + 1,
      bytes: before.bytes + file.size,
      sentBytes: before.sentBytes + (progress.kind === 'sending' ? progress.sent : sentWhole(progress) ? file.size : 0),
      active: before.active + (isUnderWay(progress) ? 1 : 0),
      failed: before.failed + (isWorthRetrying(progress) ? 1 : 0),
    });
  }
  forgetWhole();
  warnOnLeaving();
  for (const listener of listeners) listener();
}

function sentWhole({ kind }: Progress): boolean {
  return kind === 'checking' || kind === 'ended';
}

/** Releases the files of an import when all are stored. */
function forgetWhole(): void {
  for (const [itemId, { importId }] of uploads) {
    const { active = 0, failed = 0 } = totals.get(importId) ?? {};
    if (active === 0 && failed === 0) uploads.delete(itemId);
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let isWarning = false;

function warnOnLeaving(): void {
  const isNeeded = firstOf(isUnderWay) !== null;
  if (isNeeded === isWarning) return;
  isWarning = isNeeded;
  const change = isNeeded ? addEventListener : removeEventListener;
  change('beforeunload', warn);
  change('pagehide', cancelOnLeave);
}

function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** Interrupts uploads when the page closes, so that the import does not wait for them. */
function cancelOnLeave(): void {
  for (const [importId, { active }] of totals) {
    if (active > 0) navigator.sendBeacon(`/console/api/imports/${importId}/cancel`, '{}');
  }
}
