import { inLanguage } from '../language.ts';
import type { Branding } from './branding.ts';

type Kind = Branding['texts'][number]['kind'];

const english = {
  intro:
    'What recipients of your documents see: your logo and colour on signing pages, in e-mails and on the certificate of completion.',
  logo: 'Logo',
  logoFile: 'Logo file',
  chooseLogo: 'Drop a picture here, or choose one',
  logoHint:
    'PNG or JPEG, at most 512 KB and 1000 × 500 pixels. Wide logos on a light or transparent background look best.',
  currentLogo: 'Current logo',
  removeLogo: 'Remove logo',
  logoSaved: 'Logo saved.',
  logoRemoved: 'Logo removed.',
  look: 'Colour and sender',
  accent: 'Accent colour',
  accentHint: 'Such as #22407a. Leave it empty for our blue. Text on it stays readable, whatever the colour.',
  pickAccent: 'Pick the accent colour',
  senderName: 'Sender name',
  senderNameHint: 'Recipients see “via Countersign” after it. Leave it empty to send as Countersign.',
  replyTo: 'Reply address',
  replyToHint: 'Answers to e-mails of documents that no member sent, such as those of the API, go here.',
  alwaysReplyTo: 'Always send answers here',
  alwaysReplyToHint: 'Also when a member sent the document. Otherwise that member gets them.',
  save: 'Save',
  saved: 'Saved.',
  preview: 'Preview',
  light: 'Light',
  dark: 'Dark',
  sampleTitle: 'Lease agreement',
  sampleButton: 'Review and sign',
  sampleLink: 'Check a signed PDF',
  reload: 'Load the newest version',
  texts: 'Texts of e-mails',
  textsIntro:
    'Write the subject and the first paragraph yourself, in each language. The link and the notes below it stay. Recipients get the language of the document.',
  email: 'E-mail',
  kinds: [
    ['request', 'Request'],
    ['reminder', 'Reminder'],
    ['copy', 'Completed copy'],
  ] as [Kind, string][],
  language: 'Language',
  subject: 'Subject',
  introduction: 'First paragraph',
  variables:
    'Plain text. Variables: {{recipient_name}}, {{document_title}}, {{sender_name}}, {{company_name}}. Leave a field empty for our text. People whom another recipient named get our text in place of one with {{recipient_name}}.',
  saveText: 'Save text',
  sendTest: 'Send me a test e-mail',
  testSent: (to: string) => `We sent it with the saved texts to ${to}.`,
  from: 'From',
  previewFrame: 'Preview of the e-mail',
  unknownVariable: (value: string) =>
    `“${value}” is not a variable. Use {{recipient_name}}, {{document_title}}, {{sender_name}} or {{company_name}}.`,
  failures: {
    'invalid_input:accent': 'Enter a colour such as #22407a.',
    'invalid_input:sender_name':
      'Enter at most 60 characters, without <, >, @, backslashes, quotation marks or invisible characters.',
    'invalid_input:reply_to': 'Enter a valid e-mail address.',
    'invalid_input:subject': 'The subject can have at most 150 characters, in one line.',
    'invalid_input:introduction': 'The first paragraph can have at most 600 characters.',
    invalid_logo: 'Choose a PNG without interlacing, or a JPEG, of at most 1000 × 500 pixels.',
    file_too_large: 'Choose a file of at most 512 KB.',
    changed_meanwhile: 'Someone else changed the branding. Load the newest version and try again.',
  } as Record<string, string>,
};

const spanish: typeof english = {
  intro:
    'Lo que ven los destinatarios de sus documentos: su logotipo y su color en las páginas de firma, en los correos y en el certificado de finalización.',
  logo: 'Logotipo',
  logoFile: 'Archivo del logotipo',
  chooseLogo: 'Suelte aquí una imagen o elija una',
  logoHint:
    'PNG o JPEG, de 512 KB y 1000 × 500 píxeles como máximo. Quedan mejor los logotipos anchos sobre fondo claro o transparente.',
  currentLogo: 'Logotipo actual',
  removeLogo: 'Quitar el logotipo',
  logoSaved: 'Logotipo guardado.',
  logoRemoved: 'Logotipo quitado.',
  look: 'Color y remitente',
  accent: 'Color de acento',
  accentHint: 'Por ejemplo, #22407a. Déjelo vacío para usar nuestro azul. El texto se lee bien con cualquier color.',
  pickAccent: 'Elegir el color de acento',
  senderName: 'Nombre del remitente',
  senderNameHint: 'Los destinatarios ven «via Countersign» detrás. Déjelo vacío para enviar como Countersign.',
  replyTo: 'Dirección de respuesta',
  replyToHint: 'Recibe las respuestas a los correos de documentos que no envió ningún miembro, como los de la API.',
  alwaysReplyTo: 'Recibir siempre aquí las respuestas',
  alwaysReplyToHint: 'También cuando un miembro envió el documento. Si no, las recibe ese miembro.',
  save: 'Guardar',
  saved: 'Guardado.',
  preview: 'Vista previa',
  light: 'Claro',
  dark: 'Oscuro',
  sampleTitle: 'Contrato de alquiler',
  sampleButton: 'Revisar y firmar',
  sampleLink: 'Comprobar un PDF firmado',
  reload: 'Cargar la última versión',
  texts: 'Textos de los correos',
  textsIntro:
    'Escriba usted el asunto y el primer párrafo, en cada idioma. El enlace y las notas de debajo se mantienen. Los destinatarios los reciben en el idioma del documento.',
  email: 'Correo',
  kinds: [
    ['request', 'Solicitud'],
    ['reminder', 'Recordatorio'],
    ['copy', 'Copia completada'],
  ],
  language: 'Idioma',
  subject: 'Asunto',
  introduction: 'Primer párrafo',
  variables:
    'Solo texto. Variables: {{recipient_name}}, {{document_title}}, {{sender_name}}, {{company_name}}. Deje un campo vacío para usar nuestro texto. Quienes fueron nombrados por otro destinatario reciben nuestro texto en lugar de uno con {{recipient_name}}.',
  saveText: 'Guardar el texto',
  sendTest: 'Enviarme un correo de prueba',
  testSent: (to) => `Lo hemos enviado con los textos guardados a ${to}.`,
  from: 'De',
  previewFrame: 'Vista previa del correo',
  unknownVariable: (value) =>
    `«${value}» no es una variable. Use {{recipient_name}}, {{document_title}}, {{sender_name}} o {{company_name}}.`,
  failures: {
    'invalid_input:accent': 'Escriba un color como #22407a.',
    'invalid_input:sender_name':
      'Escriba como máximo 60 caracteres, sin <, >, @, barras invertidas, comillas ni caracteres invisibles.',
    'invalid_input:reply_to': 'Escriba un correo electrónico válido.',
    'invalid_input:subject': 'El asunto puede tener 150 caracteres como máximo, en una línea.',
    'invalid_input:introduction': 'El primer párrafo puede tener 600 caracteres como máximo.',
    invalid_logo: 'Elija un PNG sin entrelazado o un JPEG, de 1000 × 500 píxeles como máximo.',
    file_too_large: 'Elija un archivo de 512 KB como máximo.',
    changed_meanwhile: 'Otra persona ha cambiado la marca. Cargue la última versión e inténtelo de nuevo.',
  },
};

export const brandingText = inLanguage(english, spanish);
