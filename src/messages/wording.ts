import type { Language } from '../platform/language.ts';

/** What a recipient is asked to do. */
export type Task = 'sign' | 'approve';

/** All sentences of the messages. Names and titles are already prepared for use in a sentence. */
export interface Wording {
  /** `name` is empty for someone whose name is left out. */
  greeting(name: string): string;
  request: Record<Task, RequestWording>;
  copy: {
    subject(title: string): string;
    preheader: string;
    heading: string;
    introduction: string;
    button: string;
    sms(account: string, title: string): string;
  };
  code: { sms(account: string, code: string): string };
  messageFrom(account: string): string;
  from: string;
  expires: string;
  doNotForward: string;
  fallback: string;
  sentBy(account: string): string;
  documentId: string;
  /** The locale for dates, which are in UTC. */
  locale: string;
}

export interface RequestWording {
  subject(account: string, title: string): string;
  preheader: string;
  heading: string;
  introduction(account: string): string;
  button: string;
  doNotForward: string;
  unexpected: string;
  sms(account: string, title: string): string;
  reminder: {
    subject(account: string, title: string): string;
    preheader: string;
    heading: string;
    introduction(account: string): string;
    /** `until`: when the document expires, or null. */
    sms(account: string, title: string, until: string | null): string;
  };
}

/* SMS sentences use only letters of the GSM alphabet, because then twice as many fit: no á, í, ó, ú, no “ ”. */

const en: Wording = {
  greeting: (name) => (name === '' ? 'Hello,' : `Hello ${name},`),
  request: {
    sign: {
      subject: (account, title) => `${account} requests your signature: “${title}”`,
      preheader: 'Review the document and sign it online.',
      heading: 'Your signature is requested',
      introduction: (account) => `${account} has sent you this document to sign.`,
      button: 'Review and sign',
      doNotForward:
        'Please do not forward this e-mail: the link is personal, and anyone who opens it could sign in your name.',
      unexpected:
        'If you did not expect this request, you can ignore this e-mail. Nothing is signed unless you sign it.',
      sms: (account, title) => `${account} asks you to sign "${title}":`,
      reminder: {
        subject: (account, title) => `Reminder: ${account} awaits your signature: “${title}”`,
        preheader: 'The document still awaits your signature.',
        heading: 'Reminder: your signature is awaited',
        introduction: (account) => `${account} sent you this document to sign. It still awaits your signature.`,
        sms: (account, title, until) =>
          `Reminder: ${account} asks you to sign "${title}"${until === null ? '' : ` (expires ${until})`}:`,
      },
    },
    approve: {
      subject: (account, title) => `${account} requests your approval: “${title}”`,
      preheader: 'Review the document and approve it online.',
      heading: 'Your approval is requested',
      introduction: (account) => `${account} has sent you this document to approve.`,
      button: 'Review and approve',
      doNotForward:
        'Please do not forward this e-mail: the link is personal, and anyone who opens it could approve in your name.',
      unexpected:
        'If you did not expect this request, you can ignore this e-mail. Nothing is approved unless you approve it.',
      sms: (account, title) => `${account} asks you to approve "${title}":`,
      reminder: {
        subject: (account, title) => `Reminder: ${account} awaits your approval: “${title}”`,
        preheader: 'The document still awaits your approval.',
        heading: 'Reminder: your approval is awaited',
        introduction: (account) => `${account} sent you this document to approve. It still awaits your approval.`,
        sms: (account, title, until) =>
          `Reminder: ${account} asks you to approve "${title}"${until === null ? '' : ` (expires ${until})`}:`,
      },
    },
  },
  copy: {
    subject: (title) => `Completed: “${title}”`,
    preheader: 'Your sealed copy is ready to view and download.',
    heading: 'The document is complete',
    introduction: 'Everyone has completed this document. Your sealed copy is ready to view and download.',
    button: 'View and download',
    sms: (account, title) => `${account}: "${title}" is complete. Your copy:`,
  },
  code: {
    sms: (account, code) =>
      `${account}: ${code} is your code to open the document. It is valid for 10 minutes. Do not share it.`,
  },
  messageFrom: (account) => `Message from ${account}`,
  from: 'From',
  expires: 'Expires',
  doNotForward: 'Please do not forward this e-mail: the link is personal.',
  fallback: 'If the button does not work, copy this address into your browser:',
  sentBy: (account) => `Sent by Countersign on behalf of ${account}`,
  documentId: 'Document ID',
  locale: 'en-US',
};

