import { html } from '../http/html.ts';
import type { Language } from '../platform/language.ts';
import type { DeliveryOutcome, MailMessage, MailSender } from '../platform/mail.ts';
import { recordAcceptance } from './record-attempt.ts';

/** The content of an e-mail to a member: paragraphs, then a link to the console. */
export interface Notice {
  language: Language;
  subject: string;
  paragraphs: readonly string[];
  link: string;
}

/**
 * Sends a notice. Throws if the mail server is unavailable, so that the queue tries again. `record`: records the attempt, for
 * the message log.
 */
export async function sendNotice(
  mail: MailSender,
  { messageId, address }: { messageId: string; address: string },
  notice: Notice,
  record: (outcome: DeliveryOutcome) => Promise<void> = async () => {},
): Promise<void> {
  const outcome = await mail.send({ id: messageId, to: { name: '', address }, ...renderNotice(notice) });
  if (outcome.kind === 'accepted') await recordAcceptance(() => record(outcome));
  else await record(outcome);
  if (outcome.kind === 'unavailable') throw new Error(`a notice could not be sent yet: ${outcome.reason}`);
}

function renderNotice({ language, subject, paragraphs, link }: Notice): Pick<MailMessage, 'subject' | 'text' | 'html'> {
  return {
    subject,
    text: `${paragraphs.join('\n\n')}\n\n${link}\n`,
    html: html`<!doctype html><html lang="${language}"><body>${paragraphs.map((text) => html`<p>${text}</p>`)}
<p><a href="${link}">${link}</a></p></body></html>`.toString(),
  };
}
