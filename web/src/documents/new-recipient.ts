import type { RecipientView } from './types.ts';

/** A recipient as it is being entered. */
export interface NewRecipient {
  key: string;
  /** Of a recipient that the document has already, or the template it is made from. */
  id: string | null;
  name: string;
  email: string;
  phone: string;
  part: RecipientView['kind'];
  /** The sender's own word for it, such as Tenant. */
  role: string;
  channel: RecipientView['channel'];
  proof: RecipientView['auth_level'];
  /** Where recipients are asked in turn: at the same time as the one before. */
  isTogether: boolean;
  /** What a template calls a recipient whose person is not known yet. */
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
    proof: 'l0_email_link',
    isTogether: false,
    placeholder: '',
  };
}

/** Those of a document, in the order in which they sign. */
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
    proof: view.auth_level,
    isTogether: views[index - 1]?.sign_order === view.sign_order,
    placeholder: '',
  }));
}

/** Those of a template: who can be reached is who it is, who cannot is yet to be named. */
export function recipientsFromTemplate(views: readonly RecipientView[]): NewRecipient[] {
  return editableRecipients(views).map((recipient) => {
    if (recipient.email !== '' || recipient.phone !== '') return recipient;
    const role =
      recipient.part === 'signer' && recipient.role === '' ? recipient.name.slice(0, roleLengthMax) : recipient.role;
    return { ...recipient, name: '', role, placeholder: recipient.name };
  });
}

export const roleLengthMax = 60;

/** How somebody can show who they are: a code is for those who sign. */
export function authLevelsFor(part: NewRecipient['part']): NewRecipient['proof'][] {
  const all: NewRecipient['proof'][] = ['l0_email_link', 'l1_email_sms_otp', 'l0_account_session'];
  return part === 'signer' ? all : all.filter((proof) => proof !== 'l1_email_sms_otp');
}

export function authLevelOf({ part, proof }: Pick<NewRecipient, 'part' | 'proof'>): NewRecipient['proof'] {
  return authLevelsFor(part).includes(proof) ? proof : 'l0_email_link';
}

/** As the API takes them, each with its turn. */
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
