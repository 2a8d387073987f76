import { useCallback, useRef, useState } from 'react';
import type { DocumentSummary } from './types.ts';

/** As on the server (src/console/documents/document-list-endpoints.ts). */
export const selectedMax = 100;

export interface Selection {
  /** The selected documents in the order in which they were selected, also those on other pages. */
  selected: ReadonlyMap<string, DocumentSummary>;
  /** Selects a document or removes it. A range does the same for the documents between it and the last one. */
  toggle: (id: string, isRange: boolean) => void;
  /** Whether all documents of the page are selected. */
  isPageSelected: boolean;
  togglePage: () => void;
  clear: () => void;
}

const none: ReadonlyMap<string, DocumentSummary> = new Map();

/** The selected documents of a list. It ends when the filters change, so that nothing out of sight is acted on. */
export function useSelection(items: readonly DocumentSummary[], filters: string): Selection {
  const [state, setState] = useState({ filters, selected: none });
  const selected = state.filters === filters ? state.selected : none;
  const latest = useRef({ items, filters, selected });
  latest.current = { items, filters, selected };
  const anchor = useRef<string | null>(null);

  const set = useCallback((documents: readonly DocumentSummary[], isSelected: boolean) => {
    const { filters, selected } = latest.current;
    const changed = new Map(selected);
    for (const document of documents) {
      if (!isSelected) changed.delete(document.id);
      else if (changed.size < selectedMax) changed.set(document.id, document);
    }
    setState({ filters, selected: changed });
  }, []);
  const toggle = useCallback(
    (id: string, isRange: boolean) => {
      const { items, selected } = latest.current;
      const at = items.findIndex((document) => document.id === id);
      const from = isRange ? items.findIndex((document) => document.id === anchor.current) : -1;
      anchor.current = id;
      const [first, last] = from === -1 ? [at, at] : [Math.min(at, from), Math.max(at, from)];
      set(items.slice(first, last + 1), !selected.has(id));
    },
    [set],
  );
  const isPageSelected = items.length > 0 && items.every(({ id }) => selected.has(id));
  const shown = new Map(items.map((document) => [document.id, document]));
  return {
    // A document on this page may have changed since it was selected.
    selected: new Map([...selected].map(([id, document]) => [id, shown.get(id) ?? document])),
    toggle,
    isPageSelected,
    togglePage: () => set(items, !isPageSelected),
    clear: () => setState({ filters, selected: none }),
  };
}
