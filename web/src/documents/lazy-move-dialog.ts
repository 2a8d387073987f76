import { lazyDialog } from '../shell/lazy-dialog.tsx';
import type { MoveDialogProps } from './move-dialog.tsx';

/** The dialog that moves documents, loaded when it is first opened. */
export const MoveDialog = lazyDialog<MoveDialogProps>(async () => (await import('./move-dialog.tsx')).MoveDialog);
