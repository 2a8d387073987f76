import type { Language } from './platform/language.ts';

/** The types of documents in the API's order, with the names that pages and PDFs show. */
const english = {
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
} as const;

export type DocumentType = keyof typeof english;

export const documentTypes = Object.keys(english) as DocumentType[];

const spanish: Record<DocumentType, string> = {
  contract: 'Contrato',
  form: 'Formulario',
  letter: 'Carta',
  estimate: 'Presupuesto',
  change_order: 'Orden de cambio',
  invoice: 'Factura',
  lien_waiver: 'Renuncia de gravamen',
  notice_to_owner: 'Aviso al propietario',
  schedule_of_values: 'Programa de valores',
  pay_app: 'Solicitud de pago',
  coi: 'Certificado de seguro',
  license: 'Licencia',
  other: 'Documento',
  w9: 'Formulario W-9',
  warranty: 'Garantía',
  completion_certificate: 'Certificado de terminación',
  safety_acknowledgment: 'Acuse de medidas de seguridad',
  general: 'Documento',
  receipt: 'Recibo',
  note: 'Nota',
  check: 'Cheque',
  notice_of_commencement: 'Aviso de inicio de obra',
  comment_letter: 'Carta de observaciones',
};

export const documentTypeNames: Record<Language, Record<DocumentType, string>> = { en: english, es: spanish };

/** Returns the name of a type. A stranger's file may name a type that does not exist, which is shown as it is. */
export function documentTypeName(type: string, language: Language): string {
  const names: Record<string, string> = documentTypeNames[language];
  return Object.hasOwn(names, type) ? (names[type] as string) : type;
}
