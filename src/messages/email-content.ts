import type { Language } from '../platform/language.ts';

/** How a company looks in e-mails. Null: our own. */
export interface EmailLook {
  /** `#rrggbb` */
  accent: string | null;
  /** The address of the picture, and its size in CSS pixels. */
  logo: { source: string; width: number; height: number } | null;
}

export const ownLook: EmailLook = { accent: null, logo: null };

/** The content of an e-mail. Its HTML and its plain text are rendered from the same content. */
export interface EmailContent {
  language: Language;
  look: EmailLook;
  subject: string;
  /** The line that inboxes show after the subject. */
  preheader: string;
  /** The name of the account that sends the document. */
  accountName: string;
  heading: string;
  greeting: string;
  /** May have several lines. */
  introduction: string;
  title: string;
  facts: { label: string; value: string }[];
  quote: { label: string; lines: string[] } | null;
  action: { label: string; link: string; fallback: string } | null;
  notes: string[];
  footer: string[];
  /** Below the footer. Left out: none. */
  footerLink?: { label: string; link: string };
}
