import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { useRequestIds } from '../api/use-request-ids.ts';
import { count } from '../language.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { TextArea } from '../ui/field.tsx';
import { actionText } from './action-texts.ts';
import { dialogText } from './dialog-texts.ts';
import { scheduleText } from './schedule-texts.ts';
import { SendTime, sendTimeIn } from './send-time.tsx';
import type { DocumentDetail } from './types.ts';
import { UnmarkedSigners } from './unmarked-signers.tsx';

export { CertificateDialog } from './certificate-dialog.tsx';

const { dialogs, failures } = dialogText;

export interface DocumentDialogProps {
  document: DocumentDetail;
  onClose: () => void;
  onDone: () => Promise<unknown>;
}

/** Sends the version that the dialog showed, now or later. If someone changes it in the meantime, nothing is sent. */
export function SendDialog({ document, isNow = false, onClose, onDone }: DocumentDialogProps & { isNow?: boolean }) {
  const [version] = useState(document.version);
  const [isLater, setLater] = useState(false);
  const params = { id: document.id };
  const send = (form: FormData) =>
    isLater
      ? api.post('/documents/:id/schedule', { params, body: { version, send_at: sendTimeIn(form) } })
      : api.post('/documents/:id/send', { params, body: { version } });
  return (
    <ConfirmDialog
      title={dialogs.sendTitle}
      action={isLater ? scheduleText.schedule : actionText.send}
      failures={isLater ? { ...failures.send, ...scheduleText.failures } : failures.send}
      onClose={onClose}
      onConfirm={(form) => send(form).then(onDone)}
    >
      <WhoIsAsked document={document} />
      <UnmarkedSigners document={document} />
      <p className="text-soft">{isLater ? scheduleText.laterText : dialogs.sendAfter}</p>
      {!isNow && (
        <label className="flex min-h-9 items-center gap-3 max-lg:min-h-11">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={isLater}
            onChange={({ target }) => setLater(target.checked)}
          />
          <span className="font-semibold">{scheduleText.later}</span>
        </label>
      )}
      {isLater && <SendTime />}
    </ConfirmDialog>
  );
}

/** Says how many people get a request, and how many sign in person, whom no message reaches. */
function WhoIsAsked({ document: { recipients, signer_count } }: { document: DocumentDetail }) {
  const inPerson = recipients.filter(({ channel, kind }) => channel === 'in_person' && kind !== 'cc').length;
  return (
    <>
      {signer_count > inPerson && <p>{count(signer_count - inPerson, dialogs.sendText)}</p>}
      {inPerson > 0 && <p>{count(inPerson, dialogs.sendInPerson)}</p>}
    </>
  );
}

export function RemindDialog({ document, onClose, onDone }: DocumentDialogProps) {
  return (
    <ConfirmDialog
      title={dialogs.remindTitle}
      action={actionText.remind}
      failures={failures.remind}
      onClose={onClose}
      onConfirm={() => api.post('/documents/:id/remind', { params: { id: document.id } }).then(onDone)}
    >
      <p>{dialogs.remindText}</p>
    </ConfirmDialog>
  );
}

/** Copies the document to a draft and opens it for editing. */
export function CopyDialog({ document, onClose, onDone }: DocumentDialogProps) {
  const navigate = useNavigate();
  const named = useRequestIds();
  const copy = async () => {
    const { id } = await api.post('/documents/:id/copy', { params: { id: document.id }, body: named({}) });
    await onDone();
    await navigate({ to: '/documents/$id/edit', params: { id } });
  };
  return (
    <ConfirmDialog
      title={dialogs.copyTitle}
      action={actionText.copy}
      failures={failures.copy}
      onClose={onClose}
      onConfirm={copy}
    >
      <p>{dialogs.copyText}</p>
    </ConfirmDialog>
  );
}

/** Voids the document unless it was completed while the dialog was open. */
export function VoidDialog({ document, onClose, onDone }: DocumentDialogProps) {
  const [status] = useState(document.status);
  return (
    <ConfirmDialog
      title={dialogs.voidTitle}
      action={actionText.voidDocument}
      isDangerous
      failures={failures.void}
      onClose={onClose}
      onConfirm={(form) =>
        api
          .post('/documents/:id/void', { params: { id: document.id }, body: { reason: form.get('reason'), status } })
          .then(onDone)
      }
    >
      <p>{dialogs.voidText}</p>
      {document.status === 'completed' && <p>{dialogs.voidCompleted}</p>}
      <TextArea name="reason" label={dialogs.reason} hint={dialogs.reasonHint} required />
    </ConfirmDialog>
  );
}
