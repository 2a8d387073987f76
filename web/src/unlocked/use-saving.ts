import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiFailure, api } from '../api/client.ts';
import { toBlocks } from './rows.ts';
import { type TextState, unsavedPages } from './text-state.ts';
import type { TextStore } from './text-store.ts';

const quietMs = 1200;
const againMs = 5000;
/** What is sent at once: the server takes a megabyte. */
const pagesMax = 20;
const lengthMax = 700_000;

export interface Saving {
  state: 'saved' | 'unsaved' | 'saving' | 'failed';
  error: unknown;
  /** The page that somebody else has changed meanwhile. */
  conflict: number | null;
  /** Resolves when everything is saved; false when something is not. */
  save: () => Promise<boolean>;
}

/** Saves what was changed, soon after one has stopped typing. What fails is tried again, and stays on the page. */
export function useSaving(id: string, store: TextStore, text: TextState): Saving {
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const underWay = useRef<Promise<boolean> | null>(null);

  const save = useCallback(async (): Promise<boolean> => {
    if (underWay.current !== null) await underWay.current;
    const saving = sendAll(id, store).then(
      () => {
        setError(null);
        return true;
      },
      (failure) => {
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
  useEffect(() => {
    if (!isUnsaved || isSaving || conflict !== null || pages.size === 0) return;
    const timer = setTimeout(() => void save(), error === null ? quietMs : againMs);
    return () => clearTimeout(timer);
  }, [pages, isUnsaved, isSaving, conflict, error, save]);
  const state = isSaving ? 'saving' : !isUnsaved ? 'saved' : error === null ? 'unsaved' : 'failed';
  return { state, error, conflict: isUnsaved ? conflict : null, save };
}

/** In portions, until what is on the page is what is saved. */
async function sendAll(id: string, { read, dispatch }: TextStore): Promise<void> {
  for (let unsaved = unsavedPages(read()); unsaved.length > 0; unsaved = unsavedPages(read())) {
    const sent: typeof unsaved = [];
    const pages: object[] = [];
    let length = 0;
    for (const one of unsaved.slice(0, pagesMax)) {
      const body = { page: one.page, version: one.state.version, blocks: toBlocks(one.state.rows) };
      length += JSON.stringify(body).length;
      if (pages.length > 0 && length > lengthMax) break;
      pages.push(body);
      sent.push(one);
    }
    const { version } = await api.post<{ version: number }>(`/documents/${id}/unlocked`, { pages });
    dispatch({ type: 'saved', version, pages: sent.map(({ page, state }) => ({ page, rows: state.rows })) });
  }
}
