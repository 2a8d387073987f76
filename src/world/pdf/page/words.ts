import type { FileManner } from '../attached/file-facts.ts';
import type { SealParty } from '../seal-input.ts';

export type Language = 'en' | 'es';

const english = {
  page: (number: number, total: number) => `Page ${number} of ${total}`,
  documentId: 'Document ID',
  parties: 'Parties',
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
    'This certificate records who took part in the document named below, how each of them was identified and what ' +
    'happened when. Document and certificate carry one digital signature: any change made to this file afterwards shows ' +
    'in every PDF reader that checks signatures.',
  document: 'Document',
  documentType: 'Type',
  contentHash: 'SHA-256 of the content',
  attachments: 'Embedded files',
  file: 'File',
  fileBefore: 'SHA-256 before',
  fileAfter: 'SHA-256 after',
  fileKept: 'What was done to it',
  fields: 'Fields filled in',
  factsFile: 'The SHA-256 of the attached file before and after, and what was done to it.',
  enclosedFile: 'The attached file, unchanged.',
  hashOfBytes: (hash: string, bytes: number) => `${hash}\n${bytes} bytes`,
  manners: {
    pages:
      'What the parties filled in is drawn on its pages, and this certificate stands behind them. This file begins with ' +
      'the file as it was attached, byte for byte.',
    rewritten:
      'It was encrypted or damaged, so it was written anew. What the parties filled in is drawn on its pages, and this ' +
      'certificate stands behind them.',
    signed:
      'It bore signatures already. They stay valid: nothing on its pages was changed, what the parties filled in stands ' +
      'in annotations, and this certificate is inside the seal.',
    enclosed:
      'It is embedded unchanged, because its own signatures forbid any change, or because it is encrypted or damaged in ' +
      'a way that pages cannot be added to.',
  } as Record<FileManner, string>,
  identifiedBy: 'Identified by',
  email: 'E-mail',
  phone: 'Phone',
  ip: 'IP address',
  device: 'Device',
  partyId: 'Party ID',
  auditTrail: 'Audit trail',
  auditIntroduction:
    'Each entry carries a SHA-256 hash over its own content and the hash of the entry before it, so nothing can be ' +
    'changed, left out or added without breaking the chain. Times are UTC.',
  sealReason: 'Completed by all parties and sealed by the service that collected their signatures',
  kinds: { signer: 'Signer', approver: 'Approver', cc: 'Receives a copy' } as Record<SealParty['kind'], string>,
  personalLink: {
    email: 'Personal link sent by e-mail',
    sms: 'Personal link sent by SMS',
    in_person: 'In person, on a device handed over by the sender',
  } as Record<SealParty['channel'], string>,
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
    submitted_for_review: 'Submitted for review',
    sent: 'Sent',
    requested: 'Signature requested',
    reminded: 'Reminder sent',
    code_sent: 'Code sent',
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
    made_template: 'Saved as a template',
    mirrored: 'Mirrored',
    link_shown: 'Link shown',
  } as Record<string, string>,
  actors: { service: 'Countersign', operator: 'Operator', api_key: 'API key' } as Record<string, string>,
  types: {
    contract: 'Contract',
    form: 'Form',
    letter: 'Letter',
    estimate: 'Estimate',
    change_order: 'Change order',
    invoice: 'Invoice',
    lien_waiver: 'Lien waiver',
    notice_to_owner: 'Notice to owner',
    schedule_of_values: 'Schedule of values',
    pay_app: 'Pay application',
    coi: 'Certificate of insurance',
    license: 'License',
    other: 'Document',
    w9: 'Form W-9',
    warranty: 'Warranty',
    completion_certificate: 'Completion certificate',
    safety_acknowledgment: 'Safety acknowledgment',
    general: 'Document',
    receipt: 'Receipt',
    note: 'Note',
    check: 'Check',
    notice_of_commencement: 'Notice of commencement',
    comment_letter: 'Comment letter',
  } as Record<string, string>,
};

export type Words = typeof english;

