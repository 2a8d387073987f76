/** What a recipient's page is made from. It holds no contact detail: of the other parties only name, role and status are shown. */
export interface SigningPageView {
  language: Language;
  /** For the addresses the page's script calls: `/sign/<token>/viewed`, `sign`, `decline`, `document.pdf`. */
  token: string;
  accountName: string;
  testMode: boolean;
  document: {
    id: string;
    title: string;
    type: string;
    message: string | null;
    sentAt: Date | null;
    expiresAt: Date | null;
  };
  parties: Party[];
  reader: { name: string; kind: PartyKind };
  state: SigningState;
}

export type Language = 'en' | 'es';

export type PartyKind = 'signer' | 'approver' | 'cc';

export interface Party {
  name: string;
  /** The sender's own words, such as `Contractor`. */
  role: string | null;
  kind: PartyKind;
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
  /** A code by SMS is asked for before signing. */
  | { kind: 'needs_code' }
  /** A sign-in is asked for before signing. */
  | { kind: 'needs_account' }
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
