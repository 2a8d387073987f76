import type { Language } from '../platform/language.ts';
import type { DocumentStatus } from './document.ts';

/** The names of statuses that pages and exports show. */
export const documentStatusNames: Record<Language, Record<DocumentStatus, string>> = {
  en: {
    draft: 'Draft',
    in_review: 'In review',
    sent: 'Sent',
    partially_signed: 'Partially signed',
    completed: 'Completed',
    declined: 'Declined',
    voided: 'Voided',
    expired: 'Expired',
  },
  es: {
    draft: 'Borrador',
    in_review: 'En revisión',
    sent: 'Enviado',
    partially_signed: 'Firmado en parte',
    completed: 'Completado',
    declined: 'Rechazado',
    voided: 'Anulado',
    expired: 'Caducado',
  },
};
