import type { Language } from '../platform/language.ts';
import { type Email, renderEmail } from './email.ts';
import { ownLook } from './email-content.ts';
import { foreign, foreignLines } from './foreign-text.ts';
import { senderWording } from './notice-wording.ts';
import { formatTime, nameLengthMax, subjectNameLengthMax, subjectTitleLengthMax } from './recipient-messages.ts';
import { wording } from './wording.ts';

/** The values for a notice to the sender, as stored: not yet cleaned or escaped. */
export interface SenderNoticeView {
  language: Language;
  accountName: string;
  /** `isRestricted`: the e-mail shows neither the title nor a name nor a reason. */
  document: { id: string; title: string; isRestricted: boolean };
  event:
    | { kind: 'completed'; at: Date }
    /** `reason`: of the recipient, or the reply of the mail server. */
    | { kind: 'declined' | 'bounced'; at: Date; name: string; reason: string | null }
    /** `instead`: the person whom the recipient `name` named. */
    | { kind: 'delegated'; at: Date; name: string; instead: string; reason: string | null }
    /** `reason`: what the recipient wrote. `replyTo`: the recipient's address, where answers go. */
    | { kind: 'commented'; at: Date; name: string; reason: string | null; replyTo: string | null };
  /** The address of the document's page in the console. */
  link: string;
  /** Where the sender switches such e-mails off. */
  unsubscribe: string;
}

/**
 * Returns the e-mail to the sender of a document that was completed, declined, passed on or commented on, or of which an
 * e-mail came back.
 */
export function senderNotice({ language, accountName, document, event, link, unsubscribe }: SenderNoticeView): Email {
  const [words, common] = [senderWording[language], wording[language]];
  const account = foreign(accountName, nameLengthMax);
  const { [event.kind]: text } = words;
  const isOfRecipient = event.kind !== 'completed';
  const reason = isOfRecipient && !document.isRestricted ? event.reason : null;
  const shown = (original: string, instead: string, lengthMax?: number) =>
    document.isRestricted ? instead : foreign(original, lengthMax);
  const who = (lengthMax: number) => (isOfRecipient ? shown(event.name, words.someone, lengthMax) : words.someone);
  const reply = event.kind === 'commented' && (event.replyTo !== null ? words.replyToRecipient : words.noReply);
  const instead = event.kind === 'delegated' ? shown(event.instead, words.someoneElse, nameLengthMax) : '';
  return renderEmail({
    language,
    look: ownLook,
    subject: text.subject(shown(document.title, words.restricted, subjectTitleLengthMax), who(subjectNameLengthMax)),
    preheader: text.preheader,
    accountName: account,
    heading: text.heading,
    greeting: words.greeting,
    introduction: text.introduction(who(nameLengthMax), instead),
    title: shown(document.title, words.restricted),
    facts: [{ label: text.at, value: formatTime(event.at, common) }],
    quote:
      isOfRecipient && reason !== null
        ? { label: words.quoted[event.kind](who(nameLengthMax)), lines: foreignLines(reason) }
        : null,
    action: { label: words.button, link, fallback: words.fallback },
    notes: reply ? [reply, words.why] : [words.why],
    footerLink: { label: words.stop, link: unsubscribe },
    footer: [common.sentBy(account), `${common.documentId}: ${document.id}`],
  });
}
