import type { Language } from '../../platform/language.ts';

/** What a recipient's page is made from. It holds no contact detail: of the other parties only name, role and status are shown. */
export interface SigningPageView {
  language: Language;
  /** Where the page is, and below it what its script calls: `/sign/<token>`, then `viewed`, `sign`, `document.pdf`. */
  address: string;
  /** Shown to the sender before anybody is asked: nothing leaves the page, and nothing is kept. */
  isPreview: boolean;
  accountName: string;
  testMode: boolean;
  /** By a code that runs out: the page keeps it alive while one signs, and gives it back with `Finish`. */
  isVerified: boolean;
  document: {
    id: string;
    title: string;
    type: string;
    message: string | null;
    sentAt: Date | null;
    expiresAt: Date | null;
  };
  parties: Party[];
  reader: { name: string; kind: RecipientKind };
  /** The PDF that is signed. Null: the paper made from title, message and parties is the document. */
  file: AttachedFile | null;
  /** In person, and this reader has not begun: the device has to change hands before anything is shown. */
  handOver: boolean;
  /** How a sign-in that is asked for can be had. */
  account: AccountAccess | null;
  /** On somebody else's device, which goes back to its owner at the end. */
  isInPerson: boolean;
  /** What stands beside the button that signs. */
  disclosure: { version: string; heading: string; points: readonly string[] };
  state: SigningState;
}

/** A link is sent to `address`, of which enough is shown to know one's own by; null: there is none. `isShown`: no e-mail leaves, the page opens at once. */
export interface AccountAccess {
  address: string | null;
  isShown: boolean;
}

export interface AttachedFile {
  name: string;
  /** In PDF points, as shown. */
  pages: readonly { width: number; height: number }[];
  /** Those of the reader alone. */
  fields: readonly PageField[];
}

export type FieldType = 'signature' | 'initials' | 'date' | 'text' | 'checkbox';

/** Where it stands is counted in PDF points from the top left corner of its page, whose number starts at 1. */
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
  /** As saved before: `true` for a mark that was placed, `true` or `false`, `2026-03-09`, or a text. */
  value: string | null;
}

/** The page of a reader who has yet to give a code: there is nothing in it that the code protects. */
export interface LockedPageView {
  language: Language;
  address: string;
  isPreview: boolean;
  accountName: string;
  testMode: boolean;
  title: string;
  /** The last digits of the number codes go to; `isShown`: no SMS leaves, the page itself shows the code. */
  code: { phoneEnding: string; isShown: boolean };
  state: SigningState;
}

export type RecipientKind = 'signer' | 'approver' | 'cc';

export interface Party {
  name: string;
  /** The sender's own words, such as `Contractor`. */
  role: string | null;
  kind: RecipientKind;
  status: PartyStatus;
  /** When it came to this status. */
  at: Date | null;
  isReader: boolean;
}

export type PartyStatus = 'pending' | 'sent' | 'viewed' | 'signed' | 'declined';

export type SigningState =
  /** May sign or decline now. */
  | { kind: 'open' }
  /** Its turn has not come. */
  | { kind: 'waiting' }
  /** A code by SMS is asked for before anything is shown. */
  | { kind: 'needs_code'; opens: 'document' | 'copy' }
  /** A sign-in is asked for before signing, or before the completed copy. */
  | { kind: 'needs_account'; opens: 'document' | 'copy' }
  /** This reader is done, others are not. */
  | { kind: 'signed'; at: Date }
  | { kind: 'approved'; at: Date }
  | { kind: 'completed'; at: Date; copyReady: boolean }
  /** `reason` is given only to the one who declined. */
  | { kind: 'declined'; at: Date; byReader: boolean; reason: string | null }
  | { kind: 'voided'; reason: string | null }
  | { kind: 'expired'; at: Date }
  /** A copy-only recipient before completion. */
  | { kind: 'copy' };
