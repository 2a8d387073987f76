import type { Language } from '../../platform/language.ts';
import type { FileManner } from '../file-facts.ts';
import type { SealRecipient } from '../seal-input.ts';

const english = {
  page: (number: number, total: number) => `Page ${number} of ${total}`,
  documentId: 'Document ID',
  recipients: 'Recipients',
  signatures: 'Signatures',
  sentBy: 'Sent by',
  created: 'Created',
  sent: 'Sent',
  completed: 'Completed',
  viewed: 'Viewed',
  signed: 'Signed',
  approved: 'Approved',
  signedBy: 'Signed by',
  approvedBy: 'Approved by',
  certificate: 'Certificate of completion',
  certificateIntroduction:
    'This certificate records who took part in this document, how each person was identified, and what happened when. ' +
    'One digital signature covers the document and this certificate. PDF readers that check signatures report any later ' +
    'change.',
  document: 'Document',
  documentType: 'Type',
  contentHash: 'SHA-256 of the content',
  attachments: 'Embedded files',
  file: 'File',
  fileBefore: 'SHA-256 before',
  fileAfter: 'SHA-256 after',
  fileKept: 'How it was kept',
  fields: 'Filled in',
  fieldTypes: { signature: 'signature', initials: 'initials', checkbox: 'ticked' },
  onPage: (page: number, label: string | null) => `Page ${page}${label === null ? '' : `, ${label}`}`,
  factsFile: 'SHA-256 of the attached file before and after sealing, and how the file was kept.',
  enclosedFile: (name: string) => `The attached file, unchanged: ${name}`,
  hashOfBytes: (hash: string, bytes: number) => `${hash}\n${bytes} bytes`,
  manners: {
    pages:
      'The filled-in values are drawn on its pages, and this certificate follows them. The beginning of this file is ' +
      'exactly the attached file.',
    rewritten:
      'The attached file was encrypted or damaged, so it was rewritten. The filled-in values are drawn on its pages, and ' +
      'this certificate follows them.',
    signed:
      'The attached file had signatures already. They stay valid: its pages are unchanged, the filled-in values are ' +
      'annotations, and this certificate is embedded in the seal.',
    enclosed:
      'The attached file is embedded unchanged. Its own signatures forbid changes, or it is encrypted or damaged so that ' +
      'no pages can be added.',
  } as Record<FileManner, string>,
  identifiedBy: 'Identified by',
  email: 'E-mail',
  phone: 'Phone',
  ip: 'IP address',
  device: 'Device',
  recipientId: 'Recipient ID',
  auditTrail: 'Audit trail',
  auditIntroduction:
    'Each entry has a SHA-256 hash of its content and of the hash of the entry before it. Any changed, missing or added ' +
    'entry breaks this chain. Times are in UTC.',
  sealReason: 'Completed by everyone and sealed by the service that collected the signatures',
  kinds: { signer: 'Signer', approver: 'Approver', cc: 'Receives a copy' } as Record<SealRecipient['kind'], string>,
  personalLink: {
    email: 'Personal link sent by e-mail',
    sms: 'Personal link sent by SMS',
    in_person: 'In person, on a device handed over by the sender',
  } as Record<SealRecipient['channel'], string>,
  code: {
    sms: (ending: string, time: string) => `SMS code to …${ending}, verified ${time}`,
    page: (_ending: string, time: string) => `code shown in test mode, verified ${time}`,
  },
  consent: 'Consent',
  disclosureAccepted: (version: string, time: string) => `Electronic signature disclosure ${version}, accepted ${time}`,
  accountSession: 'signed in to an account with this e-mail address',
  and: (first: string, second: string) => `${first}, and ${second}`,
  actions: {
    created: 'Created',
    edited: 'Edited',
    attached: 'File attached',
    fields_placed: 'Fields placed',
    submitted_for_review: 'Submitted for review',
    returned_to_draft: 'Returned to draft',
    sent: 'Sent',
    requested: 'Signature requested',
    reminded: 'Reminder sent',
    code_sent: 'Code sent',
    account_link_sent: 'Sign-in link sent',
    verification_failed: 'Wrong code',
    verified: 'Verified',
    viewed: 'Viewed',
    consented: 'Agreed to sign electronically',
    signed: 'Signed',
    approved: 'Approved',
    declined: 'Declined',
    completed: 'Completed',
    voided: 'Voided',
    expired: 'Expired',
    sealed: 'Sealed',
    copied: 'Copy sent',
    delivery_failed: 'Delivery failed',
    restricted: 'Restricted',
    restriction_lifted: 'Restriction lifted',
    made_template: 'Saved as a template',
    mirrored: 'Mirrored',
    seal_stopped: 'Seal stopped',
    seal_retried: 'Seal tried again',
    link_shown: 'Link shown',
  } as Record<string, string>,
  actors: { service: 'Countersign', operator: 'Operator', api_key: 'API key', person: 'Member' } as Record<
    string,
    string
  >,
};

export type Words = typeof english;

