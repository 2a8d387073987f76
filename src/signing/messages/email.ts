import type { Language } from '../../world/language.ts';
import { renderEmailHtml } from './email-html.ts';
import { renderEmailText } from './email-text.ts';

/** What an e-mail says, piece by piece: the HTML and the plain text are two renderings of it and say the same. */
export interface EmailContent {
  language: Language;
  subject: string;
  /** The line that inboxes show beside the subject. */
  preheader: string;
  /** In whose name it comes. */
  accountName: string;
  heading: string;
  greeting: string;
  introduction: string;
  title: string;
  facts: { label: string; value: string }[];
  quote: { label: string; lines: string[] } | null;
  action: { label: string; link: string; fallback: string };
  notes: string[];
  footer: string[];
}

export interface Email {
  subject: string;
  text: string;
  html: string;
}

export function renderEmail(content: EmailContent): Email {
  return { subject: content.subject, text: renderEmailText(content), html: renderEmailHtml(content) };
}
