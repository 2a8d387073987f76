import { roleFromName } from '../../../src/documents/recipient.ts';
import type { RecipientView } from './types.ts';

/** A recipient in the form. */
export interface NewRecipient {
  key: string;
  /** The id of an existing recipient of the document or template. */
  id: string | null;
  name: string;
  email: string;
  phone: string;
  part: RecipientView['kind'];
  /** A free label for the role, such as Tenant. */
  role: string;
  channel: RecipientView['channel'];
  authLevel: RecipientView['auth_level'];
  /** In sequential order: signs at the same time as the previous recipient. */
  isTogether: boolean;
  /** The name of a template's role whose person is not known yet. */
  placeholder: string;
}

export function emptyRecipient(): NewRecipient {
  return {
    key: crypto.getRandomValues(new Uint32Array(1)).join(),
    id: null,
    name: '',
    email: '',
    phone: '',
    part: 'signer',
    role: '',
    channel: 'email',
    authLevel: 'l0_email_link',
    isTogether: false,
    placeholder: '',
  };
}

/** Returns the recipients of a document for the form, in signing order. */
export function editableRecipients(views: readonly RecipientView[]): NewRecipient[] {
  return views.map((view, index) => ({
    key: view.id,
    id: view.id,
    name: view.name,
    email: view.email ?? '',
    phone: view.phone ?? '',
    part: view.kind,
    role: view.kind === 'signer' ? (view.role ?? '') : '',
    channel: view.channel,
    authLevel: view.auth_level,
    isTogether: views[index - 1]?.sign_order === view.sign_order,
    placeholder: '',
  }));
}

/** Returns the recipients of a template for a new draft. Those without contact details are still to be named. */
export function recipientsFromTemplate(views: readonly RecipientView[]): NewRecipient[] {
  return editableRecipients(views).map((recipient) => {
    if (recipient.email !== '' || recipient.phone !== '') return recipient;
    const { name, part, role } = recipient;
    const kept = part === 'signer' && role === '' ? (roleFromName(name) ?? '') : role;
    return { ...recipient, name: '', role: kept, placeholder: name };
  });
}

/** Lists the authentication levels for a part. Only signers can have a code by SMS. */
export function authLevelsFor(part: NewRecipient['part']): NewRecipient['authLevel'][] {
  const all: NewRecipient['authLevel'][] = ['l0_email_link', 'l1_email_sms_otp', 'l0_account_session'];
  return part === 'signer' ? all : all.filter((authLevel) => authLevel !== 'l1_email_sms_otp');
}

export function authLevelOf({ part, authLevel }: Pick<NewRecipient, 'part' | 'authLevel'>): NewRecipient['authLevel'] {
  return authLevelsFor(part).includes(authLevel) ? authLevel : 'l0_email_link';
}

/** Returns the recipients as the API expects them, with their order. */
export function recipientInputs(recipients: readonly NewRecipient[]): object[] {
  let turn = 0;
  return recipients.map((recipient, index) => {
    if (index === 0 || !recipient.isTogether) turn += 1;
    const { id, name, email, phone, part, role, channel } = recipient;
    return {
      id,
      name: name.trim(),
      email: email.trim() || null,
      phone: phone.trim() || null,
      role: part === 'signer' ? role.trim() || null : part,
      channel,
      auth_level: authLevelOf(recipient),
      sign_order: turn,
    };
  });
}
