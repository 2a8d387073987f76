import { type Email, renderEmail } from '../messages/email.ts';
import type { EmailLook } from '../messages/email-content.ts';
import { foreign } from '../messages/foreign-text.ts';
import type { Language } from '../platform/language.ts';
import { codeMinutes } from '../signing/verification-code.ts';

/** The values as stored: not yet cleaned or escaped. */
export interface CodeMailView {
  language: Language;
  look: EmailLook;
  accountName: string;
  linkName: string;
  code: string;
}

interface Words {
  subject: (code: string) => string;
  preheader: (account: string) => string;
  heading: string;
  greeting: string;
  introduction: (account: string) => string;
  code: string;
  notes: string[];
  sentBy: (account: string) => string;
}

const words: Record<Language, Words> = {
  en: {
    subject: (code) => `Your code is ${code}`,
    preheader: (account) => `Enter it on the page of ${account}.`,
    heading: 'Your code',
    greeting: 'Hello,',
    introduction: (account) =>
      `Someone entered this address to sign a document of ${account}. Enter the code on the page where you asked for it.`,
    code: 'Code',
    notes: [
      `The code works for ${codeMinutes} minutes. Don’t give it to anyone.`,
      'If you didn’t ask for it, ignore this message. Without the code, no document is made for you.',
    ],
    sentBy: (account) => `Sent with Countersign for ${account}`,
  },
  es: {
    subject: (code) => `Su código es ${code}`,
    preheader: (account) => `Escríbalo en la página de ${account}.`,
    heading: 'Su código',
    greeting: 'Hola:',
    introduction: (account) =>
      `Alguien escribió esta dirección para firmar un documento de ${account}. Escriba el código en la página donde lo pidió.`,
    code: 'Código',
    notes: [
      `El código sirve durante ${codeMinutes} minutos. No se lo dé a nadie.`,
      'Si no lo pidió usted, no haga caso de este mensaje. Sin el código no se crea ningún documento para usted.',
    ],
    sentBy: (account) => `Enviado con Countersign para ${account}`,
  },
};

const accountLengthMax = 100;

/** Returns the e-mail with the code of a public link. It has no words of the visitor. */
export function codeMail({ language, look, accountName, linkName, code }: CodeMailView): Email {
  const text = words[language];
  const account = foreign(accountName, accountLengthMax);
  return renderEmail({
    language,
    look,
    accountName: account,
    subject: text.subject(code),
    preheader: text.preheader(account),
    heading: text.heading,
    greeting: text.greeting,
    introduction: text.introduction(account),
    title: foreign(linkName),
    facts: [{ label: text.code, value: code }],
    quote: null,
    action: null,
    notes: text.notes,
    footer: [text.sentBy(account)],
  });
}
