import type { Language } from '../platform/language.ts';

/** The content of an e-mail. Its HTML and its plain text are rendered from the same content. */
export interface EmailContent {
  language: Language;
  subject: string;
  /** The line that inboxes show after the subject. */
  preheader: string;
  /** The name of the account that sends the document. */
  accountName: string;
  heading: string;
  greeting: string;
  introduction: string;
  title: string;
  facts: { label: string; value: string }[];
  quote: { label: string; lines: string[] } | null;
  action: { label: string; link: string; fallback: string } | null;
  notes: string[];
  footer: string[];
}
