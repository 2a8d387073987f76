import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiFailure, api } from '../api/client.ts';
import { randomId } from '../api/random-id.ts';
import { type Row, toBlocks } from './rows.ts';
import { type TextState, unsavedPages } from './text-state.ts';
import type { TextStore } from './text-store.ts';

const quietMs = 1200;
/** Maximum delay while the user keeps typing. */
const unsavedMsMax = 10_000;
const againMs = 5000;
/** Maximum size of one request. The server accepts a megabyte. */
const pagesMax = 20;
const lengthMax = 700_000;

export interface Saving {
  state: 'saved' | 'unsaved' | 'saving' | 'failed';
  error: unknown;
  /** The page that someone else has changed in the meantime. */
  conflict: number | null;
  /** Resolves to true when everything is saved, or to false if something could not be saved. */
  save: () => Promise<boolean>;
}

/** Saves changes soon after the user stops typing. Failed changes stay on the page and are retried. */
export function useSaving(id: string, store: TextStore, text: TextState): Saving {
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const underWay = useRef<Promise<boolean> | null>(null);
  const unanswered = useRef<string[]>([]);
  const failedAt = useRef(0);

  const save = useCallback(async (): Promise<boolean> => {
    // One request at a time: a concurrent one would have an old version and look like a conflict.
    while (underWay.current !== null) await underWay.current;
    const saving = sendAll(id, store, unanswered.current).then(
      () => {
        setError(null);
        return true;
      },
      (failure) => {
        failedAt.current = performance.now();
        setError(failure);
        return false;
      },
    );
    underWay.current = saving;
    setSaving(true);
    const isSaved = await saving;
    if (underWay.current === saving) {
      underWay.current = null;
      setSaving(false);
    }
    return isSaved;
  }, [id, store]);

  const isUnsaved = unsavedPages(text).length > 0;
  const conflict = error instanceof ApiFailure && error.code === 'changed_meanwhile' ? Number(error.param) : null;
  const { pages } = text;
  const unsavedSince = useRef<number | null>(null);
  useEffect(() => {
    if (!isUnsaved || isSaving) unsavedSince.current = null;
    if (!isUnsaved || isSaving || conflict !== null || pages.size === 0) return;
    const now = performance.now();
    unsavedSince.current ??= now;
    const quiet = Math.max(0, Math.min(quietMs, unsavedSince.current + unsavedMsMax - now));
    const again = Math.max(0, failedAt.current + againMs - now);
    const timer = setTimeout(() => void save(), error === null ? quiet : again);
    return () => clearTimeout(timer);
  }, [pages, isUnsaved, isSaving, conflict, error, save]);
  const state = isSaving ? 'saving' : !isUnsaved ? 'saved' : error === null ? 'unsaved' : 'failed';
  return { state, error, conflict: isUnsaved ? conflict : null, save };
}

/** One attempt each five seconds makes fewer in an hour. The server accepts as many. */
const unansweredMax = 1000;

/**
 * Sends the current unsaved changes, in batches. Later changes are saved next time. `unanswered` has the ids of saves whose answers
 * were lost: the server must not take what they changed for someone else's change.
 */
async function sendAll(id: string, { read, dispatch }: TextStore, unanswered: string[]): Promise<void> {
  for (const portion of inPortions(unsavedPages(read()))) {
    const pages = portion.map(({ body }) => body);
    const save = randomId();
    const body = { pages, save, unanswered };
    const { version } = await api.post('/documents/:id/unlocked', { params: { id }, body }).catch((failure) => {
      const isLost = !(failure instanceof ApiFailure) || failure.status === 0 || failure.status >= 500;
      if (isLost && unanswered.length < unansweredMax) unanswered.push(save);
      if (isLost) dispatch({ type: 'lost', pages: portion.map(({ page }) => page) });
      throw failure;
    });
    dispatch({ type: 'saved', version, pages: portion.map(({ page, rows }) => ({ page, rows })) });
  }
}

function inPortions(unsaved: ReturnType<typeof unsavedPages>) {
  const portions: { page: number; rows: Row[]; body: object }[][] = [];
  let length = lengthMax;
  for (const { page, state } of unsaved) {
    const body = { page, version: state.version, base: state.base, blocks: toBlocks(state.rows) };
    length += JSON.stringify(body).length;
    if (length >= lengthMax || (portions.at(-1)?.length ?? 0) >= pagesMax) {
      portions.push([]);
      length = JSON.stringify(body).length;
    }
    portions.at(-1)?.push({ page, rows: state.rows, body });
  }
  return portions;
}
