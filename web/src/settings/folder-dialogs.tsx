import { useState } from 'react';
import { api } from '../api/client.ts';
import type { ItemOf } from '../api/list.ts';
import { useWholeList } from '../api/whole-list.ts';
import type { Folder } from '../documents/use-folders.ts';
import { fill } from '../language.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Select, TextField } from '../ui/field.tsx';
import { Problem } from '../ui/problem.tsx';
import { uiText } from '../ui/texts.ts';
import { foldersText } from './folders-texts.ts';

const text = foldersText;
const { failures } = text;
const nameLengthMax = 80;

export type FolderMember = ItemOf<'/folders/:id/members'>;

interface DialogProps {
  folder: Folder;
  onClose: () => void;
  onDone: () => Promise<unknown>;
}

export function NewFolderDialog({ onClose, onDone }: { onClose: () => void; onDone: (folder: Folder) => unknown }) {
  return (
    <ConfirmDialog
      title={text.newTitle}
      action={text.create}
      failures={failures}
      onClose={onClose}
      onConfirm={(form) =>
        api
          .post('/folders', { body: { name: form.get('name'), is_open: form.get('access') === 'everyone' } })
          .then(onDone)
      }
    >
      <TextField name="name" label={text.name} required maxLength={nameLengthMax} autoComplete="off" />
      <Select name="access" label={text.whoSees} hint={text.whoHint} defaultValue="members">
        <option value="members">{text.members}</option>
        <option value="everyone">{text.everyone}</option>
      </Select>
    </ConfirmDialog>
  );
}

export function RenameFolderDialog({ folder: { id, name }, onClose, onDone }: DialogProps) {
  return (
    <ConfirmDialog
      title={text.renameTitle}
      action={text.save}
      failures={failures}
      onClose={onClose}
      onConfirm={(form) =>
        api.post('/folders/:id/name', { params: { id }, body: { name: form.get('name') } }).then(onDone)
      }
    >
      <TextField
        name="name"
        label={text.name}
        defaultValue={name}
        required
        maxLength={nameLengthMax}
        autoComplete="off"
      />
    </ConfirmDialog>
  );
}

export function DeleteFolderDialog({ folder: { id, name }, onClose, onDone }: DialogProps) {
  return (
    <ConfirmDialog
      title={text.deleteTitle}
      action={text.delete}
      isDangerous
      failures={failures}
      onClose={onClose}
      onConfirm={() => api.remove('/folders/:id', { params: { id } }).then(onDone)}
    >
      <p>
        <bdi className="font-semibold wrap-anywhere">{name}</bdi>
      </p>
      <p>{text.deleteText}</p>
    </ConfirmDialog>
  );
}

/** Opens a folder to everyone, or limits an open one to its members. */
export function OpenFolderDialog({ folder, onClose, onDone }: DialogProps) {
  const { id } = folder;
  // The question stays the same when someone else opens the folder meanwhile.
  const [is_open] = useState(folder.is_open);
  return (
    <ConfirmDialog
      title={is_open ? text.closeTitle : text.openTitle}
      action={is_open ? text.close : text.openTo}
      isDangerous={!is_open}
      failures={failures}
      onClose={onClose}
      onConfirm={() => api.post('/folders/:id/open', { params: { id }, body: { is_open: !is_open } }).then(onDone)}
    >
      <p>{is_open ? text.closeText : text.openText}</p>
    </ConfirmDialog>
  );
}

/** Adds a member of the company, other than owners and admins and `present`. */
export function AddMemberDialog({
  folder: { id },
  present,
  onClose,
  onDone,
}: DialogProps & { present: readonly string[] }) {
  const { items, isReading, error } = useWholeList(['members', 'all'], '/members', { limit: 100 });
  const others = items.filter(({ id, role }) => role === 'member' && !present.includes(id));
  return (
    <ConfirmDialog
      title={text.addTitle}
      action={text.add}
      isDisabled={others.length === 0}
      failures={failures}
      onClose={onClose}
      onConfirm={(form) =>
        api
          .post('/folders/:id/members', {
            params: { id },
            body: { member_id: form.get('member'), role: form.get('role') },
          })
          .then(onDone)
      }
    >
      <Problem of={error} />
      {isReading && others.length === 0 && <p className="text-soft">{uiText.loading}</p>}
      {!isReading && error === null && others.length === 0 && <p>{text.noOthers}</p>}
      {others.length > 0 && (
        <>
          <Select name="member" label={text.member}>
            {others.map((member) => (
              <option key={member.id} value={member.id}>
                {member.email}
              </option>
            ))}
          </Select>
          <AccessField chosen="viewer" />
        </>
      )}
    </ConfirmDialog>
  );
}

type MemberDialogProps = DialogProps & { member: FolderMember };

export function ChangeAccessDialog({ folder: { id }, member, onClose, onDone }: MemberDialogProps) {
  return (
    <ConfirmDialog
      title={fill(text.changeTitle, { email: member.email })}
      action={text.save}
      failures={failures}
      onClose={onClose}
      onConfirm={(form) =>
        api
          .post('/folders/:id/members', { params: { id }, body: { member_id: member.id, role: form.get('role') } })
          .then(onDone)
      }
    >
      <AccessField chosen={member.role} />
    </ConfirmDialog>
  );
}

export function RemoveAccessDialog({ folder: { id }, member, onClose, onDone }: MemberDialogProps) {
  return (
    <ConfirmDialog
      title={text.removeTitle}
      action={text.remove}
      isDangerous
      failures={failures}
      onClose={onClose}
      onConfirm={() => api.remove('/folders/:id/members/:member', { params: { id, member: member.id } }).then(onDone)}
    >
      <p>{fill(text.removeText, { email: member.email })}</p>
    </ConfirmDialog>
  );
}

function AccessField({ chosen }: { chosen: FolderMember['role'] }) {
  return (
    <Select name="role" label={text.access} defaultValue={chosen}>
      <option value="viewer">{text.roleHints.viewer}</option>
      <option value="editor">{text.roleHints.editor}</option>
    </Select>
  );
}