const es: Wording = {
  greeting: (name) => (name === '' ? 'Hola:' : `Hola, ${name}:`),
  request: {
    sign: {
      subject: (account, title) => `${account} solicita su firma: «${title}»`,
      preheader: 'Revise el documento y fírmelo en línea.',
      heading: 'Se solicita su firma',
      introduction: (account) => `${account} le ha enviado este documento para que lo firme.`,
      button: 'Revisar y firmar',
      doNotForward:
        'Por favor, no reenvíe este correo: el enlace es personal y quien lo abra podría firmar en su nombre.',
      unexpected: 'Si no esperaba esta solicitud, puede ignorar este correo. Nada se firma mientras usted no lo haga.',
      sms: (account, title) => `${account} le pide que firme "${title}":`,
      reminder: {
        subject: (account, title) => `Recordatorio: ${account} espera su firma: «${title}»`,
        preheader: 'El documento sigue pendiente de su firma.',
        heading: 'Recordatorio: se espera su firma',
        introduction: (account) => `${account} le envió este documento para que lo firme. Sigue pendiente de su firma.`,
        sms: (account, title, until) =>
          `Recordatorio: ${account} le pide que firme "${title}"${until === null ? '' : ` (vence ${until})`}:`,
      },
    },
    approve: {
      subject: (account, title) => `${account} solicita su aprobación: «${title}»`,
      preheader: 'Revise el documento y apruébelo en línea.',
      heading: 'Se solicita su aprobación',
      introduction: (account) => `${account} le ha enviado este documento para que lo apruebe.`,
      button: 'Revisar y aprobar',
      doNotForward:
        'Por favor, no reenvíe este correo: el enlace es personal y quien lo abra podría aprobar en su nombre.',
      unexpected:
        'Si no esperaba esta solicitud, puede ignorar este correo. Nada se aprueba mientras usted no lo haga.',
      sms: (account, title) => `${account} le pide que apruebe "${title}":`,
      reminder: {
        subject: (account, title) => `Recordatorio: ${account} espera su aprobación: «${title}»`,
        preheader: 'El documento sigue pendiente de su aprobación.',
        heading: 'Recordatorio: se espera su aprobación',
        introduction: (account) =>
          `${account} le envió este documento para que lo apruebe. Sigue pendiente de su aprobación.`,
        sms: (account, title, until) =>
          `Recordatorio: ${account} le pide que apruebe "${title}"${until === null ? '' : ` (vence ${until})`}:`,
      },
    },
  },
  copy: {
    subject: (title) => `Completado: «${title}»`,
    preheader: 'Ya puede consultar y descargar su copia sellada.',
    heading: 'El documento se ha completado',
    introduction: 'Todos han completado este documento. Ya puede consultar y descargar su copia sellada.',
    button: 'Ver y descargar',
    sms: (account, title) => `${account}: se ha completado "${title}". Su copia:`,
  },
  code: {
    sms: (account, code) =>
      `${account}: ${code} es su clave para abrir el documento. Vale 10 minutos. No la comparta con nadie.`,
  },
  messageFrom: (account) => `Mensaje de ${account}`,
  from: 'De',
  expires: 'Vence',
  doNotForward: 'Por favor, no reenvíe este correo: el enlace es personal.',
  fallback: 'Si el botón no funciona, copie esta dirección en su navegador:',
  sentBy: (account) => `Enviado por Countersign en nombre de ${account}`,
  documentId: 'Identificador del documento',
  locale: 'es',
};

export const wording: Record<Language, Wording> = { en, es };