const spanish: Words = {
  page: (number, total) => `Página ${number} de ${total}`,
  documentId: 'ID del documento',
  recipients: 'Destinatarios',
  signatures: 'Firmas',
  sentBy: 'Enviado por',
  created: 'Creado',
  sent: 'Enviado',
  completed: 'Completado',
  viewed: 'Visto',
  signed: 'Firmado',
  approved: 'Aprobado',
  signedBy: 'Firmado por',
  approvedBy: 'Aprobado por',
  certificate: 'Certificado de finalización',
  certificateIntroduction:
    'Este certificado registra quién participó en este documento, cómo se identificó a cada persona y qué ocurrió en cada ' +
    'momento. Una sola firma digital cubre el documento y este certificado. Los lectores de PDF que comprueban firmas ' +
    'avisan de cualquier cambio posterior.',
  document: 'Documento',
  documentType: 'Tipo',
  contentHash: 'SHA-256 del contenido',
  attachments: 'Archivos incluidos',
  file: 'Archivo',
  fileBefore: 'SHA-256 antes',
  fileAfter: 'SHA-256 después',
  fileKept: 'Cómo se conservó',
  fields: 'Rellenado',
  fieldTypes: { signature: 'firma', initials: 'iniciales', checkbox: 'marcado' },
  onPage: (page, label) => `Página ${page}${label === null ? '' : `, ${label}`}`,
  factsFile: 'SHA-256 del archivo adjunto antes y después del sellado, y cómo se conservó el archivo.',
  enclosedFile: (name) => `El archivo adjunto, sin cambios: ${name}`,
  hashOfBytes: (hash, bytes) => `${hash}\n${bytes} bytes`,
  manners: {
    pages:
      'Los valores rellenados están dibujados en sus páginas y este certificado va a continuación. El principio de este ' +
      'archivo es exactamente el archivo adjunto.',
    rewritten:
      'El archivo adjunto estaba cifrado o dañado, así que se reescribió. Los valores rellenados están dibujados en sus ' +
      'páginas y este certificado va a continuación.',
    signed:
      'El archivo adjunto ya tenía firmas. Siguen siendo válidas: sus páginas no han cambiado, los valores rellenados son ' +
      'anotaciones y este certificado está incluido en el sello.',
    enclosed:
      'El archivo adjunto está incluido sin cambios. Sus propias firmas prohíben cambios, o está cifrado o dañado y no se ' +
      'le pueden añadir páginas.',
  },
  identifiedBy: 'Identificación',
  email: 'Correo electrónico',
  phone: 'Teléfono',
  ip: 'Dirección IP',
  device: 'Dispositivo',
  recipientId: 'ID del destinatario',
  auditTrail: 'Registro de auditoría',
  auditIntroduction:
    'Cada entrada tiene un hash SHA-256 de su contenido y del hash de la entrada anterior. Cualquier entrada cambiada, ' +
    'omitida o añadida rompe esta cadena. Las horas están en UTC.',
  sealReason: 'Completado por todos y sellado por el servicio que recogió las firmas',
  kinds: { signer: 'Firmante', approver: 'Aprobador', cc: 'Recibe una copia' },
  personalLink: {
    email: 'Enlace personal enviado por correo electrónico',
    sms: 'Enlace personal enviado por SMS',
    in_person: 'En persona, en un dispositivo entregado por el remitente',
  },
  code: {
    sms: (ending, time) => `código por SMS al …${ending}, verificado el ${time}`,
    page: (_ending, time) => `código mostrado en modo de prueba, verificado el ${time}`,
  },
  consent: 'Consentimiento',
  disclosureAccepted: (version, time) => `Información sobre la firma electrónica ${version}, aceptada el ${time}`,
  accountSession: 'sesión iniciada en una cuenta con esta dirección de correo',
  and: (first, second) => `${first}, y ${second}`,
  actions: {
    created: 'Creado',
    edited: 'Editado',
    attached: 'Archivo adjuntado',
    fields_placed: 'Campos colocados',
    submitted_for_review: 'Enviado a revisión',
    returned_to_draft: 'Devuelto a borrador',
    sent: 'Enviado',
    requested: 'Firma solicitada',
    reminded: 'Recordatorio enviado',
    code_sent: 'Código enviado',
    account_link_sent: 'Enlace de acceso enviado',
    verification_failed: 'Código erróneo',
    verified: 'Verificado',
    viewed: 'Visto',
    consented: 'Aceptó firmar electrónicamente',
    signed: 'Firmado',
    approved: 'Aprobado',
    declined: 'Rechazado',
    completed: 'Completado',
    voided: 'Anulado',
    expired: 'Vencido',
    sealed: 'Sellado',
    copied: 'Copia enviada',
    delivery_failed: 'Entrega fallida',
    restricted: 'Restringido',
    restriction_lifted: 'Restricción levantada',
    made_template: 'Guardado como plantilla',
    mirrored: 'Duplicado',
    seal_stopped: 'Sellado detenido',
    seal_retried: 'Sellado reintentado',
    link_shown: 'Enlace mostrado',
  },
  actors: { service: 'Countersign', operator: 'Operador', api_key: 'Clave de API', person: 'Miembro' },
};

export const wordsOf: Record<Language, Words> = { en: english, es: spanish };
