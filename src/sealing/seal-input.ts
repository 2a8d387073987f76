import { isMarkKind, type MarkKind } from '../mark-kinds.ts';
import type { LogoFile } from '../pdf/drawing/embed-logo.ts';
import type { Signature } from '../pdf/drawing/signature-mark.ts';
import type { Language } from '../platform/language.ts';

/**
 * The content of a sealed PDF, as plain JSON. The service sends it to the process that draws and signs. Times are RFC 3339
 * in UTC.
 */
export interface SealInput {
  language: Language;
  /** The company that sent the document. */
  accountName: string;
  /** The company's logo, on the certificate of completion. */
  logo: LogoFile | null;
  /** The member who sent it. Null when an API key did. */
  senderEmail: string | null;
  /** The page on which anyone can check the sealed PDF. */
  verifyAddress: string;
  document: {
    id: string;
    title: string;
    type: string;
    message: string | null;
    /** Whether it was sent in test mode. */
    isTest: boolean;
    /** Whether its id is printed on the pages of the attached file too. */
    printsId: boolean;
    createdAt: string;
    sentAt: string;
    completedAt: string;
    /** SHA-256 of the signed content, hex. The content is one of the attachments. */
    contentSha256: string;
    /** The attached PDF that was signed. Null when the pages are drawn from the content of the document. */
    file: SealFile | null;
  };
  recipients: SealRecipient[];
  /** The disclosures that recipients accepted. */
  disclosures: SealDisclosure[];
  /** Values of the fields on the pages of the file. */
  fields: SealField[];
  /** Whether IP addresses and devices are left out. The audit entries then have salted hashes of them. */
  hidesDevices?: boolean;
  /** Whether it is the certificate for the company itself, which shows everything. */
  isComplete?: boolean;
  audit: SealAuditEntry[];
  attachments: SealAttachment[];
  /** Signing time stated in the signature. A time-stamp is separate. */
  signingTime: string;
}

export interface SealRecipient {
  id: string;
  name: string;
  role: string | null;
  kind: 'signer' | 'approver' | 'cc';
  /** As printed. The caller masks contact data that other recipients must not see. */
  email: string | null;
  phone: string | null;
  /** Salted hashes of the address and the number, hex. Null or absent: they are not masked, or a version before did. */
  emailHash?: string | null;
  phoneHash?: string | null;
  channel: 'email' | 'sms' | 'in_person';
  authLevel: 'l0_email_link' | 'l1_email_sms_otp' | 'l0_account_session';
  sentAt: string | null;
  /** When the mail server or the SMS service accepted the first request. Null in person, or when no longer known. */
  acceptedAt: string | null;
  viewedAt: string | null;
  /** Time of signing, or of approval by an approver. */
  signedAt: string | null;
  ip: string | null;
  userAgent: string | null;
  /** Whether the recipient opened the link in the console, signed in with the e-mail address. */
  isOpenedInAccount?: boolean;
  /** The code entered before signing. `page`: in test mode the page showed the code instead of an SMS. */
  verification: { channel: 'sms' | 'page' | 'email'; numberEnding: string; at: string; wrongCodes: number } | null;
  /** The version of the disclosure that was accepted, and how. Null: an early version did not record it. */
  consent: { disclosure: string; at: string; how: 'ticked' | 'signing' | null } | null;
  signature: Signature | null;
  initials: Signature | null;
  /** The picture of a stamp: base64 of a PNG accepted by `isPlausiblePng`. Null or absent: there is none. */
  stamp?: string | null;
  /**
   * How the signature was made, from the audit trail, which has the hash of its picture too. `unknown`: a picture of which
   * the trail of an early version doesn't say whether it was drawn or uploaded. Null for approvals and copies.
   */
  method: 'typed' | 'drawn' | 'uploaded' | 'unknown' | null;
  /** Whether the recipient had saved the signature before, and used it again. */
  isSaved?: boolean;
  /** SHA-256 of the picture, hex. */
  pictureSha256: string | null;
  /** SHA-256 of the picture of the stamp, hex. */
  stampSha256?: string | null;
  /** The files that the recipient attached to fields. They aren't in the sealed PDF. SHA-256 in hex. */
  files?: readonly { name: string; bytes: number; sha256: string }[];
  /** The service's signature over the audit entry of the act, with its time-stamp. Null or absent: there is none. */
  attestation?: { timeStamp: { at: string; authority: string } | null } | null;
}

/** A text about signing electronically. */
export interface SealDisclosure {
  version: string;
  heading: string;
  points: readonly string[];
  /** The sentence of the box that was ticked. Null: there was no box. */
  statement: string | null;
  /** SHA-256 of the text in the audit trail, hex. Null: an early version did not record it. */
  sha256: string | null;
}

export interface SealFile {
  name: string;
  /** SHA-256 of the file as it was attached, hex. */
  sha256: string;
  pageCount: number;
  /** The files that it was joined from. Left out for a single file. */
  parts?: readonly SealPart[];
  /** Whether the file must be embedded unchanged. */
  isEmbedded?: boolean;
  /** Whether an embedded file goes without pictures of its pages, which take time and memory. */
  withoutPictures?: boolean;
}

/** One of several files that were joined before signing. */
export interface SealPart {
  name: string;
  /** SHA-256 of the file as it was uploaded, hex. */
  sha256: string;
  firstPage: number;
  pageCount: number;
}

/** A field. Positions are points from the top left corner of the page as shown: cropped and rotated. Pages count from 1. */
export interface SealField {
  recipientId: string;
  type: MarkKind | 'date' | 'text' | 'checkbox';
  page: number;
  x: number;
  y: number;
  width: number;
  height: number;
  label: string | null;
  /** `true` or `false` for a checkbox, `true` for a signature, initials or a stamp, else the text to draw. */
  value: string;
}

/** Whether a field has a value to draw. Empty fields are not drawn. */
export function isFilled({ type, value }: SealField): boolean {
  return type === 'checkbox' || isMarkKind(type) ? value === 'true' : value !== '';
}

export interface SealAuditEntry {
  seq: number;
  at: string;
  actor: string;
  action: string;
  detail: unknown;
  /** Hex. */
  hash: string;
}

/** A file embedded in the PDF, so that the certificate can be checked without the service. */
export interface SealAttachment {
  name: string;
  mediaType: string;
  description: string;
  /** Base64. */
  bytes: string;
}
