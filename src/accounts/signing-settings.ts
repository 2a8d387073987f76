import { isPlainLine } from '../platform/plain-line.ts';
import type { World } from '../platform/world.ts';
import type { Queryable, Tx } from '../postgres/database.ts';
import { auditAccount } from './account-audit.ts';

/** What a company's recipients agree to and may do, and what its sealed PDFs show. */
export interface SigningSettings {
  /** Whether recipients must tick a box before they can sign. */
  asks_consent: boolean;
  /** Whom to ask for printed copies. Null: the disclosure says to ask the sender. */
  copies_contact: string | null;
  /** What a printed copy costs. */
  copies_cost: string | null;
  /** Whether the id of the document is printed on every page of a sealed PDF. */
  prints_document_id: boolean;
  /** Whether recipients may name someone else who should act instead. */
  allows_delegation: boolean;
  /** Whether recipients may write comments to the sender. */
  allows_comments: boolean;
  /** Whether certificates of completion mask e-mail addresses and phone numbers. */
  masks_contacts: boolean;
  /** Whether sealed PDFs show from which IP address and device each recipient acted. */
  shows_devices: boolean;
}

/** What the settings say about a document's consent. The document keeps it from the time it is sent. */
export type ConsentTerms = Pick<SigningSettings, 'asks_consent' | 'copies_contact' | 'copies_cost'>;

const unset: SigningSettings = {
  asks_consent: false,
  copies_contact: null,
  copies_cost: null,
  prints_document_id: false,
  allows_delegation: false,
  allows_comments: false,
  masks_contacts: false,
  shows_devices: false,
};

/** In Unicode code points. */
const copiesTextLengthMax = 200;

/** Whether a text can be the contact or the cost of printed copies: one visible line. */
export function isCopiesText(text: string): boolean {
  return isPlainLine(text, copiesTextLengthMax);
}

export function consentTerms({ asks_consent, copies_contact, copies_cost }: SigningSettings): ConsentTerms {
  return { asks_consent, copies_contact, copies_cost };
}

/** What the settings say about a document's certificate of completion. The document keeps it from the time it is sent. */
export function certificateTerms({ masks_contacts, shows_devices }: SigningSettings) {
  return { masks_contacts, shows_devices };
}

const columns = `asks_consent, copies_contact, copies_cost, prints_document_id, allows_delegation, allows_comments,
  masks_contacts, shows_devices`;

export async function readSigningSettings(db: Queryable, accountId: string): Promise<SigningSettings> {
  const [row] = await db.query<SigningSettings>({
    name: 'read_signing_settings',
    text: `select ${columns} from accounts where id = $1`,
    values: [accountId],
  });
  return row ?? unset;
}

/** Reads the settings and keeps others from changing them until the transaction ends. */
export async function lockSigningSettings(tx: Tx, accountId: string): Promise<SigningSettings> {
  const [row] = await tx.query<SigningSettings>({
    name: 'lock_signing_settings',
    text: `select ${columns} from accounts where id = $1 for no key update`,
    values: [accountId],
  });
  return row ?? unset;
}

/**
 * Sets what documents have that are sent from now on, whether PDFs that are sealed from now on show their id, and whether
 * recipients may name someone else or write comments from now on. Returns null if the account does not exist or is removed.
 * `personId`: the person for the account's audit log, null for an operator.
 */
export async function setSigningSettings(
  world: World,
  tx: Tx,
  accountId: string,
  settings: SigningSettings,
  personId: string | null,
): Promise<SigningSettings | null> {
  const { asks_consent, copies_contact, copies_cost, ...others } = settings;
  const { prints_document_id, allows_delegation, allows_comments, masks_contacts, shows_devices } = others;
  const [row] = await tx.query<SigningSettings>({
    name: 'set_signing_settings',
    text: `update accounts set asks_consent = $2, copies_contact = $3, copies_cost = $4, prints_document_id = $5,
             allows_delegation = $6, allows_comments = $7, masks_contacts = $8, shows_devices = $9
           where id = $1 and removed_at is null returning ${columns}`,
    values: [
      accountId,
      asks_consent,
      copies_contact,
      copies_cost,
      prints_document_id,
      allows_delegation,
      allows_comments,
      masks_contacts,
      shows_devices,
    ],
  });
  if (row === undefined) return null;
  // The texts may name a person, and the audit log is kept longer than they are.
  const detail = { asks_consent, has_copies_contact: copies_contact !== null, has_copies_cost: copies_cost !== null };
  await auditAccount(world, tx, {
    accountId,
    personId,
    action: 'signing_settings_set',
    detail: { ...detail, ...others },
  });
  return row;
}
