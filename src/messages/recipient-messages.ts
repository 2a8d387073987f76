import { fillText, type TextKind, type TextVariable, usesVariable } from '../branding/email-texts.ts';
import type { Language } from '../platform/language.ts';
import { type Email, renderEmail } from './email.ts';
import { ownLook } from './email-content.ts';
import { foreign, foreignLines } from './foreign-text.ts';
import type { MailBrand } from './mail-brand.ts';
import { smsText } from './sms-text.ts';
import { type RequestWording, type Task, type Wording, wording } from './wording.ts';

/** The values for messages to a recipient, as stored: not yet cleaned or escaped. */
export interface MessageView {
  language: Language;
  /** The name of the account that sends the document. */
  accountName: string;
  /** Empty for someone whom another recipient named: nobody can make us send words of their own to a stranger. */
  recipientName: string;
  recipientKind: 'signer' | 'approver' | 'cc';
  document: { id: string; title: string; message: string | null; expiresAt: Date | null };
  /** The recipient's own signing link. */
  link: string;
  /** How the company looks and writes. Without it, as we do. */
  brand?: Pick<MailBrand, 'look' | 'senderName' | 'texts'>;
}

/** The longest title in a subject. Inboxes cut it earlier. */
export const subjectTitleLengthMax = 80;
export const subjectNameLengthMax = 50;
/** A name in the body may be longer, but must not fill a phone's screen. */
export const nameLengthMax = 100;

/** Returns the request to sign, or to approve for an approver. */
export function signatureRequest(view: MessageView): Email {
  const words = wording[view.language];
  const request = words.request[taskOf(view)];
  return renderEmail({
    ...requestOf(view, words, request),
    preheader: request.preheader,
    heading: request.heading,
    ...written(view, 'request', {
      subject: request.subject(foreign(view.accountName, subjectNameLengthMax), subjectTitle(view)),
      introduction: request.introduction(foreign(view.accountName, nameLengthMax)),
    }),
  });
}

/** Returns a reminder. It has the request's layout and begins by saying that it is a reminder. */
export function signatureReminder(view: MessageView): Email {
  const words = wording[view.language];
  const request = words.request[taskOf(view)];
  return renderEmail({
    ...requestOf(view, words, request),
    preheader: request.reminder.preheader,
    heading: request.reminder.heading,
    ...written(view, 'reminder', {
      subject: request.reminder.subject(foreign(view.accountName, subjectNameLengthMax), subjectTitle(view)),
      introduction: request.reminder.introduction(foreign(view.accountName, nameLengthMax)),
    }),
  });
}

export function signatureReminderSms(view: MessageView): { text: string } {
  const { reminder } = wording[view.language].request[taskOf(view)];
  const { expiresAt } = view.document;
  const until = expiresAt === null ? null : `${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return { text: smsText(smsWords(view), (account, title) => reminder.sms(account, title, until)) };
}

export function signatureRequestSms(view: MessageView): { text: string } {
  return { text: smsText(smsWords(view), wording[view.language].request[taskOf(view)].sms) };
}

/** Returns the message that the document is complete, with a link to the copy. Copy-only recipients get it too. */
export function completedCopy(view: MessageView): Email {
  const words = wording[view.language];
  return renderEmail({
    ...common(view, words),
    preheader: words.copy.preheader,
    heading: words.copy.heading,
    ...written(view, 'copy', {
      subject: words.copy.subject(subjectTitle(view)),
      introduction: words.copy.introduction,
    }),
    facts: [{ label: words.from, value: foreign(view.accountName, nameLengthMax) }],
    quote: null,
    action: { label: words.copy.button, link: view.link, fallback: words.fallback },
    notes: [words.doNotForward],
  });
}

export function completedCopySms(view: MessageView): { text: string } {
  return { text: smsText(smsWords(view), wording[view.language].copy.sms) };
}

/**
 * Returns the SMS with a code. Its last line names the host, so that phones offer the code on that host's page only
 * (WICG, origin-bound one-time codes).
 */
export function verificationCodeSms(view: { language: Language; accountName: string; code: string; host: string }): {
  text: string;
} {
  const { language, accountName, code, host } = view;
  const bound = `@${host} #${code}`;
  const sentence = (account: string) => wording[language].code.sms(account, code);
  return { text: smsText({ account: accountName, title: '', link: bound }, sentence) };
}

