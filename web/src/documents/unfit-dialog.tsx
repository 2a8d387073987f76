import { count } from '../language.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { actionText } from './action-texts.ts';
import { attachText } from './attach-texts.ts';

export interface UnfitDialogProps {
  /** The number of fields that don't fit on the new PDF. */
  unfit: number;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks before fields that don't fit on a new PDF are removed. */
export function UnfitDialog({ unfit, onConfirm, onClose }: UnfitDialogProps) {
  return (
    <ConfirmDialog
      title={attachText.unfitTitle}
      action={actionText.replace}
      isDangerous
      onClose={onClose}
      onConfirm={onConfirm}
    >
      <p>{count(unfit, attachText.unfit)}</p>
      <p>{attachText.unfitOthers}</p>
    </ConfirmDialog>
  );
}
