import type { PartyView } from './types.ts';

/** A party as it is being entered. */
export interface NewParty {
  key: string;
  /** Of a party that the document has already, or the template it is made from. */
  id: string | null;
  name: string;
  email: string;
  phone: string;
  part: PartyView['kind'];
  /** The sender's own word for it, such as Tenant. */
  role: string;
  channel: PartyView['channel'];
  proof: PartyView['auth_level'];
  /** Where parties are asked in turn: at the same time as the one before. */
  isTogether: boolean;
  /** What a template calls a party whose person is not known yet. */
  placeholder: string;
}

export function emptyParty(): NewParty {
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
export function partiesOf(views: readonly PartyView[]): NewParty[] {
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
export function partiesFrom(views: readonly PartyView[]): NewParty[] {
  return partiesOf(views).map((party) => {
    if (party.email !== '' || party.phone !== '') return party;
    const role = party.part === 'signer' && party.role === '' ? party.name.slice(0, roleLengthMax) : party.role;
    return { ...party, name: '', role, placeholder: party.name };
  });
}

export const roleLengthMax = 60;

/** How somebody can show who they are: a code is for those who sign. */
export function proofsOf(part: NewParty['part']): NewParty['proof'][] {
  const all: NewParty['proof'][] = ['l0_email_link', 'l1_email_sms_otp', 'l0_account_session'];
  return part === 'signer' ? all : all.filter((proof) => proof !== 'l1_email_sms_otp');
}

export function proofOf({ part, proof }: Pick<NewParty, 'part' | 'proof'>): NewParty['proof'] {
  return proofsOf(part).includes(proof) ? proof : 'l0_email_link';
}

/** As the API takes them, each with its turn. */
export function recipientsOf(parties: readonly NewParty[]): object[] {
  let turn = 0;
  return parties.map((party, index) => {
    if (index === 0 || !party.isTogether) turn += 1;
    const { id, name, email, phone, part, role, channel } = party;
    return {
      id,
      name: name.trim(),
      email: email.trim() || null,
      phone: phone.trim() || null,
      role: part === 'signer' ? role.trim() || null : part,
      channel,
      auth_level: proofOf(party),
      sign_order: turn,
    };
  });
}
