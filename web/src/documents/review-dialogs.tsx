import { useNavigate } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { useMe } from '../api/me.ts';
import { useRequestIds } from '../api/use-request-ids.ts';
import { fill } from '../language.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { TextArea } from '../ui/field.tsx';
import type { DocumentDialogProps } from './document-dialogs.tsx';
import { RestrictedAs } from './restricted-as.tsx';
import { reviewText } from './review-texts.ts';

const { dialogs, failures } = reviewText;

/** Confirmation dialogs for review, mirrors and restriction. */
export function SubmitDialog({ document, onClose, onDone }: DocumentDialogProps) {
  return (
    <ConfirmDialog
      title={dialogs.submitTitle}
      action={reviewText.submit}
      failures={failures.submit}
      onClose={onClose}
      onConfirm={() => api.post('/documents/:id/review', { params: { id: document.id } }).then(onDone)}
    >
      <p>{dialogs.submitText}</p>
      <p className="text-soft">{dialogs.submitAfter}</p>
    </ConfirmDialog>
  );
}

export function ReturnDialog({ document, onClose, onDone }: DocumentDialogProps) {
  return (
    <ConfirmDialog
      title={dialogs.returnTitle}
      action={reviewText.returnToDraft}
      failures={failures.return}
      onClose={onClose}
      onConfirm={(form) =>
        api
          .post('/documents/:id/return', { params: { id: document.id }, body: { note: form.get('note') } })
          .then(onDone)
      }
    >
      <p>{dialogs.returnText}</p>
      <TextArea name="note" label={dialogs.note} hint={dialogs.noteHint} required />
    </ConfirmDialog>
  );
}

/** Creates a mirror and opens it. */
export function MirrorDialog({ document, onClose, onDone }: DocumentDialogProps) {
  const navigate = useNavigate();
  const withRequestId = useRequestIds();
  const make = async () => {
    const { id } = await api.post('/documents/:id/mirror', { params: { id: document.id }, body: withRequestId({}) });
    await onDone();
    await navigate({ to: '/documents/$id', params: { id } });
  };
  return (
    <ConfirmDialog
      title={dialogs.mirrorTitle}
      action={reviewText.makeMirror}
      failures={failures.mirror}
      onClose={onClose}
      onConfirm={make}
    >
      <p>{dialogs.mirrorText}</p>
    </ConfirmDialog>
  );
}

export function RestrictDialog({ document, onClose, onDone }: DocumentDialogProps) {
  const { account } = useMe();
  return (
    <ConfirmDialog
      title={dialogs.restrictTitle}
      action={reviewText.restrict}
      onClose={onClose}
      onConfirm={(form) =>
        api.post('/restricted-papers', { body: { document_id: document.id, kind: form.get('kind') } }).then(onDone)
      }
    >
      <p>{fill(dialogs.restrictText, { account: account.display_name })}</p>
      <p className="text-soft">{dialogs.restrictAfter}</p>
      <RestrictedAs />
    </ConfirmDialog>
  );
}

export function LiftDialog({ document, onClose, onDone }: DocumentDialogProps) {
  const { account } = useMe();
  const what = document.is_template ? dialogs.liftTemplateText : dialogs.liftText;
  return (
    <ConfirmDialog
      title={dialogs.liftTitle}
      action={reviewText.liftRestriction}
      failures={failures.lift}
      onClose={onClose}
      onConfirm={() => api.post('/documents/:id/lift-restriction', { params: { id: document.id } }).then(onDone)}
    >
      <p>{fill(what, { account: account.display_name })}</p>
    </ConfirmDialog>
  );
}
