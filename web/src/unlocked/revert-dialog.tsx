import { api } from '../api/client.ts';
import { count, fill } from '../language.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { textText } from './text-texts.ts';
import type { TextView } from './types.ts';

interface RevertDialogProps {
  id: string;
  view: TextView;
  /** Null: all pages. */
  page: number | null;
  onClose: () => void;
  onDone: () => Promise<unknown>;
}

/** Restores the original text of the unlocked PDF. */
export function RevertDialog({ id, view, page, onClose, onDone }: RevertDialogProps) {
  const body = { version: view.version, ...(page === null ? {} : { page }) };
  return (
    <ConfirmDialog
      title={textText.revertTitle}
      action={textText.revert}
      isDangerous
      failures={textText.failures}
      onClose={onClose}
      onConfirm={() => api.post('/documents/:id/unlocked/revert', { params: { id }, body }).then(onDone)}
    >
      <p>
        {page === null
          ? count(view.changed_pages.length, textText.revertAllText)
          : fill(textText.revertPageText, { n: page })}
      </p>
    </ConfirmDialog>
  );
}
