import type { Language } from '../platform/language.ts';

/** All sentences of the notices to the sender of a document. Names and titles are already prepared for use in a sentence. */
export interface SenderWording {
  greeting: string;
  /** Stands for the title of a restricted document, which e-mails to members never show. */
  restricted: string;
  /** Stands for the recipient of a restricted document. */
  someone: string;
  completed: SenderNoticeWording;
  declined: SenderNoticeWording;
  reasonOf(name: string): string;
  button: string;
  fallback: string;
  /** Why the e-mail came, and how to get no more. */
  why: string;
}

interface SenderNoticeWording {
  subject(title: string, who: string): string;
  preheader: string;
  heading: string;
  introduction(who: string): string;
  /** Label of the time. */
  at: string;
}

const en: SenderWording = {
  greeting: 'Hello,',
  restricted: 'A restricted document',
  someone: 'A recipient',
  completed: {
    subject: (title) => `Completed: “${title}”`,
    preheader: 'Everyone has completed the document that you sent.',
    heading: 'Your document is complete',
    introduction: () =>
      'Everyone has completed the document that you sent. The sealed PDF is on its page, a few seconds after this e-mail.',
    at: 'Completed',
  },
  declined: {
    subject: (title, who) => `${who} declined: “${title}”`,
    preheader: 'The document that you sent was declined.',
    heading: 'Your document was declined',
    introduction: (who) => `${who} has declined the document that you sent. Nobody can sign it any more.`,
    at: 'Declined',
  },
  reasonOf: (name) => `Reason given by ${name}`,
  button: 'View document',
  fallback: 'If the button does not work, copy this address into your browser:',
  why: 'You get this e-mail because you sent the document. An owner or admin can switch it off in Settings, under Notices.',
};

const es: SenderWording = {
  greeting: 'Hola:',
  restricted: 'Un documento restringido',
  someone: 'Un destinatario',
  completed: {
    subject: (title) => `Completado: «${title}»`,
    preheader: 'Todos han completado el documento que usted envió.',
    heading: 'Su documento se ha completado',
    introduction: () =>
      'Todos han completado el documento que usted envió. El PDF sellado estará en su página unos segundos después de este correo.',
    at: 'Completado',
  },
  declined: {
    subject: (title, who) => `${who} ha rechazado: «${title}»`,
    preheader: 'El documento que usted envió ha sido rechazado.',
    heading: 'Su documento ha sido rechazado',
    introduction: (who) => `${who} ha rechazado el documento que usted envió. Ya nadie puede firmarlo.`,
    at: 'Rechazado',
  },
  reasonOf: (name) => `Motivo indicado por ${name}`,
  button: 'Ver el documento',
  fallback: 'Si el botón no funciona, copie esta dirección en su navegador:',
  why: 'Recibe este correo porque usted envió el documento. Un propietario o administrador puede desactivarlo en Ajustes, en Avisos.',
};

export const senderWording: Record<Language, SenderWording> = { en, es };
