import { useState } from 'react';
import { api, leaveFor } from '../api/client.ts';
import { fill } from '../language.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { actionText } from './action-texts.ts';
import { dialogText } from './dialog-texts.ts';
import type { DocumentDialogProps } from './document-dialogs.tsx';
import type { RecipientView } from './types.ts';

const { dialogs, failures } = dialogText;

/** Dialogs about one recipient of a document, loaded when one is first opened. */
export type RecipientDialogProps = DocumentDialogProps & { recipient: RecipientView };

/** Replaces the person that the dialog showed when it opened. If someone else replaced them in the meantime, nothing changes. */
export function ReassignDialog({ document, recipient: current, onClose, onDone }: RecipientDialogProps) {
  const [recipient] = useState(current);
  const needsEmail = recipient.channel === 'email' || recipient.auth_level === 'l0_account_session';
  const needsPhone = recipient.channel === 'sms' || recipient.auth_level === 'l1_email_sms_otp';
  return (
    <ConfirmDialog
      title={fill(dialogs.reassignTitle, { name: recipient.name })}
      action={actionText.reassign}
      failures={failures.reassign}
      onClose={onClose}
      onConfirm={(form) => {
        const filled = [...form].filter(([, value]) => value !== '');
        return api
          .post('/documents/:id/recipients/:recipient/reassign', {
            params: { id: document.id, recipient: recipient.id },
            body: { ...Object.fromEntries(filled), holder: recipient.holder },
          })
          .then(onDone);
      }}
    >
      <p>{fill(dialogs.reassignText, { name: recipient.name })}</p>
      <TextField name="name" label={dialogs.name} required autoComplete="off" />
      <TextField name="email" type="email" label={dialogs.email} isOptional={!needsEmail} autoComplete="off" />
      <TextField name="phone" type="tel" label={dialogs.phone} isOptional={!needsPhone} autoComplete="off" />
    </ConfirmDialog>
  );
}

/** Opens the signing page in place of the console. Signs out of the console unless the box is unticked. */
export function InPersonDialog({ document, recipient, onClose }: RecipientDialogProps) {
  return (
    <ConfirmDialog
      title={fill(dialogs.inPersonTitle, { name: recipient.name })}
      action={dialogs.open}
      failures={failures.inPerson}
      onClose={onClose}
      onConfirm={(form) =>
        leaveFor(async () => {
          const opened = await api.post('/documents/:id/recipients/:recipient/in-person', {
            params: { id: document.id, recipient: recipient.id },
            body: { sign_out: form.has('sign_out') },
          });
          return opened.path;
        })
      }
    >
      <p>{dialogs.inPersonText}</p>
      <label className="flex items-start gap-3">
        <input type="checkbox" name="sign_out" defaultChecked className="mt-1 size-4 accent-accent" />
        <span>
          <span className="font-semibold">{dialogs.signOutFirst}</span>
          <span className="block text-sm text-soft">{dialogs.signOutHint}</span>
        </span>
      </label>
    </ConfirmDialog>
  );
}
