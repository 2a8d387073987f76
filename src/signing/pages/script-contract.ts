/** What the page and its script agree on. Types only: the script is served without this file. */

/** What the page posts to. */
export type Action = 'viewed' | 'code' | 'verify' | 'account' | 'progress' | 'sign' | 'decline' | 'finish';

/** What the server may answer instead of 200. */
export type RefusalCode =
  /** The page's own: a preview asks the server for nothing. */
  | 'preview_only'
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
  | 'fields_missing'
  | 'invalid_field'
  | 'verification_required'
  | 'invalid_code'
  | 'too_many_codes'
  | 'code_not_sent'
  | 'too_many_links'
  | 'link_not_sent'
  | 'temporarily_unavailable';

export type SignatureInput = { kind: 'typed' } | { kind: 'drawn'; png: string };

export interface SignBody {
  /** Who draws need not type one. */
  full_name?: string;
  signature: SignatureInput;
  /** The version of the disclosure the page shows. */
  disclosure: string;
  /** Where a field for initials was filled. */
  initials?: InitialsInput;
  /** By the field's id, those of this tab. Empty: cleared here. */
  fields?: Record<string, string>;
}

export type InitialsInput = { kind: 'typed'; text: string } | { kind: 'drawn'; png: string };

/** What changed since the last time; null: cleared. */
export interface ProgressBody {
  fields: Record<string, string | null>;
}

/** What a page of the file says, in PDF points from its top left corner. */
export interface PageText {
  lines: { text: string; x: number; y: number; width: number; height: number }[];
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
  linkSending: string;
  linkSent: string;
  /** Holds `{when}`. */
  linkNext: string;
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
  /** Where the device was handed over. */
  handBackText: string;
}

/** What only the script of a page with a file has to say. */
export interface FileScriptTexts {
  /** Holds `{done}` and `{total}`. */
  fieldsDone: string;
  nameLeft: string;
  ready: string;
  readyApprover: string;
  /** Holds `{field}`: its name. */
  fieldMissing: string;
  /** Holds `{field}` and `{count}`, at least 2. */
  fieldsMissing: string;
  saved: string;
  notSaved: string;
  /** Holds `{number}` and `{total}`. */
  pageOf: string;
  pageFailed: string;
  pageWithoutText: string;
  textFailed: string;
  /** After the name of a field that has its mark. */
  placed: string;
  initialsMissing: string;
  uploadMissing: string;
  uploadUnreadable: string;
}
