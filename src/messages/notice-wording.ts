import type { Language } from '../platform/language.ts';

/** All sentences of the notices to the sender of a document. Names and titles are already prepared for use in a sentence. */
export interface SenderWording {
  greeting: string;
  /** Stands for the title of a restricted document, which e-mails to members never show. */
  restricted: string;
  /** Stand for the recipient of a restricted document, and for the person whom they named. */
  someone: string;
  someoneElse: string;
  completed: SenderNoticeWording;
  declined: SenderNoticeWording;
  bounced: SenderNoticeWording;
  delegated: SenderNoticeWording;
  commented: SenderNoticeWording;
  /** Label of a quotation: the reason of a recipient, or the reply of a mail server. */
  quoted: Record<'declined' | 'bounced' | 'delegated' | 'commented', (name: string) => string>;
  /** Whether an answer to the e-mail reaches the recipient who wrote a comment. */
  replyToRecipient: string;
  noReply: string;
  button: string;
  fallback: string;
  /** Why the e-mail came, and how to get no more. */
  why: string;
  /** The link that switches such e-mails off. */
  stop: string;
}

interface SenderNoticeWording {
  subject(title: string, who: string): string;
  preheader: string;
  heading: string;
  /** `instead`: the person whom the recipient named. */
  introduction(who: string, instead: string): string;
  /** Label of the time. */
  at: string;
}

const en: SenderWording = {
  greeting: 'Hello,',
  restricted: 'A restricted document',
  someone: 'A recipient',
  someoneElse: 'someone else',
  completed: {
    subject: (title) => `Completed: “${title}”`,
    preheader: 'Everyone has completed the document that you sent.',
    heading: 'Your document is complete',
    introduction: () =>
      'Everyone has completed the document that you sent. Its sealed PDF appears on its page within seconds.',
    at: 'Completed',
  },
  declined: {
    subject: (title, who) => `${who} declined: “${title}”`,
    preheader: 'The document that you sent was declined.',
    heading: 'Your document was declined',
    introduction: (who) => `${who} has declined the document that you sent. Nobody can sign it any more.`,
    at: 'Declined',
  },
  bounced: {
    subject: (title, who) => `E-mail to ${who} came back: “${title}”`,
    preheader: 'An e-mail about the document that you sent was not delivered.',
    heading: 'An e-mail came back',
    introduction: (who) =>
      `An e-mail to ${who} about the document that you sent came back. Check the address on the page of the document.`,
    at: 'Came back',
  },
  delegated: {
    subject: (title, who) => `${who} named someone else: “${title}”`,
    preheader: 'Someone else has been asked to take over the document that you sent.',
    heading: 'Someone else was asked',
    introduction: (who, instead) =>
      `${who} has named ${instead} to take over the document that you sent. The request has gone out. If that is wrong, reassign or void the document.`,
    at: 'Passed on',
  },
  commented: {
    subject: (title, who) => `${who} wrote a comment: “${title}”`,
    preheader: 'A recipient wrote to you about the document that you sent.',
    heading: 'A comment from a recipient',
    introduction: (who) =>
      `${who} wrote a comment about the document that you sent. All comments are on the page of the document.`,
    at: 'Written',
  },
  quoted: {
    declined: (name) => `Reason given by ${name}`,
    bounced: () => 'Reply of the mail server',
    delegated: (name) => `Reason given by ${name}`,
    commented: (name) => `Written by ${name}`,
  },
  replyToRecipient: 'To answer, reply to this e-mail. Your reply goes to the recipient.',
  noReply: 'A reply to this e-mail does not reach the recipient.',
  button: 'View document',
  fallback: 'If the button does not work, copy this address into your browser:',
  why: 'You get this e-mail because you sent the document. You can choose which e-mails you get in the console, in your account.',
  stop: 'Switch off e-mails like this one',
};

const es: SenderWording = {
  greeting: 'Hola:',
  restricted: 'Un documento restringido',
  someone: 'Un destinatario',
  someoneElse: 'otra persona',
  completed: {
    subject: (title) => `Completado: «${title}»`,
    preheader: 'Todos han completado el documento que usted envió.',
    heading: 'Su documento se ha completado',
    introduction: () =>
      'Todos han completado el documento que usted envió. El PDF sellado aparece en su página en unos segundos.',
    at: 'Completado',
  },
  declined: {
    subject: (title, who) => `${who} ha rechazado: «${title}»`,
    preheader: 'El documento que usted envió ha sido rechazado.',
    heading: 'Su documento ha sido rechazado',
    introduction: (who) => `${who} ha rechazado el documento que usted envió. Ya nadie puede firmarlo.`,
    at: 'Rechazado',
  },
  bounced: {
    subject: (title, who) => `Correo a ${who} devuelto: «${title}»`,
    preheader: 'No se entregó un correo sobre el documento que usted envió.',
    heading: 'Un correo fue devuelto',
    introduction: (who) =>
      `Un correo a ${who} sobre el documento que usted envió fue devuelto. Compruebe la dirección en la página del documento.`,
    at: 'Devuelto',
  },
  delegated: {
    subject: (title, who) => `${who} ha indicado a otra persona: «${title}»`,
    preheader: 'Otra persona se encarga ahora del documento que usted envió.',
    heading: 'Se ha pedido a otra persona',
    introduction: (who, instead) =>
      `${who} ha indicado a ${instead} para el documento que usted envió. La solicitud ya ha salido. Si no es correcto, reasigne o anule el documento.`,
    at: 'Fecha del cambio',
  },
  commented: {
    subject: (title, who) => `${who} ha escrito un comentario: «${title}»`,
    preheader: 'Un destinatario le ha escrito sobre el documento que usted envió.',
    heading: 'Un comentario de un destinatario',
    introduction: (who) =>
      `${who} ha escrito un comentario sobre el documento que usted envió. Todos los comentarios están en la página del documento.`,
    at: 'Escrito',
  },
  quoted: {
    declined: (name) => `Motivo indicado por ${name}`,
    bounced: () => 'Respuesta del servidor de correo',
    delegated: (name) => `Motivo indicado por ${name}`,
    commented: (name) => `Escrito por ${name}`,
  },
  replyToRecipient: 'Para contestar, responda a este correo. Su respuesta llega al destinatario.',
  noReply: 'Una respuesta a este correo no llega al destinatario.',
  button: 'Ver el documento',
  fallback: 'Si el botón no funciona, copie esta dirección en su navegador:',
  why: 'Recibe este correo porque usted envió el documento. Puede elegir qué correos recibe en la consola, en su cuenta.',
  stop: 'Desactivar correos como este',
};

