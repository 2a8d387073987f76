import { readAccountName } from '../../accounts/manage-accounts.ts';
import type { TextKind } from '../../branding/email-texts.ts';
import type { Email } from '../../messages/email.ts';
import { type MailBrand, readMailBrand } from '../../messages/mail-brand.ts';
import {
  completedCopy,
  type MessageView,
  signatureReminder,
  signatureRequest,
} from '../../messages/recipient-messages.ts';
import type { Language } from '../../platform/language.ts';
import type { Queryable } from '../../postgres/database.ts';

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
  /** Where the button leads. */
  link: string;
}

/** Writes a sample e-mail of a company with the code that writes the real ones. */
export async function writeSample(
  db: Queryable,
  { accountId, kind, language, texts, link }: SampleOptions,
): Promise<{ email: Email; envelope: MailBrand['envelope'] }> {
  const [accountName, brand] = await Promise.all([readAccountName(db, accountId), readMailBrand(db, accountId, null)]);
  const { recipientName, title } = samples[language];
  const email = emails[kind]({
    language,
    accountName,
    recipientName,
    recipientKind: 'signer',
    document: { id: '00000000-0000-7000-8000-000000000000', title, message: null, expiresAt: null },
    link,
    brand: { ...brand, texts: texts === null ? brand.texts : [{ kind, language, ...texts }] },
  });
  return { email, envelope: brand.envelope };
}
