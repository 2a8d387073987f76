import { useQueryClient } from '@tanstack/react-query';
import { type AnswerOf, api } from '../api/client.ts';
import type { ItemOf } from '../api/list.ts';
import { meQuery, type Role, useMe } from '../api/me.ts';
import { fill } from '../language.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Select, TextField } from '../ui/field.tsx';
import { membersText } from './members-texts.ts';

export type Member = ItemOf<'/members'>;

interface DialogProps {
  onClose: () => void;
  /** Receives the message to show, or ''. */
  onDone: (sentence: string) => Promise<unknown>;
}

type MemberDialogProps = DialogProps & { member: Member };

type Invited = AnswerOf<'POST', '/members'>;

function tellOf({ email, invitation }: Invited): string {
  return fill(invitation === 'sent' ? membersText.invited : membersText.notSent, { email });
}

function RoleField({ chosen }: { chosen: Role }) {
  const { role } = useMe();
  const roles: Role[] = role === 'owner' ? ['member', 'admin', 'owner'] : ['member', 'admin'];
  return (
    <Select name="role" label={membersText.role} defaultValue={chosen}>
      {roles.map((name) => (
        <option key={name} value={name}>
          {membersText.roles[name]}
        </option>
      ))}
    </Select>
  );
}

export function InviteDialog({ onClose, onDone }: DialogProps) {
  const invite = (form: FormData) =>
    api.post('/members', { body: { email: form.get('email'), role: form.get('role') } });
  return (
    <ConfirmDialog
      title={membersText.inviteTitle}
      action={membersText.invite}
      failures={membersText.failures}
      onClose={onClose}
      onConfirm={(form) => invite(form).then(tellOf).then(onDone)}
    >
      <p>{membersText.inviteText}</p>
      <TextField name="email" type="email" label={membersText.email} autoComplete="off" required />
      <RoleField chosen="member" />
    </ConfirmDialog>
  );
}

export function InviteAgainDialog({ member, onClose, onDone }: MemberDialogProps) {
  return (
    <ConfirmDialog
      title={membersText.againTitle}
      action={membersText.again}
      failures={membersText.failures}
      onClose={onClose}
      onConfirm={() =>
        api
          .post('/members/:id/invitation', { params: { id: member.id } })
          .then(tellOf)
          .then(onDone)
      }
    >
      <p>{fill(membersText.againText, { email: member.email })}</p>
    </ConfirmDialog>
  );
}

export function RoleDialog({ member, onClose, onDone }: MemberDialogProps) {
  const queryClient = useQueryClient();
  const change = async (form: FormData) => {
    await api.post('/members/:id/role', { params: { id: member.id }, body: { role: form.get('role') } });
    if (member.is_you) await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
    await onDone('');
  };
  return (
    <ConfirmDialog
      title={membersText.roleTitle}
      action={membersText.changeRole}
      failures={membersText.failures}
      onClose={onClose}
      onConfirm={change}
    >
      <p>{fill(membersText.roleText, { email: member.email })}</p>
      <RoleField chosen={member.role} />
    </ConfirmDialog>
  );
}

export function RemoveMemberDialog({ member, onClose, onDone }: MemberDialogProps) {
  const remove = async () => {
    await api.remove('/members/:id', { params: { id: member.id } });
    // All that the page has read belongs to a company that the user has left.
    if (member.is_you) location.assign('/documents');
    else await onDone('');
  };
  return (
    <ConfirmDialog
      title={membersText.removeTitle}
      action={membersText.remove}
      isDangerous
      failures={membersText.failures}
      onClose={onClose}
      onConfirm={remove}
    >
      <p>{fill(membersText.removeText, { email: member.email })}</p>
    </ConfirmDialog>
  );
}
