import type { Language } from '../platform/language.ts';
import { isAboutSender } from '../platform/mail-failure.ts';

type Words = Record<Language, string>;

const words = {
  noAddress: { en: 'The address does not exist.', es: 'La dirección no existe.' },
  noDomain: {
    en: 'The domain of the address does not exist or takes no mail.',
    es: 'El dominio de la dirección no existe o no recibe correo.',
  },
  full: { en: 'The mailbox is full.', es: 'El buzón está lleno.' },
  disabled: { en: 'The mailbox is disabled.', es: 'El buzón está desactivado.' },
  tooLarge: {
    en: 'The message is too large for the mailbox.',
    es: 'El mensaje es demasiado grande para el buzón.',
  },
  later: {
    en: 'The mail server asks to try again later.',
    es: 'El servidor de correo pide intentarlo más tarde.',
  },
  rules: {
    en: 'The mail server refused the message by its rules, often those against spam.',
    es: 'El servidor de correo rechazó el mensaje por sus reglas, a menudo las del correo no deseado.',
  },
  signIn: {
    en: 'Our mail server refused the sign-in. The operator has to check its settings.',
    es: 'Nuestro servidor de correo rechazó el acceso. El operador debe revisar su configuración.',
  },
  sender: {
    en: 'The mail server doesn’t accept e-mails from our service. The operator has to check its settings.',
    es: 'El servidor de correo no acepta mensajes de nuestro servicio. El operador debe revisar su configuración.',
  },
  unreachable: {
    en: 'The mail server can’t be reached or takes too long.',
    es: 'No se puede acceder al servidor de correo o tarda demasiado.',
  },
  badNumber: {
    en: 'The phone number can’t get text messages.',
    es: 'El número de teléfono no puede recibir SMS.',
  },
  unsubscribed: {
    en: 'The recipient has unsubscribed from text messages.',
    es: 'El destinatario se ha dado de baja de los SMS.',
  },
  country: {
    en: 'Text messages to this country are not enabled.',
    es: 'Los SMS a este país no están habilitados.',
  },
  smsProvider: {
    en: 'The SMS provider can’t send it now.',
    es: 'El proveedor de SMS no puede enviarlo ahora.',
  },
  notNow: { en: 'The mail server can’t take it now.', es: 'El servidor de correo no puede aceptarlo ahora.' },
  refused: { en: 'The mail server refused it.', es: 'El servidor de correo lo rechazó.' },
  cutOff: {
    en: 'The attempts to deliver it were interrupted. Send it again.',
    es: 'Los intentos de entrega se interrumpieron. Envíelo de nuevo.',
  },
  unexplained: { en: 'It could not be delivered.', es: 'No se pudo entregar.' },
} satisfies Record<string, Words>;

/** The first pattern that fits is used: our own reasons, then status codes (RFC 3463), then common phrases. */
const explanations: readonly [RegExp, keyof typeof words][] = [
  [/^the mail server refused the sign-in/, 'signIn'],
  [/^(?:the mail server|no (?:secure )?connection to the mail server|the local mailbox)/, 'unreachable'],
  [/^this is not an address/, 'noAddress'],
  [/^(?:this is not a telephone number|the number )/, 'badNumber'],
  [/^the recipient has unsubscribed/, 'unsubscribed'],
  [/^messages to this country/, 'country'],
  [/^the attempts to deliver it were cut off/, 'cutOff'],
  [/Twilio/, 'smsProvider'],
  [/^53\d/, 'signIn'],
  [/\b[45]\.1\.(?:0|1|3|6)\b/, 'noAddress'],
  [/\b[45]\.(?:1\.(?:2|10)|4\.4)\b/, 'noDomain'],
  [/\b[45]\.2\.2\b/, 'full'],
  [/\b[45]\.2\.1\b/, 'disabled'],
  [/\b[45]\.(?:2\.3|3\.4)\b/, 'tooLarge'],
  [/\b[45]\.4\.[17]\b/, 'unreachable'],
  [/\b4\.7\.\d+\b/, 'later'],
  [/\b5\.7\.\d+\b/, 'rules'],
  [/user unknown|unknown user|no such (?:user|recipient|mailbox)|mailbox not found/i, 'noAddress'],
  [/(?:domain|host) not found/i, 'noDomain'],
  [/mailbox (?:is )?full|over ?quota|quota exceeded/i, 'full'],
  [/greylist|try again later/i, 'later'],
  [/\bspam\b|blocked|blacklist/i, 'rules'],
  [/^4\d\d\b/, 'notNow'],
  [/^5\d\d\b/, 'refused'],
];

/** Says in plain words what a server's reply means. The reply itself is shown next to it. */
export function explainReply(reply: string, language: Language): string {
  if (isAboutSender(reply)) return words.sender[language];
  const [, found] = explanations.find(([pattern]) => pattern.test(reply)) ?? [null, 'unexplained' as const];
  return words[found][language];
}