export const senderWording: Record<Language, SenderWording> = { en, es };

/** All sentences of the notices to recipients. */
export interface RecipientWording extends Record<RecipientNotice, RecipientNoticeWording> {
  reasonOf(account: string): string;
  /** What to do with questions: `reply` if an answer reaches the sender. */
  reply: string;
  ask(account: string): string;
}

export type RecipientNotice = 'voided' | 'declined' | 'expired' | 'reassigned';

interface RecipientNoticeWording {
  subject(title: string): string;
  preheader: string;
  heading: string;
  introduction(account: string): string;
  sms(account: string, title: string): string;
}

/* SMS sentences use only letters of the GSM alphabet, like those in `wording.ts`. */

const recipientEn: RecipientWording = {
  voided: {
    subject: (title) => `Voided: “${title}”`,
    preheader: 'You don’t need to do anything.',
    heading: 'The document was voided',
    introduction: (account) => `${account} has voided this document. You don’t need to do anything.`,
    sms: (account, title) => `${account} has voided "${title}". You need not do anything.`,
  },
  declined: {
    subject: (title) => `Declined: “${title}”`,
    preheader: 'You don’t need to do anything.',
    heading: 'The document was declined',
    introduction: () =>
      'Another recipient has declined, so nobody can sign this document any more. You don’t need to do anything.',
    sms: (account, title) => `${account}: "${title}" was declined by another recipient. You need not do anything.`,
  },
  expired: {
    subject: (title) => `Expired: “${title}”`,
    preheader: 'Nobody can sign it any more.',
    heading: 'The document has expired',
    introduction: (account) =>
      `The time to sign this document is over, so nobody can sign it any more. If it is still needed, ${account} can send it again.`,
    sms: (account, title) => `${account}: "${title}" has expired. Nobody can sign it any more.`,
  },
  reassigned: {
    subject: (title) => `No longer needed from you: “${title}”`,
    preheader: 'Someone else was asked instead of you.',
    heading: 'You are no longer asked',
    introduction: (account) =>
      `Someone else has been asked instead of you. You don’t need to do anything, and your link to this document from ${account} no longer works.`,
    sms: (account, title) =>
      `${account}: someone else has been asked to take over "${title}". Your link no longer works.`,
  },
  reasonOf: (account) => `Reason given by ${account}`,
  reply: 'If you have questions, reply to this e-mail.',
  ask: (account) => `If you have questions, contact ${account}.`,
};

const recipientEs: RecipientWording = {
  voided: {
    subject: (title) => `Anulado: «${title}»`,
    preheader: 'No tiene que hacer nada.',
    heading: 'El documento se ha anulado',
    introduction: (account) => `${account} ha anulado este documento. Usted no tiene que hacer nada.`,
    sms: (account, title) => `${account} ha anulado "${title}". No tiene que hacer nada.`,
  },
  declined: {
    subject: (title) => `Rechazado: «${title}»`,
    preheader: 'No tiene que hacer nada.',
    heading: 'El documento se ha rechazado',
    introduction: () =>
      'Otro destinatario lo ha rechazado, así que ya nadie puede firmar este documento. Usted no tiene que hacer nada.',
    sms: (account, title) => `${account}: otro destinatario ha rechazado "${title}". No tiene que hacer nada.`,
  },
  expired: {
    subject: (title) => `Vencido: «${title}»`,
    preheader: 'Ya nadie puede firmarlo.',
    heading: 'El documento ha vencido',
    introduction: (account) =>
      `El plazo para firmar este documento ha terminado, así que ya nadie puede firmarlo. Si todavía hace falta, ${account} puede enviarlo de nuevo.`,
    sms: (account, title) => `${account}: "${title}" ha vencido. Ya nadie puede firmarlo.`,
  },
  reassigned: {
    subject: (title) => `Ya no se necesita de usted: «${title}»`,
    preheader: 'Se ha pedido a otra persona en su lugar.',
    heading: 'Ya no se le pide nada',
    introduction: (account) =>
      `Se le ha pedido a otra persona en su lugar. Usted no tiene que hacer nada, y su enlace a este documento de ${account} ya no funciona.`,
    sms: (account, title) => `${account}: otra persona se encarga ahora de "${title}". Su enlace ya no funciona.`,
  },
  reasonOf: (account) => `Motivo indicado por ${account}`,
  reply: 'Si tiene preguntas, responda a este correo.',
  ask: (account) => `Si tiene preguntas, contacte con ${account}.`,
};

export const recipientWording: Record<Language, RecipientWording> = { en: recipientEn, es: recipientEs };
