import { useSyncExternalStore } from 'react';
import { explain } from '../ui/problem.tsx';

/** The changes of a document's files since its page was opened. They continue when the page or its dialog is closed. */
interface FileChanges {
  /** Changes that have not ended. */
  pending: number;
  /** Progress, or the outcome of the last change. */
  said: string;
  /** Why changes failed. */
  refused: readonly string[];
}

const none: FileChanges = { pending: 0, said: '', refused: [] };
const changesOf = new Map<string, FileChanges>();
const lastOf = new Map<string, Promise<unknown>>();
const listeners = new Set<() => void>();

const read = (documentId: string) => changesOf.get(documentId) ?? none;

export function useFileChanges(documentId: string): FileChanges {
  return useSyncExternalStore(subscribe, () => read(documentId));
}

/** Runs a change after the earlier ones of the document, and asks before the page is closed meanwhile. Returns null if it failed. */
export async function enqueueChange<Result>(documentId: string, run: () => Promise<Result>): Promise<Result | null> {
  const { pending, refused } = read(documentId);
  set(documentId, { pending: pending + 1, refused: pending === 0 ? [] : refused, said: '' });
  const result = (lastOf.get(documentId) ?? Promise.resolve()).then(run).catch((failure: unknown) => {
    addRefusal(documentId, explain(failure));
    return null;
  });
  lastOf.set(documentId, result);
  return result.finally(() => set(documentId, { pending: read(documentId).pending - 1 }));
}

export function sayProgress(documentId: string, said: string): void {
  set(documentId, { said });
}

export function addRefusal(documentId: string, text: string): void {
  set(documentId, { refused: [...new Set([...read(documentId).refused, text])] });
}

/** Forgets outcomes that were shown. */
export function forgetOutcomes(documentId: string): void {
  if (read(documentId).pending === 0 && changesOf.delete(documentId)) tell();
}

function set(documentId: string, changed: Partial<FileChanges>): void {
  changesOf.set(documentId, { ...read(documentId), ...changed });
  tell();
}

function tell(): void {
  const isUnderWay = [...changesOf.values()].some(({ pending }) => pending > 0);
  (isUnderWay ? addEventListener : removeEventListener)('beforeunload', askToStay);
  for (const listener of listeners) listener();
}

function askToStay(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