/** Returns our own texts of an e-mail, with the variables of a company's texts. Those for a signer stand for an approver's. */
export function ourTexts(kind: TextKind, language: Language): { subject: string; introduction: string } {
  const { request, copy } = wording[language];
  const [company, title] = ['{{company_name}}', '{{document_title}}'];
  if (kind === 'copy') return { subject: copy.subject(title), introduction: copy.introduction };
  const text = kind === 'reminder' ? request.sign.reminder : request.sign;
  return { subject: text.subject(company, title), introduction: text.introduction(company) };
}

/** Returns the company's own texts with their variables filled in, or ours, also where a text has a name that is left out. */
function written(view: MessageView, kind: TextKind, ours: { subject: string; introduction: string }) {
  const text = view.brand?.texts.find((each) => each.kind === kind && each.language === view.language);
  const usable = (own: string | undefined | null) =>
    own == null || (view.recipientName === '' && usesVariable(own, 'recipient_name')) ? null : own;
  const [subject, introduction] = [usable(text?.subject), usable(text?.introduction)];
  return {
    subject:
      subject === null ? ours.subject : fillText(subject, valuesOf(view, subjectNameLengthMax, subjectTitleLengthMax)),
    introduction: introduction === null ? ours.introduction : fillText(introduction, valuesOf(view, nameLengthMax)),
  };
}

function valuesOf(view: MessageView, namesMax: number, titleMax?: number): Record<TextVariable, string> {
  const { accountName, recipientName, document, brand } = view;
  return {
    recipient_name: foreign(recipientName, namesMax),
    document_title: foreign(document.title, titleMax),
    sender_name: foreign(brand?.senderName ?? accountName, namesMax),
    company_name: foreign(accountName, namesMax),
  };
}

function taskOf(view: MessageView): Task {
  return view.recipientKind === 'approver' ? 'approve' : 'sign';
}

/** Returns what a request and its reminders share: everything but their opening words. */
function requestOf(view: MessageView, words: Wording, request: RequestWording) {
  return {
    ...common(view, words),
    facts: expiry(view, words),
    quote: quoted(view, words),
    action: { label: request.button, link: view.link, fallback: words.fallback },
    notes: [request.doNotForward, request.unexpected],
  };
}

function common(view: MessageView, words: Wording) {
  const accountName = foreign(view.accountName, nameLengthMax);
  return {
    language: view.language,
    look: view.brand?.look ?? ownLook,
    accountName,
    greeting: words.greeting(foreign(view.recipientName, nameLengthMax)),
    title: foreign(view.document.title),
    footer: [words.sentBy(accountName), `${words.documentId}: ${view.document.id}`],
  };
}

function subjectTitle(view: MessageView): string {
  return foreign(view.document.title, subjectTitleLengthMax);
}

function expiry({ document: { expiresAt } }: MessageView, words: Wording) {
  return expiresAt === null ? [] : [{ label: words.expires, value: formatTime(expiresAt, words) }];
}

/** Returns a time to the minute, in UTC. */
export function formatTime(time: Date, { locale }: Pick<Wording, 'locale'>): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(time).replace(/\u202F/g, ' ')} UTC`; // fonts of some mail programs lack the narrow space
}

function quoted({ accountName, document: { message } }: MessageView, words: Wording) {
  const lines = foreignLines(message ?? '');
  if (lines.join('') === '') return null;
  return { label: words.messageFrom(foreign(accountName, nameLengthMax)), lines };
}

function smsWords({ accountName, document: { title }, link }: MessageView) {
  return { account: accountName, title, link };
}
