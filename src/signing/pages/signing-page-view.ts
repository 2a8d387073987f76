import type { CopyStatus } from '../../documents/completed-file.ts';
import type { DateFormat } from '../../documents/date-format.ts';
import type { FieldType } from '../../documents/field-types.ts';
import type { NumberRules } from '../../documents/number-value.ts';
import type { TextFormat } from '../../documents/text-format.ts';
import type { PageLanguage } from '../../page-texts/texts.ts';
import type { Language } from '../../platform/language.ts';
import type { Calculation } from './calculation-words.ts';

/**
 * The values of a recipient's page. It contains no contact data. Of other recipients it shows name, role and status, and what
 * they signed, except private fields.
 */
export interface SigningPageView {
  /** The language of the page. */
  language: PageLanguage;
  /** The language of the document's own texts: its title, message, field names and disclosure. */
  documentLanguage: Language;
  /** The page's address, `/sign/<token>`. The script's addresses, such as `viewed`, `sign` and `document.pdf`, are below it. */
  address: string;
  /** Whether the sender previews the page. A preview sends and stores nothing. */
  isPreview: boolean;
  accountName: string;
  brand: PageBrand;
  testMode: boolean;
  /** Whether a code was entered. The page extends the verification while it is used, and ends it with `Finish`. */
  isVerified: boolean;
  document: {
    id: string;
    title: string;
    type: string;
    message: string | null;
    sentAt: Date | null;
    expiresAt: Date | null;
  };
  recipients: PageRecipient[];
  recipient: { name: string; kind: RecipientKind };
  /** The PDF to sign. Null if the document is a page with title, message and recipients. */
  file: AttachedFile | null;
  /** What those who have signed filled in, as far as the recipient may see it. */
  shown: ShownSignatures;
  /** Whether the device must be handed to the recipient first, when signing in person. */
  handOver: boolean;
  /** Whether the recipient uses the sender's device, which is returned at the end. */
  isInPerson: boolean;
  /** The text next to the button that signs. */
  disclosure: { version: string; heading: string; points: readonly string[] };
  /** Whether the recipient may name someone else who should act. */
  mayDelegate: boolean;
  /** Whether the page offers what the recipient has saved, and to save. Only a signed-in recipient's own page does. */
  offersSaved?: boolean;
  /** Whether the recipient may write to the sender. */
  mayComment: boolean;
  /** The sentence next to a box that must be ticked before signing. Null: choosing the button means it. */
  consentStatement: string | null;
  state: SigningState;
}

/** `address`: the shortened address that a sign-in link goes to, or null. `isShown`: no e-mail is sent; the page opens at once. */
export interface AccountAccess {
  address: string | null;
  isShown: boolean;
}

/** The attached file, or the sealed PDF after completion. */
export interface AttachedFile {
  name: string;
  /** Whose pages: `sealed` for the sealed PDF, which contains what was filled in. Their addresses are below it. */
  part: 'pages' | 'sealed';
  /** Page sizes in PDF points, as shown. */
  pages: readonly { width: number; height: number }[];
  /** The files that it was joined from, each with the number of its first page. Left out for a single file. */
  parts?: readonly { title: string; firstPage: number }[];
  /** The recipient's own fields. */
  fields: readonly PageField[];
}

/** How the company looks. `stylesheet`: the address of its colours. Null: our own. */
export interface PageBrand {
  logo: { address: string; width: number; height: number } | null;
  stylesheet: string | null;
}

