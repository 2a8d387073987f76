import { changeText, emptyText, type TextAction, type TextState } from './text-state.ts';

/** The store of the text being edited. It is outside React's state, because saving needs the newest version. */
export interface TextStore {
  read(): TextState;
  dispatch(action: TextAction): void;
  /** For `useSyncExternalStore`. */
  subscribe(listener: () => void): () => void;
}

export function createTextStore(): TextStore {
  const listeners = new Set<() => void>();
  let state = emptyText;
  return {
    read: () => state,
    dispatch(action) {
      state = changeText(state, action);
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
