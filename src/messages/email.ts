import type { EmailContent } from './email-content.ts';
import { renderEmailHtml } from './email-html.ts';
import { renderEmailText } from './email-text.ts';

export interface Email {
  subject: string;
  text: string;
  html: string;
}

export function renderEmail(content: EmailContent): Email {
  return { subject: content.subject, text: renderEmailText(content), html: renderEmailHtml(content) };
}
