import type { Language } from '../language.ts';

/**
 * All that a sealed PDF shows, as plain JSON: what the service hands to the process that draws and signs.
 * Times are RFC 3339 in UTC.
 */
export interface SealInput {
  language: Language;
  /** The company that sent the document. */
  accountName: string;
  document: {
    id: string;
    title: string;
    type: string;
    message: string | null;
    createdAt: string;
    sentAt: string;
    completedAt: string;
    /** Hex. What it covers travels along as an attachment. */
    contentSha256: string;
    /** The PDF that the parties signed. Null: they signed what the document says, and its pages are drawn from it. */
    file: SealFile | null;
  };
  parties: SealParty[];
  /** What the parties filled in on the pages of the file. */
  fields: SealField[];
  audit: SealAuditEntry[];
  attachments: SealAttachment[];
  /** What the signature states as its time, beside what a time-stamp authority may attest. */
  signingTime: string;
}

export interface SealParty {
  id: string;
  name: string;
  role: string | null;
  kind: 'signer' | 'approver' | 'cc';
  /** As they are printed: the caller masks what the other parties shall not read. */
  email: string | null;
  phone: string | null;
  channel: 'email' | 'sms' | 'in_person';
  authLevel: 'l0_email_link' | 'l1_email_sms_otp' | 'l0_account_session';
  sentAt: string | null;
  viewedAt: string | null;
  /** Of an approver: when they approved. */
  signedAt: string | null;
  ip: string | null;
  userAgent: string | null;
  /** The code that was given before signing. `page`: no SMS left in test mode, the page showed it. */
  verification: { channel: 'sms' | 'page'; numberEnding: string; at: string } | null;
  /** The version of the disclosure that was accepted by signing. */
  consent: { disclosure: string; at: string } | null;
  signature: SealSignature | null;
  initials: SealSignature | null;
}

export interface SealFile {
  name: string;
  /** Hex, of the file as it was attached. */
  sha256: string;
  pageCount: number;
  /** It must go into the sealed PDF unchanged, whatever else could be done with it. */
  isEmbedded?: boolean;
}

/** Points from the top left corner of the page as shown: of its crop box, turned as it says. Pages count from 1. */
export interface SealField {
  partyId: string;
  type: 'signature' | 'initials' | 'date' | 'text' | 'checkbox';
  page: number;
  x: number;
  y: number;
  width: number;
  height: number;
  label: string | null;
  /** `true` or `false` of a checkbox, `true` of a signature or initials, `YYYY-MM-DD` of a date. */
  value: string;
}

/** `png` is base64 of an image that `isPlausiblePng` let pass. */
export type SealSignature = { kind: 'typed'; text: string } | { kind: 'drawn'; png: string };

export interface SealAuditEntry {
  seq: number;
  at: string;
  actor: string;
  action: string;
  detail: unknown;
  /** Hex. */
  hash: string;
}

/** A file embedded in the PDF, so that what the certificate claims can be checked without the service. */
export interface SealAttachment {
  name: string;
  mediaType: string;
  description: string;
  /** Base64. */
  bytes: string;
}
