import { lazyDialog } from '../shell/lazy-dialog.tsx';

/** The comments of a document. Most documents have none, so the script is loaded only for those that have. */
export const LazyComments = lazyDialog<{ id: string; onClose?: () => void }>(
  async () => (await import('./comments.tsx')).Comments,
);
