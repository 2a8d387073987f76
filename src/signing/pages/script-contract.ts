import type { NumberStyle } from '../../documents/number-value.ts';
import type { CalculationTexts } from './calculation-words.ts';

/** Types shared by the page and its script. */

/** The actions that the page posts, and those of the page on which a phone draws. */
export type Action =
  | 'viewed'
  | 'code'
  | 'verify'
  | 'account'
  | 'progress'
  | `files/${string}`
  | 'phone-drawing'
  | 'sign'
  | 'decline'
  | 'finish'
  | PhoneAction;
export type PhoneAction = 'opened' | 'drawing';

/** The error codes that the page may receive. */
export type RefusalCode =
  /** Set by the page itself, because a preview sends no requests. */
  | 'preview_only'
  /** Set by the page itself, when the answer is a redirect: the host is no longer the company's. */
  | 'page_moved'
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
  | 'saved_unavailable'
  | 'invalid_reason'
  | 'consent_required'
  | 'fields_missing'
  | 'invalid_field'
  | 'file_type_refused'
  | 'file_too_large'
  | 'too_many_uploads'
  | 'verification_required'
  | 'invalid_code'
  | 'too_many_codes'
  | 'code_not_sent'
  | 'too_many_links'
  | 'link_not_sent'
  | 'temporarily_unavailable';

/** `save`: save it for next time. `id`: of what was saved earlier. */
export type SignatureInput =
  | { kind: 'typed'; save?: true }
  | { kind: 'drawn' | 'uploaded'; png: string; save?: true }
  | { kind: 'saved'; id: string };

export interface SignBody {
  /** Optional for a picture. */
  full_name?: string;
  signature: SignatureInput;
  /** The version of the disclosure the page shows. */
  disclosure: string;
  /** Set if the page has the box for consent, which was ticked. */
  consent?: true;
  /** The hash of what the page shows of others who have signed. */
  shown?: string;
  /** The language of the page, if it is not the document's. */
  language?: string;
  /** Set if a field for initials was filled. */
  initials?: InitialsInput;
  /** Set if a field for a stamp was filled. PNG in base64. */
  stamp?: { png: string } | undefined;
  /** The values entered in this tab, by field id. Empty for a field that was cleared in this tab. */
  fields?: Record<string, string>;
}

export type InitialsInput =
  | { kind: 'typed'; text: string; save?: true }
  | { kind: 'drawn' | 'uploaded'; png: string; save?: true }
  | { kind: 'saved'; id: string };

/** What the recipient has saved. Pictures are PNGs in base64. */
export type SavedAnswer = Record<'signature' | 'initials', SavedMarkAnswer | null>;
export type SavedMarkAnswer = { id: string } & (
  | { kind: 'typed'; text: string }
  | { kind: 'drawn' | 'uploaded'; png: string }
);

/** What the script that offers saved signatures needs. The page has it only for a recipient who may save. */
export interface SavedOffer {
  /** The script's address. */
  script: string;
  texts: SavedTexts;
}

export interface SavedTexts {
  /** The tab. */
  tab: string;
  signature: string;
  initials: string;
  hint: string;
  /** The label of the box. */
  save: string;
  /** Follows it if there is one already. */
  replaces: string;
  saveHint: string;
}

/** A request for a drawing made on a phone. */
export interface RequestedDrawing {
  id: string;
  /** The code for the phone's camera: an SVG path of `size` by `size` modules. */
  qr: { size: number; path: string };
}

/** How far the phone has come. `png` in base64. */
export type PhoneProgress = { state: 'waiting' | 'opened' | 'ended' } | { state: 'drawn'; png: string };

/** The values changed since the last save. Null for a cleared field. */
export interface ProgressBody {
  fields: Record<string, string | null>;
}

/** The text of a page, with positions in PDF points from its top left corner. */
export interface PageText {
  lines: { text: string; x: number; y: number; width: number; height: number }[];
}

export interface VerifyBody {
  /** As typed or pasted. */
  code: string;
  /** The page's own random name. A page may repeat its code for two minutes, because an answer can be lost. */
  page: string;
  /** Whether the page is in a frame of another site, where cookies need leave to be kept. */
  framed?: boolean;
}

export interface DeclineBody {
  reason: string;
}

/** The script's sentences in the page's language. The page contains them as JSON. */
export interface ScriptTexts {
  refusals: Record<RefusalCode, string>;
  connectionFailed: string;
  somethingFailed: string;
  recording: string;
  codeSending: string;
  codeSent: string;
  /** Contains `{code}`. */
  codeShown: string;
  /** Contains `{when}`. */
  codeNext: string;
  codeChecking: string;
  linkSending: string;
  linkSent: string;
  /** Contains `{when}`. */
  linkNext: string;
  codeMissing: string;
  nameMissing: string;
  reasonMissing: string;
  drawingMissing: string;
  drawingUnavailable: string;
  drawingCleared: string;
  phoneWaiting: string;
  phoneOpened: string;
  phoneDrawn: string;
  phoneEnded: string;
  uploadMissing: string;
  uploadUnreadable: string;
  /** Announced when somebody signs while the page is open. */
  newSignature: string;
  tryAgain: string;
  showStatus: string;
  closedTitle: string;
  closedText: string;
  /** For a device that was handed over. */
  handBackText: string;
}

/** The sentences for pages with a file. */
export interface FileScriptTexts extends CalculationTexts {
  /** How numbers are written in the page's language. */
  numbers: NumberStyle;
  /** Contains `{done}` and `{total}`. */
  fieldsDone: string;
  nameLeft: string;
  signatureLeft: string;
  consentLeft: string;
  /** Replaces `Start` while something is left. */
  next: string;
  ready: string;
  readyApprover: string;
  /** Contains `{field}`, the name of a field. */
  fieldMissing: string;
  /** Contains `{field}` and `{count}`, which is at least 2. */
  fieldsMissing: string;
  saved: string;
  notSaved: string;
  /** Contains `{number}` and `{total}`. */
  pageOf: string;
  pageFailed: string;
  pageWithoutText: string;
  textFailed: string;
  /** Follows the name of a field that has its signature or initials. */
  placed: string;
  /** Contains `{value}`, a number that was refused before the language changed. */
  typed: string;
  initialsMissing: string;
  stampMissing: string;
  uploadSending: string;
  /** Contains `{name}`. */
  uploadReceived: string;
  /** What a number without a label is called. */
  unnamed: string;
  /** Contains `{shown}` and `{hidden}`. Announced when fields appear or disappear. */
  fieldsChanged: string;
}
