import { html } from '../http/html.ts';
import type { Language } from '../platform/language.ts';
import { oneLine, withoutDirectionControls } from '../platform/mail-text.ts';
import { linkMinutes } from './sign-in-link.ts';

/** What a message about signing in is for. All but `new_browser` bring a one-time link. */
export type MailOccasion =
  | { kind: 'email' }
  | { kind: 'invitation'; accountName: string; invitedBy: string }
  | { kind: 'signing'; accountName: string }
  /** `at`: RFC 3339. `browser`: null when it is not known. */
  | { kind: 'new_browser'; browser: string | null; ip: string; at: string };

interface Words {
  subject: string;
  introduction: string;
  action: string;
  notes: string[];
}

const hours = linkMinutes.invitation / 60;

const wording: Record<Language, (occasion: MailOccasion) => Words> = {
  en: (occasion) => {
    switch (occasion.kind) {
      case 'email':
        return {
          subject: 'Your link to sign in to Countersign',
          introduction: 'With this link you sign in to Countersign.',
          action: 'Sign in',
          notes: [
            `It works once, within ${linkMinutes.email} minutes.`,
            'If you did not ask for it, ignore this message: without the link nobody can sign in as you.',
          ],
        };
      case 'invitation':
        return {
          subject: `${occasion.invitedBy} invites you to ${occasion.accountName} on Countersign`,
          introduction: `${occasion.invitedBy} has added you to ${occasion.accountName}. With this link you sign in for the first time.`,
          action: 'Sign in',
          notes: [
            `It works once, within ${hours} hours. After that, ask for a new link on the sign-in page.`,
            'If you do not know the sender, ignore this message.',
          ],
        };
      case 'signing':
        return {
          subject: 'Confirm that it is you who signs',
          introduction: `${occasion.accountName} asked that you sign in with this e-mail address before you sign a document. This link signs you in and leads back to it.`,
          action: 'Continue to the document',
          notes: [
            `It works once, within ${linkMinutes.signing} minutes.`,
            'If you did not ask for it, ignore this message, and do not pass the link on.',
          ],
        };
      case 'new_browser':
        return {
          subject: 'New sign-in to Countersign',
          introduction: `Someone signed in to your account with a browser we haven't seen before: ${occasion.browser ?? 'unknown browser'}, IP ${occasion.ip}, ${momentOf('en', occasion.at)}.`,
          action: 'Review your account',
          notes: [
            'If this was you, there is nothing to do.',
            'If not, sign out everywhere else and change your password. Add a second factor if you have none.',
          ],
        };
    }
  },
  es: (occasion) => {
    switch (occasion.kind) {
      case 'email':
        return {
          subject: 'Su enlace para entrar en Countersign',
          introduction: 'Con este enlace inicia sesión en Countersign.',
          action: 'Iniciar sesión',
          notes: [
            `Funciona una sola vez, durante ${linkMinutes.email} minutos.`,
            'Si usted no lo pidió, no haga caso de este mensaje: sin el enlace nadie puede entrar en su nombre.',
          ],
        };
      case 'invitation':
        return {
          subject: `${occasion.invitedBy} le invita a ${occasion.accountName} en Countersign`,
          introduction: `${occasion.invitedBy} le ha añadido a ${occasion.accountName}. Con este enlace inicia sesión por primera vez.`,
          action: 'Iniciar sesión',
          notes: [
            `Funciona una sola vez, durante ${hours} horas. Después, pida otro enlace en la página de inicio de sesión.`,
            'Si no conoce al remitente, no haga caso de este mensaje.',
          ],
        };
      case 'signing':
        return {
          subject: 'Confirme que es usted quien firma',
          introduction: `${occasion.accountName} pidió que inicie sesión con esta dirección de correo antes de firmar un documento. Este enlace inicia la sesión y le devuelve a él.`,
          action: 'Continuar al documento',
          notes: [
            `Funciona una sola vez, durante ${linkMinutes.signing} minutos.`,
            'Si usted no lo pidió, no haga caso de este mensaje ni pase el enlace a nadie.',
          ],
        };
      case 'new_browser':
        return {
          subject: 'Nuevo inicio de sesión en Countersign',
          introduction: `Se ha iniciado sesión en su cuenta con un navegador que no habíamos visto: ${occasion.browser ?? 'navegador desconocido'}, IP ${occasion.ip}, ${momentOf('es', occasion.at)}.`,
          action: 'Revisar su cuenta',
          notes: [
            'Si fue usted, no tiene que hacer nada.',
            'Si no, cierre la sesión en los demás navegadores y cambie su contraseña. Añada un segundo factor si no lo tiene.',
          ],
        };
    }
  },
};

/** `March 10, 2026 at 12:00 PM UTC` */
function momentOf(language: Language, at: string): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(new Date(at))} UTC`;
}

const nameLengthMax = 80;

/** A company's name is its own choice: on one line, moving nothing around it, and not all of the message. */
function plainName(name: string): string {
  return [...withoutDirectionControls(oneLine(name))].slice(0, nameLengthMax).join('');
}

function cleaned(occasion: MailOccasion): MailOccasion {
  switch (occasion.kind) {
    case 'email':
    case 'new_browser':
      return occasion;
    case 'invitation':
      return { ...occasion, accountName: plainName(occasion.accountName) };
    case 'signing':
      return { ...occasion, accountName: plainName(occasion.accountName) };
  }
}

/** Subject, text and HTML of a message with one link. */
export function signInMail(language: Language, occasion: MailOccasion, link: string) {
  const { subject, introduction, action, notes } = wording[language](cleaned(occasion));
  return {
    subject,
    text: `${introduction}\n\n${action}:\n${link}\n\n${notes.join('\n')}\n`,
    html: html`<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${subject}</title></head>
<body style="margin:0;padding:32px 16px;background-color:#f1efe9;font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:25px;color:#1b1f29">
<div style="max-width:540px;margin:0 auto;padding:32px;background-color:#fffefb;border:1px solid #dfdbd2;border-radius:10px;overflow-wrap:anywhere">
<p style="margin:0 0 24px">${introduction}</p>
<p style="margin:0 0 24px"><a href="${link}" style="display:inline-block;padding:14px 28px;border-radius:8px;background-color:#22407a;color:#ffffff;font-weight:600;text-decoration:none">${action}</a></p>
${notes.map((note) => html`<p style="margin:0 0 8px;font-size:13px;line-height:20px;color:#565c69">${note}</p>\n`)}</div>
</body></html>`.toString(),
  };
}