const spanish: Words = {
  page: (number, total) => `Página ${number} de ${total}`,
  documentId: 'ID del documento',
  parties: 'Partes',
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
    'Este certificado deja constancia de quiénes participaron en el documento indicado abajo, cómo se identificó a cada ' +
    'uno y qué ocurrió en cada momento. El documento y el certificado llevan una misma firma digital: cualquier cambio ' +
    'posterior de este archivo se muestra en todo lector de PDF que compruebe firmas.',
  document: 'Documento',
  documentType: 'Tipo',
  contentHash: 'SHA-256 del contenido',
  attachments: 'Archivos incluidos',
  file: 'Archivo',
  fileBefore: 'SHA-256 antes',
  fileAfter: 'SHA-256 después',
  fileKept: 'Qué se hizo con él',
  fields: 'Campos rellenados',
  factsFile: 'El SHA-256 del archivo adjunto antes y después, y qué se hizo con él.',
  enclosedFile: 'El archivo adjunto, sin cambios.',
  hashOfBytes: (hash, bytes) => `${hash}\n${bytes} bytes`,
  manners: {
    pages:
      'Lo que rellenaron las partes está dibujado en sus páginas, y este certificado va detrás de ellas. Este archivo ' +
      'empieza con el archivo tal como se adjuntó, byte por byte.',
    rewritten:
      'Estaba cifrado o dañado, así que se escribió de nuevo. Lo que rellenaron las partes está dibujado en sus páginas, ' +
      'y este certificado va detrás de ellas.',
    signed:
      'Ya llevaba firmas, que siguen siendo válidas: nada se cambió en sus páginas, lo que rellenaron las partes está en ' +
      'anotaciones, y este certificado está dentro del sello.',
    enclosed:
      'Está incluido sin cambios, porque sus propias firmas prohíben cualquier cambio, o porque está cifrado o dañado de ' +
      'un modo que no permite añadirle páginas.',
  },
  identifiedBy: 'Identificación',
  email: 'Correo electrónico',
  phone: 'Teléfono',
  ip: 'Dirección IP',
  device: 'Dispositivo',
  partyId: 'ID de la parte',
  auditTrail: 'Registro de auditoría',
  auditIntroduction:
    'Cada entrada lleva un hash SHA-256 de su propio contenido y del hash de la entrada anterior, de modo que nada puede ' +
    'cambiarse, omitirse ni añadirse sin romper la cadena. Las horas están en UTC.',
  sealReason: 'Completado por todas las partes y sellado por el servicio que recogió sus firmas',
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
    submitted_for_review: 'Enviado a revisión',
    sent: 'Enviado',
    requested: 'Firma solicitada',
    reminded: 'Recordatorio enviado',
    code_sent: 'Código enviado',
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
    made_template: 'Guardado como plantilla',
    mirrored: 'Duplicado',
    link_shown: 'Enlace mostrado',
  },
  actors: { service: 'Countersign', operator: 'Operador', api_key: 'Clave de API' },
  types: {
    contract: 'Contrato',
    form: 'Formulario',
    letter: 'Carta',
    estimate: 'Presupuesto',
    change_order: 'Orden de cambio',
    invoice: 'Factura',
    lien_waiver: 'Renuncia de gravamen',
    notice_to_owner: 'Aviso al propietario',
    schedule_of_values: 'Desglose de valores',
    pay_app: 'Solicitud de pago',
    coi: 'Certificado de seguro',
    license: 'Licencia',
    other: 'Documento',
    w9: 'Formulario W-9',
    warranty: 'Garantía',
    completion_certificate: 'Certificado de terminación',
    safety_acknowledgment: 'Reconocimiento de seguridad',
    general: 'Documento',
    receipt: 'Recibo',
    note: 'Nota',
    check: 'Cheque',
    notice_of_commencement: 'Aviso de inicio',
    comment_letter: 'Carta de comentarios',
  },
};

export const wordsOf: Record<Language, Words> = { en: english, es: spanish };
