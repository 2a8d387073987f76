import { type Html, html } from '../../http/html.ts';
import type { Language } from '../../platform/language.ts';
import type { Availability } from '../availability.ts';
import type { LinkErrorCode } from '../link-error.ts';

interface LinkTexts {
  from: (sender: Html) => Html;
  lead: (sender: Html) => Html;
  name: string;
  nameHint: string;
  email: string;
  emailHint: string;
  sendCode: string;
  personal: string;
  codeHeading: string;
  codeSent: (address: Html) => Html;
  codeHint: string;
  code: string;
  continue: string;
  newCode: string;
  otherAddress: string;
  sentAgain: string;
  /** Why the link can't be used now. */
  closed: Record<Exclude<Availability, 'open'>, { title: string; text: (sender: Html) => Html }>;
  errors: Record<Exclude<LinkErrorCode, 'not_open'>, string>;
}

const english: LinkTexts = {
  from: (sender) => html`From ${sender}`,
  lead: (sender) =>
    html`Enter your name and your e-mail address. We send you a code, so that ${sender} knows that the address is yours. Then you can read and sign the document. You need no account.`,
  name: 'Your full name',
  nameHint: 'As it should be in the document.',
  email: 'Your e-mail address',
  emailHint: 'The code and a link to your document go there.',
  sendCode: 'Send code',
  personal: 'Each person who opens this page signs a document of their own.',
  codeHeading: 'Enter your code',
  codeSent: (address) => html`We sent a code with 6 digits to ${address}.`,
  codeHint: 'It works for 10 minutes. If you don’t see the e-mail, look in your spam folder.',
  code: 'Verification code',
  continue: 'Continue',
  newCode: 'Send a new code',
  otherAddress: 'Use another address',
  sentAgain: 'We sent a new code. Earlier ones don’t work any more.',
  closed: {
    off: {
      title: 'Not available at the moment',
      text: (sender) => html`Nobody can sign with this link now. Please ask ${sender}.`,
    },
    unavailable: {
      title: 'Not available at the moment',
      text: (sender) => html`Nobody can sign with this link now. Please ask ${sender}.`,
    },
    ended: {
      title: 'This link has ended',
      text: (sender) =>
        html`The time to sign with this link is over. If you still want to sign, please ask ${sender}. If you already have a document, open it with the link in your e-mail.`,
    },
    used_up: {
      title: 'No more places',
      text: (sender) =>
        html`As many people as planned have used this link. If you want to sign too, please ask ${sender}. If you already have a document, open it with the link in your e-mail.`,
    },
  },
  errors: {
    invalid_name: 'Enter your name on one line, with at most 120 characters.',
    invalid_email: 'Enter an e-mail address, such as ada@example.com.',
    invalid_code: 'This code is wrong or doesn’t work any more. After 5 wrong codes, ask for a new one.',
    already_used: 'A document was already made for this address. Open it with the link in your e-mail.',
    too_many: 'There were too many tries. Wait a while and try again.',
    code_not_sent: 'The code could not be sent. Check the address, or try again later.',
  },
};

const spanish: LinkTexts = {
  from: (sender) => html`De ${sender}`,
  lead: (sender) =>
    html`Escriba su nombre y su correo electrónico. Le enviamos un código, para que ${sender} sepa que el correo es suyo. Después puede leer y firmar el documento. No necesita ninguna cuenta.`,
  name: 'Su nombre completo',
  nameHint: 'Tal como debe figurar en el documento.',
  email: 'Su correo electrónico',
  emailHint: 'Ahí llegan el código y un enlace a su documento.',
  sendCode: 'Enviar código',
  personal: 'Cada persona que abre esta página firma su propio documento.',
  codeHeading: 'Escriba su código',
  codeSent: (address) => html`Hemos enviado un código de 6 cifras a ${address}.`,
  codeHint: 'Sirve durante 10 minutos. Si no ve el correo, mire en su carpeta de correo no deseado.',
  code: 'Código de verificación',
  continue: 'Continuar',
  newCode: 'Enviar otro código',
  otherAddress: 'Usar otro correo',
  sentAgain: 'Hemos enviado otro código. Los anteriores ya no sirven.',
  closed: {
    off: {
      title: 'No disponible por el momento',
      text: (sender) => html`Ahora nadie puede firmar con este enlace. Consulte a ${sender}.`,
    },
    unavailable: {
      title: 'No disponible por el momento',
      text: (sender) => html`Ahora nadie puede firmar con este enlace. Consulte a ${sender}.`,
    },
    ended: {
      title: 'Este enlace ha terminado',
      text: (sender) =>
        html`El plazo para firmar con este enlace ha pasado. Si aún quiere firmar, consulte a ${sender}. Si ya tiene un documento, ábralo con el enlace de su correo.`,
    },
    used_up: {
      title: 'No quedan plazas',
      text: (sender) =>
        html`Este enlace ya lo han usado todas las personas previstas. Si también quiere firmar, consulte a ${sender}. Si ya tiene un documento, ábralo con el enlace de su correo.`,
    },
  },
  errors: {
    invalid_name: 'Escriba su nombre en una línea, con 120 caracteres como máximo.',
    invalid_email: 'Escriba un correo electrónico, por ejemplo ada@example.com.',
    invalid_code: 'Este código es erróneo o ya no sirve. Después de 5 códigos erróneos, pida otro.',
    already_used: 'Ya se creó un documento para este correo. Ábralo con el enlace de su correo.',
    too_many: 'Ha habido demasiados intentos. Espere un rato e inténtelo de nuevo.',
    code_not_sent: 'No se ha podido enviar el código. Compruebe el correo o inténtelo más tarde.',
  },
};

export const linkTexts: Record<Language, LinkTexts> = { en: english, es: spanish };
