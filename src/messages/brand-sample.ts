import { readAccountName } from '../accounts/manage-accounts.ts';
import { type BrandText, type TextKind, textKinds } from '../branding/email-texts.ts';
import type { Language } from '../platform/language.ts';
import type { DeliveryOutcome, MailSender } from '../platform/mail.ts';
import type { Queryable } from '../postgres/database.ts';
import type { Email } from './email.ts';
import { type MailBrand, readMailBrand } from './mail-brand.ts';
import {
  completedCopy,
  type MessageView,
  ourTexts,
  signatureReminder,
  signatureRequest,
} from './recipient-messages.ts';

const emails: Record<TextKind, (view: MessageView) => Email> = {
  request: signatureRequest,
  reminder: signatureReminder,
  copy: completedCopy,
};

/** The document and the recipient of a sample. */
const samples: Record<Language, { recipientName: string; title: string }> = {
  en: { recipientName: 'Ada Lovelace', title: 'Lease agreement, 12 Alder Street' },
  es: { recipientName: 'Ana Núñez', title: 'Contrato de alquiler, calle Mayor 12' },
};

/** A sample e-mail to write. `texts`: in place of the saved ones. */
export interface SampleOptions {
  accountId: string;
  kind: TextKind;
  language: Language;
  texts: { subject: string | null; introduction: string | null } | null;
  /** The origin of the console. The button leads to its settings. */
  origin: string;
}

export interface Sample {
  email: Email;
  envelope: MailBrand['envelope'];
}

/** Writes a sample e-mail of a company with the code that writes the real ones. */
export async function writeSample(
  db: Queryable,
  { accountId, kind, language, texts, origin }: SampleOptions,
): Promise<Sample> {
  const [accountName, brand] = await Promise.all([readAccountName(db, accountId), readMailBrand(db, accountId, null)]);
  const { recipientName, title } = samples[language];
  const email = emails[kind]({
    language,
    accountName,
    recipientName,
    recipientKind: 'signer',
    document: { id: '00000000-0000-7000-8000-000000000000', title, message: null, expiresAt: null },
    link: `${origin}/settings/branding`,
    brand: { ...brand, texts: texts === null ? brand.texts : [{ kind, language, ...texts }] },
  });
  return { email, envelope: brand.envelope };
}

/** Sends a sample. `id` names the delivery. */
export function sendSample(
  mail: MailSender,
  { email, envelope }: Sample,
  { id, address }: { id: string; address: string },
): Promise<DeliveryOutcome> {
  return mail.send({ id, to: { name: '', address }, ...envelope, ...email });
}

/** The texts of an e-mail in one language: the company's, or null, and ours. */
export interface EmailTexts extends BrandText {
  our_subject: string;
  our_introduction: string;
}

/** Lists every e-mail in every language, with the texts of a company and ours. */
export function allEmailTexts(texts: readonly BrandText[]): EmailTexts[] {
  return textKinds.flatMap((kind) =>
    (['en', 'es'] as const).map((language) => {
      const own = texts.find((text) => text.kind === kind && text.language === language);
      const { subject, introduction } = ourTexts(kind, language);
      return {
        kind,
        language,
        subject: own?.subject ?? null,
        introduction: own?.introduction ?? null,
        our_subject: subject,
        our_introduction: introduction,
      };
    }),
  );
}
