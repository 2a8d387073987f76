import { useState } from 'react';
import { api } from '../api/client.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { dialogText } from './dialog-texts.ts';
import type { DocumentDialogProps } from './document-dialogs.tsx';
import { scheduleText } from './schedule-texts.ts';
import { SendTime, sendTimeIn } from './send-time.tsx';

const changeFailures = {
  ...dialogText.failures.send,
  ...scheduleText.failures,
  changed_meanwhile: scheduleText.changedMeanwhile,
};

/** Changes the time at which a document will be sent. */
export function ChangeDialog({ document, onClose, onDone }: DocumentDialogProps) {
  const [version] = useState(document.version);
  const at = document.schedule?.at;
  return (
    <ConfirmDialog
      title={scheduleText.changeTitle}
      action={scheduleText.schedule}
      failures={changeFailures}
      onClose={onClose}
      onConfirm={(form) =>
        api
          .post('/documents/:id/schedule', {
            params: { id: document.id },
            body: { version, send_at: sendTimeIn(form, at) },
          })
          .then(onDone)
      }
    >
      <p>{scheduleText.laterText}</p>
      <SendTime at={at} />
    </ConfirmDialog>
  );
}

/** Ends a schedule. The document stays a draft. */
export function CancelDialog({ document, onClose, onDone }: DocumentDialogProps) {
  return (
    <ConfirmDialog
      title={scheduleText.cancelTitle}
      action={scheduleText.cancel}
      failures={scheduleText.failures}
      onClose={onClose}
      onConfirm={() => api.remove('/documents/:id/schedule', { params: { id: document.id } }).then(onDone)}
    >
      <p>{scheduleText.cancelText}</p>
    </ConfirmDialog>
  );
}
