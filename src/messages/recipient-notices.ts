import type { Language } from '../platform/language.ts';
import { type Email, renderEmail } from './email.ts';
import { type EmailLook, ownLook } from './email-content.ts';
import { foreign, foreignLines } from './foreign-text.ts';
import { type RecipientNotice, recipientWording } from './notice-wording.ts';
import { nameLengthMax, subjectTitleLengthMax } from './recipient-messages.ts';
import { smsText } from './sms-text.ts';
import { wording } from './wording.ts';

/** The values for a notice to a recipient, as stored: not yet cleaned or escaped. */
export interface RecipientNoticeView {
  language: Language;
  kind: RecipientNotice;
  accountName: string;
  recipientName: string;
  document: { id: string; title: string };
  /** Why the document was voided. Null for other notices: only the sender sees why a recipient declined. */
  reason: string | null;
  /** Whether an answer to the e-mail reaches the sender. */
  canReply: boolean;
  /** How the company looks. Without it, as we do. */
  look?: EmailLook;
}

/** Returns the e-mail that tells a recipient what became of a document. It has no link: nothing is left to do. */
export function recipientNotice(view: RecipientNoticeView): Email {
  const { language, document, reason } = view;
  const [words, common] = [recipientWording[language], wording[language]];
  const text = words[view.kind];
  const account = foreign(view.accountName, nameLengthMax);
  const lines = foreignLines(reason ?? '');
  return renderEmail({
    language,
    look: view.look ?? ownLook,
    subject: text.subject(foreign(document.title, subjectTitleLengthMax)),
    preheader: text.preheader,
    accountName: account,
    heading: text.heading,
    greeting: common.greeting(foreign(view.recipientName, nameLengthMax)),
    introduction: text.introduction(account),
    title: foreign(document.title),
    facts: [{ label: common.from, value: account }],
    quote: lines.join('') === '' ? null : { label: words.reasonOf(account), lines },
    action: null,
    notes: [view.canReply ? words.reply : words.ask(account)],
    footer: [common.sentBy(account), `${common.documentId}: ${document.id}`],
  });
}

export function recipientNoticeSms(view: Pick<RecipientNoticeView, 'language' | 'kind' | 'accountName' | 'document'>) {
  const { accountName: account, document, kind, language } = view;
  return { text: smsText({ account, title: document.title, link: null }, recipientWording[language][kind].sms) };
}
