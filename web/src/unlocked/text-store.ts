import { changeText, emptyText, type TextAction, type TextState } from './text-state.ts';

/** The text of a document while it is edited. What is saved meanwhile must be the newest: so it is not React's state. */
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
