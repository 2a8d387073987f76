import { lazyDialog } from '../shell/lazy-dialog.tsx';
import type { DocumentDetail } from './types.ts';

/** Parts of a document's page that only some documents have. Their scripts are loaded for those. */

export const LazyComments = lazyDialog<{ id: string; onClose?: () => void }>(
  async () => (await import('./comments.tsx')).Comments,
);

export const LazyUnlockCard = lazyDialog<{ id: string; isReadOnly: boolean; onClose?: () => void }>(
  async () => (await import('../unlocked/unlock-card.tsx')).UnlockCard,
);

export const NotTaken = lazyDialog<{ isTemplate: boolean; refused: string; onClose?: () => void }>(
  async () => (await import('./not-taken.tsx')).NotTaken,
);

export const LazyScheduleNote = lazyDialog<{ document: DocumentDetail; onClose?: () => void }>(
  async () => (await import('./schedule-note.tsx')).ScheduleNote,
);