/** A field, with its position in PDF points from the top left corner of its page. Pages count from 1. */
export interface PageField {
  id: string;
  type: FieldType;
  page: number;
  x: number;
  y: number;
  width: number;
  height: number;
  required: boolean;
  label: string | null;
  /** Whether the sender gave the value and the recipient can't change it. */
  isFixed: boolean;
  /** The limits of a number. Null for other types. */
  numberRules: NumberRules | null;
  /** The options of a drop-down list. Null for other types. */
  options: readonly string[] | null;
  /** The name of a radio button's group. Null for other types. */
  group: string | null;
  /** How a date is written. Null or left out: as it is stored. */
  dateFormat?: DateFormat | null;
  /** What a text must be. Null or left out: any text. */
  textFormat?: TextFormat | null;
  /** Identifies the field to the conditions of others. */
  position: number;
  /** When the field is shown. Null: always. */
  condition: { position: number; value: string } | null;
  /** How a number is calculated. Null: the recipient enters it, or it isn't a number. */
  calculation: Calculation | null;
  /** The file attached to a field of the type `upload`. Null or left out: none. */
  file?: { id: string; name: string; bytes: number } | null;
  /**
   * The saved value, or the result of a calculated field: `true` for a placed signature, `true` or `false`, `2026-03-09`,
   * `1200.50`, an option, or a text.
   */
  value: string | null;
}

export interface ShownSignatures {
  /** The hash of what is shown. The page sends it with the signature, for the audit trail. */
  sha256: string;
  /** In the order of signing. */
  signers: readonly ShownSigner[];
  /** Whether others may sign while the page is open, so that it checks for news. */
  isLive: boolean;
}

export interface ShownSigner {
  recipientId: string;
  /** The name that the sender gave. */
  name: string;
  /** The name that was signed with. */
  signedAs: string;
  at: Date;
  isSelf: boolean;
  /** The signature, if it is on no page of the file. */
  signature: PageMark | null;
  fields: readonly ShownField[];
}

export interface ShownField extends Pick<PageField, 'type' | 'page' | 'x' | 'y' | 'width' | 'height' | 'label'> {
  /** As people read it. */
  value: string;
  /** Signature, initials or stamp. Null for other types. */
  mark: PageMark | null;
}

/** `address`: of the picture. */
export type PageMark = { kind: 'typed'; text: string } | { kind: 'drawn'; address: string };

/** The values of the page before the recipient is identified. They contain nothing that the code or the sign-in protects. */
export interface LockedPageView {
  /** The language of the page. */
  language: PageLanguage;
  /** The language of the document's own texts: its title, message, field names and disclosure. */
  documentLanguage: Language;
  address: string;
  isPreview: boolean;
  accountName: string;
  brand: PageBrand;
  testMode: boolean;
  title: string;
  /** The last digits of the phone number. `isShown`: no SMS is sent; the page shows the code. */
  code: { phoneEnding: string; isShown: boolean };
  /** How to get the required sign-in, or null. */
  account: AccountAccess | null;
  state: SigningState;
}

export type RecipientKind = 'signer' | 'approver' | 'cc';

export interface PageRecipient {
  name: string;
  /** The role that the sender typed, such as `Contractor`. */
  role: string | null;
  kind: RecipientKind;
  status: PageRecipientStatus;
  /** The time of this status. */
  at: Date | null;
  isSelf: boolean;
  /** What the recipient signed, if that is shown. */
  signed: ShownSigner | null;
}

export type PageRecipientStatus = 'pending' | 'sent' | 'viewed' | 'signed' | 'declined';

export type SigningState =
  /** The recipient may sign or decline. */
  | { kind: 'open' }
  /** It isn't the recipient's turn yet. */
  | { kind: 'waiting' }
  /** A code by SMS is required before anything is shown. */
  | { kind: 'needs_code'; opens: 'document' | 'copy' }
  /** A sign-in is required before anything is shown. */
  | { kind: 'needs_account'; opens: 'document' | 'copy' }
  /** This recipient has signed, others haven't. */
  | { kind: 'signed'; at: Date }
  | { kind: 'approved'; at: Date }
  | { kind: 'completed'; at: Date; copy: CopyStatus }
  /** Only the recipient who declined gets `reason`. */
  | { kind: 'declined'; at: Date; bySelf: boolean; reason: string | null }
  | { kind: 'voided'; reason: string | null }
  | { kind: 'expired'; at: Date }
  /** A copy-only recipient before completion. */
  | { kind: 'copy' };
