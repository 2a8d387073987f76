/** What the page and its script agree on. Types only: the script is served without this file. */

/** What the page posts to. */
export type Action = 'viewed' | 'code' | 'verify' | 'sign' | 'decline' | 'finish';

/** What the server may answer instead of 200. */
export type RefusalCode =
  | 'already_signed'
  | 'already_declined'
  | 'document_voided'
  | 'document_declined'
  | 'document_expired'
  | 'document_completed'
  | 'not_your_turn'
  | 'link_unknown'
  | 'invalid_full_name'
  | 'invalid_signature'
  | 'invalid_reason'
  | 'verification_required'
  | 'invalid_code'
  | 'too_many_codes'
  | 'code_not_sent'
  | 'temporarily_unavailable';

export type SignatureInput = { kind: 'typed' } | { kind: 'drawn'; png: string };

export interface SignBody {
  full_name: string;
  signature: SignatureInput;
  /** The version of the disclosure the page shows. */
  disclosure: string;
}

export interface VerifyBody {
  /** As typed or pasted. */
  code: string;
}

export interface DeclineBody {
  reason: string;
}

/** The sentences the script may have to say, in the page's language; sent as JSON inside the page. */
export interface ScriptTexts {
  refusals: Record<RefusalCode, string>;
  connectionFailed: string;
  somethingFailed: string;
  recording: string;
  codeSending: string;
  codeSent: string;
  /** Holds `{code}`. */
  codeShown: string;
  /** Holds `{when}`. */
  codeNext: string;
  codeChecking: string;
  codeMissing: string;
  nameMissing: string;
  reasonMissing: string;
  drawingMissing: string;
  drawingUnavailable: string;
  drawingCleared: string;
  tryAgain: string;
  showStatus: string;
  closedTitle: string;
  closedText: string;
}
